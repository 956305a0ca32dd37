export const scopes = [
  'orders:create',
  'orders:manage',
  'products:read',
  'products:write',
  'api:read',
  'webhooks:write',
] as const
export type Scope = (typeof scopes)[number]

export type KeyMode = 'live' | 'test'

export interface Key {
  /** also the middle part of the key's text, so that a leaked key can be found and revoked */
  id: string
  merchantId: string
  mode: KeyMode
  scopes: Scope[]
  secretHash: string
  createdAt: number
  revokedAt: number | null
}

/** What a verified key says of its bearer. */
export interface Caller {
  merchantId: string
  keyId: string
  mode: KeyMode
  scopes: Scope[]
}

const ID_LENGTH = 10
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * florin_live_ or florin_test_, then 10 characters of id, 32 of secret and 6 of checksum: what a scanner
 * looks for.
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

/** Letters and digits from random bytes; a byte that would make some letters likelier is skipped. */
export function normalizedKeyText(random: (bytes: number) => Uint8Array, length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of random(length)) {
      if (byte < 248 && text.length < length) text += alphabet[byte % 62]
    }
  }
  return text
}

function crc32(text: string): number {
  let crc = 0xffffffff
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

const checksum = (text: string): string => base62(crc32(text), CHECKSUM_LENGTH)

export const newKeyId = (random: (bytes: number) => Uint8Array): string =>
  normalizedKeyText(random, ID_LENGTH)
export const newSecret = (random: (bytes: number) => Uint8Array): string =>
  normalizedKeyText(random, SECRET_LENGTH)

export function formatKey({ mode, id, secret }: ParsedKey): string {
  const body = `florin_${mode}_${id}${secret}`
  return body + checksum(body)
}

/**
 * Reads a key's text; null where its form or its checksum is wrong, so that typing errors cost no look-up.
 */
export function parseKey(text: string): ParsedKey | null {
  const match = keyPattern.exec(text)
  if (!match) return null
  const [, mode, id, secret, sum] = match as unknown as [string, KeyMode, string, string, string]
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === sum ? { mode, id, secret } : null
}
