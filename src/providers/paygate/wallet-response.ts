import type { LosslessJson } from '../../domain/lossless-json.ts'
import { evmAddressPattern } from '../../domain/wallet.ts'
import { refused, unavailable } from './api.ts'
import type { JsonObject } from './json.ts'

/** The contract of USDC on Polygon. Money that is paid out to the contract of the token would be lost. */
const USDC_ON_POLYGON = '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'

export const isEvmAddress = (text: string): boolean => evmAddressPattern.test(text)

/** Refuses a payout wallet that the gateway would accept, but that must not receive money. */
export function checkEvmPayout(address: string): void {
  if (!isEvmAddress(address)) throw refused('The payout wallet is not an EVM address.')
  if (address.toLowerCase() === USDC_ON_POLYGON) throw refused('The payout wallet is a token contract.')
}

export function stringField(wallet: JsonObject, name: string): string {
  const value: LosslessJson | undefined = wallet[name]
  if (typeof value !== 'string' || value === '') throw unavailable(`The gateway answered without ${name}.`)
  return value
}

/**
 * A field of the response, decoded. Some fields arrive URL-encoded, and are encoded again when they are sent.
 */
export function decodedField(wallet: JsonObject, name: string): string {
  const value = stringField(wallet, name)
  try {
    return decodeURIComponent(value)
  } catch {
    throw unavailable(`The gateway answered with a malformed ${name}.`)
  }
}
