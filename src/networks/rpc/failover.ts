import { isWithin } from '../../domain/clock.ts'
import { asserted } from '../../domain/errors.ts'
import { type EndpointHealth, type EndpointUrl, NetworkError, Undecided } from '../port.ts'
import { RateLimited } from './http.ts'

/** One endpoint of a chain. */
interface Endpoint<N> {
  /** the only part of the URL that may be logged or shown */
  host: string
  /** the client of the endpoint */
  node: N
  /** the health that is known from earlier use; left out for a new endpoint */
  health?: EndpointHealth | undefined
}

interface EndpointsOptions<N> {
  /** the name that operators use, such as "polygon" */
  chain: string
  /** the endpoints in the order of the settings */
  members: readonly Endpoint<N>[]
  /**
   * Checks the chain of an endpoint. Throws WrongChain for another chain, NetworkError for an endpoint that
   * hides its chain.
   */
  verifyChain(node: N): Promise<void>
  /** the advice for the operator where no endpoint is configured */
  emptyReason?: string
  /** milliseconds since 1970 UTC */
  clock: () => number
}

const BACKOFF_FIRST_MS = 1000
const BACKOFF_MAX_MS = 60_000
const RATE_LIMIT_FIRST_MS = 5000
const RATE_LIMIT_MAX_MS = 120_000
const WRONG_CHAIN_MS = 60_000
const REACHABLE_MS = 30_000
/**
 * The time after which another endpoint is asked about a payment that waits for confirmations. On most chains
 * a payment usually waits for less, so that it costs requests to one endpoint only.
 */
const WAIT_MS = 60_000
/**
 * The time after which a payment that waited is forgotten. Payments that still wait are scanned at least once
 * a day.
 */
const FORGOTTEN_MS = 48 * 3_600_000

/** Thrown if the endpoint serves another chain than the setting says. */
export class WrongChain extends NetworkError {
  override readonly fault = 'wrongChain'
}

/** The order in which endpoints are asked. */
export interface Turn {
  /** the name of the endpoint that comes first, unless it failed just now */
  first?: string
  /** the names of the endpoints that come last, in this order */
  last: readonly string[]
  /** true if the other endpoints come before those in `last` even if they failed just now */
  isUrgent: boolean
}

const usualTurn: Turn = { last: [], isUrgent: false }

interface Candidate<N> extends Endpoint<N> {
  /** the host, with a number if several endpoints have the same host */
  name: string
  isVerified: boolean
  health: EndpointHealth
}

/** Drops repeated endpoints: an endpoint that is listed twice must not confirm its own report. */
export const distinct = (endpoints: readonly EndpointUrl[]): EndpointUrl[] => [
  ...new Map(endpoints.map(one => [`${one.protocol} ${one.url}`, one])).values(),
]

/** The health of an endpoint before its first use. */
export const unknownHealth = (): EndpointHealth => ({
  retryAfter: 0,
  failures: 0,
  lastError: null,
  workedAt: null,
})

/** The endpoints of one chain. When an endpoint fails, the next one repeats the work. */
export class Endpoints<N> {
  readonly #options: EndpointsOptions<N>
  readonly #candidates: Candidate<N>[]
  #reachableAt = Number.NEGATIVE_INFINITY
  #probe: Promise<void> | null = null
  /** the time since which payments wait, by attempt */
  readonly #waiting = new Map<string, number>()

