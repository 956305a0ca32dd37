import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { createBase58check } from '@scure/base'
import { assert } from '../../domain/errors.ts'
import { decoded } from './decoded.ts'

export type Version = readonly number[]

/** What stands before the hash of a public key or of a script, on each coin's main chain. */
export const versions = {
  btc: { p2pkh: [0x00], p2sh: [0x05] },
  bitcoincash: { p2pkh: [0x00], p2sh: [0x05] },
  // Litecoin once wrote its script addresses as Bitcoin does, and its wallets still take them.
  ltc: { p2pkh: [0x30], p2sh: [0x32], oldP2sh: [0x05] },
  doge: { p2pkh: [0x1e], p2sh: [0x16] },
  zec: { p2pkh: [0x1c, 0xb8], p2sh: [0x1c, 0xbd] },
  trc20: { account: [0x41] },
} as const satisfies Record<string, Record<string, Version>>

const HASH_BYTES = 20

const base58Check = createBase58check(sha256)

export function encodeBase58Check(version: Version, hash: Uint8Array): string {
  assert(hash.length === HASH_BYTES, 'a base58check address holds a hash of 20 bytes')
  return base58Check.encode(concatBytes(Uint8Array.from(version), hash))
}

/** The version and the hash of an address; null where it has no such version, or its checksum is wrong. */
export function readBase58Check<V extends Version>(
  accepted: Record<string, V>,
  address: string,
): { version: V; hash: Uint8Array } | null {
  const bytes = decoded(() => base58Check.decode(address))
  if (bytes === null) return null
  const version = Object.values(accepted).find(
    prefix =>
      bytes.length === prefix.length + HASH_BYTES && prefix.every((byte, index) => bytes[index] === byte),
  )
  return version === undefined ? null : { version, hash: bytes.slice(version.length) }
}

/** A transparent Zcash address: t1, for the hash of a public key. */
export const encodeZcash = (hash: Uint8Array): string => encodeBase58Check(versions.zec.p2pkh, hash)
