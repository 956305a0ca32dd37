import { base58 } from '@scure/base'
import { assert } from '../../domain/errors.ts'
import { curves } from '../keys/curves.ts'
import { decoded } from './decoded.ts'

const KEY_BYTES = 32

export function encodeSolana(key: Uint8Array): string {
  assert(key.length === KEY_BYTES, 'a Solana address has 32 bytes')
  return base58.encode(key)
}

/**
 * Reads the 32 bytes of an address; null for any other text, and for the System program's address of zeros.
 * Keys off the curve are accepted, since a multisig vault (Squads) is a valid payout wallet. Token accounts
 * must not be paid, but only the chain can tell them apart.
 */
export function readSolana(address: string): Uint8Array | null {
  const key = decoded(() => base58.decode(address))
  return key?.length === KEY_BYTES && key.some(byte => byte !== 0) ? key : null
}

/** True for a key on the curve, by the chain's own rule. No key can sign for an address off the curve. */
export const isOnCurve = (key: Uint8Array): boolean =>
  decoded(() => curves.ed25519.Point.fromBytes(key, true)) !== null
