import { createHash } from 'node:crypto'
import type { Attempt } from '../../../domain/attempt.ts'
import { canonical } from '../../../domain/canonical-json.ts'
import { assert, mustWin, Refusal } from '../../../domain/errors.ts'
import { minorOf, parseAmount } from '../../../domain/money.ts'
import type { Order } from '../../../domain/order.ts'
import { isRefundable, type Refund, refund, type SentRefund } from '../../../domain/refund.ts'
import type { Tables, TransactionWithOrder } from '../../../storage/port.ts'
import { creditRefund } from '../../invoices/credit.ts'
import type { IssueContext } from '../../invoices/steps/store.ts'
import { notifyMerchant } from '../../notices/notify.ts'
import { schedulePaymentMail } from '../../notices/schedule-payment-mail.ts'
import { recordRefundEvent } from '../../webhooks/steps/record-event.ts'

const OPERATION = 'refund'

export interface NewRefund {
  merchantId: string
  orderId: string
  idempotencyKey: string
  /** name of the person or key that records the refund */
  by: string
  body: { amount?: string; reason: string }
  /** amount that was sent back, already checked; missing if the request does not name it */
  sent?: SentRefund
}

interface Recorded {
  order: Order
  transaction: TransactionWithOrder['transaction']
  refund: Refund
}

const digest = (...parts: unknown[]): string => createHash('sha256').update(canonical(parts)).digest('hex')

/** The ID of the refund that an idempotency key makes. */
export const refundIdOf = ({
  merchantId,
  idempotencyKey,
}: Pick<NewRefund, 'merchantId' | 'idempotencyKey'>) => digest('florin refund', merchantId, idempotencyKey)

/** The hash of a refund's request, by which a repeated request is recognized. */
const hashOf = ({ orderId, body, sent }: NewRefund): string =>
  sent ? digest(orderId, body, sent) : digest(orderId, body)

/** The refund that the same request made before, or null. Refuses a different request with the same key. */
export async function findRepeated(tables: Tables, request: NewRefund): Promise<Refund | null> {
  const { merchantId, idempotencyKey } = request
  const used = await tables.idempotency.find(merchantId, OPERATION, idempotencyKey)
  if (used === null) return null
  if (used.requestHash !== hashOf(request)) throw new Refusal('idempotency_key_reused')
  const recorded = await tables.refunds.find(used.resourceId)
  assert(recorded, 'refunds are never deleted')
  return recorded
}

/**
 * Records a refund within a write: refund, order, transaction, credit note, notification, mail to the buyer,
 * event, statistics and the idempotency key.
 */
export async function recordIn(
  context: IssueContext,
  tables: Tables,
  order: Order,
  request: NewRefund,
): Promise<Recorded> {
  const { merchantId, idempotencyKey, by, body, sent } = request
  if (!isRefundable(order)) throw new Refusal('order_not_refundable')
  const asked = body.amount === undefined ? null : parseAmount(body.amount, order.currency)
  const transaction = await settlementOf(tables, order)
  const now = context.clock()
  const { amount, refunded, status } = refund(transaction, asked, now)
  const made: Refund = {
    id: refundIdOf(request),
    merchantId,
    orderId: order.id,
    transactionId: transaction.id,
    amount,
    currency: order.currency,
    methodKey: transaction.methodKey,
    reason: body.reason,
    createdBy: by,
    createdAt: now,
    sentAmount: sent?.sentAmount ?? null,
    txId: sent?.txId ?? null,
    sentAssetId: sent?.sentAssetId ?? null,
  }
  await tables.refunds.insert(made)
  const change = { ...refunded, updatedAt: now }
  const transactionChange = { ...change, status }
  mustWin(await tables.transactions.refund(transaction.id, transaction.refundCount, transactionChange))
  mustWin(await tables.orders.move(order.id, order.status, change))
  const attempt = await tables.attempts.find(transaction.attemptId)
  assert(attempt, 'a transaction has an attempt')
  await count(tables, made, attempt)
  await creditRefund(context, tables, made)
  const facts = { about: 'refund_recorded', amount: `${amount} ${order.currency}` } as const
  await notifyMerchant(context, tables, order, facts)
  await schedulePaymentMail(context, tables, 'refund', attempt)
  const refundedOrder = { ...order, ...change }
  await recordRefundEvent(context, tables, refundedOrder, made)
  await tables.idempotency.insert({
    merchantId,
    operation: OPERATION,
    key: idempotencyKey,
    requestHash: hashOf(request),
    resourceId: made.id,
    createdAt: now,
  })
  return {
    order: refundedOrder,
    transaction: { ...transaction, ...transactionChange },
    refund: made,
  }
}

/** Counts a refund in the statistics. It reduces the net revenue; the gross volume stays. */
async function count(tables: Tables, made: Refund, { methodKey, assetId }: Attempt): Promise<void> {
  const { merchantId, amount, currency, createdAt } = made
  const refunded = minorOf(amount, currency)
  const delta = { refunded, refundedCount: 1, net: -refunded }
  await tables.statistics.add(merchantId, createdAt, currency, delta, { methodKey, assetId })
}

/** The transaction that paid an order. */
export async function settlementOf(
  tables: Tables,
  { transactionId }: Order,
): Promise<TransactionWithOrder['transaction']> {
  const found = transactionId === null ? null : await tables.transactions.find(transactionId)
  assert(found, 'an order that was paid by a settlement names its transaction')
  return found.transaction
}
