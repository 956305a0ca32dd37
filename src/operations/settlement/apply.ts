import { minorOf } from '../../domain/money.ts'
import type { NotificationFacts } from '../../domain/notification-facts.ts'
import type { Order } from '../../domain/order.ts'
import { VALUE_UNIT } from '../../domain/quote.ts'
import { notRefunded } from '../../domain/refund-totals.ts'
import type { Transaction } from '../../domain/transaction.ts'
import type { OrderWithSession, Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { notifyMerchant } from '../notices/notify.ts'
import { scheduleMail } from '../notices/schedule-mail.ts'
import { schedulePaymentMail } from '../notices/schedule-payment-mail.ts'
import { arrivedText } from '../notices/sum-text.ts'
import { transitionOrder } from '../states/transition.ts'
import { recordOrderPaid, recordPaymentEvent } from '../webhooks/steps/record-event.ts'
import { moneyBelow } from './assess.ts'
import type { Case, Change, Paying, PaymentChange } from './case.ts'

export type ApplyContext = Pick<Context, 'ids' | 'clock' | 'log' | 'networks'>

/** Stores what a report changes about the payments of its attempt. */
export async function storePayments(tables: Tables, changes: readonly PaymentChange[]): Promise<void> {
  for (const change of changes) {
    if (change.do === 'add payment') await tables.incomingPayments.insert(change.payment)
    else await tables.incomingPayments.update(change.id, change.change)
  }
}

/** Applies what was decided about an order, in the write that loaded it. */
export async function applyChanges(
  context: ApplyContext,
  tables: Tables,
  of: Case,
  changes: readonly Change[],
): Promise<void> {
  let found: OrderWithSession = of
  for (const change of changes) found = await applyToOrder(context, tables, { of, found }, change)
}

/** Returns the order as it is after the change. */
async function applyToOrder(
  context: ApplyContext,
  tables: Tables,
  { of, found }: { of: Case; found: OrderWithSession },
  change: Change,
): Promise<OrderWithSession> {
  const { order } = found
  switch (change.do) {
    case 'add payment':
    case 'change payment':
      await storePayments(tables, [change])
      return found
    case 'set outgoing transaction':
      await tables.orders.update(order.id, { providerTxOut: change.txOut, updatedAt: of.now })
      await tables.transactions.setTxOut(change.transactionId, change.txOut, of.now)
      return found
    case 'pay':
      return pay(context, tables, { of, found }, change.paying)
    case 'close':
      return transitionOrder(
        tables,
        found,
        { trigger: change.as, change: { expiresAt: change.expiresAt } },
        of.now,
      )
    case 'change attempt':
      await changeAttempt(tables, change)
      return found
    case 'set payment state':
      await tables.orders.update(order.id, { paymentState: change.paymentState })
      return found
    case 'add unmatched': {
      const id = context.ids.uuid()
      await tables.unmatched.insert({ ...change.row, id })
      await notifyMerchant(context, tables, order, {
        about: 'payment_unmatched',
        unmatchedId: id,
        ...change.facts,
      })
      return found
    }
    case 'change unmatched':
      await tables.unmatched.update(change.id, change.change)
      return found
    case 'record event':
      await recordPaymentEvent(context, tables, order, change)
      return found
    case 'notify':
      await notifyMerchant(context, tables, order, change.facts)
      return found
    case 'mail buyer':
      await schedulePaymentMail(context, tables, change.kind, change.attempt)
      return found
    case 'log':
      context.log[change.level]({ orderUUID: order.id, txId: change.txId }, change.event)
      return found
  }
}

/** A grace that ends earlier than was planned is looked at then. */
async function changeAttempt(
  tables: Tables,
  { attempt, change }: Extract<Change, { do: 'change attempt' }>,
): Promise<void> {
  await tables.attempts.update(attempt.id, change)
  const { graceUntil } = change
  if (graceUntil === undefined || graceUntil === attempt.graceUntil) return
  await tables.jobs.bringForward('attempt.check', attempt.id, graceUntil)
}

/** Pays an order: its transaction, settlement, state, statistics, `order.paid` and the receipt by mail. */
async function pay(
  context: ApplyContext,
  tables: Tables,
  { of, found }: { of: Case; found: OrderWithSession },
  paying: Paying,
): Promise<OrderWithSession> {
  const { order } = found
  const { attempt, payments, received, settlement, outcome } = paying
  const transaction = { ...transactionOf(context, found, paying, of.now), ...received }
  await tables.transactions.insert(transaction)
  await tables.transactions.insertSettlement({
    orderId: order.id,
    merchantId: order.merchantId,
    attemptId: attempt.id,
    transactionId: transaction.id,
    ...settlement,
    createdAt: of.now,
  })
  for (const { id } of payments)
    await tables.incomingPayments.update(id, { settles: true, updatedAt: of.now })
  const change = {
    paidAt: of.now,
    chosenMethod: attempt.methodKey,
    chosenAsset: attempt.assetId,
    transactionId: transaction.id,
    transactionRef: transaction.transactionRef,
    providerAddressIn: attempt.address,
    providerPayoutAddress: attempt.payoutAddress,
    providerTxIn: transaction.txIn,
    providerTxOut: transaction.txOut,
    ...received,
  }
  const sums = {
    gross: minorOf(order.amount, order.currency),
    net: minorOf(order.netAmount, order.currency),
    paidCount: 1,
  }
  const paidWith = { methodKey: attempt.methodKey, assetId: attempt.assetId }
  const settled = await transitionOrder(tables, found, { trigger: 'settle', change, sums, paidWith }, of.now)
  await recordOrderPaid(context, tables, settled.order)
  await scheduleMail(context, tables, settled.order, { kind: 'receipt', attempt })
  await recordPaymentEvent(context, tables, settled.order, { type: 'payment.paid', attempt, outcome })
  if (outcome.acceptedBy === null) await notifySettlement(context, tables, settled.order, { of, paying })
  return settled
}

function transactionOf(
  context: Pick<Context, 'ids'>,
  { order }: OrderWithSession,
  { attempt, payments }: Paying,
  now: number,
): Omit<Transaction, 'receivedAmount' | 'receivedCurrency'> {
  const own = payments.filter(({ attemptId }) => attemptId === attempt.id)
  const txIn = own.find(incoming => incoming.txIn)?.txIn ?? null
  const txOut = own.find(incoming => incoming.txOut)?.txOut ?? null
  return {
    id: context.ids.uuid(),
    merchantId: order.merchantId,
    orderId: order.id,
    attemptId: attempt.id,
    transactionRef: txIn ?? txOut,
    methodKey: attempt.methodKey,
    amount: order.amount,
    currency: order.currency,
    feePercent: order.feePercent,
    feeAmount: order.feeAmount,
    netAmount: order.netAmount,
    // Another payment of the order, which did not complete it, may have had a split.
    feeCollection:
      attempt.provider !== null && attempt.feeSplit ? 'PROVIDER_SPLIT' : 'ACCOUNTED_NOT_COLLECTED',
    receivingWallet: attempt.payoutAddress,
    txIn,
    txOut,
    status: 'PAID',
    ...notRefunded,
    paidAt: now,
    createdAt: now,
    updatedAt: now,
  }
}

/**
 * Notifies the people of the shop that an order was paid, and of a settlement that was late, short or too
 * much.
 */
async function notifySettlement(
  context: ApplyContext,
  tables: Tables,
  order: Order,
  { of, paying }: { of: Case; paying: Paying },
): Promise<void> {
  const notify = (facts: NotificationFacts) => notifyMerchant(context, tables, order, facts)
  const { amount, currency, externalId } = order
  const channels = await tables.personChannels.listOfMerchant(order.merchantId)
  if (!channels.every(({ muted }) => muted.includes('order_paid'))) {
    await notify({ about: 'order_paid', amount: `${amount} ${currency}`, number: externalId })
  }
  const { outcome, isOver, settled, attempt } = paying
  const sums = sumsText(of, paying)
  if (outcome.late) {
    const value = attempt.kind === 'redirect' ? null : `${moneyBelow(paying.lateValue, order)} ${currency}`
    await notify({ about: 'settled_late', ...sums, value })
  }
  if (outcome.shortfall !== null) {
    await notify({ about: 'settled_short', ...sums, missing: `${outcome.shortfall} ${currency}` })
  }
  if (!isOver) return
  const extra = moneyBelow(settled - minorOf(amount, currency) * VALUE_UNIT, order)
  const coins = coinsOf(of, paying)
  const isCoins = coins !== null && !outcome.late
  const more = isCoins
    ? arrivedText(of, attempt, attempt.assetId, coins - attempt.dueAtomic)
    : `${extra} ${currency}`
  await notify({ about: 'settled_over', ...sums, extra: more })
}

/**
 * What arrived for the only attempt that was paid, in its own coin, atomic; null where there were several.
 */
function coinsOf(of: Case, { attempt, payments, confirmedAtomic }: Paying): bigint | null {
  const isOne = payments.every(one => one.attemptId === attempt.id && one.assetId === attempt.assetId)
  return isOne && attempt.priced === of.order.amount ? confirmedAtomic : null
}

/** What arrived and what was due: coins, or the values of parts that were paid in several ways. */
function sumsText(of: Case, paying: Paying): { arrived: string; due: string } {
  const { attempt, settled } = paying
  const coins = coinsOf(of, paying)
  const { amount, currency } = of.order
  if (coins === null) {
    return { arrived: `${moneyBelow(settled, of.order)} ${currency}`, due: `${amount} ${currency}` }
  }
  const text = (atomic: bigint) => arrivedText(of, attempt, attempt.assetId, atomic)
  return { arrived: text(coins), due: text(attempt.dueAtomic) }
}
