import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { base58xmr } from '@scure/base'
import { assert } from '../../domain/errors.ts'
import { curves } from '../keys/curves.ts'
import { decoded } from './decoded.ts'

const kinds = {
  standard: { network: 18, paymentIdBytes: 0 },
  integrated: { network: 19, paymentIdBytes: 8 },
  subaddress: { network: 42, paymentIdBytes: 0 },
} as const
type MoneroKind = keyof typeof kinds

interface MoneroAddress {
  kind: MoneroKind
  spendKey: Uint8Array
  viewKey: Uint8Array
}

const KEY_BYTES = 32
const CHECKSUM_BYTES = 4

const checksum = (body: Uint8Array): Uint8Array => keccak_256(body).slice(0, CHECKSUM_BYTES)

const isPoint = (key: Uint8Array): boolean => decoded(() => curves.ed25519.Point.fromBytes(key)) !== null

/** Returns the address of two public keys. Subaddresses have their own keys and another first byte. */
export function encodeMonero(
  spendKey: Uint8Array,
  viewKey: Uint8Array,
  kind: Exclude<MoneroKind, 'integrated'> = 'standard',
): string {
  assert(spendKey.length === KEY_BYTES && viewKey.length === KEY_BYTES, 'a Monero public key has 32 bytes')
  const body = concatBytes(Uint8Array.of(kinds[kind].network), spendKey, viewKey)
  return base58xmr.encode(concatBytes(body, checksum(body)))
}

/** Reads the kind and the public keys of an address of the main chain; null for any other text. */
export function readMonero(address: string): MoneroAddress | null {
  const bytes = decoded(() => base58xmr.decode(address))
  if (bytes === null) return null
  const body = bytes.subarray(0, -CHECKSUM_BYTES)
  if (checksum(body).some((byte, index) => bytes[body.length + index] !== byte)) return null
  const found = Object.entries(kinds).find(
    ([, { network, paymentIdBytes }]) =>
      body[0] === network && body.length === 1 + 2 * KEY_BYTES + paymentIdBytes,
  )
  if (found === undefined) return null
  const spendKey = body.slice(1, 1 + KEY_BYTES)
  const viewKey = body.slice(1 + KEY_BYTES, 1 + 2 * KEY_BYTES)
  return isPoint(spendKey) && isPoint(viewKey) ? { kind: found[0] as MoneroKind, spendKey, viewKey } : null
}
