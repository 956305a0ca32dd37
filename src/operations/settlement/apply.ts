import { serverOrigin } from '../../domain/audit.ts'
import { minorOf } from '../../domain/money.ts'
import type { Order, PaymentState } from '../../domain/order.ts'
import type { Paying } from '../../domain/settlement-outcome.ts'
import { paidBy, paidTransaction } from '../../domain/transaction.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { storePayments } from '../incoming/store.ts'
import { invoicePaidOrder } from '../invoices/issue.ts'
import { notifyMerchant, notifyPaid } from '../notices/notify.ts'
import { scheduleMail } from '../notices/schedule-mail.ts'
import { schedulePaymentMail } from '../notices/schedule-payment-mail.ts'
import { closePages } from '../states/close-pages.ts'
import { transitionOrder } from '../states/transition.ts'
import {
  recordOrderEnd,
  recordOrderPaid,
  recordPaymentEvent,
  recordUnmatchedEvent,
} from '../webhooks/steps/record-event.ts'
import { recordInvoiceEvent } from '../webhooks/steps/record-greenfield.ts'
import type { Case, Change } from './case.ts'

export type ApplyContext = Pick<Context, 'ids' | 'clock' | 'log' | 'networks' | 'invoiceFiles'>

/** Applies what was decided about an order, in the write that loaded it. */
export async function applyChanges(
  context: ApplyContext,
  tables: Tables,
  of: Case,
  changes: readonly Change[],
): Promise<void> {
  for (const change of changes) await applyChange(context, tables, of, change)
  if (!changes.some(change => change.do === 'pay' || change.do === 'close')) return
  const paid = changes.find(change => change.do === 'pay')?.paying.attempt.id
  const others = of.attempts.map(({ attempt }) => attempt).filter(({ id }) => id !== paid)
  await closePages(tables, others, of.now)
}

async function applyChange(context: ApplyContext, tables: Tables, of: Case, change: Change): Promise<void> {
  const { order, now } = of
  switch (change.do) {
    case 'add payment':
    case 'change payment':
      return storePayments(tables, [change])
    case 'change attempt':
      return changeAttempt(tables, change)
    case 'pay':
      return pay(context, tables, of, change.paying)
    case 'close': {
      const { trigger, expiresAt, paymentState } = change
      const close = { trigger, change: { expiresAt, paymentState } }
      return recordOrderEnd(context, tables, (await transitionOrder(tables, of, close, now)).order)
    }
    case 'set payment state':
      return setPaymentState(context, tables, order, change.paymentState)
    case 'set outgoing transaction':
      await tables.orders.update(order.id, { providerTxOut: change.txOut, updatedAt: now })
      return tables.transactions.setTxOut(change.transactionId, change.txOut, now)
    case 'add unmatched': {
      const unmatchedId = context.ids.uuid()
      await tables.unmatched.insert({ ...change.row, id: unmatchedId })
      await recordUnmatchedEvent(context, tables, order, { unmatchedId, ...change.event })
      const facts = { about: 'payment_unmatched' as const, unmatchedId, ...change.facts }
      return notifyMerchant(context, tables, order, facts)
    }
    case 'change unmatched':
      return tables.unmatched.update(change.id, change.change)
    case 'record event':
      return recordPaymentEvent(context, tables, order, change)
    case 'notify':
      return notifyMerchant(context, tables, order, change.facts)
    case 'mail buyer':
      return schedulePaymentMail(context, tables, change.kind, change.attempt)
    case 'log':
      return context.log[change.level]({ orderUUID: order.id, txId: change.txId }, change.event)
  }
}

/**
 * Stores the payment state. If enough has arrived and has yet to be confirmed, plugins made for BTCPay Server
 * get an event.
 */
async function setPaymentState(
  context: ApplyContext,
  tables: Tables,
  order: Order,
  paymentState: PaymentState | null,
): Promise<void> {
  await tables.orders.update(order.id, { paymentState })
  if (paymentState !== 'CONFIRMING') return
  await recordInvoiceEvent(context, tables, { ...order, paymentState }, { type: 'InvoiceProcessing' })
}

/** Changes an attempt. If its grace ends earlier than planned, it is checked at that time. */
async function changeAttempt(
  tables: Tables,
  { attempt, change }: Extract<Change, { do: 'change attempt' }>,
): Promise<void> {
  await tables.attempts.update(attempt.id, change)
  const { graceUntil } = change
  if (graceUntil === undefined || graceUntil === attempt.graceUntil) return
  await tables.jobs.bringForward('attempt.check', attempt.id, graceUntil)
}

/** Pays an order: transaction, settlement, state, statistics, `order.paid`, invoice and receipt by mail. */
async function pay(context: ApplyContext, tables: Tables, of: Case, paying: Paying): Promise<void> {
  const { order, now } = of
  const { attempt, payments, received, settlement, outcome } = paying
  const transaction = paidTransaction({ id: context.ids.uuid(), order, attempt, payments, received, now })
  await tables.transactions.insert(transaction)
  await tables.transactions.insertSettlement({
    orderId: order.id,
    merchantId: order.merchantId,
    attemptId: attempt.id,
    transactionId: transaction.id,
    ...settlement,
    createdAt: now,
  })
  for (const { id } of payments) await tables.incomingPayments.update(id, { settles: true, updatedAt: now })
  const sums = {
    gross: minorOf(order.amount, order.currency),
    net: minorOf(order.netAmount, order.currency),
    paidCount: 1,
  }
  const { methodKey, assetId } = attempt
  const change = paidBy(transaction, attempt)
  const settle = { trigger: 'settle' as const, change, sums, paidWith: { methodKey, assetId } }
  const paid = (await transitionOrder(tables, of, settle, now)).order
  await recordOrderPaid(context, tables, paid)
  await invoicePaidOrder({ ...context, origin: serverOrigin }, tables, paid)
  await scheduleMail(context, tables, paid, { kind: 'receipt', attempt })
  await recordPaymentEvent(context, tables, paid, { type: 'payment.paid', attempt, outcome })
  if (outcome.acceptedBy === null) await notifyPaid(context, tables, paid)
}
