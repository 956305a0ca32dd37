import { shareOf } from './decimals.ts'
import type { Json } from './facts.ts'
import type { RequestOf } from './steps.ts'
import type { World, WorldOrder } from './world.ts'

/** The number of requests that strangers try, and the numbers of those with a read-only key. */
export const INTRUSIONS = 14
export const READ_ONLY = [4, 11, 12] as const
/** The number of the request by which a shop reads a transaction of another one. */
export const FOREIGN_TRANSACTION = 13

const BUYER = { email: 'spite@buyers.example', fullName: 'Spite' }

/** The requests of shops' programs to the API, and those of strangers. */
export class Programs {
  readonly #world: World
  #tokens = 0

  constructor(world: World) {
    this.#world = world
  }

  liveKey(shop: number) {
    return { by: { shop, key: 'live' }, key: this.#world.shops[shop]!.keys.live } as const
  }

  async create(request: RequestOf<'order'>, together: number | null): Promise<void> {
    const { number, shop, amount, currency, methods, minutes, key, body } = {
      ...request,
      number: request.order,
    }
    const { status, json } = await this.#world.client.call('POST', '/v1/orders', {
      ...this.liveKey(shop),
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
    this.#world.noteOrder({ number, id, shop, amount, currency })
  }

  get #serverNow(): number {
    return this.#world.now + this.#world.aheadMs
  }

  /** Reads an order with the key of a shop, which may be another shop than the order's. */
  async read(order: WorldOrder, shop: number): Promise<void> {
    const { client, journal } = this.#world
    const { status, json } = await client.call('GET', `/v1/orders/${order.id}`, this.liveKey(shop))
    if (status !== 200) return
    journal.hear({ says: 'order', shop, order: order.id, json: json.data })
    if (json.data.refundCount > 0) await this.listAll(shop, `/v1/orders/${order.id}/refunds`, 2)
  }

  list({ shop, list, size, filter }: RequestOf<'list'>): Promise<void> {
    return this.listAll(shop, `/v1/${list}${filter === null ? '' : `?${filter}`}`, size)
  }

  /** Reads all pages of a list. */
  async listAll(shop: number, path: string, size: number): Promise<void> {
    const { client, journal } = this.#world
    const start = `${path}${path.includes('?') ? '&' : '?'}pageSize=${size}`
    const items: Json[] = []
    for (let token: string | null = ''; token !== null; ) {
      const page: string = start + (token && `&pageToken=${token}`)
      const { status, json } = await client.call('GET', page, this.liveKey(shop))
      if (status !== 200) return
      items.push(...json.data.items)
      token = json.data.nextPageToken ?? null
    }
    journal.hear({ says: 'list', shop, path, items })
  }

  async cancel(order: WorldOrder, { shop }: RequestOf<'cancel'>, together: number | null): Promise<void> {
    const call = { ...this.liveKey(shop), body: { reason: 'sold out' }, together }
    await this.#world.client.call('POST', `/v1/orders/${order.id}/cancel`, call)
  }

