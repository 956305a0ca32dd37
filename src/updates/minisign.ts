import { createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { UpdateError } from './update-error.ts'

/*
 * Signatures of minisign (https://jedisct1.github.io/minisign/). A signature covers the file, or its
 * BLAKE2b-512 hash; a second one covers the first and the trusted comment.
 */

const KEY_BYTES = 42
const SIGNATURE_BYTES = 74
const SIGNATURE = 64
/** The bytes that precede an Ed25519 key in the DER encoding of a public key. */
const DER_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

/** Thrown if a signature or a key is malformed, or if a signature does not match. */
class SignatureError extends UpdateError {}

export interface PublicKey {
  /** the key ID as minisign prints it */
  id: string
  verify(data: Uint8Array, signature: Uint8Array): boolean
}

function decode(line: string, bytes: number): Buffer | null {
  const decoded = Buffer.from(line, 'base64')
  return decoded.length === bytes && decoded.toString('base64') === line ? decoded : null
}

const idOf = (bytes: Buffer): string => Buffer.from(bytes).reverse().toString('hex').toUpperCase()

/** Parses a public key: a line of Base64, which follows a comment in a file of minisign. */
export function parsePublicKey(text: string): PublicKey {
  const lines = text.trim().split(/\r?\n/)
  const bytes = decode(lines.at(-1)?.trim() ?? '', KEY_BYTES)
  if (bytes === null || lines.length > 2 || bytes.toString('latin1', 0, 2) !== 'Ed') {
    throw new SignatureError('The key of releases is not a public key of minisign.')
  }
  const der = Buffer.concat([DER_PREFIX, bytes.subarray(10)])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  return { id: idOf(bytes.subarray(2, 10)), verify: (data, signature) => verify(null, data, key, signature) }
}

interface Signature {
  isHashed: boolean
  keyId: string
  signature: Buffer
  trustedComment: string
  /** the second signature, which covers the first one and the trusted comment */
  global: Buffer
}

function parseSignature(text: string): Signature {
  const [first = '', encoded = '', comment = '', last = '', ...more] = text.trimEnd().split(/\r?\n/)
  const bytes = decode(encoded, SIGNATURE_BYTES)
  const global = decode(last, SIGNATURE)
  const algorithm = bytes?.toString('latin1', 0, 2) ?? ''
  const isWhole = first.startsWith('untrusted comment: ') && comment.startsWith('trusted comment: ')
  if (!bytes || !global || !isWhole || more.length > 0 || !['Ed', 'ED'].includes(algorithm)) {
    throw new SignatureError('The signature is not one of minisign.')
  }
  return {
    isHashed: algorithm === 'ED',
    keyId: idOf(bytes.subarray(2, 10)),
    signature: bytes.subarray(10),
    trustedComment: comment.slice('trusted comment: '.length),
    global,
  }
}

/**
 * A file and its BLAKE2b-512 hash. The file is read only for signatures of the older kind, which cover it and
 * not the hash.
 */
interface SignedFile {
  path: string
  blake2b: Uint8Array
}

/** Checks the signature of a file, and returns the trusted comment. Throws a SignatureError. */
export function verifyFile(key: PublicKey, text: string, { path, blake2b }: SignedFile): string {
  const { isHashed, keyId, signature, trustedComment, global } = parseSignature(text)
  if (keyId !== key.id) {
    throw new SignatureError(`The signature was made with the key ${keyId}, and not with ${key.id}.`)
  }
  if (!key.verify(isHashed ? blake2b : readFileSync(path), signature)) {
    throw new SignatureError('The signature does not fit the file.')
  }
  if (!key.verify(Buffer.concat([signature, Buffer.from(trustedComment)]), global)) {
    throw new SignatureError('The signature does not fit its trusted comment.')
  }
  return trustedComment
}
