import type { Attempt } from '../../../domain/attempt.ts'
import type { IncomingPayment } from '../../../domain/payment.ts'
import type { Tables } from '../../../storage/port.ts'
import { isJoined, withRest } from './join-small.ts'
import type { PaymentReport, RecordContext, ReportedPayment } from './record-payments.ts'
import { reportReorganised } from './record-unmatched.ts'

const keyOf = ({ txId, txIndex }: { txId: string; txIndex: string }): string => `${txId} ${txIndex}`

/**
 * Stores the payments of a report: new ones, what changed of known ones, and which ones are gone. A long
 * report is stored in parts, of which only the last one has `completeFrom`. `present` holds the ids of what
 * was reported.
 */
export async function mergeReport(
  context: RecordContext,
  tables: Tables,
  attempt: Attempt,
  report: PaymentReport,
  present: Set<string>,
  now: number,
): Promise<void> {
  const known = await tables.incomingPayments.listOf(attempt.id)
  const byKey = new Map(known.map(incoming => [keyOf(incoming), incoming]))
  const firstSeen = firstSeenOf(known)
  const split = (one: DatedPayment) => withRest(one, txId => byKey.get(keyOf({ txId, txIndex: one.txIndex })))
  for (const reported of report.detectedPayments.map(firstSeen).flatMap(split)) {
    const { txId, txIn, txIndex } = reported
    if (await isStoredApart(tables, attempt, report.source, reported)) continue
    const incoming =
      byKey.get(keyOf(reported)) ??
      (await tables.incomingPayments.findByTx(report.source, txId, txIn, txIndex))
    if (!incoming) {
      const added = toIncomingPayment(context, attempt, report.source, reported, now)
      await tables.incomingPayments.insert(added)
      present.add(added.id)
    } else if (incoming.attemptId === attempt.id) {
      present.add(incoming.id)
      await tables.incomingPayments.update(incoming.id, changesOf(incoming, reported, now))
      const isBack = hasReturned(incoming, reported)
      if (isBack || hasLeftItsBlock(incoming, reported)) {
        await reportReorganised(context, tables, attempt, incoming, isBack)
      }
    } else {
      context.log.warn({ attemptId: attempt.id, txId }, 'payment.of_other_attempt')
    }
  }
  const { completeFrom } = report
  if (completeFrom === null) return
  const missing = known.filter(
    ({ id, height }) => !present.has(id) && (height ?? completeFrom) >= completeFrom,
  )
  await recordGone(context, tables, attempt, missing, now)
}

async function recordGone(
  context: RecordContext,
  tables: Tables,
  attempt: Attempt,
  missing: IncomingPayment[],
  now: number,
): Promise<void> {
  for (const incoming of missing.filter(({ state }) => state !== 'gone')) {
    await tables.incomingPayments.update(incoming.id, { state: 'gone', confirmations: 0, updatedAt: now })
    await reportReorganised(context, tables, attempt, incoming)
  }
}

/**
 * Whether each transaction of a payment was reported before without the other, and stored as a payment. Only
 * one of both counts, and neither can get the transaction of the other.
 */
async function isStoredApart(
  { incomingPayments }: Tables,
  { provider }: Attempt,
  source: string,
  { txId, txIn, txIndex }: ReportedPayment,
): Promise<boolean> {
  if (provider === null || txIn === null || txIn === txId) return false
  const out = await incomingPayments.findByTx(source, txId, null, txIndex)
  const found = out && (await incomingPayments.findByTx(source, txIn, txIn, txIndex))
  return found !== null && found.id !== out?.id
}

/** A payment is back in the mempool, and may never be mined again. */
const hasLeftItsBlock = (incoming: IncomingPayment, reported: ReportedPayment): boolean =>
  incoming.height !== null && reported.height === null

/** A payment is in a block, after it had left the chain or its block, or for the first time. */
const hasReturned = (incoming: IncomingPayment, reported: ReportedPayment): boolean =>
  reported.height !== null && (incoming.state === 'gone' || incoming.height === null)

/**
 * Until a payment is final, what was reported last counts: an endpoint may be wrong, and a token may have
 * said more than arrived. A status look-up may have reported the payment with others, as one total. Its own
 * callback is exact.
 */
