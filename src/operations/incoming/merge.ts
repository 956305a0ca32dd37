import type { Attempt } from '../../domain/attempt.ts'
import type { Unread } from '../../domain/blind-chain.ts'
import { valuedAt } from '../../domain/coverage.ts'
import type { Json } from '../../domain/metadata.ts'
import { type IncomingPayment, isJoined, type SeenAmount } from '../../domain/payment.ts'
import { seenAmountsOf } from '../../domain/seen-amounts.ts'
import type { DetectedPayment, Outflow } from '../../networks/port.ts'

export type ReportedPayment = DetectedPayment & { txOut?: string | null }

/** A report of an upstream about one attempt. */
export interface PaymentReport {
  /** the chain or the provider that reports it */
  source: string
  detectedPayments: ReportedPayment[]
  /**
   * height from which the report is complete: known payments of the source at or above it are gone if the
   * report does not list them; null if no payment can be gone
   */
  completeFrom: number | null
  /**
   * the height of the newest block that was read: known payments above it may still exist; missing if the
   * source has no blocks
   */
  completeTo?: number
  /** true if the rest of a long report follows, so that no payment is gone yet */
  isPart?: boolean
  /** the time of the request: if two reports overtake each other, the later request counts */
  askedAt: number
  /**
   * the failed checks before this one; missing if the report is from another source than the attempt's own
   * chain
   */
  unread?: Unread
  cursor?: Json
  /** transactions from the attempt's address to the payout wallet */
  outflows?: readonly Outflow[]
  /** true if the provider says that the payment failed for good */
  hasFailed?: boolean
  /** true if nobody can pay on the provider's page any more */
  isPageOver?: boolean
}

/** A change that a report makes to the payments of its attempt. */
export type PaymentChange =
  | { do: 'add payment'; payment: IncomingPayment }
  | { do: 'change payment'; id: string; change: Partial<IncomingPayment> }

/** The payments of an attempt after a report. */
interface Merged {
  /** all payments of the attempt, as they are now */
  payments: IncomingPayment[]
  changes: PaymentChange[]
}

/** The attempt of a report, and the means to add payments to it. */
export interface Merging {
  attempt: Attempt
  /** the IDs of the payments that were reported so far: a long report is merged in parts */
  present: Set<string>
  now: number
  newId: () => string
}

const keyOf = ({ txId, txIndex }: { txId: string; txIndex: string }): string => `${txId} ${txIndex}`

/** Merges a report, or a part of it, into the known payments of its attempt. */
export function mergeReport(
  about: Merging,
  known: readonly IncomingPayment[],
  report: PaymentReport,
): Merged {
  const { present, now } = about
  const merged: Merged = { payments: [...known], changes: [] }
  // A transaction can be repeated on another chain, where it is another payment.
  const own = ofSource(known, report)
  const byKey = new Map(own.map(payment => [keyOf(payment), payment]))
  const split = (one: ReportedPayment) =>
    withRest(one, txId => byKey.get(keyOf({ txId, txIndex: one.txIndex })))
  for (const reported of report.detectedPayments.flatMap(split)) {
    const payments = ofSource(merged.payments, report)
    const before = findKnown(payments, reported)
    if (before === 'apart') continue
    const seen = seenAmountsOf(
      payments,
      reported,
      before && { ...before, seen: seenBefore(before, reported) },
    )
    if (before === null) {
      const payment = newPayment(about, report.source, reported, seen)
      present.add(payment.id)
      merged.payments.push(payment)
      merged.changes.push({ do: 'add payment', payment })
      continue
    }
    present.add(before.id)
    if (isDisputedAgain(before, reported, report)) continue
    replace(merged, before, { ...changesOf(before, reported, seen), updatedAt: now })
  }
  for (const payment of own) {
    if (present.has(payment.id) || !isGone(payment, report, now)) continue
    replace(merged, payment, { state: 'gone', confirmations: 0, updatedAt: now })
  }
  addOutflows(merged, report, now)
  return merged
}

/**
 * A payment outside the blocks of a report is gone if it is not final and has not been reported for this
 * time. Until then the endpoint may be behind; later, the one that reported the payment has probably
 * invented its block.
 */
const KEPT_MS = 900_000

