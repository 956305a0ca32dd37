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

/** Florin's own error code, for a response that is too long to read. */
export const TOO_LARGE = -1

/** The numbers of calls in one request. After a refusal, the next lower number is used for ten minutes. */
const batchSizes = [100, 10, 1]
const BATCHES_REFUSED_MS = 600_000
const CONCURRENT_REQUESTS = 4

const tooLarge: Reply = { error: { code: TOO_LARGE, message: 'the response is too large' } }

/** A JSON-RPC client of one URL, which sends as many calls in one request as the endpoint accepts. */
export class JsonRpc {
  readonly #endpoint: HttpEndpoint
  readonly #path: string
  readonly #parse: Parse
  #level = 0
  #loweredAt = 0

  /**
   * `path` is below the endpoint's URL, or empty for that URL. `parse` can be another parser where results
   * contain numbers that a double does not hold exactly.
   */
  constructor(endpoint: HttpEndpoint, path = '', parse: Parse = JSON.parse) {
    this.#endpoint = endpoint
    this.#path = path
    this.#parse = parse
  }

  /** The only part of the URL that may be logged or shown. */
  get host(): string {
    return this.#endpoint.host
  }

  /** The number of calls that one request contains at present. */
  get callsAtOnce(): number {
    return this.#size
  }

  /** Returns the replies in the order of the calls. Throws NetworkError. */
  ask(calls: Call[]): Promise<Reply[]> {
    const isStale = this.#endpoint.clock() - this.#loweredAt > BATCHES_REFUSED_MS
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
    const { status, text } = await this.#endpoint.post(this.#path, printCalls(calls))
    if (text === null) return this.#askHalves(calls)
    const outcome: BatchResult = readReplies(text, status, calls.length, this.#endpoint.redact, this.#parse)
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

  /**
   * Asks for the calls one by one. Throws if the first call gets the same error as the batch, since then the
   * endpoint does not object to the batch.
   */
  async #askSingly(calls: Call[], refused: NodeError): Promise<Reply[]> {
    const first = await this.#askAll(calls.slice(0, 1))
    if (first.some(reply => 'error' in reply && reply.error.message === refused.message)) {
      throw new NetworkError(`returned the error "${refused.message}"`)
    }
    return [...first, ...(await this.#askAll(calls.slice(1)))]
  }

  /** Lowers the number of calls in one request below the number that was refused. */
  #lower(refused: number): void {
    while (refused <= this.#size) this.#level += 1
    this.#loweredAt = this.#endpoint.clock()
  }
}
