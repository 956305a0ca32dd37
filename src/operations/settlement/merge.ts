import type { Attempt } from '../../domain/attempt.ts'
import type { Unread } from '../../domain/blind-chain.ts'
import type { Json } from '../../domain/metadata.ts'
import type { IncomingPayment, SeenAmount } from '../../domain/payment.ts'
import { isWorthMail } from '../../domain/payment-mail.ts'
import { seenAmountsOf } from '../../domain/seen-amounts.ts'
import type { DetectedPayment, Outflow } from '../../networks/port.ts'
import type { Case, Change } from './case.ts'
import { isJoined, withRest } from './join-small.ts'

export type ReportedPayment = DetectedPayment & { txOut?: string | null }

/** What an upstream reports about one attempt. */
export interface PaymentReport {
  /** the chain or the provider that reports it */
  source: string
  detectedPayments: ReportedPayment[]
  /**
   * known payments of the source at or above this height that are not in the report are gone; null if none
   * can be gone
   */
  completeFrom: number | null
  /** when it was asked for: if two reports overtake each other, the later one counts */
  askedAt: number
  /** why the attempt may not have been read lately, if its own chain reports */
  unread?: Unread
  cursor?: Json
  /** what left the attempt's address for the payout wallet */
  outflows?: readonly Outflow[]
  /** the provider says that the payment failed for good */
  hasFailed?: boolean
}

/** What a report changes about the payments of its attempt. */
export interface Merged {
  /** all payments of the attempt, as they are now */
  payments: IncomingPayment[]
  changes: Change[]
  /** payments that left their chain or their block, or that are in a block again */
  moved: { payment: IncomingPayment; isBack: boolean }[]
}

interface Merging {
  attempt: Attempt
  now: number
  newId: () => string
}

const keyOf = ({ txId, txIndex }: { txId: string; txIndex: string }): string => `${txId} ${txIndex}`

/**
 * Merges a report into the known payments of its attempt. A long report is merged in parts, and only the
 * last part has `completeFrom`. `present` holds the IDs of what was reported.
 */
export function mergeReport(
  about: Merging,
  known: readonly IncomingPayment[],
  report: PaymentReport,
  present: Set<string>,
): Merged {
  const merged: Merged = { payments: [...known], changes: [], moved: [] }
  // A transaction can be repeated on another chain, where it is another payment.
  const own = ofSource(known, report)
  const byKey = new Map(own.map(payment => [keyOf(payment), payment]))
  const split = (one: ReportedPayment) =>
    withRest(one, txId => byKey.get(keyOf({ txId, txIndex: one.txIndex })))
  for (const reported of report.detectedPayments.flatMap(split)) {
    const before = findKnown(merged.payments, report.source, reported)
    if (before === 'apart') continue
    const seenAmounts = seenAmountsOf(ofSource(merged.payments, report), reported, before)
    if (before === null) {
      const payment = newPayment(about, report.source, reported, seenAmounts)
      present.add(payment.id)
      merged.payments.push(payment)
      merged.changes.push({ do: 'add payment', payment })
      continue
    }
    present.add(before.id)
    const isBack = hasReturned(before, reported)
    replace(merged, before, changesOf(before, reported, seenAmounts, about.now))
    if (isBack || hasLeftItsBlock(before, reported)) merged.moved.push({ payment: before, isBack })
  }
  const { completeFrom } = report
  if (completeFrom === null) return merged
  for (const payment of own) {
    const isMissing = !present.has(payment.id) && (payment.height ?? completeFrom) >= completeFrom
    if (!isMissing || payment.state === 'gone') continue
    replace(merged, payment, { state: 'gone', confirmations: 0, updatedAt: about.now })
    merged.moved.push({ payment, isBack: false })
  }
  return merged
}

const ofSource = (payments: readonly IncomingPayment[], { source }: PaymentReport): IncomingPayment[] =>
  payments.filter(payment => payment.source === source)

function replace(merged: Merged, payment: IncomingPayment, change: Partial<IncomingPayment>): void {
  merged.payments = merged.payments.map(one => (one.id === payment.id ? { ...one, ...change } : one))
  merged.changes.push({ do: 'change payment', id: payment.id, change })
}

/**
 * Finds a payment by its transaction or by the payer's: two reports of it may identify it differently. If
 * each was reported without the other before, both are stored. Only one of them counts, and neither can get
 * the transaction of the other.
 */
