import type { Log } from '../domain/log.ts'
import { AccountKey } from './account-key.ts'
import { covers, renewalName } from './certificate.ts'
import { AcmeClient } from './client.ts'
import { AcmeError, fieldsOf, textOf } from './fault.ts'
import type { CertificateFiles, Failure } from './files.ts'
import { orderCertificate } from './order.ts'
import type { AcmeFetch, Certificate, CertificateState } from './port.ts'
import { type RenewalWindow, renewalAt, retryAfterStart, retryAt } from './schedule.ts'
import { sentenceOf } from './sentences.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Interval at which the CA is asked when to renew, if the CA does not name one. */
const RENEWAL_INFO_MS = 6 * HOUR_MS

interface KeeperOptions {
  names: readonly string[]
  directoryUrl: string
  email: string
  files: CertificateFiles
  fetch: AcmeFetch
  /** returns the addresses of a host; never throws */
  lookup(name: string): Promise<string[]>
  now(): number
  sleep(ms: number): Promise<unknown>
  /** returns a number from 0 to 1 */
  random(): number
  log: Log
  stopping: AbortSignal
}

/**
 * Keeps the certificate of a server valid. The current certificate stays in use until a new one is issued.
 */
export class CertificateKeeper {
  readonly #options: KeeperOptions
  readonly #answers = new Map<string, string>()
  #certificate: Certificate | null = null
  #failure: Failure | null
  #window: RenewalWindow | null = null
  #windowDueAt = 0
  #share: number

  constructor(options: KeeperOptions) {
    this.#options = options
    const { files, now, log } = options
    this.#share = options.random()
    try {
      this.#certificate = files.readCertificate()
    } catch (error) {
      log.error({ folder: files.folder, reason: (error as Error).message }, 'certificate.damaged')
    }
    const failure = files.readFailure()
    const isCurrent = failure && options.names.join() === failure.names?.join()
    this.#failure = isCurrent ? { ...failure, retryAt: retryAfterStart(failure, now()) } : null
  }

  /** The newest certificate, which may have expired; null if there was never one. */
  get certificate(): Certificate | null {
    return this.#certificate
  }

  state(): CertificateState {
    const { names } = this.#options
    const { reason = null, retryAt: at = null } = this.#failure ?? {}
    return { names, certificate: this.#certificate, problem: reason, retryAt: at }
  }

  /** Returns the answer to an HTTP challenge; null if the CA has not asked for this token. */
  answer(token: string): string | null {
    return this.#answers.get(token) ?? null
  }

  /**
   * Orders or renews the certificate, or asks the CA when to renew, if that is due. Returns the time of the
   * next call. Never throws.
   */
  async look(): Promise<number> {
    const dueAt = await this.#dueAt()
    const { now, log, names } = this.#options
    if (now() < dueAt) return dueAt
    try {
      const certificate = await this.#order()
      this.#certificate = certificate
      this.#window = null
      this.#windowDueAt = 0
      this.#share = this.#options.random()
      this.#note(null)
      log.info({ names, until: new Date(certificate.notAfter).toISOString() }, 'certificate.obtained')
      return this.#dueAt()
    } catch (error) {
      if (this.#options.stopping.aborted) return now() + HOUR_MS
      return this.#failed(error)
    } finally {
      this.#answers.clear()
    }
  }

  /** Returns the time of the next order, or of the next request that asks the CA when to renew. */
  async #dueAt(): Promise<number> {
    const { names, now } = this.#options
    const certificate = this.#certificate
    const notBefore = this.#failure?.retryAt ?? 0
    if (!certificate || !covers(certificate, names)) return notBefore
    if (now() >= this.#windowDueAt) await this.#askWhen(certificate)
    const due = Math.max(renewalAt(certificate, this.#window, this.#share), notBefore)
    return now() >= due ? due : Math.min(due, this.#windowDueAt)
  }

  /** Asks the CA when to renew. Without a valid answer, its last answer stays in use. */
  async #askWhen(certificate: Certificate): Promise<void> {
    const { now } = this.#options
    this.#windowDueAt = now() + RENEWAL_INFO_MS
    const name = renewalName(certificate)
    try {
      const client = this.#client()
      const { renewalInfo } = await client.directory()
      if (renewalInfo === null || name === null) return
      const { body, retryAt: at } = await client.get(`${renewalInfo}/${name}`)
      const { start, end } = fieldsOf(body.suggestedWindow)
      const window = { start: Date.parse(textOf(start)), end: Date.parse(textOf(end)) }
      if (window.start <= window.end) this.#window = window
      if (at !== null) this.#windowDueAt = Math.min(Math.max(at, now() + MINUTE_MS), now() + 24 * HOUR_MS)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      this.#options.log.debug({ reason }, 'certificate.renewal_unknown')
    }
  }

  #client(): AcmeClient {
    const key = new AccountKey(this.#options.files.accountKey())
    return new AcmeClient({ ...this.#options, key })
  }

  async #order(): Promise<Certificate> {
    const client = this.#client()
    const { names, files } = this.#options
    const { renewalInfo } = await client.directory()
    const former = this.#certificate
    const replaces = former && renewalInfo !== null && covers(former, names) ? renewalName(former) : null
    const publish = (token: string, answer: string) => void this.#answers.set(token, answer)
    const made = await orderCertificate(client, { ...this.#options, replaces, publish })
    files.writeCertificate(made)
    return made
  }

  async #failed(thrown: unknown): Promise<number> {
    const { now, names, log, directoryUrl, lookup } = this.#options
    const authority = new URL(directoryUrl).host
    const error = thrown instanceof AcmeError ? thrown : null
    const { name, retryAt: asked = null } = error?.more ?? {}
    const addresses = name === undefined ? [] : await lookup(name)
    const reason = error ? sentenceOf(error, { authority, addresses }) : (thrown as Error).message
    const failures = (this.#failure?.failures ?? 0) + 1
    const left = (this.#certificate?.notAfter ?? Number.POSITIVE_INFINITY) - now()
    const kind = error?.kind ?? 'refused'
    const at = retryAt(failures, { now: now(), left, kind, asked })
    this.#note({
      names: [...names],
      failures,
      triedAt: now(),
      retryAt: at,
      isRateLimited: kind === 'rateLimited',
      reason,
    })
    log.warn({ names, reason, retryAt: new Date(at).toISOString() }, 'certificate.failed')
    return at
  }

  /** Stores the failure of the last try, or null after a success. */
  #note(failure: Failure | null): void {
    this.#failure = failure
    try {
      this.#options.files.writeFailure(failure)
    } catch (error) {
      this.#options.log.warn({ reason: (error as Error).message }, 'certificate.unwritable')
    }
  }
}
