import { callUrl, type RunningProcess } from '../support/process.ts'
import type { Medusa, Seeded } from './medusa.ts'

/** A cart with a payment session. */
export interface StartedCart {
  cartId: string
  collectionId: string
  sessionId: string
  orderUUID: string
}

/** The shortest time between two checks of a payment. */
const CHECK_SECONDS = 6

// biome-ignore lint/suspicious/noExplicitAny: the shape of an answer is what the checks are about
type Json = any

/** The actions of buyers and staff in Medusa and on Florin's page. */
export class People {
  constructor(
    readonly medusa: Medusa,
    readonly florin: RunningProcess,
    readonly seeded: Seeded,
  ) {}

  async #call(method: string, path: string, body: object | undefined, headers: Record<string, string>) {
    const answer = await callUrl(`${this.medusa.url}${path}`, method, { body, headers })
    return { status: answer.status, json: answer.json as Json, text: answer.text }
  }

  /** A request of the storefront. */
  store(method: string, path: string, body?: object) {
    return this.#call(method, `/store${path}`, body, { 'x-publishable-api-key': this.seeded.publishable })
  }

  /** A request of the admin. */
  admin(method: string, path: string, body?: object) {
    const authorization = `Basic ${btoa(`${this.seeded.secret}:`)}`
    return this.#call(method, `/admin${path}`, body, { authorization })
  }

  async #done(work: Promise<{ status: number; json: Json; text: string }>): Promise<Json> {
    const { status, json, text } = await work
    if (status !== 200) throw new Error(`${status}: ${text}`)
    return json
  }

  async fillCart(quantity = 2): Promise<{ cartId: string; collectionId: string }> {
    const items = [{ variant_id: this.seeded.variant, quantity }]
    const email = `buyer${crypto.randomUUID().slice(0, 8)}@example.com`
    const { cart } = await this.#done(
      this.store('POST', '/carts', { region_id: this.seeded.region, email, items }),
    )
    const made = await this.#done(this.store('POST', '/payment-collections', { cart_id: cart.id }))
    return { cartId: cart.id, collectionId: made.payment_collection.id }
  }

  /** Chooses Florin as the payment method. A buyer may do so several times. */
  async choose(collectionId: string): Promise<{ sessionId: string; orderUUID: string }> {
    const made = await this.#done(
      this.store('POST', `/payment-collections/${collectionId}/payment-sessions`, {
        provider_id: 'pp_florin_florin',
      }),
    )
    const [session] = made.payment_collection.payment_sessions
    return { sessionId: session.id, orderUUID: session.data.orderUUID }
  }

  async startCart(quantity = 2): Promise<StartedCart> {
    const filled = await this.fillCart(quantity)
    return { ...filled, ...(await this.choose(filled.collectionId)) }
  }

  complete(cartId: string) {
    return this.store('POST', `/carts/${cartId}/complete`)
  }

  async setStock(quantity: number): Promise<void> {
    const { inventory, location } = this.seeded
    await this.#done(
      this.admin('POST', `/inventory-items/${inventory}/location-levels/${location}`, {
        stocked_quantity: quantity,
      }),
    )
  }

  async openPayment(orderUUID: string): Promise<void> {
    const form = { asset: 'ethereum/usdc' }
    const { status, text } = await this.florin.call('POST', `/pay/${orderUUID}/crypto`, { form })
    if (status !== 303) throw new Error(text)
  }

  /** Sends coins, and makes Florin look for them. */
  async simulate(orderUUID: string, outcome: string): Promise<void> {
    const body = { orderUUID, outcome }
    const { status, text } = await this.florin.call('POST', '/sandbox/simulate', { body })
    if (status >= 300) throw new Error(text)
    await this.wait(CHECK_SECONDS)
    await this.florin.call('POST', `/pay/${orderUUID}/check`)
  }

  /** Moves Florin's clock, so that failed events are due again. */
  async wait(seconds: number): Promise<void> {
    await this.florin.call('POST', '/sandbox/clock', { body: { advanceSeconds: seconds } })
  }
}
