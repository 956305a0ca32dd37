import type { ManagedFact, ShopFact } from './facts.ts'
import type { Programs } from './programs.ts'
import { receiverHost } from './receivers.ts'
import type { RequestOf } from './steps.ts'
import type { World } from './world.ts'

const HOUR_MS = 3_600_000

/** The requests that this file handles. */
type Managing = 'settings' | 'rotate' | 'webhook' | 'product' | 'buy' | 'key'

/** Changes by owners during a history, and orders for products. */
export class Shopkeeping {
  readonly #world: World
  readonly #programs: Programs
  /** by their number in the history */
  readonly #products = new Map<number, { id: string; shop: number; amount: string; currency: string }>()

  constructor(world: World, programs: Programs) {
    this.#world = world
    this.#programs = programs
  }

  async run(request: RequestOf<Managing>): Promise<void> {
    // The machine is about to crash, so it would be unknown whether the change was made.
    if (this.#world.isDoomed) return
    switch (request.do) {
      case 'settings':
        return this.#changeSettings(request)
      case 'rotate':
        return this.#rotate(request)
      case 'webhook':
        return this.#changeWebhook(request)
      case 'key':
        return this.#tryKey(request)
      case 'product':
        return this.#manageProduct(request)
      case 'buy':
        return this.#buy(request)
    }
  }

  #noteManaged(shop: number, action: ManagedFact['action']): void {
    this.#world.journal.note({ fact: 'managed', shop, action })
  }

  #noteShop(shop: number, change: Partial<ShopFact>): void {
    const own = this.#world.shops[shop]!
    own.about = { ...own.about, ...change }
    this.#world.journal.note({ fact: 'shop', ...own.about })
  }

  async #changeSettings({ shop, feePercent, tolerance, late }: RequestOf<'settings'>): Promise<void> {
    const { id, about } = this.#world.shops[shop]!
    const change = { feePercent, tolerance, late }
    const { build, context } = this.#world.machine
    await build.changeMerchant(context, id, change)
    const isChanged = Object.entries(change).some(
      ([name, value]) => about[name as keyof typeof change] !== value,
    )
    if (isChanged) this.#noteManaged(shop, 'merchant.changed')
    this.#noteShop(shop, change)
  }

  async #rotate({ shop, overlapHours }: RequestOf<'rotate'>): Promise<void> {
    const { machine, now, aheadMs, shops } = this.#world
    const { id } = shops[shop]!
    const overlapMs = overlapHours * HOUR_MS
    const secret = await machine.build.rotateSecret(machine.context, id, overlapMs)
    this.#noteManaged(shop, 'webhook.secret_rotated')
    // Another request may have rotated it meanwhile.
    const webhook = shops[shop]!.about.webhook!
    const previous = overlapMs > 0 ? { secret: webhook.secret, until: now + aheadMs + overlapMs } : null
    this.#noteShop(shop, { webhook: { ...webhook, secret, previous } })
  }

  async #changeWebhook({ shop, path }: RequestOf<'webhook'>): Promise<void> {
    const { shops } = this.#world
    const url = `https://${receiverHost(shop)}/hooks${path === 0 ? '' : path}`
    this.#programs.noteEvents(shop, 'webhook')
    if (!(await this.#programs.setEndpoint(shop, url))) return
    shops[shop]!.url = url
    this.#noteShop(shop, { webhook: { ...shops[shop]!.about.webhook!, url } })
  }

  async #tryKey({ shop }: RequestOf<'key'>): Promise<void> {
    const { client, machine, shops } = this.#world
    const merchantId = shops[shop]!.id
    const { build, context } = machine
    const { key, text } = await build.createKey(context, { merchantId, mode: 'live' })
    this.#noteManaged(shop, 'key.created')
    await client.call('GET', '/v1/orders?pageSize=1', { by: { shop, key: 'live' }, key: text })
    await build.revokeKey(context, merchantId, key.id)
    this.#noteManaged(shop, 'key.revoked')
    await client.call('GET', '/v1/orders?pageSize=1', { by: { shop, key: 'revoked' }, key: text })
  }

  async #manageProduct(request: RequestOf<'product'>): Promise<void> {
    const { client, shops } = this.#world
    const { shop, product: number, what, amount, currency } = request
    const orderTemplate = { amount, currency, paymentMethodsKeys: ['crypto'] }
    if (what === 'create') {
      const body = { name: `Product ${number}`, orderTemplate, allowPriceOverride: number % 2 === 0 }
      const made = await client.call('POST', '/v1/products', { ...this.#programs.liveKey(shop), body })
      if (made.status !== 201) return
      this.#noteManaged(shop, 'product.created')
      this.#products.set(number, { id: made.json.data.productUUID, shop, amount, currency })
      return
    }
    const known = this.#products.get(number)
    if (what === 'haggle' && known) return this.#haggle(known)
    const asker = what === 'foreign' ? shops.find(one => one.number !== known?.shop)?.number : known?.shop
    if (!known || asker === undefined) return
    const path = `/v1/products/${known.id}`
    const key = this.#programs.liveKey(asker)
    if (what === 'read') await client.call('GET', path, key)
    else
      await this.#changeProduct(
        path,
        key,
        what === 'change' || what === 'foreign' ? { orderTemplate } : { active: what === 'restore' },
      )
  }

  async #changeProduct(path: string, key: ReturnType<Programs['liveKey']>, body: object): Promise<void> {
    await this.#world.client.call('PATCH', path, { ...key, body })
  }

  /** A program orders a product at its price, and then at another one, which not every product allows. */
  async #haggle({ id, shop, currency }: { id: string; shop: number; currency: string }): Promise<void> {
    const body = { productUUID: id, customer: { email: 'program@buyers.example' } }
    for (const price of [{}, { amount: '1', currency }]) {
      const key = this.#programs.liveKey(shop)
      await this.#world.client.call('POST', '/v1/orders', { ...key, body: { ...body, ...price } })
    }
  }

  /** A buyer orders a product at its price. */
  async #buy({ order: number, product }: RequestOf<'buy'>): Promise<void> {
    const { client } = this.#world
    const known = this.#products.get(product)
    if (!known) return
    const { shop } = known
    const body = { customer: { email: `buyer-${number % 7}@buyers.example` }, paymentMethodKey: 'crypto' }
    const path = `/v1/checkout/products/${known.id}/orders`
    const { status, json } = await client.call('POST', path, { by: { shop: null, key: 'none' }, body })
    if (status !== 201) return
    const id: string = json.data.orderUUID
    const { json: read } = await client.call('GET', `/v1/orders/${id}`, this.#programs.liveKey(shop))
    const { amount, currency } = read?.data ?? known
    await this.#programs.read(this.#world.noteOrder({ number, id, shop, amount, currency }), shop)
  }
}
