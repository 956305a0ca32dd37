import type { Attempt, AttemptAtProvider } from '../../domain/attempt.ts'
import { serverOrigin } from '../../domain/audit.ts'
import { asserted, Refusal } from '../../domain/errors.ts'
import type { Order } from '../../domain/order.ts'
import type { Refund } from '../../domain/refund.ts'
import type { Reversal } from '../../domain/reversal.ts'
import { isBeforePayment } from '../../domain/taken-back.ts'
import type { ProviderReversal } from '../../providers/port.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { notifyMerchant } from '../notices/notify.ts'
import type { ApplyContext } from '../settlement/apply.ts'
import { reviewOrder } from '../settlement/record.ts'
import { recordIn } from './steps/record-in.ts'

const RECORDS_MAX = 100

type ReversalContext = ApplyContext & Pick<Context, 'storage'>

/** A refund without the provider's ID is one that Florin asked for, and that the provider may have made. */
const isSame = (known: Reversal, { reference, refundId, kind }: ProviderReversal): boolean =>
  known.kind === kind &&
  (known.reference === reference || (known.reference === null && known.id === refundId))

/** The reported refunds and disputes, each once: a list of several pages may repeat its rows. */
function distinct(reported: readonly ProviderReversal[]): ProviderReversal[] {
  const byId = Map.groupBy(reported, ({ kind, reference }) => `${kind} ${reference}`)
  return [...byId.values()].flatMap(
    same => same.find(({ status }) => status !== 'pending') ?? same.slice(0, 1),
  )
}

/**
 * Records what a provider took back of a payment. A refund that Florin sent becomes a refund of its order. A
 * refund that was made at the provider is matched to a record of the merchant; if there is no such record,
 * the merchant is notified. Running this again changes nothing.
 */
export async function recordReversals(
  context: ReversalContext,
  attempt: AttemptAtProvider,
  reported: readonly ProviderReversal[],
): Promise<void> {
  const listed = await context.storage.read(tables => tables.reversals.listOf(attempt.orderId))
  const isNews = (known: readonly Reversal[], one: ProviderReversal) =>
    known.find(row => isSame(row, one))?.status !== one.status
  const news = distinct(reported).filter(one => isNews(listed, one))
  if (news.length === 0) return
  await context.storage.write(async tables => {
    for (const one of news) {
      const known = await tables.reversals.listOf(attempt.orderId)
      if (isNews(known, one)) await store(context, tables, { attempt, known, one })
    }
    await reviewOrder(context, tables, attempt.orderId)
  })
}

interface News {
  attempt: AttemptAtProvider
  known: readonly Reversal[]
  one: ProviderReversal
}

async function store(context: ReversalContext, tables: Tables, { attempt, known, one }: News): Promise<void> {
  const now = context.clock()
  const { reference, status, kind, amount, currency } = one
  const before = known.find(row => isSame(row, one)) ?? null
  const { order } = asserted(await tables.orders.find(attempt.orderId), 'an attempt belongs to an order')
  const row: Reversal = {
    ...(before ?? (await foundRow(tables, attempt, one, now))),
    ...{ reference, status, updatedAt: now },
  }
  if (before) await tables.reversals.update(row.id, { reference, status, updatedAt: now })
  else await tables.reversals.insert(row)
  const sum = `${amount} ${currency}`
  if (kind === 'dispute') {
    const about = { pending: 'dispute_opened', succeeded: 'dispute_lost', failed: 'dispute_won' } as const
    return notifyMerchant(context, tables, order, { about: about[status], amount: sum })
  }
  if (status === 'failed') {
    if (before) await notifyMerchant(context, tables, order, { about: 'refund_refused', amount: sum })
    return
  }
  // What does not belong to the order's refunds is recorded if Florin sent it, as `refundId` says.
  const isOfOrder = await isRefundOf(tables, order, row)
  const isRecorded = isOfOrder
    ? row.refundId !== null || (await recordRefundOf(context, tables, { row, order, attempt }))
    : one.refundId !== null
  // A refund that Florin sent is recorded once it has succeeded.
  const isOwn = row.idempotencyKey !== null && status === 'pending'
  if (!isRecorded && !isOwn && !before) {
    const about = isOfOrder ? 'refund_found' : 'refund_apart'
    await notifyMerchant(context, tables, order, { about, amount: sum })
  }
}

