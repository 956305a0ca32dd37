import type { Order } from './florin/api.ts'
import { minorOf } from './money.ts'
import { type Payments, refundsIn } from './payments.ts'
import { ownerOf } from './refunds.ts'
import { messageOf, type Shop, sessionIdOf, settle } from './settle.ts'

const MINUTE_MS = 60_000
const LONGEST_PAUSE_MINUTES = 60
/**
 * Number of tries before a failure is reported. Most failures are over by then, such as a restart of the
 * database.
 */
const REPORTED_AFTER_TRIES = 3

/** Orders whose carts could not be completed, with the time of the next try. */
const waiting = new Map<string, { tries: number; until: number }>()

async function putOff(shop: Shop, { orderUUID, amount, currency }: Order, now: number, reason: unknown) {
  const tries = (waiting.get(orderUUID)?.tries ?? 0) + 1
  waiting.set(orderUUID, { tries, until: now + Math.min(2 ** tries, LONGEST_PAUSE_MINUTES) * MINUTE_MS })
  if (tries !== REPORTED_AFTER_TRIES) return
  await shop.notify({
    id: `florin-waiting-${orderUUID}`,
    title: `${amount} ${currency} arrived, and the cart cannot become an order`,
    text: `${messageOf(reason)} It is tried again. Order ${orderUUID} in Florin.`,
  })
}

/** The orders of the last look that this process has settled. */
let settled = new Set<string>()

/**
 * Completes the carts of paid orders whose events were missed while the shop was down or its webhook was
 * disabled. Continues after a failure, and throws the first one at the end. Returns false if something is left
 * to do.
 */
export async function catchUp(
  shop: Shop,
  payments: Payments,
  since: Date,
  now = Date.now(),
): Promise<boolean> {
  const failures: unknown[] = []
  const done = new Set<string>()
  let isDone = true
  for await (const orderUUID of payments.paidSince(since)) {
    if (now < (waiting.get(orderUUID)?.until ?? 0)) {
      isDone = false
      continue
    }
    const order = settled.has(orderUUID) ? null : await payments.order(orderUUID)
    try {
      if (order) await settle(shop, order)
      waiting.delete(orderUUID)
      done.add(orderUUID)
    } catch (error) {
      failures.push(error)
      if (order) await putOff(shop, order, now, error)
    }
  }
  settled = done
  if (failures.length > 0) throw failures[0]
  return isDone
}

/**
 * Notes in Medusa the refunds that were made in Florin. Before that, removes refunds that a killed shop left
 * unfinished.
 */
export async function catchUpOnRefunds(shop: Shop, payments: Payments, since: Date): Promise<void> {
  await shop.removeUnfinishedRefunds()
  for await (const orderUUID of payments.refundedSince(since))
    await noteRefunds(shop, payments, await payments.order(orderUUID))
}

async function noteRefunds(shop: Shop, payments: Payments, order: Order): Promise<void> {
  const id = sessionIdOf(order)
  if (id === null) return
  // Florin's refunds are read before Medusa's: each refund is in Medusa before it is recorded in Florin.
  const refunds = await payments.refundsOf(order.orderUUID)
  const session = await shop.findSession(id)
  if (!session?.payment || session.data.orderUUID !== order.orderUUID) return
  const { payment, currency } = session
  const known = Object.values(refundsIn(payment.data))
  const isInMedusa = (owner: string | undefined) => payment.refunds.some(one => one.id === owner)
  const unknown = refunds.filter(one => !known.includes(one.refundId) && !isInMedusa(ownerOf(one)))
  for (const { amount, reason } of unknown) await shop.refund(payment.id, amount, `In Florin: ${reason}`)
  const inFlorin = refunds.reduce((sum, { amount }) => sum + minorOf(amount, currency), 0n)
  const inMedusa = payment.refunds.reduce((sum, { amount }) => sum + minorOf(amount, currency), 0n)
  if (unknown.length === 0 && inMedusa > inFlorin) {
    await shop.notify({
      id: `florin-refunds-${order.orderUUID}-${inMedusa}-${inFlorin}`,
      title: 'Medusa has more refunds than Florin',
      text: `Compare the refunds of order ${order.orderUUID} in Florin with those in Medusa.`,
    })
  }
}