/** Returns true if a known payment that is missing in a report has left its chain. */
function isGone(
  { state, height, updatedAt }: IncomingPayment,
  { completeFrom, completeTo = Number.POSITIVE_INFINITY, isPart = false }: PaymentReport,
  now: number,
): boolean {
  if (state === 'gone' || completeFrom === null || isPart) return false
  if (height === null || (height >= completeFrom && height <= completeTo)) return true
  return state !== 'final' && completeFrom <= completeTo && now - updatedAt >= KEPT_MS
}

/**
 * Returns true for a report of a final payment that only one of two required endpoints calls final, or that
 * is in a block which earlier reports have passed. The other endpoint may not read that block any more, or
 * the first may report another amount now, so nothing changes.
 */
const isDisputedAgain = (
  { state, height }: IncomingPayment,
  { final, isDisputed = false }: ReportedPayment,
  { completeFrom }: PaymentReport,
): boolean => state === 'final' && !final && (isDisputed || (height !== null && height < (completeFrom ?? 0)))

const ofSource = (payments: readonly IncomingPayment[], { source }: PaymentReport): IncomingPayment[] =>
  payments.filter(payment => payment.source === source)

function replace(merged: Merged, { id }: IncomingPayment, change: Partial<IncomingPayment>): void {
  merged.payments = merged.payments.map(one => (one.id === id ? { ...one, ...change } : one))
  merged.changes.push({ do: 'change payment', id, change })
}

/**
 * Splits the report of a joined payment. A joined payment that settled its order keeps its amount. A flood is
 * read over several scans, so more may be reported later: the excess becomes another payment with an ID of
 * its own. `find` returns a stored payment.
 */
function withRest(
  reported: ReportedPayment,
  find: (txId: string) => Pick<IncomingPayment, 'settles' | 'amountAtomic'> | undefined,
): ReportedPayment[] {
  if (!isJoined(reported.txId)) return [reported]
  const parts: ReportedPayment[] = []
  let { txId, amountAtomic: rest } = reported
  for (let known = find(txId); known?.settles; known = find(txId)) {
    parts.push({ ...reported, txId, amountAtomic: known.amountAtomic, txIn: null })
    rest -= known.amountAtomic
    txId = `${reported.txId}:${parts.length}`
  }
  if (rest > 0n)
    parts.push({ ...reported, txId, amountAtomic: rest, txIn: parts.length > 0 ? null : reported.txIn })
  return parts
}

/**
 * Finds a known payment by its transaction or by the payer's transaction, because two reports of one payment
 * may identify it differently. If each transaction was reported without the other before, both are stored as
 * payments. Only one of the two counts, and neither can get the transaction of the other.
 */
function findKnown(
  payments: readonly IncomingPayment[],
  { txId, txIn, txIndex }: ReportedPayment,
): IncomingPayment | 'apart' | null {
  const own = payments.filter(payment => payment.txIndex === txIndex)
  const byTx = own.find(payment => payment.txId === txId)
  const byTxIn =
    txIn === null ? undefined : own.find(payment => payment.txIn === txIn || payment.txId === txIn)
  if (byTx && byTxIn && byTx.id !== byTxIn.id) return 'apart'
  return byTx ?? byTxIn ?? null
}

/**
 * Records the transaction that moved each payment to the payout wallet: the first outflow of its asset in the
 * same or a later block.
 */
function addOutflows(merged: Merged, { outflows = [] }: PaymentReport, now: number): void {
  const sorted = outflows.toSorted((one, other) => one.height - other.height)
  for (const payment of merged.payments) {
    const { txOut, state, height, assetId } = payment
    if (txOut !== null || state !== 'final' || height === null) continue
    const outflow = sorted.find(one => one.assetId === assetId && one.height >= height)
    if (outflow) replace(merged, payment, { txOut: outflow.txId, updatedAt: now })
  }
}

type Content = Pick<IncomingPayment, 'amountAtomic' | 'txIn' | 'evidence'>

/**
 * Merges a repeated report of a payment. Until the payment is final, the last report counts: an endpoint may
 * be wrong, and a token may have reported more than arrived. Afterwards a chain can only raise the amount: an
 * endpoint that reports less than another hides money of the buyer. A provider's status look-up contains less
 * than its callback, and may have reported several payments as one total, so the payment's own callback is
 * exact.
 */
