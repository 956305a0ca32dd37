import type { Attempt } from '../../../domain/attempt.ts'
import { isInTime, type LateTerms } from '../../../domain/coverage.ts'
import { receivedSum } from '../../../domain/fiat.ts'
import type { Json } from '../../../domain/metadata.ts'
import { amountOf } from '../../../domain/money.ts'
import type { IncomingPayment } from '../../../domain/payment.ts'
import { VALUE_UNIT } from '../../../domain/quote.ts'
import { type Assessment, countingPayments, laterParts, sumsOf } from '../../../domain/settlement.ts'
import { shortfallOf } from '../../../domain/settlement-outcome.ts'
import type { OrderWithSession, Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { recordPaymentPaid } from '../../webhooks/steps/record-event.ts'
import { isOverpaid, notifyPaid, notifySettlement } from './notify-settlement.ts'
import { payOrder } from './pay-order.ts'
import { recordOverpaid } from './payment-state.ts'
import { recordUnmatchedOfOrder } from './record-unmatched.ts'

/** Marks an order as paid by a verified settlement: all that belongs to it, in one write. */
export async function settleOrder(
  context: Pick<Context, 'ids' | 'clock' | 'networks'>,
  tables: Tables,
  found: OrderWithSession,
  attempt: Attempt,
  incomingPayments: IncomingPayment[],
  assessment: Assessment,
  terms: LateTerms,
): Promise<OrderWithSession> {
  const paying = countingPayments(attempt, incomingPayments).filter(incoming => incoming.state === 'final')
  const settled = await payOrder(context, tables, found, attempt, paying, {
    received: receivedSum(assessment.confirmedAtomic, attempt),
    verdict: assessment.verdict,
    rule: ruleOf(attempt, assessment, terms),
    evidence: evidenceOf(attempt, paying, assessment, terms),
  })
  const now = context.clock()
  await tables.attempts.update(attempt.id, { ...sumsOf(attempt, incomingPayments), updatedAt: now })
  await tables.unmatched.resolveUnderpaid(attempt.id, now)
  const outcome = {
    late: assessment.verdict === 'late',
    shortfall: shortfallOf(settled.order, attempt, assessment),
    acceptedBy: null,
  }
  if (isOverpaid(attempt, assessment, outcome)) await recordOverpaid(tables, settled.order)
  await recordPaymentPaid(context, tables, settled.order, attempt, outcome)
  await notifyPaid(context, tables, settled.order)
  await notifySettlement(context, tables, settled.order, attempt, assessment, outcome)
  await recordUnmatchedOfOrder(context, tables, settled.order)
  return settled
}

/**
 * Adds the later parts of a settled attempt to what settled its order. The order stays as it was paid. What
 * is unmatched stays so.
 */
export async function joinLaterParts(
  tables: Tables,
  attempt: Attempt,
  incomingPayments: IncomingPayment[],
  now: number,
): Promise<void> {
  if (laterParts(attempt, incomingPayments).length === 0) return
  const others = await paymentsOfOthers(tables, attempt)
  const unmatched = await tables.unmatched.knownPayments(attempt.id)
  const candidates = incomingPayments.filter(({ id, settles }) => settles || !unmatched.includes(id))
  const parts = laterParts(attempt, candidates, others)
  if (parts.length === 0) return
  for (const { id } of parts) await tables.incomingPayments.update(id, { settles: true, updatedAt: now })
  const joined = incomingPayments.filter(incoming => incoming.settles || parts.includes(incoming))
  await tables.attempts.update(attempt.id, { ...sumsOf(attempt, joined), updatedAt: now })
}

async function paymentsOfOthers(tables: Tables, { id, orderId }: Attempt): Promise<IncomingPayment[]> {
  const payments: IncomingPayment[] = []
  for (const other of await tables.attempts.listOf(orderId)) {
    if (other.id !== id) payments.push(...(await tables.incomingPayments.listOf(other.id)))
  }
  return payments
}

function ruleOf(
  attempt: Attempt,
  { confirmedAtomic, verdict, coverage }: Assessment,
  { order }: LateTerms,
): string {
  const sum = (atomic: bigint) => receivedSum(atomic, attempt).receivedAmount
  const { receivedCurrency } = receivedSum(confirmedAtomic, attempt)
  const threshold = sum(attempt.thresholdAtomic)
  if (verdict === 'late' && attempt.kind === 'address') {
    const worth = amountOf(coverage.lateValue / VALUE_UNIT, order.currency)
    const inTime = `${sum(coverage.inTimeAtomic)} of ${sum(attempt.dueAtomic)} ${receivedCurrency} in time`
    const later = `payments worth ${worth} of ${order.amount} ${order.currency} later`
    return `${inTime} and ${later} cover at least ${threshold} of ${sum(attempt.dueAtomic)}`
  }
  const timing = verdict === 'late' ? ', after the expiry of the order and within the watch' : ''
  const shortage = confirmedAtomic < attempt.dueAtomic ? `, of ${sum(attempt.dueAtomic)} due` : ''
  return `confirmed ${sum(confirmedAtomic)} ${receivedCurrency} is at least ${threshold}${shortage}${timing}`
}

const missing = ({ dueAtomic }: Attempt, { confirmedAtomic }: Assessment): bigint =>
  confirmedAtomic < dueAtomic ? dueAtomic - confirmedAtomic : 0n

const evidenceOf = (
  attempt: Attempt,
  paying: IncomingPayment[],
  assessment: Assessment,
  { rateOf }: LateTerms,
): Json => ({
  dueAtomic: attempt.dueAtomic.toString(),
  thresholdAtomic: attempt.thresholdAtomic.toString(),
  confirmedAtomic: assessment.confirmedAtomic.toString(),
  missingAtomic: missing(attempt, assessment).toString(),
  rate: attempt.rate,
  rateSources: attempt.rateSources,
  rateAt: attempt.rateAt,
  incomingPayments: paying.map(incoming => ({
    source: incoming.source,
    txId: incoming.txId,
    txIndex: incoming.txIndex,
    amount: incoming.amountAtomic.toString(),
    confirmations: incoming.confirmations,
    height: incoming.height,
    paidAt: incoming.paidAt,
    minedAt: incoming.minedAt,
    // The rate of a late payment: null for one that arrived in time.
    lateRate: isInTime(attempt, incoming) ? null : rateOf(incoming),
    evidence: incoming.evidence,
  })),
})
