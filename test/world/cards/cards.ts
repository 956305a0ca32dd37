import { openState } from '../../../src/sandbox/state.ts'
import { seededRandom } from '../../simulation/random.ts'
import type { Client } from '../client.ts'
import type { CardFact } from '../facts.ts'
import type { Journal } from '../journal.ts'
import { PUBLIC_URL } from '../machine.ts'
import { type CardProvider, type CardsMood, cardProviders, type Told } from '../steps.ts'
import { mollieKeyOf, mollieService } from './mollie.ts'
import { payPalKeysOf, payPalService } from './paypal.ts'
import {
  type CardEvent,
  type CardPage,
  type CardService,
  PAGES,
  type Press,
  type ServiceParts,
} from './service.ts'
import { stripeService } from './stripe.ts'

const NO_ANSWER = 0

/** Keys of the accounts of a shop. */
export const cardKeysOf = (shop: number) => [
  { providerId: 'stripe', key: `rk_live_shopnumber${shop}_1` },
  { providerId: 'mollie', key: mollieKeyOf(shop) },
  { providerId: 'paypal', ...payPalKeysOf(shop) },
]

const makers: Record<CardProvider, (parts: ServiceParts) => CardService> = {
  stripe: stripeService,
  mollie: mollieService,
  paypal: payPalService,
}

/**
 * The first fact that follows from an action on a page. At PayPal, `card` and `debit` only approve the
 * payment.
 */
const facts: Record<Press, CardFact['what']> = {
  card: 'charged',
  refused: 'failed',
  debit: 'pending',
  'debit-paid': 'charged',
  'debit-returned': 'failed',
  dispute: 'disputed',
}

/**
 * The providers at which each shop has an account. Buyers pay on their pages, and the providers send events
 * and answer look-ups.
 */
export class Cards {
  /** the way in which the next events are sent */
  told: Told = 'once'
  readonly #journal: Journal
  readonly #client: Client
  readonly #state = openState(':memory:')
  readonly #moods = new Map<CardProvider, CardsMood>()
  readonly #services: readonly CardService[]
  /** the first answer about each page, which a stale provider repeats */
  readonly #first = new Map<string, string>()
  /** the order of each page, and its provider */
  readonly #pages = new Map<string, { order: string; service: CardService }>()
  /** the amount that was received on each page that received only a part of what it asks for */
  readonly #parts = new Map<string, number>()
  readonly #refunds = new Set<string>()

