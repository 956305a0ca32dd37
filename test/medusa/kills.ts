import { deepStrictEqual, strictEqual } from 'node:assert'
import type { Random } from '../simulation/random.ts'
import { until } from '../support/until.ts'
import type { Table } from './books.ts'
import type { StartedCart } from './buyer.ts'
import { paid, type Stage, untilOrdered } from './stories.ts'

/** Medusa removes an unfinished refund after two minutes, by a job that runs every two minutes. */
const CAUGHT_UP_MS = 420_000
const AGAIN_MS = 5000

/** A moment to kill the shop. `workMs` is how long the shop takes for a paid cart on this machine. */
type Moment = (stage: Stage, random: Random, workMs: number) => Promise<StartedCart>

/** Kills the shop during some work, and starts it again. Prints what the killed shop left of the cart. */
async function killDuring(
  { people, books, say }: Stage,
  work: Promise<unknown>,
  moment: Promise<unknown>,
  cart?: StartedCart,
): Promise<void> {
  // The requests that were open when the shop was killed get no answer.
  const answered = work.catch(() => {})
  await moment
  await people.medusa.kill()
  await answered
  if (cart) {
    const { orders, strayOrders, captured, transactions, reserved, refunded } = await books.entryOf(cart)
    const found = { orders, strayOrders, captured, transactions, reserved, refunded }
    say(
      `  left: ${Object.entries(found)
        .map(entry => entry.join(' '))
        .join(', ')}`,
    )
  }
  await people.medusa.start()
}

async function startPaying({ people }: Stage): Promise<StartedCart> {
  const cart = await people.startCart()
  await people.openPayment(cart.orderUUID)
  return cart
}

/** The shop is killed while it processes the event. */
const inWebhook: Moment = async (stage, random, workMs) => {
  const cart = await startPaying(stage)
  const work = stage.people.simulate(cart.orderUUID, 'paid')
  await killDuring(stage, work, Bun.sleep(random.int(workMs)), cart)
  return cart
}

/** The shop is killed while the storefront turns the cart into an order and the event arrives. */
const inCompletion: Moment = async (stage, random, workMs) => {
  const cart = await startPaying(stage)
  const work = stage.people
    .simulate(cart.orderUUID, 'paid')
    .then(() => Bun.sleep(random.int(200)))
    .then(() => stage.people.complete(cart.cartId))
  await killDuring(stage, work, Bun.sleep(random.int(workMs)), cart)
  return cart
}

/** Waits until a table has a new row: the shop is killed at that moment. */
async function nextRow({ books }: Stage, table: Table, random: Random): Promise<void> {
  const before = await books.rowsIn(table)
  const end = performance.now() + CAUGHT_UP_MS
  while ((await books.rowsIn(table)) <= before && performance.now() < end);
  await Bun.sleep(random.int(4))
}

const atRow =
  (table: Table): Moment =>
  async (stage, random) => {
    const cart = await startPaying(stage)
    const moment = nextRow(stage, table, random)
    await killDuring(stage, stage.people.simulate(cart.orderUUID, 'paid'), moment, cart)
    return cart
  }

/** The shop is killed while the buyer chooses the payment method, who then chooses it again. */
const inSession: Moment = async (stage, random) => {
  const filled = await stage.people.fillCart()
  await killDuring(stage, stage.people.choose(filled.collectionId), Bun.sleep(random.int(300)))
  const cart = { ...filled, ...(await stage.people.choose(filled.collectionId)) }
  await stage.people.openPayment(cart.orderUUID)
  await stage.people.simulate(cart.orderUUID, 'paid')
  return cart
}

/** The shop is killed while staff refund a payment. They try again if the refund is missing. */
async function refundUnder(stage: Stage, momentOf: () => Promise<unknown>): Promise<StartedCart> {
  const cart = await startPaying(stage)
  await stage.people.simulate(cart.orderUUID, 'paid')
  await untilOrdered(stage, cart)
  const payment = await stage.books.paymentIdOf(cart)
  const refund = () => stage.people.admin('POST', `/payments/${payment}/refund`, { amount: 25 })
  const moment = momentOf()
  await killDuring(stage, refund(), moment, cart)
  const isRefunded = async () => {
    const { refunded, transactions } = await stage.books.entryOf(cart)
    if (refunded === '25' && transactions === '0') return true
    // The refund is refused while an unfinished one counts.
    await refund()
    await Bun.sleep(AGAIN_MS)
    return false
  }
  await until(isRefunded, 'the refund', CAUGHT_UP_MS).catch(async error => {
    throw new Error(`${error.message}: ${JSON.stringify(await stage.books.entryOf(cart))}`)
  })
  const answer = await stage.florin.call('GET', `/v1/orders/${cart.orderUUID}`, { key: stage.apiKey })
  deepStrictEqual([answer.json.data.refundedAmount, answer.json.data.refundCount], ['25.00', '1'])
  strictEqual((await stage.books.entryOf(cart)).refunds, 1)
  return cart
}

const inRefund: Moment = (stage, random, workMs) =>
  refundUnder(stage, () => Bun.sleep(random.int(workMs / 4)))
const atRefundRow: Moment = (stage, random) => refundUnder(stage, () => nextRow(stage, 'refund', random))

const moments: [name: string, moment: Moment][] = [
  ['while it processes the event', inWebhook],
  ['while the storefront completes the cart', inCompletion],
  ['once the payment is captured', atRow('capture')],
  ['while the buyer chooses the way to pay', inSession],
  ['once the order is made', atRow('order')],
  ['while the storefront completes the cart', inCompletion],
  ['once the order belongs to the cart', atRow('order_cart')],
  ['while staff refund the payment', inRefund],
  ['once the refund has a row', atRefundRow],
]

async function measureWork(stage: Stage): Promise<number> {
  const cart = await startPaying(stage)
  const since = performance.now()
  await stage.people.simulate(cart.orderUUID, 'paid')
  await untilOrdered(stage, cart)
  return performance.now() - since
}

/** Kills the shop again and again, and compares its books with Florin's each time. */
export async function killShop(stage: Stage, random: Random, kills: number): Promise<void> {
  const workMs = await measureWork(stage)
  for (let kill = 0; kill < kills; kill++) {
    const [name, moment] = moments[kill % moments.length] ?? ['', inWebhook]
    stage.say(`kill ${kill + 1} of ${kills}: ${name}`)
    const cart = await moment(stage, random, workMs)
    if (moment !== inRefund && moment !== atRefundRow) {
      await untilOrdered(stage, cart)
      deepStrictEqual(await stage.books.entryOf(cart), paid)
    }
    strictEqual(await stage.books.strayReservations(), 0)
  }
}