/**
 * True if a reversal takes back a part of what paid its order. A second payment that was sent back and an
 * amount that was missing before the order was paid do not.
 */
async function isRefundOf(tables: Tables, order: Order, reversal: Reversal): Promise<boolean> {
  if (isBeforePayment(order, reversal)) return false
  const payments = await tables.incomingPayments.listOf(reversal.attemptId)
  return payments.some(({ settles }) => settles)
}

async function foundRow(
  tables: Tables,
  { id: attemptId, orderId, merchantId, provider }: AttemptAtProvider,
  { reference, kind, status, amount, currency }: ProviderReversal,
  now: number,
): Promise<Reversal> {
  const usual = `${provider} ${reference}`
  // A provider may use one ID for a refund and a dispute, or for refunds of two payments.
  const id = (await tables.reversals.find(usual)) === null ? usual : `${usual} ${kind} ${attemptId}`
  return {
    ...{ id, merchantId, orderId, attemptId, provider, reference },
    ...{ kind, status, amount, currency, refundId: null },
    ...{ idempotencyKey: null, reason: null, createdBy: null, createdAt: now, updatedAt: now },
  }
}

interface Recorded {
  row: Reversal
  order: Order
  attempt: Attempt
}

/** The record of a refund: the merchant's own one of the same amount, or a new one if Florin sent it. */
async function recordRefundOf(context: ReversalContext, tables: Tables, of: Recorded): Promise<boolean> {
  const { row, order } = of
  const record =
    row.idempotencyKey === null ? await unmatchedRecord(tables, row) : await newRecord(context, tables, of)
  if (record === null) return false
  await tables.reversals.update(row.id, { refundId: record.id, updatedAt: context.clock() })
  return record.orderId === order.id
}

/** A record of this amount that is not matched to a refund yet. */
async function unmatchedRecord(tables: Tables, { orderId, amount }: Reversal): Promise<Refund | null> {
  const known = await tables.reversals.listOf(orderId)
  const matched = new Set(known.map(({ refundId }) => refundId))
  const records = await tables.refunds.list(orderId, RECORDS_MAX, null)
  return records.findLast(one => one.amount === amount && !matched.has(one.id)) ?? null
}

async function newRecord(
  context: ReversalContext,
  tables: Tables,
  { row, order }: Recorded,
): Promise<Refund | null> {
  const { status, merchantId, orderId, idempotencyKey, reason, amount, createdBy } = row
  if (status !== 'succeeded' || idempotencyKey === null) return null
  const body = { amount, reason: reason ?? '' }
  try {
    const request = { merchantId, orderId, idempotencyKey, by: createdBy ?? '', body }
    return (await recordIn({ ...context, origin: serverOrigin }, tables, order, request)).refund
  } catch (error) {
    // The merchant recorded the same refund while it was on its way.
    if (!(error instanceof Refusal)) throw error
    return unmatchedRecord(tables, row)
  }
}

/** Matches a new record to a refund of the same amount that was found at the provider. */
export async function matchReversal(
  tables: Tables,
  order: Order,
  { id, amount, createdAt }: Refund,
): Promise<void> {
  const known = await tables.reversals.listOf(order.id)
  const found = known.filter(
    one =>
      one.kind === 'refund' &&
      one.refundId === null &&
      one.idempotencyKey === null &&
      one.status !== 'failed' &&
      one.amount === amount,
  )
  for (const one of found) {
    if (!(await isRefundOf(tables, order, one))) continue
    return tables.reversals.update(one.id, { refundId: id, updatedAt: createdAt })
  }
}
