import type { CallFact, Json } from './facts.ts'
import type { Journal } from './journal.ts'
import { type Answer, type Machine, PUBLIC_URL } from './machine.ts'

const PASSWORD = 'correct horse battery'
const sameOrigin = { origin: PUBLIC_URL, 'sec-fetch-site': 'same-origin' }

interface Sending {
  headers?: Record<string, string>
  body?: Json
  form?: Record<string, string>
  /** a body that is sent unchanged */
  text?: string
}

const request = (method: string, path: string, { headers = {}, body, form, text }: Sending): Request => {
  const all = new Headers({ host: 'pay.example', ...headers })
  if (body !== undefined) all.set('content-type', 'application/json')
  const json = body === undefined ? null : JSON.stringify(body)
  const sent = form ? new URLSearchParams(form) : (text ?? json)
  // The request as a server behind a proxy receives it.
  return new Request(PUBLIC_URL.replace('https', 'http') + path, { method, headers: all, body: sent })
}

const parse = (text: string): Json => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

interface ApiCall extends Sending {
  by: CallFact['by']
  key?: string | undefined
  idempotencyKey?: string | null
  together?: number | null
}

/** Sends requests to a server, which can be replaced by another one at any time. */
export class Client {
  readonly #machine: () => Machine
  readonly #journal: Journal

  constructor(machine: () => Machine, journal: Journal) {
    this.#machine = machine
    this.#journal = journal
  }

  send(method: string, path: string, sending: Sending = {}): Promise<Answer | null> {
    return this.#machine().ask(request(method, path, sending))
  }

  /** Calls the API, and records the call in the journal. */
  async call(method: string, path: string, call: ApiCall) {
    const { by, key, body, idempotencyKey = null, together = null } = call
    const headers = {
      ...call.headers,
      ...(key !== undefined && { 'x-api-key': key }),
      ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
    }
    const answer = await this.send(method, path, { headers, body })
    const json = answer && parse(answer.text)
    this.#journal.note({
      ...{ fact: 'call', by, method, path, idempotencyKey, body: body ?? null },
      ...{ status: answer?.status ?? null, answer: json, together },
    })
    return { status: answer?.status ?? null, json }
  }

  /** The status that a script of a checkout page reads; null if there was no answer. */
  async status(order: string): Promise<Json | null> {
    const answer = await this.send('GET', `/pay/${order}/status`, { headers: { accept: 'application/json' } })
    if (answer?.status !== 200) return null
    const json = parse(answer.text).data
    this.#journal.hear({ says: 'status', order, json })
    return json
  }
}

/** A person's browser. It signs in again when the server requires it. */
export class Browser {
  readonly userId: string
  readonly #client: Client
  readonly #email: string
  #cookie: string

  private constructor(client: Client, userId: string, email: string, cookie: string) {
    this.#client = client
    this.userId = userId
    this.#email = email
    this.#cookie = cookie
  }

  /** Chooses a password with the link of an invitation. */
  static async open(client: Client, user: { id: string; email: string }, token: string): Promise<Browser> {
    const answer = await client.send('POST', `/dashboard/link/${token}`, {
      ...{ headers: { accept: 'text/html', ...sameOrigin } },
      form: { password: PASSWORD },
    })
    return new Browser(client, user.id, user.email, cookieOf(answer))
  }

  async #signIn(): Promise<void> {
    const form = { email: this.#email, password: PASSWORD, next: '/dashboard' }
    const headers = { accept: 'text/html', ...sameOrigin }
    this.#cookie = cookieOf(await this.#client.send('POST', '/dashboard/sign-in', { headers, form }))
  }

  async #ask(send: () => Promise<Answer | null>): Promise<Answer | null> {
    const answer = await send()
    const isOut = answer?.headers.get('location')?.startsWith('/dashboard/sign-in') || answer?.status === 401
    if (!isOut) return answer
    await this.#signIn()
    return send()
  }

  get(path: string): Promise<Answer | null> {
    return this.#ask(() =>
      this.#client.send('GET', path, { headers: { accept: 'text/html', cookie: this.#cookie } }),
    )
  }

  post(path: string, form: Record<string, string> = {}): Promise<Answer | null> {
    return this.#ask(() =>
      this.#client.send('POST', path, {
        headers: { accept: 'text/html', cookie: this.#cookie, ...sameOrigin },
        form: { ...form, proofPassword: PASSWORD },
      }),
    )
  }
}

const cookieOf = (answer: Answer | null): string =>
  (answer?.headers.getSetCookie() ?? []).map(line => line.split(';')[0] ?? '').join('; ')