  constructor(seed: number, now: () => number, journal: Journal, client: Client) {
    this.#journal = journal
    this.#client = client
    this.#services = cardProviders.map((name, index) => {
      const random = seededRandom(seed + 78 + 1000 * index)
      const service: CardService = makers[name]({
        state: this.#state,
        clock: now,
        random: bytes => Uint8Array.from({ length: bytes }, () => random.int(256)),
        isDown: () => this.#moods.get(name) === 'down',
        deliver: event => this.#deliver(service, event),
      })
      return service
    })
  }

  close(): void {
    this.#state.close()
  }

  turn(provider: CardProvider, mood: CardsMood): void {
    this.#moods.set(provider, mood)
    this.#journal.note({ fact: 'card-service', provider, mood })
  }

  becomeHonest(): void {
    for (const name of cardProviders) this.turn(name, 'honest')
  }

  at(host: string): CardService | undefined {
    return this.#services.find(one => one.host === host)
  }

  async answer(service: CardService, url: URL, init: RequestInit | undefined): Promise<Response> {
    const mood = this.#moods.get(service.name)
    const headers = new Headers(init?.headers)
    headers.set('authorization', service.toTest(headers.get('authorization') ?? ''))
    if (mood !== 'down' && init?.method === 'POST') this.#noteTaking(service, url.pathname)
    const path = mood === 'other' ? this.#otherPath(service, url.pathname) : url.pathname
    const response = await service.handle(
      new Request(PAGES + service.root + path + url.search, { ...init, headers }),
    )
    const text = this.#inPart(service, path, service.toLive(await response.text()))
    const isDone = init?.method === 'POST' && response.ok && !url.pathname.endsWith('/oauth2/token')
    if (isDone) this.#noteRefunds(service, true)
    if (isDone && mood === 'mute') throw new DOMException('There was no answer in time.', 'TimeoutError')
    const told = init?.method === 'GET' && response.ok ? this.#toldOf(service, url.pathname, text) : text
    return new Response(told === '' ? null : told, response)
  }

  #inPart(service: CardService, path: string, text: string): string {
    const part = this.#parts.get(service.pageIn(path) ?? '')
    return part === undefined ? text : service.inPart(text, part)
  }

  /**
   * Changes the path of a look-up to that of another payment that was paid, so that the answer is about the
   * wrong one.
   */
  #otherPath(service: CardService, path: string): string {
    const asked = service.pageIn(path)
    const others = [...this.#pages].filter(([id, one]) => one.service === service && id !== asked)
    const other = others.findLast(([id]) => service.find(id)?.state === 'paid')
    return asked === null || !other ? path : path.replace(asked, other[0])
  }

  /** The answer to a look-up of a page: the current one, or the first one if the provider is stale. */
  #toldOf(service: CardService, path: string, text: string): string {
    const page = service.pageIn(path)
    if (page === null) return text
    const first = this.#first.get(page)
    if (first === undefined && text.includes(page)) this.#first.set(page, text)
    return this.#moods.get(service.name) === 'stale' ? (first ?? text) : text
  }

  /** Sends an event once, twice or not at all, or a forged one instead. */
  async #deliver(service: CardService, event: CardEvent): Promise<number> {
    if (this.told === 'lost') return NO_ANSWER
    const { url, body: text, headers } = this.told === 'forged' ? service.forge(event) : event
    const path = url.slice(PUBLIC_URL.length)
    if (this.told === 'twice') await this.#client.send('POST', path, { headers, text })
    const answer = await this.#client.send('POST', path, { headers, text })
    return answer?.status ?? NO_ANSWER
  }

  /** Records the page to which the buyer of an order was redirected, and returns it; null for another URL. */
  noteOpened(order: string, location: string): string | null {
    for (const service of this.#services) {
      const page = service.pageAt(location)
      if (page === null) continue
      this.#pages.set(page, { order, service })
      return page
    }
    return null
  }

  #note(page: string, what: CardFact['what'], minor: number, isAsked = false): void {
    const known = this.#pages.get(page)
    if (!known) return
    const { order, service } = known
    const received = what === 'charged' ? (this.#parts.get(page) ?? minor) : minor
    this.#journal.note({
      ...{ fact: 'card', order, provider: service.name, session: page, what },
      ...{ minor: BigInt(received), isAsked },
    })
  }

  /** Records the refunds that were made since the last call. */
  #noteRefunds(service: CardService, isAsked: boolean): void {
    for (const { id, page, minor } of service.refunds()) {
      if (this.#refunds.has(id)) continue
      this.#refunds.add(id)
      this.#note(page, 'refunded', minor, isAsked)
    }
  }

  /** Records that the server captures a payment that its buyer has approved. */
  #noteTaking(service: CardService, path: string): void {
    const taking = service.takingOf(path)
    const page = taking && service.find(taking.page)
    if (taking && page) this.#note(page.id, taking.what, page.minor, true)
  }

  /**
   * The newest page of an order that is in this state at a provider; null while the provider does not answer.
   */
  #pageOf(order: string, provider: CardProvider, state: CardPage['state']) {
    if (this.#moods.get(provider) === 'down') return null
    const own = [...this.#pages].filter(([, one]) => one.order === order && one.service.name === provider)
    for (const [id, { service }] of own.toReversed()) {
      const page = service.find(id)
      if (page?.state === state) return { page, service }
    }
    return null
  }

  /** A buyer pays on the newest open page of an order, or a bank pays or returns a debit. */
  async pay(order: string, provider: CardProvider, what: Exclude<Press, 'dispute'>, percent = 100) {
    const found = this.#pageOf(order, provider, what.startsWith('debit-') ? 'pending' : 'open')
    if (!found) return
    const { page, service } = found
    if (percent < 100) this.#parts.set(page.id, Math.max(1, Math.floor((page.minor * percent) / 100)))
    const isApproval = provider === 'paypal' && !what.startsWith('debit-')
    this.#note(page.id, isApproval ? (what === 'refused' ? 'failed' : 'approved') : facts[what], page.minor)
    await service.press(page.id, what)
  }

  /** The shop refunds a share in the provider's own dashboard, or the buyer's bank takes all of it back. */
  async takeBack(order: string, provider: CardProvider, how: 'refund' | 'dispute', percent: number) {
    const found = this.#pageOf(order, provider, 'paid')
    // The stand-in stores only whole amounts, so it would pay back too much of a partial payment.
    if (!found || found.page.isDisputed || this.#parts.has(found.page.id)) return
    const { page, service } = found
    if (how === 'dispute') {
      this.#note(page.id, 'disputed', page.minor)
      await service.press(page.id, 'dispute')
      return
    }
    await service.refund(page.id, Math.max(1, Math.floor((page.minor * percent) / 100)))
    this.#noteRefunds(service, false)
  }

  /** A stranger sends an event that claims that the newest open page of an order was paid. */
  async claim(order: string, provider: CardProvider): Promise<void> {
    const found = this.#pageOf(order, provider, 'open')
    if (!found) return
    const { body: text, headers } = found.service.claim(found.page.id)
    await this.#client.send('POST', `/callback/${provider}`, { headers, text })
  }
}
