import type { Attempt } from '../../../domain/attempt.ts'
import type { NotificationFacts, UnmatchedChoice } from '../../../domain/notification-facts.ts'
import type { Order } from '../../../domain/order.ts'
import type { IncomingPayment } from '../../../domain/payment.ts'
import { type UnmatchedPayment, unmatchedReason } from '../../../domain/settlement.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { notifyMerchant } from '../../merchants/steps/notify.ts'
import { recordOverpaid } from './payment-state.ts'
import { arrivedText } from './sum-text.ts'
import { loadValues } from './value-payments.ts'

type UnmatchedContext = Pick<Context, 'ids' | 'clock' | 'networks'>

/** Records every final payment that settles nothing, once, and notifies the merchant. */
export async function recordUnmatched(
  context: UnmatchedContext,
  tables: Tables,
  order: Order,
  attempt: Attempt,
  incomingPayments: IncomingPayment[],
): Promise<void> {
  const now = context.clock()
  const reasons = incomingPayments.flatMap(incoming => {
    const reason = unmatchedReason(incoming, attempt, order)
    return reason === null ? [] : [{ incoming, reason }]
  })
  if (reasons.length === 0) return
  const known = await tables.unmatched.knownPayments(attempt.id)
  const added = reasons.filter(({ incoming }) => !known.includes(incoming.id))
  if (added.length === 0) return
  const valued = await loadValues(context, tables, order, attempt, incomingPayments)
  for (const { incoming, reason } of added) {
    const unmatched: UnmatchedPayment = {
      id: context.ids.uuid(),
      merchantId: order.merchantId,
      orderId: order.id,
      attemptId: attempt.id,
      incomingPaymentId: incoming.id,
      reason,
      status: 'open',
      ...valued(incoming),
      note: null,
      decidedBy: null,
      createdAt: now,
      updatedAt: now,
    }
    await tables.unmatched.insert(unmatched)
    if (incoming.assetId === attempt.assetId) {
      await tables.unmatched.setShortfall(attempt.id, incoming.assetId, unmatched.shortfall, now)
    }
    if (reason === 'second_payment') await recordOverpaid(tables, order)
    const facts = factsOf(context, order, attempt, incoming, unmatched)
    await notifyMerchant(context, tables, order, facts)
  }
}

/** An order that is paid or closed stays so, whatever arrives. */
function choiceOf({ status }: Order, { value }: UnmatchedPayment): UnmatchedChoice {
  if (status !== 'UNPAID' && status !== 'EXPIRED') return 'none'
  return value === null ? 'force' : 'accept'
}

/** What arrived, what it was worth, what is missing and what to do. */
function factsOf(
  context: Pick<Context, 'networks'>,
  order: Order,
  attempt: Attempt,
  { assetId, amountAtomic }: IncomingPayment,
  unmatched: UnmatchedPayment,
): NotificationFacts {
  const { id, reason, value, shortfall } = unmatched
  const { currency, amount } = order
  return {
    about: 'payment_unmatched',
    unmatchedId: id,
    reason,
    sum: arrivedText(context, attempt, assetId, amountAtomic),
    value: value === null ? null : `${value} ${currency}`,
    missing: shortfall === null ? null : { amount: shortfall, of: `${amount} ${currency}` },
    choice: choiceOf(order, unmatched),
  }
}

/**
 * Records the payments of all attempts of an order that has just been closed: nobody may look at its other
 * attempts for hours.
 */
export async function recordUnmatchedOfOrder(
  context: UnmatchedContext,
  tables: Tables,
  order: Order,
): Promise<void> {
  await tables.unmatched.clearShortfalls(order.id, context.clock())
  for (const attempt of await tables.attempts.listOf(order.id)) {
    await recordUnmatched(context, tables, order, attempt, await tables.incomingPayments.listOf(attempt.id))
  }
}

/** Records what an attempt leaves unpaid, after its merchant has dealt with one of its payments. */
export async function recordShortfall(
  context: Pick<Context, 'clock' | 'networks'>,
  tables: Tables,
  attemptId: string,
): Promise<void> {
  const attempt = await tables.attempts.find(attemptId)
  const found = attempt && (await tables.orders.find(attempt.orderId))
  if (!attempt || !found) return
  const payments = await tables.incomingPayments.listOf(attemptId)
  const own = payments.find(({ assetId, state }) => assetId === attempt.assetId && state === 'final')
  if (!own) return
  const { shortfall } = (await loadValues(context, tables, found.order, attempt, payments))(own)
  await tables.unmatched.setShortfall(attemptId, attempt.assetId, shortfall, context.clock())
}

/**
 * Nothing reverses a settlement by itself: a payment that left its chain is reported to a person, and so is
 * its return. So is one that the merchant was to decide about, who may send back what never arrives. No
 * person knows of any other payment.
 */
export async function reportReorganised(
  context: Pick<Context, 'ids' | 'clock' | 'log'>,
  tables: Tables,
  attempt: Attempt,
  { id, txId, settles }: IncomingPayment,
  isBack = false,
): Promise<void> {
  if (!settles && !(await tables.unmatched.knownPayments(attempt.id)).includes(id)) return
  const found = await tables.orders.find(attempt.orderId)
  if (!found) return
  const fields = { orderUUID: attempt.orderId, txId }
  if (isBack) context.log.warn(fields, 'payment.returned')
  else context.log[settles ? 'error' : 'warn'](fields, 'payment.reorganised')
  const about = settles
    ? (['payment_gone', 'payment_back'] as const)
    : (['unmatched_gone', 'unmatched_back'] as const)
  await notifyMerchant(context, tables, found.order, { about: about[isBack ? 1 : 0], txId })
}