  async refund(
    order: WorldOrder,
    { shop, percent, key }: RequestOf<'refund'>,
    together: number | null,
  ): Promise<void> {
    // Without an amount, the whole rest is refunded.
    const body = { ...(percent > 0 && { amount: shareOf(order, percent) }), reason: 'returned' }
    await this.#world.client.call('POST', `/v1/orders/${order.id}/refunds`, {
      ...this.liveKey(shop),
      ...{ idempotencyKey: `refund-${key}`, body, together },
    })
  }

  /** The newest events of a shop. */
  async #eventsOf(shop: number): Promise<string[]> {
    const { json } = await this.#world.client.call('GET', '/v1/events?pageSize=10', this.liveKey(shop))
    return (json?.data?.items ?? []).map(({ id }: Json) => id)
  }

  /** Records that a shop requests events, before the request: the first of them arrives before the answer. */
  noteEvents(shop: number, what: 'redeliver' | 'webhook'): void {
    this.#world.journal.note({
      ...{ fact: 'decision', by: { who: 'owner', shop, userId: null }, what, order: null, form: {} },
      ...{ status: null, transfers: null, isStale: false, together: null },
    })
  }

  /**
   * Sets the URL of a shop's webhook. Returns false if it was refused. Setting the same URL again only has an
   * effect if the webhook was disabled.
   */
  async setEndpoint(shop: number, url: string): Promise<boolean> {
    const { client, journal } = this.#world
    const { json: before } = await client.call('GET', '/v1/webhook', this.liveKey(shop))
    const { status } = await client.call('PUT', '/v1/webhook', { ...this.liveKey(shop), body: { url } })
    if (status !== 200) return false
    const isChanged = before?.data?.url !== url || before?.data?.status !== 'active'
    if (isChanged) journal.note({ fact: 'managed', shop, action: 'webhook.changed' })
    return true
  }

  /** A shop requests an event again. */
  async redeliver({ shop, back }: RequestOf<'redeliver'>): Promise<void> {
    const id = (await this.#eventsOf(shop))[back]
    if (id === undefined) return
    this.noteEvents(shop, 'redeliver')
    await this.#world.client.call('POST', `/v1/events/${id}/redeliver`, this.liveKey(shop))
  }

  /** Requests of strangers: with another shop's key, a revoked key, a read-only key, and invented ones. */
  async intrude(order: WorldOrder, what: number): Promise<void> {
    const { client, shops } = this.#world
    const other = shops.find(({ number }) => number !== order.shop)
    const own = shops[order.shop]!
    const path = `/v1/orders/${order.id}`
    const read = { by: { shop: order.shop, key: 'read' }, key: own.keys.read } as const
    const events = await this.#eventsOf(order.shop)
    const tries = [
      () => other && this.read(order, other.number),
      () =>
        other &&
        client.call('POST', `${path}/cancel`, { ...this.liveKey(other.number), body: { reason: 'spite' } }),
      () =>
        other &&
        client.call('POST', `${path}/refunds`, {
          ...this.liveKey(other.number),
          ...{ idempotencyKey: `spite-${++this.#tokens}`, body: { reason: 'spite' } },
        }),
      () =>
        client.call('POST', `${path}/cancel`, {
          ...{ by: { shop: order.shop, key: 'revoked' }, key: own.keys.revoked, body: {} },
        }),
      () => client.call('POST', `${path}/cancel`, { ...read, body: { reason: 'spite' } }),
      () => client.call('GET', path, { by: { shop: order.shop, key: 'test' }, key: own.keys.test }),
      () => client.call('GET', path, { by: { shop: null, key: 'none' } }),
      () => client.call('GET', path, { by: { shop: null, key: 'invented' }, key: `${own.keys.live}x` }),
      () => other && events[0] && client.call('GET', `/v1/events/${events[0]}`, this.liveKey(other.number)),
      () =>
        other &&
        events[0] &&
        client.call('POST', `/v1/events/${events[0]}/redeliver`, this.liveKey(other.number)),
      () => client.call('POST', '/v1/orders', { ...this.liveKey(order.shop), body: { amount: '-1' } }),
      () =>
        client.call('POST', `${path}/refunds`, {
          ...{ ...read, idempotencyKey: `spite-${++this.#tokens}`, body: { reason: 'spite' } },
        }),
      () =>
        client.call('POST', '/v1/orders', {
          ...read,
          body: { amount: '1.00', currency: 'USD', paymentMethodsKeys: ['crypto'], customer: BUYER },
        }),
      async () => {
        const { json } = await client.call('GET', path, this.liveKey(order.shop))
        const id: string | undefined = json?.data?.paidTransactionUUID
        if (other && id) await client.call('GET', `/v1/transactions/${id}`, this.liveKey(other.number))
      },
    ]
    await tries[what % tries.length]!()
  }
}
