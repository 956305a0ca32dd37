/** A lie that an endpoint is telling. */
export interface ActiveLie {
  name: string
  amount: number
  /** how many scans, or requests where the lie is about HTTP, it still affects; infinite for a lie without end */
  times: number
}

export interface FrontRequest {
  /** below the endpoint's URL, with a slash at the beginning */
  path: string
  body: string
}

/** What an endpoint answers to; `lie` is null while it is honest. */
export interface Front {
  answer(request: FrontRequest, lie: ActiveLie | null): { status: number; text: string }
  /** whether a request is the first of a scan */
  beginsScan(request: FrontRequest): boolean
}

const transport: Record<string, (amount: number, text: string) => Response> = {
  throttle: amount => new Response('slow down', { status: 429, headers: { 'retry-after': `${amount}` } }),
  fail: () => new Response('oops', { status: 500 }),
  hang: () => {
    throw new DOMException('The operation timed out.', 'TimeoutError')
  },
  missing: () => new Response('not found', { status: 404 }),
  page: () => new Response('<html><body>Please log in</body></html>'),
  truncate: (_, text) => new Response(text.slice(0, Math.ceil(text.length / 2) - 1)),
}

/** One endpoint of the settings, which lies when a history says so. */
export class Endpoint {
  readonly host: string
  readonly #front: Front
  readonly #makers: Readonly<Record<string, () => Front>>
  readonly #fronts = new Map<string, Front>()
  #lies: ActiveLie[] = []

  /** `others` makes the fronts of other chains, by the lie of an endpoint that knows such a chain. */
  constructor(host: string, front: Front, others: Readonly<Record<string, () => Front>> = {}) {
    this.host = host
    this.#front = front
    this.#makers = others
  }

  lie(lie: ActiveLie): void {
    this.#lies.push({ ...lie })
  }

  /** Begins a lie at once, before those that it has begun already. */
  interrupt(lie: ActiveLie): void {
    this.#lies.unshift({ ...lie })
  }

  /** Ends the lies of one kind, also those without an end. */
  end(name: string): void {
    this.#lies = this.#lies.filter(lie => lie.name !== name)
  }

  /** Ends every lie that has an end. */
  becomeHonest(): void {
    this.#lies = this.#lies.filter(({ times }) => times === Number.POSITIVE_INFINITY)
  }

  respond(path: string, body: string): Response {
    const request = { path, body }
    const [lie = null] = this.#lies
    const respondLate = lie && transport[lie.name]
    if (lie && respondLate) {
      lie.times -= 1
      if (lie.times <= 0) this.#lies.shift()
      return respondLate(lie.amount, this.#front.answer(request, null).text)
    }
    return this.#answer(request)
  }

  #answer(request: FrontRequest): Response {
    // A lie lasts from the first request of one scan to the first request of another.
    if (this.#front.beginsScan(request)) {
      while (this.#lies[0] && this.#lies[0].times <= 0) this.#lies.shift()
      if (this.#lies[0]) this.#lies[0].times -= 1
    }
    const [lie = null] = this.#lies
    const isTransport = lie !== null && lie.name in transport
    const { status, text } = this.#frontFor(lie).answer(request, isTransport ? null : lie)
    return new Response(text, { status })
  }

  #frontFor(lie: ActiveLie | null): Front {
    const make = lie === null ? undefined : this.#makers[lie.name]
    if (lie === null || !make) return this.#front
    const front = this.#fronts.get(lie.name) ?? make()
    this.#fronts.set(lie.name, front)
    return front
  }
}
