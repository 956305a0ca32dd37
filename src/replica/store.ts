import { createHash } from 'node:crypto'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { concatBytes, randomBytes } from '@noble/ciphers/utils.js'
import { DatabaseError } from '../storage/engine.ts'
import { type Answer, OBJECT_BYTES_MAX, readAnswer, TooLarge } from './answer.ts'

interface Target {
  bucket: string
  /** prefix of every object name, without slashes at the ends; may be empty */
  prefix: string
  endpoint: string
  region: string
}

/** Version of an object: null if it does not exist, undefined if the store does not report versions. */
export type ETag = string | null | undefined

/** A store of objects by name. Methods throw a DatabaseError that says what the operator can do. */
export interface Store {
  /** the name of the store in messages */
  readonly name: string
  /** Returns null if there is no such object. Throws TooLarge if it has more than `bytesMax` bytes. */
  get(name: string, bytesMax?: number): Promise<Uint8Array | null>
  put(name: string, bytes: Uint8Array): Promise<void>
  /** Reads an object that several processes write, with its version for `putIfMatch`. */
  getWithETag(name: string, bytesMax?: number): Promise<{ bytes: Uint8Array | null; etag: ETag }>
  /**
   * Replaces an object if its version is still `etag`. Returns the new version, or false if the version
   * differed. Stores without conditional writes always replace the object.
   */
  putIfMatch(name: string, bytes: Uint8Array, etag: ETag): Promise<ETag | false>
  remove(name: string): Promise<void>
}

/** The 256-bit key of a replica. */
type ReplicaKey = Uint8Array & { readonly brand?: 'replica key' }

export interface EncryptedStore {
  store: Store
  key: ReplicaKey
}

const TIMEOUT_MS = 60_000
/**
 * Timeout of a small upload. It is short because a slower upload is on a dead connection, and a retry opens a
 * new one.
 */
const PUT_TIMEOUT_MS = 10_000
const SLOWEST_BYTES_PER_MS = 50
const SIGNED_SECONDS = 300
/** Max difference between clocks. Beyond it, a signature may have expired or not be valid yet. */
const CLOCK_MS = (SIGNED_SECONDS - 60) * 1000

const AGAIN = 'Florin tries again by itself.'

type Fetch = (url: string, init?: RequestInit) => Promise<Response>

const conditionOf = (etag: ETag): Record<string, string> => {
  if (etag === undefined) return {}
  return etag === null ? { 'if-none-match': '*' } : { 'if-match': etag }
}

const textIn = (bytes: Uint8Array, element: string): string => {
  const found = new RegExp(`<${element}>([A-Za-z0-9.-]{1,100})</${element}>`)
  return found.exec(new TextDecoder().decode(bytes.subarray(0, 10_000)))?.[1] ?? ''
}

const named = (name: string): string => (name === '' ? '' : `: ${name}`)

/** Describes clocks that differ, in words to follow "is", if they explain a refusal; otherwise null. */
function clockProblem(host: string, code: string, date: number): string | null {
  const behindMs = date - Date.now()
  const minutes = Math.round(Math.abs(behindMs) / 60_000)
  if (Math.abs(behindMs) > CLOCK_MS) {
    const how = behindMs > 0 ? 'behind' : 'ahead of'
    return `is ${minutes} minutes ${how} that of ${host}`
  }
  return code === 'RequestTimeTooSkewed' ? `differs from that of ${host}` : null
}

/** Names the bucket's region or endpoint if a wrong one explains a refusal; otherwise null. */
function placeProblem({ bucket, region }: Target, code: string, { status, bytes }: Answer) {
  const actual = textIn(bytes, 'Region')
  if (/^Authorization(HeaderMalformed|QueryParametersError)$/.test(code) || (status === 400 && actual)) {
    const text = `The bucket ${bucket} is in another region than ${region}${named(actual)}.`
    return `${text} Correct the region in FLORIN_REPLICA_URL.`
  }
  if (status < 300 || status > 399) return null
  const text = `The bucket ${bucket} is elsewhere${named(textIn(bytes, 'Endpoint'))}.`
  return `${text} Correct the endpoint or the region in FLORIN_REPLICA_URL.`
}

const isAbsent = ({ status, bytes }: Answer): boolean =>
  status === 404 && textIn(bytes, 'Code') !== 'NoSuchBucket'