function amountAfter(incoming: IncomingPayment, reported: ReportedPayment): bigint {
  const { txIn, amountAtomic } = reported
  if (incoming.settles || isPartOf(incoming, reported)) return incoming.amountAtomic
  if (incoming.state !== 'final') return amountAtomic
  if (amountAtomic > incoming.amountAtomic)
    return isJoined(incoming.txId) ? amountAtomic : incoming.amountAtomic
  const isTotal = incoming.txIn === null && txIn !== null
  return isTotal ? amountAtomic : incoming.amountAtomic
}

/** Whether a scan reports only some parts of a final joined payment, since it begins after the others. */
const isPartOf = (incoming: IncomingPayment, { amountAtomic }: ReportedPayment): boolean =>
  isJoined(incoming.txId) && incoming.state === 'final' && amountAtomic < incoming.amountAtomic

/** The transaction of a joined payment, while it has only one. */
function txInAfter(incoming: IncomingPayment, reported: ReportedPayment): string | null {
  if (!isJoined(incoming.txId)) return incoming.txIn ?? reported.txIn
  return isPartOf(incoming, reported) ? incoming.txIn : reported.txIn
}

/** A later status look-up says less than the callback did. */
const saysLess = (incoming: IncomingPayment, reported: ReportedPayment): boolean =>
  isJoined(incoming.txId) ? isPartOf(incoming, reported) : incoming.txIn !== null && reported.txIn === null

/** With the time at which it was first seen, or a payment that it replaces. */
interface DatedPayment extends ReportedPayment {
  seenAt: number
}

/** A buyer who raises the fee replaces a payment by one that spends the same inputs. */
function firstSeenOf(known: readonly IncomingPayment[]): (reported: ReportedPayment) => DatedPayment {
  const spentAt = new Map<string, number>()
  for (const { inputs, paidAt } of known) {
    for (const input of inputs) spentAt.set(input, Math.min(paidAt, spentAt.get(input) ?? paidAt))
  }
  return reported => {
    const times = (reported.inputs ?? []).map(input => spentAt.get(input) ?? reported.paidAt)
    return { ...reported, seenAt: Math.min(reported.paidAt, ...times) }
  }
}

/** A payment in a block is reported with the time of the block. */
const minedAt = ({ height, paidAt }: ReportedPayment): number | null => (height === null ? null : paidAt)

/** A payment that was first reported by the buyer's transaction alone gets its own id when it is known. */
const changesOf = (
  incoming: IncomingPayment,
  reported: DatedPayment,
  now: number,
): Partial<IncomingPayment> => ({
  txId: reported.txOut ?? incoming.txId,
  amountAtomic: amountAfter(incoming, reported),
  state: reported.final ? 'final' : 'seen',
  confirmations: reported.confirmations,
  height: reported.height,
  paidAt: Math.min(incoming.paidAt, reported.seenAt),
  minedAt: minedAt(reported),
  inputs: reported.inputs ?? incoming.inputs,
  txIn: txInAfter(incoming, reported),
  txOut: incoming.txOut ?? reported.txOut ?? null,
  evidence: saysLess(incoming, reported) ? incoming.evidence : reported.evidence,
  updatedAt: now,
})

const toIncomingPayment = (
  context: Pick<RecordContext, 'ids'>,
  attempt: Attempt,
  source: string,
  reported: DatedPayment,
  now: number,
): IncomingPayment => ({
  id: context.ids.uuid(),
  attemptId: attempt.id,
  orderId: attempt.orderId,
  merchantId: attempt.merchantId,
  source,
  txId: reported.txId,
  txIndex: reported.txIndex,
  assetId: reported.assetId,
  amountAtomic: reported.amountAtomic,
  state: reported.final ? 'final' : 'seen',
  settles: false,
  confirmations: reported.confirmations,
  height: reported.height,
  txIn: reported.txIn,
  txOut: reported.txOut ?? null,
  paidAt: reported.seenAt,
  minedAt: minedAt(reported),
  inputs: reported.inputs ?? [],
  evidence: reported.evidence,
  createdAt: now,
  updatedAt: now,
})
