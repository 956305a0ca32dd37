import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { assert } from '../../domain/errors.ts'
import { decoded } from './decoded.ts'

const KEY_BYTES = 32

export function encodeSolana(key: Uint8Array): string {
  assert(key.length === KEY_BYTES, 'a Solana address has 32 bytes')
  return base58.encode(key)
}

/**
 * The 32 bytes of an address; null for what is none, and for the System Program's, which is all zeros. A key
 * off the curve passes, since the vault of a multisig wallet (Squads) is one and a fair payout wallet. A
 * token account, which must not be paid to, looks the same: only its chain can tell.
 */
export function readSolana(address: string): Uint8Array | null {
  const key = decoded(() => base58.decode(address))
  return key?.length === KEY_BYTES && key.some(byte => byte !== 0) ? key : null
}

/** As the chain itself decides it: what is off the curve is a program's, and no key signs for it. */
export const isOnCurve = (key: Uint8Array): boolean =>
  decoded(() => ed25519.Point.fromBytes(key, true)) !== null
