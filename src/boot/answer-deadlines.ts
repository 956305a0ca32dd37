import { Refusal } from '../domain/errors.ts'

/** A longer body may take longer to arrive. */
const SHORT_BODY = 64 * 1024
const RETRY_SECONDS = 10
const LOOK_MS = 1000

const LATE =
  'The server is too busy to answer in time. The request may still be carried out: wait for the number of ' +
  'seconds in the Retry-After header, then look, or repeat it with the same idempotency key.'

const isShort = ({ method, headers }: Request): boolean =>
  method === 'GET' ||
  (!headers.has('transfer-encoding') && Number(headers.get('content-length') ?? 0) <= SHORT_BODY)

interface Waiting {
  until: number
  refuse(): void
}

/**
 * Refuses requests that wait too long, most often for the database. Their work goes on. All of them share a
 * timer, because starting and stopping one for each takes a tenth of the time of a short request.
 */
export class AnswerDeadlines {
  readonly #waiting = new Set<Waiting>()
  #timer: ReturnType<typeof setInterval> | null = null

  /** Returns the answer, or throws if it is not there after `ms`, or up to a second later. */
  race(request: Request, answer: Promise<Response>, ms: number): Promise<Response> {
    if (!isShort(request)) return answer
    return new Promise((resolve, reject) => {
      const refuse = () =>
        reject(new Refusal('storage_unavailable', LATE, { retryAfterSeconds: RETRY_SECONDS }))
      const waiting = { until: performance.now() + ms, refuse }
      this.#waiting.add(waiting)
      this.#timer ??= setInterval(() => this.#look(), LOOK_MS)
      const settle =
        <T>(pass: (value: T) => void) =>
        (value: T) => {
          this.#waiting.delete(waiting)
          pass(value)
        }
      answer.then(settle(resolve), settle(reject))
    })
  }

  #look(): void {
    const now = performance.now()
    for (const { until, refuse } of this.#waiting) if (until <= now) refuse()
    if (this.#waiting.size > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }
}
