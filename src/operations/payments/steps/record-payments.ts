import { type Attempt, type AttemptState, isOpen } from '../../../domain/attempt.ts'
import { assert } from '../../../domain/errors.ts'
import type { Json } from '../../../domain/metadata.ts'
import type { IncomingPayment } from '../../../domain/payment.ts'
import { type Assessment, assess, maySettle } from '../../../domain/settlement.ts'
import type { DetectedPayment, Outflow } from '../../../networks/port.ts'
import type { OrderWithSession, Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { expireWhenOver } from '../../orders/expire.ts'
import { canTransition } from '../../orders/steps/transition.ts'
import { recordPaymentEvent } from '../../webhooks/steps/record-event.ts'
import { recordOutflows } from './record-outflows.ts'
import { recordUnmatched, reportReorganised } from './record-unmatched.ts'
import { settleOrder, sumsOf } from './settle.ts'

/** What an upstream tells of one attempt now. */
export interface Report {
  /** the chain or the provider that tells it */
  source: string
  detectedPayments: (DetectedPayment & { txOut?: string | null })[]
  /**
   * known payments at or above this height that are not among the sightings have gone; null when none can go
   */
  completeFrom: number | null
  /** when it was asked: of two looks that overtake each other, the later one counts */
  askedAt: number
  cursor?: Json
  /** what left the attempt's address for the payout wallet */
  outflows?: readonly Outflow[]
}

/** Takes in what was seen for an attempt, judges it, and settles the order when it is enough. */
export async function recordChainPayments(
  context: Context,
  attemptId: string,
  report: Report,
): Promise<void> {
  await context.storage.write(async tables => {
    const attempt = await tables.attempts.find(attemptId)
    const found = attempt && (await tables.orders.find(attempt.orderId))
    assert(attempt && found, 'an attempt belongs to an order')
    if (report.completeFrom !== null && report.askedAt < (attempt.checkedAt ?? 0)) return
    const now = context.clock()
    await takeIn(context, tables, attempt, report, now)
    const incomingPayments = await tables.incomingPayments.listOf(attempt.id)
    const heard = { ...attempt, checkedAt: report.askedAt, cursor: report.cursor ?? attempt.cursor }
    const { checkedAt, cursor } = heard
    await tables.attempts.update(attempt.id, { checkedAt, cursor, updatedAt: now })
    const after = await judge(context, tables, found, heard, incomingPayments, now)
    if (after.order.status === 'UNPAID' && !isOpen(after.attempt)) await expireWhenOver(tables, found, now)
    await recordUnmatched(
      context,
      tables,
      after.order,
      after.attempt,
      await tables.incomingPayments.listOf(attempt.id),
    )
    if (report.outflows?.length) await recordOutflows(tables, attempt, report.outflows, now)
  })
}

async function judge(
  context: Context,
  tables: Tables,
  found: OrderWithSession,
  attempt: Attempt,
  incomingPayments: IncomingPayment[],
  now: number,
): Promise<{ order: OrderWithSession['order']; attempt: Attempt }> {
  if (attempt.state === 'settled') return { order: found.order, attempt }
  assert(attempt.thresholdAtomic > 0n, 'an attempt that is judged knows what is enough')
  const assessment = assess(attempt, incomingPayments, now, attempt.checkedAt)
  if (maySettle(found.order, attempt, incomingPayments) && canTransition(found, 'settle')) {
    const { order } = await settleOrder(context, tables, found, attempt, incomingPayments, assessment)
    return { order, attempt: { ...attempt, state: 'settled' } }
  }
  const state = stateAfter(attempt, assessment)
  await tables.attempts.update(attempt.id, { ...sumsOf(assessment), state })
  await announce(context, tables, found, attempt, state, assessment)
  return { order: found.order, attempt: { ...attempt, state } }
}

/**
 * Enough, but for an order that is closed: the attempt is over. A failed one stays failed while nothing
 * arrives.
 */
function stateAfter(attempt: Attempt, { state, received }: Assessment): AttemptState {
  if (state === 'settled') return 'expired'
  return attempt.state === 'failed' && received === 0n ? 'failed' : state
}

async function announce(
  context: Context,
  tables: Tables,
  { order }: OrderWithSession,
  before: Attempt,
  state: AttemptState,
  { received }: Assessment,
): Promise<void> {
  if (before.state === state) return
  if (received > 0n && before.received === 0n && state !== 'expired') {
    await recordPaymentEvent(context, tables, 'payment.processing', order, before)
  }
  if (state === 'expired' && received === 0n) {
    await recordPaymentEvent(context, tables, 'payment.expired', order, before)
  }
}

async function takeIn(
  context: Context,
  tables: Tables,
  attempt: Attempt,
  report: Report,
  now: number,
): Promise<void> {
  const known = await tables.incomingPayments.listOf(attempt.id)
  const present = new Set<string>()
  for (const detected of report.detectedPayments) {
    const { txId, txIn, txIndex } = detected
    const incoming =
      known.find(other => other.txId === txId && other.txIndex === txIndex) ??
      (await tables.incomingPayments.findByTx(report.source, txId, txIn, txIndex))
    if (!incoming) {
      await tables.incomingPayments.insert(toIncomingPayment(context, attempt, report.source, detected, now))
    } else if (incoming.attemptId === attempt.id) {
      present.add(incoming.id)
      await tables.incomingPayments.update(incoming.id, renewed(incoming, detected, now))
      if (hasLeftItsBlock(incoming, detected)) await reportReorganised(context, tables, attempt, incoming)
    } else {
      context.log.warn(
        { attemptId: attempt.id, txId },
        'a transaction that belongs to another attempt was told again',
      )
    }
  }
  const { completeFrom } = report
  if (completeFrom === null) return
  const gone = known.filter(
    ({ id, state, height }) =>
      state !== 'gone' && !present.has(id) && (height ?? completeFrom) >= completeFrom,
  )
  for (const incoming of gone) {
    await tables.incomingPayments.update(incoming.id, { state: 'gone', confirmations: 0, updatedAt: now })
    if (incoming.settles) await reportReorganised(context, tables, attempt, incoming)
  }
}

/** What settled an order waits to be mined again, which may never happen. */
const hasLeftItsBlock = (incoming: IncomingPayment, detected: DetectedPayment): boolean =>
  incoming.settles && incoming.height !== null && detected.height === null

/** By a status alone a payment may have been told with others in one sum; by its own callback it is alone. */
const amountAfter = (
  incoming: IncomingPayment,
  { txIn, amount }: Report['detectedPayments'][number],
): bigint =>
  incoming.txIn === null && txIn !== null && !incoming.settles && amount < incoming.amount
    ? amount
    : incoming.amount

/** Told first by the payer's transaction alone, a payment takes on its own id once that is told. */
const renewed = (
  incoming: IncomingPayment,
  detected: Report['detectedPayments'][number],
  now: number,
): Partial<IncomingPayment> => ({
  txId: detected.txOut ?? incoming.txId,
  amount: amountAfter(incoming, detected),
  state: detected.final ? 'final' : 'seen',
  confirmations: detected.confirmations,
  height: detected.height,
  paidAt: Math.min(incoming.paidAt, detected.paidAt),
  txIn: incoming.txIn ?? detected.txIn,
  txOut: incoming.txOut ?? detected.txOut ?? null,
  // A status that is looked up later knows less than the callback did.
  evidence: incoming.txIn !== null && detected.txIn === null ? incoming.evidence : detected.evidence,
  updatedAt: now,
})

const toIncomingPayment = (
  context: Context,
  attempt: Attempt,
  source: string,
  detected: Report['detectedPayments'][number],
  now: number,
): IncomingPayment => ({
  id: context.ids.uuid(),
  attemptId: attempt.id,
  orderId: attempt.orderId,
  merchantId: attempt.merchantId,
  source,
  txId: detected.txId,
  txIndex: detected.txIndex,
  assetId: detected.assetId,
  amount: detected.amount,
  state: detected.final ? 'final' : 'seen',
  settles: false,
  confirmations: detected.confirmations,
  height: detected.height,
  txIn: detected.txIn,
  txOut: detected.txOut ?? null,
  paidAt: detected.paidAt,
  evidence: detected.evidence,
  createdAt: now,
  updatedAt: now,
})