function failureOf(target: Target, host: string, answer: Answer, again: string): DatabaseError {
  const { status, bytes, date } = answer
  const { bucket } = target
  const code = textIn(bytes, 'Code')
  const reason = code || `status ${status}`
  if (code === 'NoSuchBucket') {
    return new DatabaseError(`${host} has no bucket ${bucket}. Create it, or correct FLORIN_REPLICA_URL.`)
  }
  const place = placeProblem(target, code, answer)
  if (place !== null) return new DatabaseError(place)
  if (status === 401 || status === 403) {
    const clock = clockProblem(host, code, date)
    if (clock !== null) {
      return new DatabaseError(
        `The clock of this machine ${clock}, so its requests are refused. Set the clock.`,
      )
    }
    const remedy = 'Check FLORIN_REPLICA_ACCESS_KEY, FLORIN_REPLICA_SECRET_FILE and its permissions there.'
    return new DatabaseError(`${host} refuses access to the bucket ${bucket} (${reason}). ${remedy}`)
  }
  return new DatabaseError(`${host} could not answer (${reason}). ${again}`)
}

interface StoreOptions {
  /** timeout of each request; by default, it depends on the size */
  timeoutMs?: number
  /** end of error messages: the consequence of a failure, or the remedy */
  again?: string
}

interface RequestOptions {
  headers?: Record<string, string>
  /** max size of the answer */
  bytesMax?: number
}

/** Makes requests for objects. Bun's S3 client only signs them, because it has no timeout. */
function requester(
  { bucket, prefix, endpoint, region }: Target,
  credentials: Bun.S3Options,
  fetch: Fetch,
  { timeoutMs: givenMs, again = AGAIN }: StoreOptions,
) {
  const client = new Bun.S3Client({ ...credentials, bucket, endpoint, region })
  const { host } = new URL(endpoint)
  return async function ask(
    method: 'GET' | 'PUT' | 'DELETE',
    name: string,
    body?: Uint8Array,
    { headers = {}, bytesMax = OBJECT_BYTES_MAX }: RequestOptions = {},
  ): Promise<Answer> {
    const timeoutMs = givenMs ?? (body ? PUT_TIMEOUT_MS + body.length / SLOWEST_BYTES_PER_MS : TIMEOUT_MS)
    const key = prefix === '' ? name : `${prefix}/${name}`
    const url = client.presign(key, { method, expiresIn: SIGNED_SECONDS })
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const response = await fetch(url, {
        method,
        headers,
        redirect: 'manual',
        signal: timeout,
        ...(body && { body: body as Uint8Array<ArrayBuffer> }),
      })
      return await readAnswer(response, bytesMax)
    } catch (error) {
      if (error instanceof TooLarge) throw error
      // Don't use the error's message: it may contain the signed URL.
      const reason = timeout.aborted
        ? `no answer in ${Math.round(timeoutMs / 1000)} s`
        : ((error as { code?: string }).code ?? 'the connection broke')
      const remedy = `Check FLORIN_REPLICA_URL and the network. ${again}`
      throw new DatabaseError(`${host} cannot be reached (${reason}). ${remedy}`)
    }
  }
}

/** Opens a bucket of S3, or of a service with the same API. Makes no request. */
export function openStore(
  target: Target,
  credentials: { accessKeyId: string; secretAccessKey: string },
  fetch: Fetch,
  options: StoreOptions = {},
): Store {
  const { bucket, prefix } = target
  const { host } = new URL(target.endpoint)
  const ask = requester(target, credentials, fetch, options)
  const failure = (answer: Answer) => failureOf(target, host, answer, options.again ?? AGAIN)
  let hasConditions = true

  async function getWithETag(name: string, bytesMax = OBJECT_BYTES_MAX) {
    const answer = await ask('GET', name, undefined, { bytesMax })
    if (answer.status === 200) return { bytes: answer.bytes, etag: answer.etag }
    if (isAbsent(answer)) return { bytes: null, etag: null }
    throw failure(answer)
  }

  async function putIfMatch(name: string, body: Uint8Array, etag: ETag): Promise<ETag | false> {
    const condition = conditionOf(hasConditions ? etag : undefined)
    const answer = await ask('PUT', name, body, { headers: condition })
    if (answer.status === 200) return answer.etag
    if (condition['if-match'] === undefined && condition['if-none-match'] === undefined) throw failure(answer)
    if ([409, 412].includes(answer.status) || isAbsent(answer)) return false
    if (answer.status !== 501 && textIn(answer.bytes, 'Code') !== 'NotImplemented') throw failure(answer)
    hasConditions = false
    return putIfMatch(name, body, undefined)
  }

  return {
    name: `s3://${bucket}${prefix && `/${prefix}`} at ${host}`,
    get: async (name, bytesMax) => (await getWithETag(name, bytesMax)).bytes,
    async put(name, body) {
      const answer = await ask('PUT', name, body)
      if (answer.status !== 200) throw failure(answer)
    },
    getWithETag,
    putIfMatch,
    async remove(name) {
      const answer = await ask('DELETE', name)
      if (![200, 204, 404].includes(answer.status)) throw failure(answer)
    },
  }
}

