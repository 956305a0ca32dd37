import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { createBase58check } from '@scure/base'
import type { Version } from '../../coins/types.ts'
import { assert } from '../../domain/errors.ts'
import { decoded } from './decoded.ts'

const HASH_BYTES = 20

const base58Check = createBase58check(sha256)

export function encodeBase58Check(version: Version, hash: Uint8Array): string {
  assert(hash.length === HASH_BYTES, 'a base58check address contains a hash of 20 bytes')
  return base58Check.encode(concatBytes(Uint8Array.from(version), hash))
}

/** Reads the version and the hash of an address; null for another version or a wrong checksum. */
export function readBase58Check(
  accepted: readonly Version[],
  address: string,
): { version: Version; hash: Uint8Array } | null {
  const bytes = decoded(() => base58Check.decode(address))
  if (bytes === null) return null
  const version = accepted.find(
    prefix =>
      bytes.length === prefix.length + HASH_BYTES && prefix.every((byte, index) => bytes[index] === byte),
  )
  return version === undefined ? null : { version, hash: bytes.slice(version.length) }
}
