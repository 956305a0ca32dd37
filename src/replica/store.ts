import { DatabaseError } from '../storage/engine.ts'

/** Where a replica is. */
interface ReplicaTarget {
  bucket: string
  /** of every object, without slashes at the ends; may be empty */
  prefix: string
  endpoint: string
  region: string
}

interface Credentials {
  accessKeyId: string
  secretAccessKey: string
}

/** Objects by name. The methods throw a DatabaseError that says what the operator can do. */
export interface Store {
  /** how messages name it */
  readonly name: string
  /** null if there is no such object */
  get(name: string): Promise<Uint8Array | null>
  put(name: string, bytes: Uint8Array): Promise<void>
  remove(name: string): Promise<void>
}

const TIMEOUT_MS = 60_000
const SIGNED_SECONDS = 300

type Fetch = (url: string, init?: RequestInit) => Promise<Response>

const codeIn = (text: string): string => /<Code>([A-Za-z0-9]{1,60})<\/Code>/.exec(text)?.[1] ?? ''

/**
 * A bucket of S3, or of a service like it. Bun's client signs; the requests are made here, because they have
 * to end: that client has no time limit.
 */
export function openStore(
  target: ReplicaTarget,
  credentials: Credentials,
  fetch: Fetch,
  { timeoutMs = TIMEOUT_MS, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
): Store {
  const { bucket, prefix, endpoint, region } = target
  const client = new Bun.S3Client({ ...credentials, bucket, endpoint, region })
  const { host } = new URL(endpoint)

  function failure(status: number, code: string): DatabaseError {
    const reason = code || `status ${status}`
    if (code === 'NoSuchBucket') {
      return new DatabaseError(`${host} has no bucket ${bucket}. Create it, or correct FLORIN_REPLICA_URL.`)
    }
    if (status === 401 || status === 403) {
      const remedy = 'Check FLORIN_REPLICA_ACCESS_KEY, FLORIN_REPLICA_SECRET_FILE and its permissions there.'
      return new DatabaseError(`${host} refuses access to the bucket ${bucket} (${reason}). ${remedy}`)
    }
    return new DatabaseError(`${host} could not answer (${reason}). Florin tries again by itself.`)
  }

  async function ask(method: 'GET' | 'PUT' | 'DELETE', name: string, body?: Uint8Array) {
    const key = prefix === '' ? name : `${prefix}/${name}`
    const url = client.presign(key, { method, expiresIn: SIGNED_SECONDS })
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const response = await fetch(url, {
        method,
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        ...(body && { body: body as Uint8Array<ArrayBuffer> }),
      })
      return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) }
    } catch (error) {
      // The message of an error may contain the URL, which is signed.
      const reason = timeout.aborted
        ? `no answer in ${timeoutMs / 1000} s`
        : (error as { code?: string }).code
      throw new DatabaseError(
        `${host} cannot be reached (${reason ?? 'the connection broke'}). ` +
          'Check FLORIN_REPLICA_URL and the network. Florin tries again by itself.',
      )
    }
  }

  return {
    name: `s3://${bucket}${prefix && `/${prefix}`} at ${host}`,
    async get(name) {
      const { status, bytes } = await ask('GET', name)
      if (status === 200) return bytes
      const code = codeIn(new TextDecoder().decode(bytes))
      if (status === 404 && code !== 'NoSuchBucket') return null
      throw failure(status, code)
    },
    async put(name, body) {
      const { status, bytes } = await ask('PUT', name, body)
      if (status !== 200) throw failure(status, codeIn(new TextDecoder().decode(bytes)))
    },
    async remove(name) {
      const { status, bytes } = await ask('DELETE', name)
      if (status !== 200 && status !== 204 && status !== 404) {
        throw failure(status, codeIn(new TextDecoder().decode(bytes)))
      }
    },
  }
}
