import { cbc } from '@noble/ciphers/aes.js'
import { schnorr } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { conversationKey, decrypt44, encrypt44, sharedSecret } from './nip44.ts'

const Hex32 = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** An event of Nostr (NIP-01). */
export const NostrEvent = Type.Object({
  id: Hex32,
  pubkey: Hex32,
  created_at: Type.Integer(),
  kind: Type.Integer(),
  tags: Type.Array(Type.Array(Type.String())),
  content: Type.String(),
  sig: Type.String({ pattern: '^[0-9a-f]{128}$' }),
})
export type NostrEvent = Static<typeof NostrEvent>

type Unsigned = Omit<NostrEvent, 'id' | 'pubkey' | 'sig'>

function idOf({ pubkey, created_at, kind, tags, content }: Omit<NostrEvent, 'id' | 'sig'>): Uint8Array {
  return sha256(utf8ToBytes(JSON.stringify([0, pubkey, created_at, kind, tags, content])))
}

export const publicKeyOf = (privateKey: Uint8Array): string => bytesToHex(schnorr.getPublicKey(privateKey))

export function signed(event: Unsigned, privateKey: Uint8Array): NostrEvent {
  const unsigned = { ...event, pubkey: publicKeyOf(privateKey) }
  const id = idOf(unsigned)
  return { ...unsigned, id: bytesToHex(id), sig: bytesToHex(schnorr.sign(id, privateKey)) }
}

/** Reads an event that its author signed; null for anything else. */
export function readEvent(json: unknown): NostrEvent | null {
  if (!Value.Check(NostrEvent, json)) return null
  const id = idOf(json)
  if (bytesToHex(id) !== json.id) return null
  try {
    return schnorr.verify(hexToBytes(json.sig), id, hexToBytes(json.pubkey)) ? json : null
  } catch {
    return null
  }
}

export const tagOf = ({ tags }: NostrEvent, name: string): string | undefined =>
  tags.find(([one]) => one === name)?.[1]

/** Encrypts and decrypts the messages between two keys. */
export interface Talk {
  encrypt(text: string): string
  /** Returns null for a text that cannot be decrypted. */
  decrypt(content: string): string | null
}

export function talk44(privateKey: Uint8Array, publicKey: string): Talk {
  const key = conversationKey(privateKey, publicKey)
  return { encrypt: text => encrypt44(key, text), decrypt: content => decrypt44(key, content) }
}

const IV_BYTES = 16

/**
 * The former encryption (NIP-04), which older wallets use. The signature of an event protects its content.
 */
export function talk04(privateKey: Uint8Array, publicKey: string): Talk {
  const key = sharedSecret(privateKey, publicKey)
  return {
    encrypt(text) {
      const iv = randomBytes(IV_BYTES)
      const sealed = cbc(key, iv).encrypt(utf8ToBytes(text))
      return `${Buffer.from(sealed).toString('base64')}?iv=${Buffer.from(iv).toString('base64')}`
    },
    decrypt(content) {
      const [sealed = '', iv = ''] = content.split('?iv=')
      try {
        const bytes = new Uint8Array(Buffer.from(sealed, 'base64'))
        return new TextDecoder().decode(cbc(key, new Uint8Array(Buffer.from(iv, 'base64'))).decrypt(bytes))
      } catch {
        return null
      }
    },
  }
}
