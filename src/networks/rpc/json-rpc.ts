import { NetworkError } from '../port.ts'
import type { HttpEndpoint } from './http.ts'
import {
  type BatchResult,
  type Call,
  type NodeError,
  type Parse,
  printCalls,
  type Reply,
  readReplies,
} from './json-rpc-codec.ts'
import { mapLimit } from './map-limit.ts'

/** The code of our own refusal to read an answer; the node is not to blame. */
export const TOO_LARGE = -1

/** How many calls go into one request: the first, as long as the endpoint takes so many. */
const batchSizes = [100, 10, 1]
const BATCHES_REFUSED_MS = 600_000
const CONCURRENT_REQUESTS = 4

const tooLarge: Reply = { error: { code: TOO_LARGE, message: 'the answer is too large' } }

/** Speaks JSON-RPC with one URL: many calls in one request, or one by one where it refuses that. */
export class JsonRpc {
  readonly #upstream: HttpEndpoint
  readonly #path: string
  readonly #parse: Parse
  #level = 0
  #loweredAt = 0

  /**
   * The path lies below the upstream's URL; empty for the URL itself. Where floats are too coarse for what is
   * answered, it is parsed in another way.
   */
  constructor(upstream: HttpEndpoint, path = '', parse: Parse = JSON.parse) {
    this.#upstream = upstream
    this.#path = path
    this.#parse = parse
  }

  /** All that may be told of its URL. */
  get host(): string {
    return this.#upstream.host
  }

  /** How many calls the endpoint takes in one request, as far as is known. */
  get callsAtOnce(): number {
    return this.#size
  }

  /** Answers in the order of the calls. Throws NetworkFault. */
  ask(calls: Call[]): Promise<Reply[]> {
    const isStale = this.#upstream.clock() - this.#loweredAt > BATCHES_REFUSED_MS
    if (this.#level > 0 && isStale) this.#level = 0
    return this.#askAll(calls)
  }

  get #size(): number {
    return batchSizes[this.#level]!
  }

  async #askAll(calls: Call[]): Promise<Reply[]> {
    const size = this.#size
    const slices = Array.from({ length: Math.ceil(calls.length / size) }, (_, index) =>
      calls.slice(index * size, (index + 1) * size),
    )
    return (await mapLimit(slices, CONCURRENT_REQUESTS, slice => this.#askSlice(slice))).flat()
  }

  async #askSlice(calls: Call[]): Promise<Reply[]> {
    const { status, text } = await this.#upstream.post(this.#path, printCalls(calls))
    if (text === null) return this.#askHalves(calls)
    const outcome: BatchResult = readReplies(text, status, calls.length, this.#upstream.redact, this.#parse)
    if (Array.isArray(outcome)) return outcome
    this.#lower(calls.length)
    return this.#size === 1 ? this.#askSingly(calls, outcome.refused) : this.#askAll(calls)
  }

  async #askHalves(calls: Call[]): Promise<Reply[]> {
    if (calls.length === 1) return [tooLarge]
    const half = Math.ceil(calls.length / 2)
    const first = await this.#askSlice(calls.slice(0, half))
    return [...first, ...(await this.#askSlice(calls.slice(half)))]
  }

  /** What refuses a batch, and its first call with the same words, refuses more than batches. */
  async #askSingly(calls: Call[], refused: NodeError): Promise<Reply[]> {
    const first = await this.#askAll(calls.slice(0, 1))
    if (first.some(reply => 'error' in reply && reply.error.message === refused.message)) {
      throw new NetworkError(`answers "${refused.message}"`)
    }
    return [...first, ...(await this.#askAll(calls.slice(1)))]
  }

  /** Fewer calls in one request than were refused. */
  #lower(refused: number): void {
    while (refused <= this.#size) this.#level += 1
    this.#loweredAt = this.#upstream.clock()
  }
}
