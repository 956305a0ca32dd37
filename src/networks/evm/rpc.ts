import { type Fetch, NetworkFault } from '../port.ts'
import { Endpoint } from './endpoint.ts'
import { readQuantity } from './hex.ts'
import { type Call, RateLimited, type Reply } from './wire.ts'

export interface RpcOptions {
  /** as an operator reads it: "polygon" */
  chain: string
  chainId: number
  endpoints: readonly string[]
  fetch: Fetch
  /** milliseconds since 1970 UTC */
  clock: () => number
  timeoutMs?: number
  maxBytes?: number
}

/** One endpoint that has proven to be of the right chain. */
export interface Node {
  ask(calls: Call[]): Promise<Reply[]>
}

const TIMEOUT_MS = 10_000
const ANSWER_BYTES_MAX = 8 * 1024 * 1024
const REST_FIRST_MS = 1000
const REST_MAX_MS = 60_000
const LIMITED_FIRST_MS = 5000
const LIMITED_MAX_MS = 120_000
const WRONG_CHAIN_MS = 60_000
const HEARD_LATELY_MS = 30_000

class WrongChain extends NetworkFault {}

interface Candidate {
  endpoint: Endpoint
  isProven: boolean
  /** when it failed the last time, for how long others are asked before it */
  restsUntil: number
  failures: number
  fault: NetworkFault | null
}

/** Several endpoints of one chain, of which one at a time is believed. */
export class Rpc {
  readonly #options: RpcOptions
  readonly #candidates: Candidate[]
  #heardAt = Number.NEGATIVE_INFINITY
  #hearing: Promise<void> | null = null

  constructor(options: RpcOptions) {
    const { fetch, clock, timeoutMs = TIMEOUT_MS, maxBytes = ANSWER_BYTES_MAX } = options
    this.#options = options
    this.#candidates = options.endpoints.map(url => ({
      endpoint: new Endpoint(url, { fetch, clock, timeoutMs, maxBytes }),
      isProven: false,
      restsUntil: 0,
      failures: 0,
      fault: null,
    }))
  }

  /**
   * Does a piece of work with one endpoint, since two may know different blocks; when that one fails, the
   * next does the whole of it anew. Throws NetworkFault when none is left.
   */
  async use<T>(work: (node: Node) => Promise<T>): Promise<T> {
    const faults: string[] = []
    for (const candidate of this.#inTurn()) {
      try {
        if (this.#isShut(candidate)) throw candidate.fault
        return await this.#useOne(candidate, work)
      } catch (error) {
        if (!(error instanceof NetworkFault)) throw error
        faults.push(`${candidate.endpoint.host} ${error.message}`)
      }
    }
    const why = faults.length === 0 ? 'no endpoint is configured' : faults.join('; ')
    throw new NetworkFault(`${this.#options.chain} cannot be heard: ${why}`)
  }

  /** Makes sure that an endpoint of this chain answered of late. Throws NetworkFault. */
  hear(): Promise<void> {
    if (this.#options.clock() - this.#heardAt < HEARD_LATELY_MS) return Promise.resolve()
    this.#hearing ??= this.#proveAnew().finally(() => {
      this.#hearing = null
    })
    return this.#hearing
  }

  #proveAnew(): Promise<void> {
    for (const candidate of this.#candidates) candidate.isProven = false
    return this.use(async () => {})
  }

  async #useOne<T>(candidate: Candidate, work: (node: Node) => Promise<T>): Promise<T> {
    try {
      if (!candidate.isProven) await this.#prove(candidate.endpoint)
      candidate.isProven = true
      const result = await work(candidate.endpoint)
      candidate.failures = 0
      candidate.restsUntil = 0
      candidate.fault = null
      this.#heardAt = this.#options.clock()
      return result
    } catch (error) {
      if (error instanceof NetworkFault) this.#rest(candidate, error)
      throw error
    }
  }

  /** In the order of the settings; those that failed of late come last, the longest rested of them first. */
  #inTurn(): Candidate[] {
    const now = this.#options.clock()
    const rest = ({ restsUntil }: Candidate): number => Math.max(restsUntil, now)
    return this.#candidates.toSorted((a, b) => rest(a) - rest(b))
  }

  /** One that asked for a pause, or that is of another chain, is left alone even where there is no other. */
  #isShut({ fault, restsUntil }: Candidate): boolean {
    const isForbidden = fault instanceof RateLimited || fault instanceof WrongChain
    return isForbidden && this.#options.clock() < restsUntil
  }

  #rest(candidate: Candidate, fault: NetworkFault): void {
    candidate.isProven = false
    candidate.fault = fault
    candidate.restsUntil = this.#options.clock() + pauseMs(fault, candidate.failures)
    candidate.failures += 1
  }

  async #prove(node: Node): Promise<void> {
    const [reply] = await node.ask([{ method: 'eth_chainId', params: [] }])
    if (!reply || 'error' in reply) {
      throw new NetworkFault(`does not tell its chain id: "${reply?.error.message ?? ''}"`)
    }
    const chainId = readQuantity(reply.result)
    const { chain, chainId: expected } = this.#options
    if (chainId === BigInt(expected)) return
    throw new WrongChain(`serves chain ${chainId}, but ${chain} is chain ${expected}: name another endpoint`)
  }
}

function pauseMs(fault: NetworkFault, failures: number): number {
  if (fault instanceof WrongChain) return WRONG_CHAIN_MS
  if (fault instanceof RateLimited) {
    return Math.min(fault.retryAfterMs ?? LIMITED_FIRST_MS * 2 ** failures, LIMITED_MAX_MS)
  }
  return Math.min(REST_FIRST_MS * 2 ** failures, REST_MAX_MS)
}