function reportedAgain(incoming: IncomingPayment, reported: ReportedPayment): Content {
  const { amountAtomic, txIn, evidence } = reported
  const isExact = incoming.txIn === null && txIn !== null && amountAtomic <= incoming.amountAtomic
  const isInBlock = reported.final && reported.height !== null
  const isMore = isInBlock && amountAtomic > incoming.amountAtomic
  const isFixed = incoming.settles || (incoming.state === 'final' && !isExact && !isMore)
  return {
    amountAtomic: isFixed ? incoming.amountAtomic : amountAtomic,
    txIn: incoming.txIn ?? txIn,
    evidence: incoming.txIn !== null && txIn === null ? incoming.evidence : evidence,
  }
}

/**
 * Merges a repeated report of a joined payment. A scan that begins after some parts of a final joined payment
 * reports only the other parts, so a smaller amount is ignored.
 */
function joinedAgain(incoming: IncomingPayment, reported: Content): Content {
  const isPart = incoming.state === 'final' && reported.amountAtomic < incoming.amountAtomic
  const { amountAtomic, txIn, evidence } = isPart ? incoming : reported
  return { amountAtomic: incoming.settles ? incoming.amountAtomic : amountAtomic, txIn, evidence }
}

/**
 * The time of the block that contains a payment; null if it is in no block, or if the time could not be read.
 */
export const minedAt = ({ height, paidAt, isUndated }: DetectedPayment): number | null =>
  height === null || isUndated ? null : paidAt

/**
 * The amounts of a payment that were known before a report, with their times. If the report has another time
 * of the block, the former time was false or the block was replaced. Then the payment counts as known since
 * its first report.
 */
function seenBefore(before: IncomingPayment, reported: ReportedPayment): readonly SeenAmount[] {
  const { seen, createdAt } = before
  const isKept = before.minedAt === null || reported.isUndated || minedAt(reported) === before.minedAt
  if (isKept) return seen
  return seen.map(one => (one.at === before.minedAt ? { ...one, at: Math.max(one.at, createdAt) } : one))
}

/** The progress of a payment on its chain. */
const progressOf = (reported: ReportedPayment, seen: SeenAmount[], paidAt: number) => ({
  state: reported.final ? ('final' as const) : ('seen' as const),
  confirmations: reported.confirmations,
  height: reported.height,
  minedAt: minedAt(reported),
  paidAt: seen[0]?.at ?? paidAt,
})

/**
 * The changes of a payment by a repeated report. A payment that was first reported with only the buyer's
 * transaction gets its own ID once that is known.
 */
function changesOf(
  incoming: IncomingPayment,
  reported: ReportedPayment,
  seen: SeenAmount[],
): Partial<IncomingPayment> {
  const again = isJoined(incoming.txId) ? joinedAgain(incoming, reported) : reportedAgain(incoming, reported)
  const last = { atomic: again.amountAtomic.toString() }
  const progress = progressOf(reported, seen, incoming.paidAt)
  const isSameTime = valuedAt({ ...progress, seen }) === valuedAt(incoming)
  return {
    ...progress,
    ...again,
    // A payment that moved to another block before it settled is valued again, by the time of that block.
    ...(!isSameTime && !incoming.settles && { rate: null, counts: false }),
    txId: reported.txOut ?? incoming.txId,
    txOut: incoming.txOut ?? reported.txOut ?? null,
    inputs: reported.inputs ?? incoming.inputs,
    // The last seen amount becomes that of the payment, which may differ from the reported one.
    seen: seen.map((one, at) => (at === seen.length - 1 ? { ...one, ...last } : one)),
  }
}

function newPayment(
  { attempt: { id: attemptId, orderId, merchantId }, now, newId }: Merging,
  source: string,
  reported: ReportedPayment,
  seen: SeenAmount[],
): IncomingPayment {
  const { txId, txIndex, assetId, amountAtomic, txIn, txOut = null, inputs = [], evidence } = reported
  return {
    ...{ id: newId(), attemptId, orderId, merchantId, source, createdAt: now, updatedAt: now },
    ...{ txId, txIndex, assetId, amountAtomic, txIn, txOut, inputs, seen, evidence },
    ...{ settles: false, rate: null, counts: false },
    ...progressOf(reported, seen, reported.paidAt),
  }
}
