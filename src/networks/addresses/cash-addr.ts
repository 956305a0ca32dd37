import { concatBytes } from '@noble/hashes/utils.js'
import { bech32 } from '@scure/base'
import { assert } from '../../domain/errors.ts'

/** The kinds of destination, with the version byte and the length of the hash. */
const types = {
  p2pkh: { version: 0x00, bytes: 20 },
  p2sh: { version: 0x08, bytes: 20 },
  p2sh32: { version: 0x0b, bytes: 32 },
} as const
export type CashType = keyof typeof types

/**
 * The bit of the version byte that wallets set if they can hold tokens. It does not change the script, and
 * every wallet can pay the address without it.
 */
const TOKEN_AWARE = 0x10

interface CashAddress {
  type: CashType
  hash: Uint8Array
}

const CHECKSUM_WORDS = 8
const letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const generators = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n]

/**
 * Returns zero for a payload with a valid checksum, or the checksum of a payload that ends in eight zeros.
 */
function polymod(prefix: string, payload: readonly number[]): bigint {
  const prefixWords = [...prefix].map(letter => letter.charCodeAt(0) & 31)
  let sum = 1n
  for (const word of [...prefixWords, 0, ...payload]) {
    const top = Number(sum >> 35n)
    sum = ((sum & 0x07ffffffffn) << 5n) ^ BigInt(word)
    for (const [bit, generator] of generators.entries()) if ((top >> bit) & 1) sum ^= generator
  }
  return sum ^ 1n
}

/** Returns an address with its prefix, as it should be shown. */
export function encodeCashAddr(prefix: string, type: CashType, hash: Uint8Array): string {
  assert(hash.length === types[type].bytes, `a ${type} address contains a hash of ${types[type].bytes} bytes`)
  const words = bech32.toWords(concatBytes(Uint8Array.of(types[type].version), hash))
  const checksum = polymod(prefix, [...words, ...Array<number>(CHECKSUM_WORDS).fill(0)])
  for (let shift = 35n; shift >= 0n; shift -= 5n) words.push(Number((checksum >> shift) & 31n))
  return `${prefix}:${words.map(word => letters[word]).join('')}`
}

/**
 * Reads an address, token-aware or not, with or without its prefix, in lower or upper case. Null for any
 * other text.
 */
export function readCashAddr(prefix: string, address: string): CashAddress | null {
  const plain = /^[A-Z0-9:]+$/.test(address) ? address.toLowerCase() : address
  const payload = plain.startsWith(prefix + ':') ? plain.slice(prefix.length + 1) : plain
  const words = [...payload].map(letter => letters.indexOf(letter))
  if (words.includes(-1) || polymod(prefix, words) !== 0n) return null
  const bytes = bech32.fromWordsUnsafe(words.slice(0, -CHECKSUM_WORDS))
  if (!bytes) return null
  const found = Object.entries(types).find(
    ([, { version, bytes: length }]) =>
      (bytes[0] === version || bytes[0] === (version | TOKEN_AWARE)) && bytes.length === length + 1,
  )
  return found === undefined ? null : { type: found[0] as CashType, hash: bytes.slice(1) }
}
