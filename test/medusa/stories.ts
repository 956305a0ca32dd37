import { deepStrictEqual, ok, strictEqual } from 'node:assert'
import type { RunningProcess } from '../support/process.ts'
import { until } from '../support/until.ts'
import type { Books, Entry } from './books.ts'
import type { People, StartedCart } from './buyer.ts'

export interface Stage {
  people: People
  books: Books
  florin: RunningProcess
  apiKey: string
  say(line: string): void
}

/** The number of items in stock: more than all buyers together order. */
export const STOCK = 100_000
/** Medusa sometimes keeps the lock of a cart for two minutes after two failed attempts to order it. */
const SETTLED_MS = 300_000

export const paid: Entry = {
  ...{ orders: 1, strayOrders: 0, captured: '25', captures: 1, transactions: '25' },
  ...{ refunded: '0', refunds: 0, reserved: '2', status: 'completed' },
}
const unpaid: Entry = {
  ...{ orders: 0, strayOrders: 0, captured: '0', captures: 0, transactions: '0' },
  ...{ refunded: '0', refunds: 0, reserved: '0', status: 'not_paid' },
}

/** Waits until Medusa shows the cart as paid and ordered. Moves Florin's clock meanwhile. */
export async function untilOrdered({ books, people }: Stage, cart: StartedCart): Promise<void> {
  let last: Entry | undefined
  const isOrdered = async () => {
    last = await books.entryOf(cart)
    if (last.orders === 1 && last.transactions === '25') return true
    await people.wait(600)
    await Bun.sleep(500)
    return false
  }
  await until(isOrdered, 'the order', SETTLED_MS).catch(error => {
    throw new Error(`${error.message}: ${JSON.stringify(last)}`)
  })
}

async function pay(stage: Stage, cart: StartedCart, outcome = 'paid'): Promise<void> {
  await stage.people.openPayment(cart.orderUUID)
  await stage.people.simulate(cart.orderUUID, outcome)
}

const orderOf = async ({ florin, apiKey }: Stage, orderUUID: string) =>
  (await florin.call('GET', `/v1/orders/${orderUUID}`, { key: apiKey })).json.data

/** Waits for the one notification that money arrived for which there is no order. */
async function untilReported({ books, people }: Stage, orderUUID: string, amount: string): Promise<void> {
  let titles: string[] = []
  const isReported = async () => {
    titles = await books.notificationsOf(orderUUID)
    if (titles.length > 0) return true
    await people.wait(600)
    await Bun.sleep(300)
    return false
  }
  await until(isReported, 'the notification', SETTLED_MS)
  deepStrictEqual(titles, [`${amount} arrived, and no order was placed for it`])
}

type Story = [title: string, play: (stage: Stage) => Promise<void>]

