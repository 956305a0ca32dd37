import { createHmac } from 'node:crypto'
import { openState } from '../../src/sandbox/state.ts'
import type { Session } from '../../src/sandbox/stripe/payments.ts'
import { stripeStandIn } from '../../src/sandbox/stripe/stripe.ts'
import { seededRandom } from '../simulation/random.ts'
import type { Client } from './client.ts'
import type { CardFact } from './facts.ts'
import type { Journal } from './journal.ts'
import { PUBLIC_URL } from './machine.ts'
import type { CardsMood, Told } from './steps.ts'

export const STRIPE_HOST = 'api.stripe.com'
const PAGES = 'https://stripe.example'
const NO_ANSWER = 0
const CARD = '4242424242424242'

/** A key of the account of a shop. */
export const stripeKeyOf = (shop: number): string => `rk_live_shopnumber${shop}_1`

interface Endpoint {
  secret: string
}

interface Refund {
  id: string
  intent: string
  amount: number
}

/** Stripe with an account for each shop: buyers pay on its pages, it sends events, and is asked. */
export class Cards {
  mood: CardsMood = 'honest'
  /** how often the next events are sent */
  told: Told = 'once'
  readonly #journal: Journal
  readonly #client: Client
  readonly #state = openState(':memory:')
  readonly #standIn: ReturnType<typeof stripeStandIn>
  /** the first answer about each session, which a look-up that is late gives again */
  readonly #first = new Map<string, string>()
  /** the order of each session */
  readonly #orders = new Map<string, string>()
  readonly #refunds = new Set<string>()
  readonly #now: () => number

