import { createHash } from 'node:crypto'
import type { Attempt } from '../../domain/attempt.ts'
import { canonical } from '../../domain/canonical-json.ts'
import { assert, invalid, mustWin, Refusal } from '../../domain/errors.ts'
import { isPositive, minorOf, parseAmount } from '../../domain/money.ts'
import type { OrderView } from '../../domain/order-view.ts'
import { isRefundable, type Refund, refund } from '../../domain/refund.ts'
import type { Tables, TransactionWithOrder } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { notifyMerchant } from '../notices/notify.ts'
import { schedulePaymentMail } from '../notices/schedule-payment-mail.ts'
import { requireOrder } from '../orders/steps/require-order.ts'
import { scheduleRefund } from './send.ts'

const OPERATION = 'refund'

export interface NewRefund {
  merchantId: string
  orderId: string
  idempotencyKey: string
  /** who records the refund */
  by: string
  body: { amount?: string; reason: string }
}

interface RefundView extends OrderView, TransactionWithOrder {
  refund: Refund
  created: boolean
}

const digest = (...parts: unknown[]): string => createHash('sha256').update(canonical(parts)).digest('hex')

/**
 * Records a refund that was executed elsewhere. Refund, order, transaction, notification, mail to the buyer
 * and statistics change in one write. A repeated idempotency key returns the first refund with its current
 * order and transaction.
 */
export async function recordRefund(
  context: Pick<Context, 'storage' | 'clock' | 'ids' | 'providers'>,
  request: NewRefund,
): Promise<RefundView> {
  const { merchantId, orderId, idempotencyKey, body } = request
  if (body.amount !== undefined && !isPositive(body.amount)) {
    throw invalid('/amount', 'must be greater than zero')
  }
  const requestHash = digest(orderId, body)
  return context.storage.write(async tables => {
    const view = await requireOrder(tables, merchantId, orderId)
    const asked = body.amount === undefined ? null : parseAmount(body.amount, view.order.currency)
    const used = await tables.idempotency.find(merchantId, OPERATION, idempotencyKey)
    if (used && used.requestHash !== requestHash) throw new Refusal('idempotency_key_reused')
    if (used) return replay(tables, view, used.resourceId)
    const made = await record(context, tables, view, request, asked)
    await tables.idempotency.insert({
      merchantId,
      operation: OPERATION,
      key: idempotencyKey,
      requestHash,
      resourceId: made.refund.id,
      createdAt: made.refund.createdAt,
    })
    return made
  })
}

async function record(
  context: Pick<Context, 'clock' | 'ids' | 'providers'>,
  tables: Tables,
  view: OrderView,
  { idempotencyKey, by, body }: NewRefund,
  asked: string | null,
): Promise<RefundView> {
  const { order } = view
  if (!isRefundable(order)) throw new Refusal('order_not_refundable')
  const { transaction } = await settlementOf(tables, view)
  const now = context.clock()
  const { amount, refunded, status } = refund(transaction, asked, now)
  const made: Refund = {
    id: digest('florin refund', order.merchantId, idempotencyKey),
    merchantId: order.merchantId,
    orderId: order.id,
    transactionId: transaction.id,
    amount,
    currency: order.currency,
    methodKey: transaction.methodKey,
    reason: body.reason,
    createdBy: by,
    createdAt: now,
  }
  await tables.refunds.insert(made)
  const change = { ...refunded, updatedAt: now }
  const transactionChange = { ...change, status }
  mustWin(await tables.transactions.refund(transaction.id, transaction.refundCount, transactionChange))
  mustWin(await tables.orders.move(order.id, order.status, change))
  const attempt = await tables.attempts.find(transaction.attemptId)
  assert(attempt, 'a transaction has an attempt')
  await count(tables, made, attempt)
  await scheduleRefund(context, tables, made, attempt)
  const facts = { about: 'refund_recorded', amount: `${amount} ${order.currency}` } as const
  await notifyMerchant(context, tables, order, facts)
  await schedulePaymentMail(context, tables, 'refund', attempt)
  return {
    ...view,
    order: { ...order, ...change },
    transaction: { ...transaction, ...transactionChange },
    refund: made,
    created: true,
  }
}

/** A refund reduces the net revenue; the gross volume stays. */
async function count(tables: Tables, made: Refund, { methodKey, assetId }: Attempt): Promise<void> {
  const { merchantId, amount, currency, createdAt } = made
  const refunded = minorOf(amount, currency)
  const delta = { refunded, refundedCount: 1, net: -refunded }
  await tables.statistics.add(merchantId, createdAt, currency, delta, { methodKey, assetId })
}

async function replay(tables: Tables, view: OrderView, refundId: string): Promise<RefundView> {
  const recorded = await tables.refunds.find(refundId)
  assert(recorded, 'refunds are never deleted')
  const { transaction } = await settlementOf(tables, view)
  return { ...view, transaction, refund: recorded, created: false }
}

async function settlementOf(tables: Tables, { order }: OrderView): Promise<TransactionWithOrder> {
  const found = order.transactionId === null ? null : await tables.transactions.find(order.transactionId)
  assert(found, 'an order that was paid by a settlement names its transaction')
  return found
}