const stories: Story[] = [
  [
    'a cart becomes an order when its buyer has paid, even if they never come back',
    async stage => {
      const cart = await stage.people.startCart()
      const early = await stage.people.complete(cart.cartId)
      ok(early.status === 400 || early.json.type === 'cart', early.text)
      await pay(stage, cart)
      await untilOrdered(stage, cart)
      deepStrictEqual(await stage.books.entryOf(cart), paid)
    },
  ],
  [
    'an event that is delivered again changes nothing',
    async stage => {
      const cart = await stage.people.startCart()
      await pay(stage, cart)
      await untilOrdered(stage, cart)
      const { json } = await stage.florin.call('GET', '/v1/events?type=order.paid', { key: stage.apiKey })
      const event = json.data.items.find((one: { orderUUID: string }) => one.orderUUID === cart.orderUUID)
      for (let time = 0; time < 3; time++) {
        await stage.florin.call('POST', `/v1/events/${event.id}/redeliver`, { key: stage.apiKey })
        await Bun.sleep(1000)
      }
      deepStrictEqual(await stage.books.entryOf(cart), paid)
    },
  ],
  [
    'a part pays nothing, and the rest pays the cart',
    async stage => {
      const cart = await stage.people.startCart()
      await pay(stage, cart, 'underpaid')
      await Bun.sleep(2000)
      deepStrictEqual(await stage.books.entryOf(cart), unpaid)
      // Once money was seen, the cart cannot be paid in another way.
      const other = stage.people.choose(cart.collectionId)
      ok(
        await other.then(
          () => false,
          () => true,
        ),
        'a second session was opened',
      )
      await stage.people.simulate(cart.orderUUID, 'paid')
      await untilOrdered(stage, cart)
      deepStrictEqual(await stage.books.entryOf(cart), paid)
    },
  ],
  [
    'too much pays the cart once',
    async stage => {
      const cart = await stage.people.startCart()
      await pay(stage, cart, 'overpaid')
      await untilOrdered(stage, cart)
      deepStrictEqual(await stage.books.entryOf(cart), paid)
    },
  ],
  [
    'a late payment pays a cart whose order in Florin had expired',
    async stage => {
      const cart = await stage.people.startCart()
      await stage.people.openPayment(cart.orderUUID)
      await stage.people.wait(3 * 24 * 3600)
      strictEqual((await orderOf(stage, cart.orderUUID)).status, 'EXPIRED')
      await stage.people.complete(cart.cartId)
      await stage.people.simulate(cart.orderUUID, 'late')
      await untilOrdered(stage, cart)
      deepStrictEqual(await stage.books.entryOf(cart), paid)
    },
  ],
  [
    'the order of a cart that was changed is cancelled, and the new one pays',
    async stage => {
      const first = await stage.people.startCart(1)
      const items = await stage.people.store('GET', `/carts/${first.cartId}`)
      const line = items.json.cart.items[0].id
      await stage.people.store('POST', `/carts/${first.cartId}/line-items/${line}`, { quantity: 2 })
      strictEqual((await orderOf(stage, first.orderUUID)).status, 'CANCELLED')
      const cart = { ...first, ...(await stage.people.choose(first.collectionId)) }
      await pay(stage, cart)
      await untilOrdered(stage, cart)
      deepStrictEqual(await stage.books.entryOf(cart), paid)
    },
  ],
  [
    'money for a former state of a cart is reported, and orders nothing',
    async stage => {
      const first = await stage.people.startCart(1)
      await stage.people.openPayment(first.orderUUID)
      const { json } = await stage.people.store('GET', `/carts/${first.cartId}`)
      const line = json.cart.items[0].id
      await stage.people.store('POST', `/carts/${first.cartId}/line-items/${line}`, { quantity: 2 })
      await stage.people.simulate(first.orderUUID, 'paid')
      await untilReported(stage, first.orderUUID, '12.50 USD')
      strictEqual((await stage.books.entryOf(first)).orders, 0)
    },
  ],
  [
    'a cart whose total is no longer what was paid orders nothing',
    async stage => {
      const cart = await stage.people.startCart()
      await stage.books.changeCart(cart.cartId, 3)
      strictEqual((await stage.people.complete(cart.cartId)).status, 409)
      await pay(stage, cart)
      await untilReported(stage, cart.orderUUID, '25.00 USD')
      strictEqual((await stage.people.complete(cart.cartId)).status, 409)
      deepStrictEqual(await stage.books.entryOf(cart), unpaid)
    },
  ],
  [
    'a second payment is reported, and orders nothing more',
    async stage => {
      const first = await stage.people.startCart()
      await stage.people.openPayment(first.orderUUID)
      const cart = { ...first, ...(await stage.people.choose(first.collectionId)) }
      await pay(stage, cart)
      await untilOrdered(stage, cart)
      await stage.people.simulate(first.orderUUID, 'paid')
      await untilReported(stage, first.orderUUID, '25.00 USD')
      deepStrictEqual(await stage.books.entryOf(cart), paid)
    },
  ],
  [
    'a paid cart that is sold out keeps its payment, and is ordered once there is stock',
    async stage => {
      const cart = await stage.people.startCart()
      await stage.people.setStock(0)
      await pay(stage, cart)
      const isCaptured = async () => (await stage.books.entryOf(cart)).captured === '25'
      await until(isCaptured, 'the payment', SETTLED_MS)
      const answer = await stage.people.complete(cart.cartId)
      ok(answer.status >= 400, answer.text)
      // While the shop tries, an order exists for a moment.
      const isTakenBack = async () => {
        if ((await stage.books.entryOf(cart)).orders === 0) return true
        await stage.people.wait(600)
        await Bun.sleep(500)
        return false
      }
      await until(isTakenBack, 'the end of the order', SETTLED_MS)
      const { refunds, captured } = await stage.books.entryOf(cart)
      deepStrictEqual([refunds, captured], [0, '25'])
      strictEqual((await orderOf(stage, cart.orderUUID)).refundedAmount, undefined)
      await stage.people.setStock(STOCK)
      await untilOrdered(stage, cart)
      deepStrictEqual(await stage.books.entryOf(cart), paid)
    },
  ],
  [
    'refunds of either side are known on both',
    async stage => {
      const cart = await stage.people.startCart()
      await pay(stage, cart)
      await untilOrdered(stage, cart)
      const payment = await stage.books.paymentIdOf(cart)
      const refund = await stage.people.admin('POST', `/payments/${payment}/refund`, { amount: 5 })
      strictEqual(refund.status, 200, refund.text)
      strictEqual((await orderOf(stage, cart.orderUUID)).refundedAmount, '5.00')
      await stage.florin.call('POST', `/v1/orders/${cart.orderUUID}/refunds`, {
        key: stage.apiKey,
        body: { amount: '7.50', reason: 'broken' },
        headers: { 'idempotency-key': 'refund-in-florin' },
      })
      const isKnown = async () => {
        const { refunded, transactions } = await stage.books.entryOf(cart)
        return refunded === '12.5' && transactions === '12.5'
      }
      await until(isKnown, 'the refund of Florin', SETTLED_MS)
      const tooMuch = await stage.people.admin('POST', `/payments/${payment}/refund`, { amount: 13 })
      ok(tooMuch.status >= 400, tooMuch.text)
      strictEqual((await orderOf(stage, cart.orderUUID)).refundedAmount, '12.50')
      const { refunds, refunded, transactions } = await stage.books.entryOf(cart)
      deepStrictEqual([refunds, refunded, transactions], [2, '12.5', '12.5'])
    },
  ],
  [
    'two refunds of the same amount at the same time are two on both sides',
    async stage => {
      const cart = await stage.people.startCart()
      await pay(stage, cart)
      await untilOrdered(stage, cart)
      const payment = await stage.books.paymentIdOf(cart)
      const refund = () => stage.people.admin('POST', `/payments/${payment}/refund`, { amount: 5 })
      // Medusa may fail to update the order for one of the refunds after it was recorded.
      const answers = await Promise.all([refund(), refund()])
      ok(
        answers.some(({ status }) => status === 200),
        answers.map(({ text }) => text).join(),
      )
      strictEqual((await orderOf(stage, cart.orderUUID)).refundedAmount, '10.00')
      const isKnown = async () => {
        const { refunds, refunded, transactions } = await stage.books.entryOf(cart)
        return refunds === 2 && refunded === '10' && transactions === '15'
      }
      // The job that removes unfinished refunds and records them again runs every two minutes.
      await until(isKnown, 'both refunds', SETTLED_MS)
      await Bun.sleep(130_000)
      ok(await isKnown(), 'a refund was noted twice')
      strictEqual((await orderOf(stage, cart.orderUUID)).refundedAmount, '10.00')
    },
  ],
  [
    'an unsigned event is refused',
    async stage => {
      const cart = await stage.people.startCart()
      const body = { id: 'x', type: 'order.paid', metadata: { session_id: cart.sessionId } }
      const answer = await fetch(`${stage.people.medusa.url}/hooks/florin`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      strictEqual(answer.status, 401)
      deepStrictEqual((await stage.books.entryOf(cart)).orders, 0)
    },
  ],
]

/** Plays the stories of merchants, buyers and Florin whose titles contain `part`, one after another. */
export async function playStories(stage: Stage, part: string): Promise<void> {
  for (const [title, play] of stories.filter(([title]) => title.includes(part))) {
    const since = performance.now()
    try {
      await play(stage)
    } catch (error) {
      throw new Error(`${title}: ${error}`, { cause: error })
    }
    stage.say(`${title} (${Math.round((performance.now() - since) / 100) / 10} s)`)
  }
}