  constructor(options: EndpointsOptions<N>) {
    this.#options = options
    const names = namesOf(options.members)
    this.#candidates = options.members.map((member, index) => ({
      ...member,
      name: asserted(names[index], 'each member has a name'),
      isVerified: false,
      health: member.health ?? unknownHealth(),
    }))
  }

  /** Returns the name of an endpoint for people, without secrets. */
  nameOf(node: N): string {
    return this.#candidates.find(candidate => candidate.node === node)?.name ?? ''
  }

  /**
   * Selects watches that another endpoint should scan too. Their payments wait for confirmations that one
   * endpoint reports, and that endpoint may have stopped. Each watch is selected once a minute.
   */
  overdue<W extends { attemptId: string }>(waiting: readonly W[]): W[] {
    const now = this.#options.clock()
    for (const [id, since] of this.#waiting) if (now - since > FORGOTTEN_MS) this.#waiting.delete(id)
    return waiting.filter(({ attemptId }) => {
      const since = this.#waiting.get(attemptId) ?? now
      const isOverdue = !isWithin(WAIT_MS, since, now)
      this.#waiting.set(attemptId, isOverdue ? now : since)
      return isOverdue
    })
  }

  /** Returns the name of the endpoint that would be asked first; empty without endpoints. */
  firstIn(turn: Turn): string {
    return this.#inOrder(turn)[0]?.name ?? ''
  }

  /** Returns the same endpoints in another order. */
  inTurn(turn: Turn): Pick<Endpoints<N>, 'withFailover'> {
    return { withFailover: (work, ...except) => this.#withFailover(work, except, turn) }
  }

  /**
   * Does a piece of work with one endpoint, since two may know different blocks. When it fails, the next
   * endpoint repeats all of the work. Endpoints in `except` are not asked. When no endpoint is left, throws
   * Undecided if one of them could read the chain, otherwise NetworkError. If all failures are bugs, throws
   * the first of them.
   */
  withFailover<T>(work: (node: N) => Promise<T>, ...except: N[]): Promise<T> {
    return this.#withFailover(work, except, usualTurn)
  }

  async #withFailover<T>(work: (node: N) => Promise<T>, except: readonly N[], turn: Turn): Promise<T> {
    const failures: { host: string; error: unknown }[] = []
    for (const candidate of this.#inOrder(turn)) {
      if (except.includes(candidate.node)) continue
      try {
        if (this.#isBlocked(candidate)) throw candidate.health.lastError
        return await this.#tryOne(candidate, work)
      } catch (error) {
        failures.push({ host: candidate.host, error })
      }
    }
    const [first] = failures
    if (first && !failures.some(({ error }) => error instanceof NetworkError)) throw first.error
    const reasons = failures.map(({ host, error }) => `${host} ${asNetworkError(error).message}`)
    const { chain, emptyReason = 'no endpoint is configured' } = this.#options
    const none = except.length === 0 ? emptyReason : 'no other endpoint is configured'
    const cause = failures.length === 1 ? { cause: first?.error } : {}
    const Failure = failures.some(({ error }) => error instanceof Undecided) ? Undecided : NetworkError
    throw new Failure(`no usable endpoint for ${chain}: ${reasons.join('; ') || none}`, cause)
  }

  /** Makes sure that an endpoint of this chain answered in the last half minute. Throws NetworkError. */
  async ensureReachable(): Promise<void> {
    if (isWithin(REACHABLE_MS, this.#reachableAt, this.#options.clock())) return
    this.#probe ??= this.#verifyAgain().finally(() => {
      this.#probe = null
    })
    await this.#probe
  }

  #verifyAgain(): Promise<void> {
    for (const candidate of this.#candidates) candidate.isVerified = false
    return this.withFailover(async () => {})
  }

  async #tryOne<T>(candidate: Candidate<N>, work: (node: N) => Promise<T>): Promise<T> {
    try {
      if (!candidate.isVerified) await this.#options.verifyChain(candidate.node)
      candidate.isVerified = true
      const result = await work(candidate.node)
      this.#reachableAt = this.#options.clock()
      Object.assign(candidate.health, unknownHealth(), { workedAt: this.#reachableAt })
      return result
    } catch (error) {
      this.#backOff(candidate, asNetworkError(error))
      throw error
    }
  }

  /** Returns the endpoints in the order of the settings, with those that failed recently at the end. */
  #inOrder({ first, last, isUrgent }: Turn): Candidate<N>[] {
    const now = this.#options.clock()
    const readyAt = ({ health }: Candidate<N>): number => Math.max(health.retryAfter, now)
    const placeOf = ({ name }: Candidate<N>): number => (name === first ? -2 : last.indexOf(name))
    return this.#candidates.toSorted((a, b) => {
      const byTurn = placeOf(a) - placeOf(b)
      return (isUrgent && byTurn) || readyAt(a) - readyAt(b) || byTurn
    })
  }

  /**
   * True for an endpoint that asked for a pause or serves another chain, since asking it again would be no
   * use.
   */
  #isBlocked({ health: { lastError, retryAfter } }: Candidate<N>): boolean {
    const isLasting = lastError instanceof RateLimited || lastError instanceof WrongChain
    const leftMs = retryAfter - this.#options.clock()
    // A pause longer than the longest possible one can only come from a clock that was ahead.
    return isLasting && leftMs > 0 && leftMs <= RATE_LIMIT_MAX_MS
  }

  #backOff(candidate: Candidate<N>, error: NetworkError): void {
    const { health } = candidate
    candidate.isVerified = false
    health.lastError = error
    health.retryAfter = this.#options.clock() + backoffMs(error, health.failures)
    health.failures += 1
  }
}

const namesOf = (members: readonly { host: string }[]): string[] =>
  members.map(({ host }, index) => {
    const before = members.slice(0, index).filter(other => other.host === host).length
    return before === 0 ? host : `${host} (${before + 1})`
  })

/**
 * Converts any error to a NetworkError. An unforeseen answer can cause any error, and another endpoint may
 * still do the work.
 */
const asNetworkError = (error: unknown): NetworkError =>
  error instanceof NetworkError ? error : new NetworkError(`returned what Florin cannot handle: ${error}`)

function backoffMs(error: NetworkError, failures: number): number {
  if (error instanceof WrongChain) return WRONG_CHAIN_MS
  if (error instanceof RateLimited) {
    return Math.min(error.retryAfterMs ?? RATE_LIMIT_FIRST_MS * 2 ** failures, RATE_LIMIT_MAX_MS)
  }
  return Math.min(BACKOFF_FIRST_MS * 2 ** failures, BACKOFF_MAX_MS)
}
