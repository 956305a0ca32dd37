import type { Attempt, AttemptState } from '../../../domain/attempt.ts'
import { assert } from '../../../domain/errors.ts'
import type { Json } from '../../../domain/metadata.ts'
import type { IncomingPayment } from '../../../domain/payment.ts'
import { type Assessment, assess, maySettle, sumsOf } from '../../../domain/settlement.ts'
import type { DetectedPayment, Outflow } from '../../../networks/port.ts'
import type { OrderWithSession, Tables } from '../../../storage/port.ts'
import { noticeRunEnd, runBefore } from '../../addresses/steps/unpaid-run.ts'
import type { Context } from '../../context.ts'
import { expireWhenOver } from '../../orders/expire.ts'
import { canTransition } from '../../orders/steps/transition.ts'
import { recordPaymentEvent } from '../../webhooks/steps/record-event.ts'
import { keptPayments } from './kept-payments.ts'
import { mergeReport } from './merge-report.ts'
import { recordPaymentState } from './payment-state.ts'
import { recordOutflows } from './record-outflows.ts'
import { recordUnmatched } from './record-unmatched.ts'
import { joinLaterParts, settleOrder } from './settle.ts'
import { fetchPresentRates, loadLateTerms } from './value-payments.ts'

export type RecordContext = Pick<Context, 'storage' | 'clock' | 'ids' | 'log' | 'networks' | 'rates'>

export type ReportedPayment = DetectedPayment & { txOut?: string | null }

/** What an upstream reports about one attempt. */
export interface PaymentReport {
  /** the chain or the provider that reports it */
  source: string
  detectedPayments: ReportedPayment[]
  /**
   * known payments at or above this height that are not in the report are gone; null if none can be gone
   */
  completeFrom: number | null
  /** when it was asked for: if two reports overtake each other, the later one counts */
  askedAt: number
  cursor?: Json
  /** what left the attempt's address for the payout wallet */
  outflows?: readonly Outflow[]
}

/** How many payments one write stores: more would hold up every other request. */
const PAYMENTS_AT_ONCE = 50

/** Records what was reported for an attempt, assesses it, and settles the order if it is enough. */
export async function recordPayments(
  context: RecordContext,
  attemptId: string,
  report: PaymentReport,
): Promise<void> {
  const presentRates = await fetchPresentRates(context, attemptId, report.detectedPayments)
  const present = new Set<string>()
  const { detectedPayments } = report
  let stored = 0
  for (; detectedPayments.length - stored > PAYMENTS_AT_ONCE; stored += PAYMENTS_AT_ONCE) {
    const some = detectedPayments.slice(stored, stored + PAYMENTS_AT_ONCE)
    await context.storage.write(async tables => {
      const attempt = await tables.attempts.find(attemptId)
      assert(attempt, 'a reported attempt exists')
      if (isOvertaken(attempt, report, context.clock())) return
      const part = { ...report, detectedPayments: some, completeFrom: null }
      await mergeReport(context, tables, attempt, part, present, context.clock())
    })
  }
  await context.storage.write(async tables => {
    const attempt = await tables.attempts.find(attemptId)
    const found = attempt && (await tables.orders.find(attempt.orderId))
    assert(attempt && found, 'an attempt belongs to an order')
    const now = context.clock()
    if (isOvertaken(attempt, report, now)) return
    for (const rate of presentRates) await tables.rates.keep(rate)
    const rest = { ...report, detectedPayments: detectedPayments.slice(stored) }
    await mergeReport(context, tables, attempt, rest, present, now)
    const incomingPayments = await tables.incomingPayments.listOf(attempt.id)
    const checked = { ...attempt, checkedAt: report.askedAt, cursor: report.cursor ?? attempt.cursor }
    const { checkedAt, cursor } = checked
    await tables.attempts.update(attempt.id, { checkedAt, cursor, updatedAt: now })
    const run = await runBefore(context, tables, attempt, incomingPayments)
    const after = await applyAssessment(context, tables, found, checked, incomingPayments, now)
    await noticeRunEnd(context, tables, run)
    if (after.order.status === 'UNPAID') await expireWhenOver(context, tables, found, now)
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

/** A check of the future was made while the clock was wrong, and overtakes nothing. */
const isOvertaken = (
  { checkedAt }: Attempt,
  { completeFrom, askedAt }: PaymentReport,
  now: number,
): boolean => completeFrom !== null && checkedAt !== null && askedAt < checkedAt && checkedAt <= now

async function applyAssessment(
  context: RecordContext,
  tables: Tables,
  found: OrderWithSession,
  attempt: Attempt,
  incomingPayments: IncomingPayment[],
  now: number,
): Promise<{ order: OrderWithSession['order']; attempt: Attempt }> {
  const kept = await keptPayments(tables, attempt, incomingPayments)
  if (attempt.state === 'settled') {
    await joinLaterParts(tables, attempt, kept, now)
    return { order: found.order, attempt }
  }
  assert(attempt.thresholdAtomic > 0n, 'an attempt that is assessed has a threshold')
  const terms = await loadLateTerms(tables, found.order, attempt, kept)
  const assessment = assess(attempt, kept, terms, now, attempt.checkedAt)
  if (maySettle(found.order, assessment) && canTransition(found, 'settle')) {
    const { order } = await settleOrder(context, tables, found, attempt, kept, assessment, terms)
    return { order, attempt: { ...attempt, state: 'settled' } }
  }
  const sums = sumsOf(attempt, incomingPayments)
  const after = { ...assessment, ...sums }
  const change = { ...sums, state: stateAfter(attempt, after) }
  await tables.attempts.update(attempt.id, change)
  if (change.state !== attempt.state || change.receivedAtomic !== attempt.receivedAtomic) {
    await recordPaymentState(tables, found.order)
  }
  await recordEvent(context, tables, found, attempt, change.state, after)
  return { order: found.order, attempt: { ...attempt, ...change } }
}

/**
 * An attempt with enough money whose order is closed is over. A failed one stays failed while nothing
 * arrives.
 */
function stateAfter(attempt: Attempt, { state, receivedAtomic }: Assessment): AttemptState {
  if (state === 'settled') return 'expired'
  return attempt.state === 'failed' && receivedAtomic === 0n ? 'failed' : state
}

async function recordEvent(
  context: RecordContext,
  tables: Tables,
  { order }: OrderWithSession,
  before: Attempt,
  state: AttemptState,
  { receivedAtomic }: Assessment,
): Promise<void> {
  if (before.state === state) return
  if (receivedAtomic > 0n && before.receivedAtomic === 0n && state !== 'expired') {
    await recordPaymentEvent(context, tables, 'payment.processing', order, before)
  }
  if (state === 'expired' && receivedAtomic === 0n) {
    await recordPaymentEvent(context, tables, 'payment.expired', order, before)
  }
}
