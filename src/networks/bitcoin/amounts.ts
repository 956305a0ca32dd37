import { parseLosslessProperty } from '../../domain/lossless-json.ts'
import type { Json } from '../../domain/metadata.ts'
import { malformedResponse } from '../rpc/json.ts'

const COIN_DECIMALS = 8
const DIGITS_MAX = 24

/**
 * Parses JSON, with each amount ("value") as a string of its digits, since a double cannot hold all amounts
 * of Dogecoin exactly. Throws SyntaxError.
 */
export const parseAmounts = (text: string): Json => parseLosslessProperty(text, 'value') as Json

/** Reads an integer of the smallest unit, as Esplora and Blockbook write amounts. Throws NetworkError. */
export const readAtomic = (json: Json | undefined): bigint => readAmount(json, 0)

/** Reads a decimal of whole coins, as Bitcoin Core and its forks write amounts. Throws NetworkError. */
export const readCoins = (json: Json | undefined): bigint => readAmount(json, COIN_DECIMALS)

function readAmount(json: Json | undefined, decimals: number): bigint {
  const match = /^([0-9]{1,20})(?:[.]([0-9]{1,20}))?(?:[eE]([+-]?[0-9]{1,2}))?$/.exec(`${json}`)
  if (typeof json !== 'string' || !match) throw malformedResponse('an amount')
  const [, whole = '', fraction = '', exponent = '0'] = match
  const shift = decimals - fraction.length + Number(exponent)
  const digits = BigInt(whole + fraction)
  if (Math.abs(shift) > DIGITS_MAX) throw malformedResponse('an amount')
  if (shift >= 0) return digits * 10n ** BigInt(shift)
  const divisor = 10n ** BigInt(-shift)
  if (digits % divisor !== 0n) throw malformedResponse('an amount of whole units')
  return digits / divisor
}
