/** A lie that an endpoint uses now. */
export interface ActiveLie {
  name: string
  amount: number
  /**
   * number of scans that it still affects, or of requests for lies about HTTP; infinite for an endless lie
   */
  times: number
}

export interface FrontRequest {
  /** the path after the endpoint's URL, with a slash at the beginning */
  path: string
  body: string
}

/** Answers the requests to an endpoint; `lie` is null while the endpoint is honest. */
export interface Front {
  answer(request: FrontRequest, lie: ActiveLie | null): { status: number; text: string }
  /** true if a request is the first one of a scan */
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

/** One endpoint of the settings, which lies when a history requires it. */
export class Endpoint {
  readonly host: string
  readonly #front: Front
  readonly #makers: Readonly<Record<string, () => Front>>
  readonly #fronts = new Map<string, Front>()
  #lies: ActiveLie[] = []

  /** `others` has the fronts of other chains, by the lie of an endpoint that reports such a chain. */
  constructor(host: string, front: Front, others: Readonly<Record<string, () => Front>> = {}) {
    this.host = host
    this.#front = front
    this.#makers = others
  }

  lie(lie: ActiveLie): void {
    this.#lies.push({ ...lie })
  }

  /** Begins a lie at once, before the lies that were begun earlier. */
  interrupt(lie: ActiveLie): void {
    this.#lies.unshift({ ...lie })
  }

  /** True while no lie was begun that has not ended. */
  get isHonest(): boolean {
    return this.#lies.length === 0
  }

  /** Ends the lies of one kind, even endless ones. */
  end(name: string): void {
    this.#lies = this.#lies.filter(lie => lie.name !== name)
  }

  endAll(): void {
    this.#lies = []
  }

  /** Ends all lies except endless ones. */
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
    // A lie begins with the first request of a scan, and ends with the first request of a later scan.
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
