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

/** Which version of an object the store has; null if it has none, undefined if it does not tell. */
export type Version = string | null | undefined

/** Objects by name. The methods throw a DatabaseError that says what the operator can do. */
export interface Store {
  /** how messages name it */
  readonly name: string
  /** null if there is no such object */
  get(name: string): Promise<Uint8Array | null>
  put(name: string, bytes: Uint8Array): Promise<void>
  /** An object that several processes may write, with its version. */
  getVersion(name: string): Promise<{ bytes: Uint8Array | null; version: Version }>
  /**
   * Puts an object in the place of a version. Returns the new version, or false if it found another one and
   * changed nothing. Some stores do not look which one they have: then the object is stored anyway.
   */
  replace(name: string, bytes: Uint8Array, version: Version): Promise<Version | false>
  remove(name: string): Promise<void>
}

const TIMEOUT_MS = 60_000
/** A small object arrives soon, or its connection is dead and a new one is better. */
const PUT_TIMEOUT_MS = 10_000
const SLOWEST_BYTES_PER_MS = 50
const SIGNED_SECONDS = 300
/** Further apart from the store's clock, what is signed may have expired, or not be valid yet. */
const CLOCK_MS = (SIGNED_SECONDS - 60) * 1000
const MINUTE_MS = 60_000

const AGAIN = 'Florin tries again by itself.'

type Fetch = (url: string, init?: RequestInit) => Promise<Response>

interface Answer {
  status: number
  bytes: Uint8Array
  /** the store's clock; NaN if it does not tell */
  date: number
  version: string | undefined
}

const ifStill = (version: Version): Record<string, string> => {
  if (version === undefined) return {}
  return version === null ? { 'if-none-match': '*' } : { 'if-match': version }
}

const textIn = (bytes: Uint8Array, element: string): string => {
  const found = new RegExp(`<${element}>([A-Za-z0-9.-]{1,100})</${element}>`)
  return found.exec(new TextDecoder().decode(bytes.subarray(0, 10_000)))?.[1] ?? ''
}

const named = (name: string): string => (name === '' ? '' : `: ${name}`)

/** Whether the clocks are so different that the store refuses what is signed; as words after "is". */
function clockProblem(host: string, code: string, date: number): string | null {
  const behindMs = date - Date.now()
  const minutes = Math.round(Math.abs(behindMs) / MINUTE_MS)
  if (Math.abs(behindMs) > CLOCK_MS) {
    const how = behindMs > 0 ? 'behind' : 'ahead of'
    return `is ${minutes} minutes ${how} that of ${host}`
  }
  return code === 'RequestTimeTooSkewed' ? `differs from that of ${host}` : null
}

/** What a refusal says about where the bucket is; null if nothing. */
function placeProblem({ bucket, region }: ReplicaTarget, code: string, { status, bytes }: Answer) {
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

function failureOf(target: ReplicaTarget, host: string, answer: Answer, again: string): DatabaseError {
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

interface Trial {
  timeoutMs?: number
  again?: string
}

/**
 * Makes requests for objects. Bun's client signs; the requests are made here, because they have to end: that
 * client has no time limit.
 */
function requester(
  { bucket, prefix, endpoint, region }: ReplicaTarget,
  credentials: Credentials,
  fetch: Fetch,
  { timeoutMs: givenMs, again = AGAIN }: Trial,
) {
  const client = new Bun.S3Client({ ...credentials, bucket, endpoint, region })
  const { host } = new URL(endpoint)
  return async function ask(
    method: 'GET' | 'PUT' | 'DELETE',
    name: string,
    body?: Uint8Array,
    headers: Record<string, string> = {},
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
      const bytes = new Uint8Array(await response.arrayBuffer())
      const [date, etag] = [response.headers.get('date') ?? '', response.headers.get('etag')]
      return {
        status: response.status,
        bytes,
        date: Date.parse(date),
        version: etag?.startsWith('"') ? etag : undefined,
      }
    } catch (error) {
      // The message of an error may contain the URL, which is signed.
      const reason = timeout.aborted
        ? `no answer in ${Math.round(timeoutMs / 1000)} s`
        : (error as { code?: string }).code
      throw new DatabaseError(
        `${host} cannot be reached (${reason ?? 'the connection broke'}). ` +
          `Check FLORIN_REPLICA_URL and the network. ${again}`,
      )
    }
  }
}

/** A bucket of S3, or of a service like it. */
export function openStore(
  target: ReplicaTarget,
  credentials: Credentials,
  fetch: Fetch,
  trial: Trial = {},
): Store {
  const { bucket, prefix } = target
  const { host } = new URL(target.endpoint)
  const ask = requester(target, credentials, fetch, trial)
  const failure = (answer: Answer) => failureOf(target, host, answer, trial.again ?? AGAIN)
  let knowsConditions = true

  async function getVersion(name: string) {
    const answer = await ask('GET', name)
    if (answer.status === 200) return { bytes: answer.bytes, version: answer.version }
    if (isAbsent(answer)) return { bytes: null, version: null }
    throw failure(answer)
  }

  async function replace(name: string, body: Uint8Array, version: Version): Promise<Version | false> {
    const condition = ifStill(knowsConditions ? version : undefined)
    const answer = await ask('PUT', name, body, condition)
    if (answer.status === 200) return answer.version
    if (condition['if-match'] === undefined && condition['if-none-match'] === undefined) throw failure(answer)
    if ([409, 412].includes(answer.status) || isAbsent(answer)) return false
    if (answer.status !== 501 && textIn(answer.bytes, 'Code') !== 'NotImplemented') throw failure(answer)
    knowsConditions = false
    return replace(name, body, undefined)
  }

  return {
    name: `s3://${bucket}${prefix && `/${prefix}`} at ${host}`,
    get: async name => (await getVersion(name)).bytes,
    async put(name, body) {
      const answer = await ask('PUT', name, body)
      if (answer.status !== 200) throw failure(answer)
    },
    getVersion,
    replace,
    async remove(name) {
      const answer = await ask('DELETE', name)
      if (![200, 204, 404].includes(answer.status)) throw failure(answer)
    },
  }
}
