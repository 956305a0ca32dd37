import { chacha20 } from '@noble/ciphers/chacha.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { expand, extract } from '@noble/hashes/hkdf.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, hexToBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js'

const VERSION = 2
const NONCE_BYTES = 32
const MAC_BYTES = 32
const LENGTH_BYTES = 2
const PADDED_MIN = 32

/** Returns the x coordinate of the point that only the holders of the two keys can compute. */
export const sharedSecret = (privateKey: Uint8Array, publicKey: string): Uint8Array =>
  secp256k1.getSharedSecret(privateKey, hexToBytes(`02${publicKey}`)).slice(1)

/** Returns the key that encrypts all messages between two keys. */
export const conversationKey = (privateKey: Uint8Array, publicKey: string): Uint8Array =>
  extract(sha256, sharedSecret(privateKey, publicKey), utf8ToBytes('nip44-v2'))

function keysOf(key: Uint8Array, nonce: Uint8Array) {
  const keys = expand(sha256, key, nonce, 76)
  return { cipher: keys.slice(0, 32), nonce: keys.slice(32, 44), mac: keys.slice(44) }
}

function paddedLength(length: number): number {
  if (length <= PADDED_MIN) return PADDED_MIN
  const power = 2 ** (Math.floor(Math.log2(length - 1)) + 1)
  const chunk = power <= 256 ? PADDED_MIN : power / 8
  return chunk * (Math.floor((length - 1) / chunk) + 1)
}

/** Encrypts a message (NIP-44, version 2). */
export function encrypt44(key: Uint8Array, text: string, nonce = randomBytes(NONCE_BYTES)): string {
  const bytes = utf8ToBytes(text)
  const padded = new Uint8Array(LENGTH_BYTES + paddedLength(bytes.length))
  padded.set([bytes.length >> 8, bytes.length & 255])
  padded.set(bytes, LENGTH_BYTES)
  const keys = keysOf(key, nonce)
  const sealed = chacha20(keys.cipher, keys.nonce, padded)
  const mac = hmac(sha256, keys.mac, concatBytes(nonce, sealed))
  return Buffer.from(concatBytes(Uint8Array.of(VERSION), nonce, sealed, mac)).toString('base64')
}

/** Decrypts a message; null if it was not encrypted with this key, or if it was changed. */
export function decrypt44(key: Uint8Array, payload: string): string | null {
  const bytes = new Uint8Array(Buffer.from(payload, 'base64'))
  const start = 1 + NONCE_BYTES
  const sealed = bytes.slice(start, -MAC_BYTES)
  if (bytes[0] !== VERSION || sealed.length < LENGTH_BYTES + PADDED_MIN) return null
  const nonce = bytes.slice(1, start)
  const keys = keysOf(key, nonce)
  const mac = hmac(sha256, keys.mac, concatBytes(nonce, sealed))
  if (!Buffer.from(mac).equals(bytes.slice(-MAC_BYTES))) return null
  const padded = chacha20(keys.cipher, keys.nonce, sealed)
  const length = (padded[0] ?? 0) * 256 + (padded[1] ?? 0)
  if (LENGTH_BYTES + paddedLength(length) !== padded.length) return null
  return new TextDecoder().decode(padded.slice(LENGTH_BYTES, LENGTH_BYTES + length))
}
