import { microsText, unitsOf } from './decimals.ts'
import type { DecisionFact, Json } from './facts.ts'
import { crossRates } from './prices.ts'
import type { Person, Request, Step } from './steps.ts'
import type { World, WorldOrder } from './world.ts'

type Of<Name extends Request['do']> = Extract<Request, { do: Name }>

const CHECK_PAUSE_MS = 6000
const gatewayMethods = ['moonpay', 'stripe', 'transak', 'revolut']
const html = { accept: 'text/html' }

/** What people and programs ask the server, and what they tell of its answers. */
export class Requests {
  readonly #world: World
  #tokens = 0

  constructor(world: World) {
    this.#world = world
  }

  async run(request: Request, together: number | null = null): Promise<void> {
    switch (request.do) {
      case 'order':
        return this.#create(request, together)
      case 'list':
        return this.list(request.shop, request.list, request.size)
      case 'dashboard':
        return this.#lookAround(request)
      default: {
        const order = this.#world.orders.get(request.order)
        if (order) await this.#runFor(order, request, together)
      }
    }
  }

  async #runFor(order: WorldOrder, request: Request, together: number | null): Promise<void> {
    switch (request.do) {
      case 'open':
        return this.#open(order, request, together)
      case 'page':
        return this.#openPage(order, request)
      case 'callback':
        return this.#callBack(order, request)
      case 'visit':
        return this.#visit(order, request, together)
      case 'refund-address':
        return this.#leaveRefundAddress(order)
      case 'read':
        return this.read(order, request.shop)
      case 'cancel':
        return this.#cancel(order, request, together)
      case 'end':
      case 'force':
      case 'accept':
      case 'resolve':
        return this.#decide(order, request, together)
      case 'refund':
        return this.#refund(order, request, together)
      case 'stranger':
        return this.#intrude(order, request.what)
    }
  }

  #liveKey(shop: number) {
    return { by: { shop, key: 'live' }, key: this.#world.shops[shop]!.keys.live } as const
  }

  async #create(request: Of<'order'>, together: number | null): Promise<void> {
    const { number, shop, amount, currency, methods, minutes, key, body } = {
      ...request,
      number: request.order,
    }
    const { status, json } = await this.#world.client.call('POST', '/v1/orders', {
      ...this.#liveKey(shop),
      idempotencyKey: key === null ? null : `key-${key}`,
      body: {
        ...{ amount, currency, paymentMethodsKeys: methods },
        customer: { email: `buyer-${number % 7}@buyers.example`, fullName: `Buyer ${number % 7}` },
        externalId: key === null ? `cart-${number}` : `cart-of-key-${key}-${body}`,
        ...(minutes !== null && { expiresAt: new Date(this.#serverNow + minutes * 60_000).toISOString() }),
        metadata: { cart: number },
      },
      together,
    })
    if (status !== 201 && status !== 200) return
    const id: string = json.data.orderUUID
    const same = [...this.#world.orders.values()].find(one => one.id === id)
    this.#world.orders.set(number, same ?? { number, id, shop, amount, currency, opened: [], pages: [] })
  }

  get #serverNow(): number {
    return this.#world.now + this.#world.aheadMs
  }

  async #open(order: WorldOrder, { asset: index }: Of<'open'>, together: number | null): Promise<void> {
    const { chains, client, journal } = this.#world
    const assets = chains.all.flatMap(chain => chain.assets)
    const { id: asset, decimals } = assets[index % assets.length]!
    const sending = { headers: { accept: 'application/json' }, form: { asset } }
    const answer = await client.send('POST', `/pay/${order.id}/crypto`, sending)
    const shown = answer?.status === 303 ? await client.status(order.id) : null
    const attempt: Json = shown?.attempt
    const known = order.opened.find(({ address }) => address === attempt?.address)
    const isNew = attempt?.assetId === asset && (known === undefined || known.asset !== asset)
    journal.note({
      ...{ fact: 'opened', order: order.id, asset },
      ...{ status: answer?.status ?? null, shown, isNew, asked: null, together },
    })
    if (isNew) order.opened.push({ asset, address: attempt.address, due: unitsOf(attempt.amount, decimals) })
  }

  async #openPage(order: WorldOrder, { method: index }: Of<'page'>): Promise<void> {
    const { client, journal } = this.#world
    const method = gatewayMethods[index % gatewayMethods.length]!
    const answer = await client.send('GET', `/payment/process/${order.id}?method=${method}`, {
      headers: html,
    })
    const led = answer?.headers.get('location') ?? ''
    const query = led.startsWith('https://gateway.example/') ? new URL(led).searchParams : null
    const asked = query && { amount: query.get('amount') ?? '', currency: query.get('currency') ?? '' }
    if (asked) order.pages.push({ method, ...asked })
    const shown = await client.status(order.id)
    const status = answer?.status ?? null
    journal.note({
      fact: 'opened',
      order: order.id,
      asset: method,
      status,
      asked,
      shown,
      ...{ isNew: asked !== null, together: null },
    })
  }

  /** The payments that an order has opened, the newest last, as its page tells them. */
  async attemptsOf({ id }: WorldOrder): Promise<string[]> {
    const json = await this.#world.client.status(id)
    return (json?.attempts ?? []).map(({ attemptId }: { attemptId: string }) => attemptId)
  }

  async #callBack(order: WorldOrder, { proof }: Of<'callback'>): Promise<void> {
    const { gateway } = this.#world
    if (gateway) await gateway.callBack(order.id, await this.attemptsOf(order), proof)
  }

  /** A buyer pays a share of what the newest page asks for, in dollars; in another currency its worth. */
  async payGateway(order: WorldOrder, step: Extract<Step, { do: 'pay-gateway' }>): Promise<void> {
    const { gateway } = this.#world
    const page = order.pages.at(-1)
    if (!(gateway && page)) return
    const tenths = crossRates[page.currency] ?? 10n
    const micros = (unitsOf(page.amount, 6) * 10n * BigInt(step.percent)) / (100n * tenths)
    gateway.pay(order.id, await this.attemptsOf(order), microsText(micros), step)
  }

  async #visit(order: WorldOrder, { what }: Of<'visit'>, together: number | null): Promise<void> {
    const { client, journal } = this.#world
    if (what === 'status') {
      const json = await client.status(order.id)
      journal.note({
        ...{ fact: 'visit', order: order.id, what },
        status: json ? 200 : null,
        value: null,
        together,
      })
      return
    }
    const looks = what === 'check' || what === 'elsewhere'
    if (looks && together === null) this.#world.now += CHECK_PAUSE_MS
    const answer =
      what === 'page'
        ? await client.send('GET', `/pay/${order.id}`, { headers: html })
        : await client.send('POST', `/pay/${order.id}/check`, {
            headers: html,
            ...(what === 'elsewhere' && { form: { elsewhere: '1' } }),
          })
    journal.note({
      ...{ fact: 'visit', order: order.id, what },
      ...{ status: answer?.status ?? null, value: null, together },
    })
    const led = answer?.headers.get('location')
    const page = led ? await client.send('GET', led, { headers: html }) : answer
    if (page) journal.hear({ says: 'page', order: order.id, status: page.status, html: page.text })
    if (looks) await client.status(order.id)
  }

  async #leaveRefundAddress(order: WorldOrder): Promise<void> {
    const { client, journal } = this.#world
    const json = await client.status(order.id)
    const attempt = json?.attempts.at(-1)?.attemptId
    const opened = order.opened.at(-1)
    if (!(attempt && opened)) return
    const form = { attempt, address: opened.address }
    const answer = await client.send('POST', `/pay/${order.id}/refund-address`, { headers: html, form })
    const status = answer?.status ?? null
    journal.note({
      fact: 'visit',
      order: order.id,
      what: 'refund-address',
      status,
      value: opened.address,
      together: null,
    })
  }

  /** Reads an order with the key of a shop, which may be another's. */
  async read(order: WorldOrder, shop: number): Promise<void> {
    const { client, journal } = this.#world
    const { status, json } = await client.call('GET', `/v1/orders/${order.id}`, this.#liveKey(shop))
    if (status === 200) journal.hear({ says: 'order', shop, order: order.id, json: json.data })
  }

  /** Reads all pages of a list. */
  async list(shop: number, list: Of<'list'>['list'], size: number): Promise<void> {
    const { client, journal } = this.#world
    const path = `/v1/${list}`
    const items: Json[] = []
    for (let token: string | null = ''; token !== null; ) {
      const query: string = `?pageSize=${size}${token && `&pageToken=${token}`}`
      const { status, json } = await client.call('GET', path + query, this.#liveKey(shop))
      if (status !== 200) return
      items.push(...json.data.items)
      token = json.data.nextPageToken ?? null
    }
    journal.hear({ says: 'list', shop, path, items })
  }

  async #cancel(order: WorldOrder, { shop, by }: Of<'cancel'>, together: number | null): Promise<void> {
    if (by !== 'key') return this.#form(order, { what: 'cancel', by, form: { reason: 'sold out' }, together })
    const call = { ...this.#liveKey(shop), body: { reason: 'sold out' }, together }
    await this.#world.client.call('POST', `/v1/orders/${order.id}/cancel`, call)
  }

  async #refund(
    order: WorldOrder,
    { shop, percent, key, by }: Of<'refund'>,
    together: number | null,
  ): Promise<void> {
    const places = order.amount.split('.')[1]?.length ?? 0
    const minor = (unitsOf(order.amount, places) * BigInt(percent)) / 100n
    const digits = minor.toString().padStart(places + 1, '0')
    const amount = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
    if (by === 'owner') {
      const form = {
        amount,
        reason: 'returned',
        token: `00000000-0000-7000-8000-${`${key}`.padStart(12, '0')}`,
      }
      return this.#form(order, { what: 'refund', by, form, together })
    }
    await this.#world.client.call('POST', `/v1/orders/${order.id}/refunds`, {
      ...this.#liveKey(shop),
      ...{ idempotencyKey: `refund-${key}`, body: { amount, reason: 'returned' }, together },
    })
  }

  #browserOf(order: WorldOrder, by: Person) {
    const { shops } = this.#world
    if (by === 'stranger') return shops.find(({ number }) => number !== order.shop)?.people.owner
    const { people } = shops[order.shop]!
    return by === 'operator' ? people.owner : people[by]
  }

  async #form(
    order: WorldOrder,
    given: Pick<DecisionFact, 'what' | 'form' | 'together'> & {
      by: Person
      path?: string
      isStale?: boolean
    },
  ): Promise<void> {
    const { what, by, form, together, isStale = false } = given
    const browser = this.#browserOf(order, by)
    if (!browser) return
    const answer = await browser.post(given.path ?? `/dashboard/orders/${order.id}/${what}`, form)
    const who = by === 'operator' ? 'owner' : by
    this.#world.journal.note({
      ...{ fact: 'decision', by: { who, shop: order.shop, userId: browser.userId }, what, order: order.id },
      ...{ form, status: answer?.status ?? null, transfers: null, isStale, together },
    })
  }

  /** Forms of unmatched payments name them, so their page is read first. */
  async #decide(
    order: WorldOrder,
    { do: what, by, isStale }: Of<'end' | 'force' | 'accept' | 'resolve'>,
    together: number | null,
  ): Promise<void> {
    if (what === 'end') return this.#form(order, { what, by, form: {}, together })
    if (what === 'force') {
      const form = { reason: 'paid in cash', anyway: 'yes' }
      return this.#form(order, { what, by, form, together })
    }
    const page = await this.#browserOf(order, 'owner')!.get(`/dashboard/orders/${order.id}`)
    const [, payment] = /name="payment" value="([^"]+)"/.exec(page?.text ?? '') ?? []
    if (payment === undefined) return
    if (what === 'accept') {
      const form = { payment, reason: 'enough for us' }
      await this.#form(order, { what, by, form, together })
      // The same form once more: its page was opened before.
      if (isStale) await this.#form(order, { what, by, form, together, isStale })
      return
    }
    const [id = ''] = payment.split(' ')
    const path = `/dashboard/unmatched/${id}/resolve`
    await this.#form(order, { what, by, form: { text: 'sent back', payment: id }, path, together })
  }

  async #lookAround({ shop, page, by }: Of<'dashboard'>): Promise<void> {
    const pages = ['', '/orders', '/unmatched', '/customers', '/deliveries', '/reports', '/audit', '/payouts']
    const path = `/dashboard${pages[page % pages.length]}`
    const role = by === 'owner' || by === 'staff' ? by : 'viewer'
    const answer = await this.#world.shops[shop]!.people[role].get(path)
    if (answer === null) return
    const { status, text: content } = answer
    this.#world.journal.hear({ says: 'dashboard', shop, path, status, html: content })
  }

  /** What strangers try: another shop's key, a key that is no longer valid, one that may not, and invented ones. */
  async #intrude(order: WorldOrder, what: number): Promise<void> {
    const { client, shops } = this.#world
    const other = shops.find(({ number }) => number !== order.shop)
    const own = shops[order.shop]!
    const path = `/v1/orders/${order.id}`
    const tries = [
      () => other && this.read(order, other.number),
      () =>
        other &&
        client.call('POST', `${path}/cancel`, { ...this.#liveKey(other.number), body: { reason: 'spite' } }),
      () =>
        other &&
        client.call('POST', `${path}/refunds`, {
          ...this.#liveKey(other.number),
          ...{ idempotencyKey: `spite-${++this.#tokens}`, body: { reason: 'spite' } },
        }),
      () =>
        client.call('POST', `${path}/cancel`, {
          ...{ by: { shop: order.shop, key: 'revoked' }, key: own.keys.revoked, body: {} },
        }),
      () =>
        client.call('POST', `${path}/cancel`, {
          ...{ by: { shop: order.shop, key: 'read' }, key: own.keys.read, body: {} },
        }),
      () => client.call('GET', path, { by: { shop: order.shop, key: 'test' }, key: own.keys.test }),
      () => client.call('GET', path, { by: { shop: null, key: 'none' } }),
      () => client.call('GET', path, { by: { shop: null, key: 'invented' }, key: `${own.keys.live}x` }),
      () => client.call('POST', '/v1/orders', { ...this.#liveKey(order.shop), body: { amount: '-1' } }),
    ]
    await tries[what % tries.length]!()
  }
}