const MAGIC = new TextEncoder().encode('FLR1')
const KEY_ID_BYTES = 8
/** Size of the random first part of each nonce. The number of the block follows it. */
const NONCE_BYTES = 20
const HEADER_BYTES = MAGIC.length + KEY_ID_BYTES + NONCE_BYTES
const TAG_BYTES = 16
/** Size of an encrypted block. Encryption yields to other work after each one. */
const BLOCK_BYTES = 128 * 1024

/** Thrown if an object is missing, was changed or was truncated. */
export class Damaged extends Error {}

/** Parses the content of a key file; null if it is not 64 hexadecimal digits. */
export const parseKey = (text: string): ReplicaKey | null =>
  /^[0-9a-f]{64}$/i.test(text.trim()) ? Uint8Array.from(Buffer.from(text.trim(), 'hex')) : null

/** Generates a key, as the content of a key file. */
export const newKeyText = (): string => `${Buffer.from(randomBytes(32)).toString('hex')}\n`

/** Returns the SHA-256 hash in hexadecimal. */
export const hashOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

const keyIdOf = (key: ReplicaKey): Uint8Array =>
  createHash('sha256').update('florin replica key').update(key).digest().subarray(0, KEY_ID_BYTES)

/**
 * Returns the cipher of a block. The nonce contains the number of the block. The associated data contains the
 * name of the object, and marks the last block.
 */
function cipherOf(key: ReplicaKey, nonce: Uint8Array, name: string, [block, isLast]: [number, boolean]) {
  const counter = new Uint8Array(4)
  new DataView(counter.buffer).setUint32(0, block)
  const bound = new TextEncoder().encode(`${name}\n${isLast ? 'last' : 'more'}`)
  return xchacha20poly1305(key, concatBytes(nonce, counter), bound)
}

export const nextTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/** Compresses and encrypts an object. Only `unseal` with the same key and name can decrypt it. */
export async function seal(key: ReplicaKey, name: string, plain: Uint8Array): Promise<Uint8Array> {
  const packed = new Uint8Array(await Bun.zstdCompress(plain))
  const nonce = randomBytes(NONCE_BYTES)
  const parts = [MAGIC, keyIdOf(key), nonce]
  for (let at = 0, block = 0; at === 0 || at < packed.length; at += BLOCK_BYTES, block++) {
    const isLast = at + BLOCK_BYTES >= packed.length
    const plainBlock = packed.subarray(at, at + BLOCK_BYTES)
    parts.push(cipherOf(key, nonce, name, [block, isLast]).encrypt(plainBlock))
    if (!isLast) await nextTurn()
  }
  return concatBytes(...parts)
}

/**
 * Decrypts the output of `seal`. Throws a DatabaseError if it was sealed with another key, and Damaged if the
 * bytes were changed or truncated, or belong to another name.
 */
export async function unseal({ store, key }: EncryptedStore, name: string, sealed: Uint8Array) {
  const damaged = new Damaged(`the object ${name} was changed or cut`)
  const [idAt, nonceAt] = [MAGIC.length, MAGIC.length + KEY_ID_BYTES]
  const isWhole = sealed.length >= HEADER_BYTES + TAG_BYTES
  if (!isWhole || !Buffer.from(MAGIC).equals(sealed.subarray(0, idAt))) throw damaged
  if (!Buffer.from(keyIdOf(key)).equals(sealed.subarray(idAt, nonceAt))) {
    throw new DatabaseError(
      `What ${store.name} holds was encrypted with another key. ` +
        'Set FLORIN_REPLICA_KEY_FILE to the key file of the installation that wrote it.',
    )
  }
  const nonce = sealed.subarray(nonceAt, HEADER_BYTES)
  const plain: Uint8Array[] = []
  const size = BLOCK_BYTES + TAG_BYTES
  try {
    for (let at = HEADER_BYTES, block = 0; at < sealed.length; at += size, block++) {
      const isLast = at + size >= sealed.length
      plain.push(cipherOf(key, nonce, name, [block, isLast]).decrypt(sealed.subarray(at, at + size)))
    }
    return new Uint8Array(await Bun.zstdDecompress(concatBytes(...plain)))
  } catch {
    throw damaged
  }
}
