import type { Json } from '../../domain/metadata.ts'
import { malformedResponse } from '../rpc/json.ts'

/**
 * Dogecoin has more coins than a float keeps apart. A key that is called so cannot stand inside of a text,
 * where its quotes would be escaped.
 */
const amounts = /"value"\s*:\s*(-?[0-9][0-9.eE+-]*)/g

const COIN_DECIMALS = 8
const DIGITS_MAX = 24

/** Parses JSON with each amount ("value") kept as the text that was written. Throws SyntaxError. */
export const parseAmounts = (text: string): Json => JSON.parse(text.replace(amounts, '"value":"$1"')) as Json

/** From an integer of the smallest unit, as Esplora and Blockbook write amounts. Throws NetworkFault. */
export const readAtomic = (json: Json | undefined): bigint => exactly(json, 0)

/** From a decimal of whole coins, as Bitcoin Core and its kin write amounts. Throws NetworkFault. */
export const readCoins = (json: Json | undefined): bigint => exactly(json, COIN_DECIMALS)

function exactly(json: Json | undefined, decimals: number): bigint {
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
