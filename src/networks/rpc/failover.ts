import { NetworkError } from '../port.ts'
import { RateLimited } from './http.ts'

/** One endpoint of a chain, in whatever protocol it speaks. */
interface Member<N> {
  /** all that may be told of it */
  host: string
  node: N
}

interface EndpointsOptions<N> {
  /** as an operator reads it: "polygon" */
  chain: string
  /** in the order of the settings */
  members: readonly Member<N>[]
  /** Throws WrongChain for an endpoint of another chain, NetworkFault for one that does not tell. */
  verifyChain(node: N): Promise<void>
  /** milliseconds since 1970 UTC */
  clock: () => number
}

const REST_FIRST_MS = 1000
const REST_MAX_MS = 60_000
const LIMITED_FIRST_MS = 5000
const LIMITED_MAX_MS = 120_000
const WRONG_CHAIN_MS = 60_000
const HEARD_LATELY_MS = 30_000

/** The endpoint serves another chain than it is named for. */
export class WrongChain extends NetworkError {}

interface Candidate<N> extends Member<N> {
  isProven: boolean
  /** when it failed the last time, for how long others are asked before it */
  restsUntil: number
  failures: number
  fault: NetworkError | null
}

/** Several endpoints of one chain, of which one at a time is believed. */
export class Endpoints<N> {
  readonly #options: EndpointsOptions<N>
  readonly #candidates: Candidate<N>[]
  #heardAt = Number.NEGATIVE_INFINITY
  #hearing: Promise<void> | null = null

  constructor(options: EndpointsOptions<N>) {
    this.#options = options
    this.#candidates = options.members.map(member => ({
      ...member,
      isProven: false,
      restsUntil: 0,
      failures: 0,
      fault: null,
    }))
  }

  /**
   * Does a piece of work with one endpoint, since two may know different blocks; when that one fails, the
   * next does the whole of it anew. `but` is one that must not be asked. Throws NetworkFault when none is
   * left.
   */
  async withFailover<T>(work: (node: N) => Promise<T>, but?: N): Promise<T> {
    const faults: string[] = []
    for (const candidate of this.#inTurn()) {
      if (but !== undefined && candidate.node === but) continue
      try {
        if (this.#isShut(candidate)) throw candidate.fault
        return await this.#useOne(candidate, work)
      } catch (error) {
        if (!(error instanceof NetworkError)) throw error
        faults.push(`${candidate.host} ${error.message}`)
      }
    }
    const none = but === undefined ? 'no endpoint is configured' : 'no other endpoint is configured'
    const why = faults.length === 0 ? none : faults.join('; ')
    throw new NetworkError(`${this.#options.chain} cannot be heard: ${why}`)
  }

  /** Makes sure that an endpoint of this chain answered of late. Throws NetworkFault. */
  ensureReachable(): Promise<void> {
    if (this.#options.clock() - this.#heardAt < HEARD_LATELY_MS) return Promise.resolve()
    this.#hearing ??= this.#proveAnew().finally(() => {
      this.#hearing = null
    })
    return this.#hearing
  }

  #proveAnew(): Promise<void> {
    for (const candidate of this.#candidates) candidate.isProven = false
    return this.withFailover(async () => {})
  }

  async #useOne<T>(candidate: Candidate<N>, work: (node: N) => Promise<T>): Promise<T> {
    try {
      if (!candidate.isProven) await this.#options.verifyChain(candidate.node)
      candidate.isProven = true
      const result = await work(candidate.node)
      candidate.failures = 0
      candidate.restsUntil = 0
      candidate.fault = null
      this.#heardAt = this.#options.clock()
      return result
    } catch (error) {
      if (error instanceof NetworkError) this.#rest(candidate, error)
      throw error
    }
  }

  /** In the order of the settings; those that failed of late come last, the longest rested of them first. */
  #inTurn(): Candidate<N>[] {
    const now = this.#options.clock()
    const rest = ({ restsUntil }: Candidate<N>): number => Math.max(restsUntil, now)
    return this.#candidates.toSorted((a, b) => rest(a) - rest(b))
  }

  /** One that asked for a pause, or that is of another chain, is left alone even where there is no other. */
  #isShut({ fault, restsUntil }: Candidate<N>): boolean {
    const isForbidden = fault instanceof RateLimited || fault instanceof WrongChain
    return isForbidden && this.#options.clock() < restsUntil
  }

  #rest(candidate: Candidate<N>, fault: NetworkError): void {
    candidate.isProven = false
    candidate.fault = fault
    candidate.restsUntil = this.#options.clock() + pauseMs(fault, candidate.failures)
    candidate.failures += 1
  }
}

function pauseMs(fault: NetworkError, failures: number): number {
  if (fault instanceof WrongChain) return WRONG_CHAIN_MS
  if (fault instanceof RateLimited) {
    return Math.min(fault.retryAfterMs ?? LIMITED_FIRST_MS * 2 ** failures, LIMITED_MAX_MS)
  }
  return Math.min(REST_FIRST_MS * 2 ** failures, REST_MAX_MS)
}
