import { createHash } from 'node:crypto'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { concatBytes, randomBytes } from '@noble/ciphers/utils.js'

const KEY_BYTES = 32
const MAGIC = new TextEncoder().encode('FLR1')
const KEY_ID_BYTES = 8
/** The first part of each nonce; a counter of blocks follows. */
const NONCE_BYTES = 20
const HEAD_BYTES = MAGIC.length + KEY_ID_BYTES + NONCE_BYTES
const TAG_BYTES = 16
/** Other work gets its turn after each block. */
const BLOCK_BYTES = 128 * 1024

/** An object cannot be opened. */
export class SealError extends Error {
  constructor(readonly reason: 'foreign' | 'changed') {
    super(reason)
  }
}

export type ReplicaKey = Uint8Array & { readonly brand?: 'replica key' }

/** The key in the text of a key file; null if it has none. */
export function parseKey(text: string): ReplicaKey | null {
  const trimmed = text.trim()
  if (!/^[0-9a-f]{64}$/i.test(trimmed)) return null
  return Uint8Array.from(Buffer.from(trimmed, 'hex'))
}

/** A new key, as the text of a key file. */
export const newKeyText = (): string => `${Buffer.from(randomBytes(KEY_BYTES)).toString('hex')}\n`

const keyIdOf = (key: ReplicaKey): Uint8Array =>
  createHash('sha256').update('florin replica key').update(key).digest().subarray(0, KEY_ID_BYTES)

function cipherOf(key: ReplicaKey, nonce: Uint8Array, name: string, block: number, isLast: boolean) {
  const counter = new Uint8Array(4)
  new DataView(counter.buffer).setUint32(0, block)
  const bound = new TextEncoder().encode(`${name}\n${isLast ? 'last' : 'more'}`)
  return xchacha20poly1305(key, concatBytes(nonce, counter), bound)
}

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/** Compresses and encrypts an object. It can only be opened under the same name, and only as a whole. */
export async function seal(key: ReplicaKey, name: string, plain: Uint8Array): Promise<Uint8Array> {
  const packed = new Uint8Array(await Bun.zstdCompress(plain))
  const nonce = randomBytes(NONCE_BYTES)
  const parts = [MAGIC, keyIdOf(key), nonce]
  for (let at = 0, block = 0; at === 0 || at < packed.length; at += BLOCK_BYTES, block++) {
    const isLast = at + BLOCK_BYTES >= packed.length
    parts.push(cipherOf(key, nonce, name, block, isLast).encrypt(packed.subarray(at, at + BLOCK_BYTES)))
    if (!isLast) await turn()
  }
  return concatBytes(...parts)
}

/** Opens what `seal` made. Throws a SealError. */
export async function unseal(key: ReplicaKey, name: string, sealed: Uint8Array): Promise<Uint8Array> {
  if (sealed.length < HEAD_BYTES + TAG_BYTES || !Buffer.from(sealed).subarray(0, 4).equals(MAGIC)) {
    throw new SealError('changed')
  }
  const [idAt, nonceAt] = [MAGIC.length, MAGIC.length + KEY_ID_BYTES]
  if (!Buffer.from(keyIdOf(key)).equals(sealed.subarray(idAt, nonceAt))) throw new SealError('foreign')
  const nonce = sealed.subarray(nonceAt, HEAD_BYTES)
  const plain: Uint8Array[] = []
  const size = BLOCK_BYTES + TAG_BYTES
  try {
    for (let at = HEAD_BYTES, block = 0; at < sealed.length; at += size, block++) {
      const isLast = at + size >= sealed.length
      plain.push(cipherOf(key, nonce, name, block, isLast).decrypt(sealed.subarray(at, at + size)))
    }
    return new Uint8Array(await Bun.zstdDecompress(concatBytes(...plain)))
  } catch {
    throw new SealError('changed')
  }
}

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