  constructor(seed: number, now: () => number, journal: Journal, client: Client) {
    const random = seededRandom(seed + 78)
    this.#journal = journal
    this.#client = client
    this.#now = now
    this.#standIn = stripeStandIn({
      state: this.#state,
      clock: now,
      random: bytes => Uint8Array.from({ length: bytes }, () => random.int(256)),
      isDown: () => this.mood === 'down',
      deliver: event => this.#deliver(event),
      pageOf: ({ title }) => title,
      publicUrl: PAGES,
    })
  }

  close(): void {
    this.#state.close()
  }

  /** The stand-in knows test keys, and the server takes live ones: only the mode is another. */
  async answer(url: URL, init: RequestInit | undefined): Promise<Response> {
    const headers = new Headers(init?.headers)
    headers.set('authorization', (headers.get('authorization') ?? '').replace('_live_', '_test_'))
    const [, session = ''] = /[/](cs_test_[a-z0-9]+)/.exec(url.pathname) ?? []
    const isLookUp = init?.method === 'GET' && session !== ''
    const asked = new Request(`${PAGES}/stripe${url.pathname}${url.search}`, { ...init, headers })
    const response = await this.#standIn.routes.handle(asked)
    const text = (await response.text()).replaceAll('"livemode":false', '"livemode":true')
    const first = this.#first.get(session)
    if (isLookUp && response.ok && this.mood === 'stale' && first) return new Response(first, response)
    if (isLookUp && response.ok && !first) this.#first.set(session, text)
    if (url.pathname === '/v1/refunds' && init?.method === 'POST' && response.ok) this.#noteRefunds()
    return new Response(text, response)
  }

  /** Signs an event for the other mode, and sends it as often as its world says. */
  async #deliver({ url, body, headers }: { url: string; body: string; headers: Record<string, string> }) {
    const text = body.replaceAll('"livemode": false', '"livemode": true')
    const [, time = '', signature = ''] = /^t=([0-9]+),v1=(.*)$/.exec(headers['stripe-signature'] ?? '') ?? []
    const sign = (secret: string, of: string) =>
      createHmac('sha256', secret).update(`${time}.${of}`).digest('hex')
    const endpoints = this.#state.list<Endpoint>('stripe.endpoint')
    const own = endpoints.find(({ secret }) => sign(secret, body) === signature)
    const secret = this.told === 'forged' ? 'whsec_wrong' : (own?.secret ?? '')
    const signed = { ...headers, 'stripe-signature': `t=${time},v1=${sign(secret, text)}` }
    if (this.told === 'lost') return NO_ANSWER
    const sending = { headers: signed, text }
    const path = url.slice(PUBLIC_URL.length)
    if (this.told === 'twice') await this.#client.send('POST', path, sending)
    const answer = await this.#client.send('POST', path, sending)
    return answer?.status ?? NO_ANSWER
  }

  /** The session that a page is of, for the order that was led to it. */
  noteOpened(order: string, location: string): Session | null {
    const [, id = ''] = /[/](cs_test_[a-z0-9]+)$/.exec(location) ?? []
    const session = this.#state.get<Session>('stripe.session', id)
    if (session) this.#orders.set(id, order)
    return session
  }

  #sessionsOf(order: string): Session[] {
    const own = [...this.#orders].filter(([, of]) => of === order)
    return own.flatMap(([id]) => this.#state.get<Session>('stripe.session', id) ?? [])
  }

  #note({ id }: Session, what: CardFact['what'], minor: number): void {
    const order = this.#orders.get(id)
    if (order !== undefined)
      this.#journal.note({ fact: 'card', order, session: id, what, minor: BigInt(minor) })
  }

  /** Refunds that Stripe made since the last look. */
  #noteRefunds(): void {
    const sessions = this.#state.list<Session>('stripe.session')
    for (const { id, intent, amount } of this.#state.list<Refund>('stripe.refund')) {
      if (this.#refunds.has(id)) continue
      this.#refunds.add(id)
      const session = sessions.find(one => one.intent?.id === intent)
      if (session) this.#note(session, 'refunded', amount)
    }
  }

  /** Presses a button of a session's page, as a buyer or a bank does. */
  async #press(session: Session, by: string, card = ''): Promise<void> {
    const form = new URLSearchParams({ by, card })
    await this.#standIn.routes.handle(
      new Request(`${PAGES}/stripe/pay/${session.id}`, { method: 'POST', body: form }),
    )
  }

  /** A buyer pays on the newest open page of an order, by card or by a debit that takes days. */
  async pay(order: string, by: 'card' | 'debit'): Promise<void> {
    const isOpen = ({ status, expires_at }: Session) => status === 'open' && expires_at * 1000 > this.#now()
    const session = this.#sessionsOf(order).findLast(isOpen)
    if (!session || this.mood === 'down') return
    this.#note(session, by === 'card' ? 'charged' : 'pending', session.amount_total)
    await this.#press(session, by, CARD)
  }

  /** A bank pays the oldest debit of an order, or returns it. */
  async finish(order: string, isPaid: boolean): Promise<void> {
    const session = this.#sessionsOf(order).find(({ intent }) => intent?.status === 'processing')
    if (!session || this.mood === 'down') return
    this.#note(session, isPaid ? 'charged' : 'failed', session.amount_total)
    await this.#press(session, isPaid ? 'arrive' : 'return')
  }

  /** The shop refunds a share in Stripe's own dashboard, or the buyer's bank takes all of it back. */
  async takeBack(order: string, how: 'refund' | 'dispute', percent: number): Promise<void> {
    const session = this.#sessionsOf(order).find(
      ({ payment_status, intent }) => payment_status === 'paid' && intent?.disputed === false,
    )
    if (!session?.intent || this.mood === 'down') return
    if (how === 'dispute') {
      this.#note(session, 'disputed', session.amount_total)
      return this.#press(session, 'dispute')
    }
    const amount = Math.max(1, Math.floor((session.amount_total * percent) / 100))
    const body = new URLSearchParams({ payment_intent: session.intent.id, amount: `${amount}` })
    const headers = { authorization: `Bearer ${session.account.replace('acct_', 'rk_test_')}_1` }
    await this.#standIn.routes.handle(
      new Request(`${PAGES}/stripe/v1/refunds`, { method: 'POST', headers, body }),
    )
    this.#noteRefunds()
  }
}