function findKnown(
  payments: readonly IncomingPayment[],
  source: string,
  { txId, txIn, txIndex }: ReportedPayment,
): IncomingPayment | 'apart' | null {
  const own = payments.filter(payment => payment.source === source && payment.txIndex === txIndex)
  const byTx = own.find(payment => payment.txId === txId)
  const byTxIn =
    txIn === null ? undefined : own.find(payment => payment.txIn === txIn || payment.txId === txIn)
  if (byTx && byTxIn && byTx.id !== byTxIn.id) return 'apart'
  return byTx ?? byTxIn ?? null
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
  if (amountAtomic > incoming.amountAtomic) {
    return isJoined(incoming.txId) ? amountAtomic : incoming.amountAtomic
  }
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

/** A payment in a block is reported with the time of the block, if that can be read. */
export const minedAt = ({ height, paidAt, isUndated }: DetectedPayment): number | null =>
  height === null || isUndated ? null : paidAt

/** A payment that was first reported by the buyer's transaction alone gets its own id when it is known. */
function changesOf(
  incoming: IncomingPayment,
  reported: ReportedPayment,
  seen: SeenAmount[],
  now: number,
): Partial<IncomingPayment> {
  const amountAtomic = amountAfter(incoming, reported)
  return {
    txId: reported.txOut ?? incoming.txId,
    amountAtomic,
    state: reported.final ? 'final' : 'seen',
    confirmations: reported.confirmations,
    height: reported.height,
    paidAt: seen[0]?.at ?? incoming.paidAt,
    seen: upTo(amountAtomic, seen),
    minedAt: minedAt(reported),
    inputs: reported.inputs ?? incoming.inputs,
    txIn: txInAfter(incoming, reported),
    txOut: incoming.txOut ?? reported.txOut ?? null,
    evidence: saysLess(incoming, reported) ? incoming.evidence : reported.evidence,
    updatedAt: now,
  }
}

/** The last seenAmount has the amount of the payment, which may differ from the reported one. */
const upTo = (amountAtomic: bigint, seen: SeenAmount[]): SeenAmount[] =>
  seen.map((one, at) => (at === seen.length - 1 ? { ...one, atomic: amountAtomic.toString() } : one))

const newPayment = (
  { attempt, now, newId }: Merging,
  source: string,
  reported: ReportedPayment,
  seen: SeenAmount[],
): IncomingPayment => ({
  id: newId(),
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
  paidAt: seen[0]?.at ?? reported.paidAt,
  seen,
  minedAt: minedAt(reported),
  inputs: reported.inputs ?? [],
  evidence: reported.evidence,
  createdAt: now,
  updatedAt: now,
})

/**
 * Whom to tell of payments that left their chain or their block, or that are back. Settlements are never
 * reversed automatically, so a person has to know of a payment that settled an order, or that waits for the
 * merchant's decision. Of one that was only seen, nobody has to do anything unless nothing replaced it.
 */
export function movedChanges(of: Case, merged: Merged): Change[] {
  const recorded = new Set(of.unmatched.map(({ incomingPaymentId }) => incomingPaymentId))
  return merged.moved.flatMap(({ payment, isBack }): Change[] => {
    const { txId, settles } = payment
    if (settles || recorded.has(payment.id)) return knownChanges({ txId, settles }, isBack)
    return hasVanished(merged, payment) ? vanishedChanges(of, payment) : []
  })
}

/** The page said that the payment was detected, and may have closed the page. */
function vanishedChanges(of: Case, { attemptId, amountAtomic, txId }: IncomingPayment): Change[] {
  const attempt = of.attempts.find(one => one.attempt.id === attemptId)?.attempt
  return [
    { do: 'notify', facts: { about: 'payment_vanished', txId } },
    ...(attempt && isWorthMail(attempt, amountAtomic)
      ? [{ do: 'mail buyer' as const, kind: 'vanished' as const, attempt }]
      : []),
  ]
}

/** What becomes of a payment that a person knows of. */
function knownChanges(
  { txId, settles }: Pick<IncomingPayment, 'txId' | 'settles'>,
  isBack: boolean,
): Change[] {
  const event = isBack ? 'payment.returned' : 'payment.reorganised'
  const [gone, back] = settles
    ? (['payment_gone', 'payment_back'] as const)
    : (['unmatched_gone', 'unmatched_back'] as const)
  return [
    { do: 'log', level: settles && !isBack ? 'error' : 'warn', event, txId },
    { do: 'notify', facts: { about: isBack ? back : gone, txId } },
  ]
}

/** Whether a payment is gone, and none of the others has replaced it. */
function hasVanished({ payments }: Merged, { id, inputs }: IncomingPayment): boolean {
  if (!payments.some(one => one.id === id && one.state === 'gone')) return false
  return !payments.some(one => one.state !== 'gone' && one.inputs.some(input => inputs.includes(input)))
}
