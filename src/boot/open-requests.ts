import { Refusal } from '../domain/errors.ts'

/** Max bytes of a body for which the time limit applies. A longer body may take longer to arrive. */
const SHORT_BODY = 64 * 1024
const RETRY_SECONDS = 10
const LOOK_MS = 1000

const LATE =
  'The server is too busy to answer in time. The request may still be carried out: wait for the number of ' +
  'seconds in the Retry-After header, then look, or repeat it with the same idempotency key.'

const isShort = ({ method, headers }: Request): boolean =>
  method === 'GET' ||
  (!headers.has('transfer-encoding') && Number(headers.get('content-length') ?? 0) <= SHORT_BODY)

interface OpenRequest {
  /** time at which the request is refused */
  until: number
  answer(response: Response): void
  /** answers with the error */
  fail(error: unknown): void
}

/**
 * The requests that have no answer yet. Those that wait too long, most often for the database, are refused,
 * while their work goes on. All of them share a timer, because starting and stopping one for each takes a
 * tenth of the time of a short request.
 */
export class OpenRequests {
  readonly #open = new Set<OpenRequest>()
  #timer: ReturnType<typeof setInterval> | null = null

  /** `answerError` makes the answer to a request whose work threw an error. */
  constructor(private readonly answerError: (error: unknown, method: string) => Response) {}

  get size(): number {
    return this.#open.size
  }

  /** Waits for the answer to a request. Refuses the request after `ms`, or up to a second later. */
  wait(request: Request, answered: Promise<Response>, ms: number): Promise<Response> {
    return new Promise(resolve => {
      const answer = (response: Response) => {
        this.#open.delete(open)
        resolve(response)
      }
      const fail = (error: unknown) => answer(this.answerError(error, request.method))
      const until = isShort(request) ? performance.now() + ms : Number.POSITIVE_INFINITY
      const open = { until, answer, fail }
      this.#open.add(open)
      this.#timer ??= setInterval(() => this.#look(), LOOK_MS)
      answered.then(answer, fail)
    })
  }

  #look(): void {
    const now = performance.now()
    for (const { until, fail } of this.#open) {
      if (until <= now) fail(new Refusal('storage_unavailable', LATE, { retryAfterSeconds: RETRY_SECONDS }))
    }
    if (this.#open.size > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }
}
