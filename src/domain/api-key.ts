export const scopes = [
  'orders:create',
  'orders:manage',
  'products:read',
  'products:write',
  'api:read',
  'webhooks:write',
  'wallet:write',
] as const
export type Scope = (typeof scopes)[number]

export type KeyMode = 'live' | 'test'

export interface Key {
  /** part of the key string, so that a leaked key can be identified and revoked */
  id: string
  merchantId: string
  mode: KeyMode
  scopes: Scope[]
  secretHash: string
  /** the owner's description of the key */
  label: string | null
  createdAt: number
  revokedAt: number | null
  /** the key is refused from this time on; null if it does not expire */
  expiresAt: number | null
  /** time of the last request with this key, accurate to a minute */
  lastUsedAt: number | null
  /** ID of the key that replaces this one; this key still works until it expires */
  replacedBy: string | null
  /** origin of the website that received the key when a person connected the site; null for other keys */
  appOrigin: string | null
}

export interface Caller {
  merchantId: string
  keyId: string
  mode: KeyMode
  scopes: Scope[]
}

export const LABEL_MAX = 64
export const EXPIRY_DAYS_MAX = 3650

/** Max time for which a secret may stay valid beside its replacement. */
export const OVERLAP_MAX_MS = 30 * 24 * 3600_000

export const isExpired = ({ expiresAt }: Key, now: number): boolean => expiresAt !== null && expiresAt <= now

const ID_LENGTH = 10
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * The format of a key: florin_live_ or florin_test_, then an ID of 10 characters, a secret of 32 and a
 * checksum of 6. Secret scanners recognize keys by this format.
 */
const keyPattern = /^florin_(live|test)_([0-9A-Za-z]{10})([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/

interface ParsedKey {
  mode: KeyMode
  id: string
  secret: string
}

function base62(value: number, length: number): string {
  let rest = value
  let text = ''
  for (let i = 0; i < length; i++) {
    text = alphabet[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}

/**
 * Returns random letters and digits. Bytes from 248 up are skipped, because 248 is a multiple of 62: each
 * character is then equally likely.
 */
export function randomAlphanumeric(random: (bytes: number) => Uint8Array, length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of random(length)) {
      if (byte < 248 && text.length < length) text += alphabet[byte % 62]
    }
  }
  return text
}

/** CRC-32 of every byte value, computed only once because the key of every request is checked. */
const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  return crc
})

/** Returns the CRC-32 of a text, which must be ASCII, as keys are. */
function crc32(text: string): number {
  let crc = -1
  for (let at = 0; at < text.length; at++) {
    crc = (crc >>> 8) ^ (crcTable[(crc ^ text.charCodeAt(at)) & 0xff] ?? 0)
  }
  return ~crc >>> 0
}

const checksum = (text: string): string => base62(crc32(text), CHECKSUM_LENGTH)

export const newKeyId = (random: (bytes: number) => Uint8Array): string =>
  randomAlphanumeric(random, ID_LENGTH)
export const newSecret = (random: (bytes: number) => Uint8Array): string =>
  randomAlphanumeric(random, SECRET_LENGTH)

export function formatKey({ mode, id, secret }: ParsedKey): string {
  const body = `florin_${mode}_${id}${secret}`
  return body + checksum(body)
}

/** Parses a key string. Returns null if its format or checksum is wrong, so that a typo needs no look-up. */
export function parseKey(text: string): ParsedKey | null {
  const match = keyPattern.exec(text)
  if (!match) return null
  const [, mode, id, secret, sum] = match as unknown as [string, KeyMode, string, string, string]
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === sum ? { mode, id, secret } : null
}
