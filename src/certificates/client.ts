import type { AccountKey } from './account-key.ts'
import { AcmeError, fieldsOf, malformed, problemError, textOf } from './fault.ts'
import type { AcmeFetch } from './port.ts'

const REQUEST_MS = 30_000
/** Max size of an answer. A certificate chain has a few KB. */
const BODY_MAX = 256 * 1024
/** Max tries of a request. A server may refuse a nonce that expired, and sends a new one with the refusal. */
const NONCE_TRIES = 4

const HEADERS = { 'user-agent': 'Florin (ACME client)' }

/** The answer of a CA. */
export interface Reply {
  status: number
  text: string
  /** the JSON object in the body; empty if there is none */
  body: Readonly<Record<string, unknown>>
  /** the Location header: the URL of a new account or order; may be empty */
  location: string
  /** when to ask again; null if the CA does not say */
  retryAt: number | null
}

interface Directory {
  newNonce: string
  newAccount: string
  newOrder: string
  /** URL of renewal information; null if the CA has none */
  renewalInfo: string | null
}

interface ClientOptions {
  directoryUrl: string
  /** email address of the operator; may be empty */
  email: string
  key: AccountKey
  fetch: AcmeFetch
  now(): number
  stopping: AbortSignal
}

/** Reads the body of a response. Throws an AcmeError if it is larger than BODY_MAX. */
async function readText(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > BODY_MAX) throw malformed('its answer is too large')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

/** Parses Retry-After, which is a number of seconds or a date. */
function retryAtOf(header: string | null, now: number): number | null {
  if (header === null) return null
  const at = /^\d{1,9}$/.test(header) ? now + Number(header) * 1000 : Date.parse(header)
  return Number.isNaN(at) ? null : at
}

const jsonOf = (text: string): Reply['body'] => {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return {}
  }
}

/** A session of one account with a certificate authority (RFC 8555). */
export class AcmeClient {
  readonly #options: ClientOptions
  readonly #nonces: string[] = []
  #directory: Directory | null = null
  #account: string | null = null

  constructor(options: ClientOptions) {
    this.#options = options
  }

  get thumbprint(): string {
    return this.#options.key.thumbprint
  }

  async directory(): Promise<Directory> {
    if (this.#directory) return this.#directory
    const { body } = await this.get(this.#options.directoryUrl)
    const urlOf = (name: string): string => {
      if (!URL.canParse(textOf(body[name]))) throw malformed(`its directory has no ${name}`)
      return textOf(body[name])
    }
    if (fieldsOf(body.meta).externalAccountRequired === true) {
      throw new AcmeError('refused', 'it needs an account that was made on its website (external account)')
    }
    const renewalInfo = textOf(body.renewalInfo)
    this.#directory = {
      newNonce: urlOf('newNonce'),
      newAccount: urlOf('newAccount'),
      newOrder: urlOf('newOrder'),
      renewalInfo: URL.canParse(renewalInfo) ? renewalInfo.replace(/\/$/, '') : null,
    }
    return this.#directory
  }

  /** Creates the account, or finds the one that already exists for the key. */
  async signIn(): Promise<void> {
    const { email } = this.#options
    const { newAccount } = await this.directory()
    const contact = email === '' ? [] : [`mailto:${email}`]
    const { location } = await this.#signed(newAccount, { termsOfServiceAgreed: true, contact })
    if (!URL.canParse(location)) throw malformed('its account has no URL')
    this.#account = location
  }

  /** Reads a resource without a signature, which works only for the directory and renewal information. */
  async get(url: string): Promise<Reply> {
    const reply = await this.#send(url, { method: 'GET' })
    if (reply.status !== 200) throw this.#problemOf(reply)
    return reply
  }

  /** Sends a signed request. A payload of null makes it one that reads (POST-as-GET). */
  async post(url: string, payload: unknown): Promise<Reply> {
    if (this.#account === null) await this.signIn()
    return this.#signed(url, payload)
  }

  async #signed(url: string, payload: unknown): Promise<Reply> {
    for (let tries = 1; ; tries++) {
      const head = { url, nonce: await this.#nonce(), account: this.#account }
      const body = this.#options.key.sign(payload, head)
      const reply = await this.#send(url, {
        method: 'POST',
        headers: { 'content-type': 'application/jose+json' },
        body,
      })
      if (reply.status < 400) return reply
      const problem = this.#problemOf(reply)
      if (problem.more.type !== 'badNonce' || tries === NONCE_TRIES) throw problem
    }
  }

  async #nonce(): Promise<string> {
    const known = this.#nonces.pop()
    if (known !== undefined) return known
    const { newNonce } = await this.directory()
    await this.#send(newNonce, { method: 'HEAD' })
    const made = this.#nonces.pop()
    if (made === undefined) throw malformed('it gives no nonce')
    return made
  }

  async #send(url: string, init: RequestInit): Promise<Reply> {
    const { fetch, now, stopping } = this.#options
    if (!url.startsWith('https:')) throw malformed('it names an address without HTTPS')
    const signal = AbortSignal.any([AbortSignal.timeout(REQUEST_MS), stopping])
    try {
      const headers = { ...HEADERS, ...init.headers }
      const response = await fetch(url, { ...init, headers, redirect: 'error', signal })
      const nonce = response.headers.get('replay-nonce')
      if (nonce !== null && /^[A-Za-z0-9_-]{1,512}$/.test(nonce)) this.#nonces.push(nonce)
      const text = await readText(response)
      return {
        status: response.status,
        text,
        body: jsonOf(text),
        location: response.headers.get('location') ?? '',
        retryAt: retryAtOf(response.headers.get('retry-after'), now()),
      }
    } catch (error) {
      if (error instanceof AcmeError) throw error
      throw new AcmeError('unreachable', error instanceof Error ? error.message : String(error))
    }
  }

  #problemOf({ status, body, retryAt }: Reply): AcmeError {
    const more = retryAt === null ? {} : { retryAt }
    if (textOf(body.type) !== '') return problemError(body, more)
    // A 429 without a problem document is from the CA's load balancer.
    if (status === 429) return new AcmeError('rateLimited', 'too many requests', more)
    return new AcmeError('unreachable', `it answers with status ${status}`, more)
  }
}
