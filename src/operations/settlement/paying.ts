import { type Attempt, rateOf } from '../../domain/attempt.ts'
import { type AttemptCredit, arrived, creditedBy, type PaymentCredit } from '../../domain/coverage.ts'
import { Refusal } from '../../domain/errors.ts'
import { receivedSum } from '../../domain/fiat.ts'
import type { Json } from '../../domain/metadata.ts'
import { fromUnitsShort } from '../../domain/money.ts'
import { pageShareOf } from '../../domain/page-share.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import { shareOf, VALUE_UNIT } from '../../domain/quote.ts'
import type { Acceptance, Case, Paying } from './case.ts'
import { moneyAbove, moneyBelow, type Sums, toleranceOf, total, wholeAgain } from './sums.ts'

/** Providers deduct their fee. What they pay out is short if less than this share arrived, in millionths. */
const USUAL_SHARE = 950_000n

type Counts = (credit: PaymentCredit) => boolean

const isCounted: Counts = ({ payment, rest, inTime }) =>
  payment.state === 'final' && (inTime > 0n || (rest ?? 0n) > 0n)

/** Pays the order if its final payments cover it; null if they do not. */
export function coveringPaying(of: Case, sums: Sums, reported: string | undefined): Paying | null {
  const { price, settled, credits } = sums
  if (settled < price - toleranceOf(of) || settled === 0n) return null
  const payer = payerOf(credits, isCounted, reported)
  if (payer === null) return null
  const { attempt } = payer
  const missing = price - wholeAgain(total(credits.map(worthOf)))
  const own = creditedBy(payer)
  const counted = credits.flatMap(credit => credit.credits.filter(isCounted))
  const isLate = counted.some(one => one.isLate)
  // Less than a minor unit more is rounding, where coins were valued or split.
  const isMore = !isLate && own > payer.whole
  const isOver = settled >= price + VALUE_UNIT || (isMore && settled > price)
  const shortfall = missing > 0n ? moneyAbove(missing, of.order) : null
  const outcome = { late: isLate, shortfall, acceptedBy: null, parts: partsOf(of, sums, isCounted) }
  return {
    attempt,
    payments: counted.map(({ payment }) => payment),
    received: receivedFor(of, payer, isCounted),
    settlement: {
      verdict: isLate ? 'late' : shortfall !== null ? 'short' : isOver ? 'over' : 'exact',
      rule: ruleOf(of, sums),
      evidence: { ...outcome, ...evidenceOf(of, sums, payer, isCounted) },
    },
    outcome,
    pageShare: shareBy(payer),
    confirmedAtomic: confirmedBy(payer, isCounted),
    isOver,
    settled,
    lateValue: total(counted.map(({ rest }) => rest ?? 0n)),
  }
}

/**
 * Pays the order with unmatched payments that the merchant is content with, and everything that is
 * credited.
 */
export function acceptedPaying(of: Case, sums: Sums, { ids, by, reason }: Acceptance): Paying {
  const { credits, settled, price } = sums
  const named = of.unmatched.filter(({ id }) => ids.has(id))
  const accepted = new Set(named.map(({ incomingPaymentId }) => incomingPaymentId))
  const counts: Counts = one => isCounted(one) || accepted.has(one.payment.id)
  const chosen = credits.flatMap(credit => credit.credits.filter(counts))
  const payer = payerOf(credits, counts, named[0]?.attemptId)
  if (payer === null || ![...accepted].every(id => chosen.some(({ payment }) => payment.id === id))) {
    throw new Refusal('conflict', 'One of these payments belongs to another order.')
  }
  const values = credits.flatMap(one =>
    one.credits.filter(({ payment }) => accepted.has(payment.id)).map(({ awaited }) => awaited),
  )
  const known = values.every(value => value !== null) ? total(values as bigint[]) : null
  const missing = known === null ? 0n : price - settled - known
  const outcome = {
    late: chosen.some(({ isLate }) => isLate),
    shortfall: missing > 0n ? moneyAbove(missing, of.order) : null,
    acceptedBy: by,
    parts: partsOf(of, sums, counts),
  }
  return {
    attempt: payer.attempt,
    payments: chosen.map(({ payment }) => payment),
    received: receivedOfAll(of, payer, chosen, known === null ? null : settled + known),
    settlement: {
      verdict: 'accepted',
      rule: `accepted by ${by}${reason === null ? '' : `: ${reason}`}`,
      evidence: { ...outcome, ...evidenceOf(of, sums, payer, counts) },
    },
    outcome,
    pageShare: null,
    confirmedAtomic: confirmedBy(payer, counts),
    isOver: false,
    settled,
    lateValue: 0n,
  }
}

/** The attempt that completes the order: the reported one, or the one of the last payment. */
function payerOf(
  credits: readonly AttemptCredit[],
  counts: Counts,
  reported: string | undefined,
): AttemptCredit | null {
  const paid = credits.filter(one => one.credits.some(counts))
  const lastOf = (credit: AttemptCredit) =>
    Math.max(...credit.credits.filter(counts).map(({ payment }) => payment.paidAt))
  const latest = paid.toSorted((one, other) => lastOf(one) - lastOf(other)).at(-1)
  return paid.find(({ attempt }) => attempt.id === reported) ?? latest ?? null
}

/** What an attempt is worth, where a provider's page counts as whole only if what arrived is usual. */
function worthOf(credit: AttemptCredit): bigint {
  const { kind, dueAtomic, thresholdAtomic } = credit.attempt
  const sum = confirmedBy(credit, isCounted)
  const isUsual = sum >= shareOf(dueAtomic, USUAL_SHARE) && sum >= thresholdAtomic
  return creditedBy(kind === 'address' || isUsual ? credit : { ...credit, threshold: dueAtomic })
}

/** What the attempt that completed the order received: its own coin, or else the one that arrived. */
function receivedFor(of: Case, { attempt, credits }: AttemptCredit, counts: Counts): Paying['received'] {
  const counted = credits.filter(counts).map(({ payment }) => payment)
  const own = counted.filter(({ assetId }) => assetId === attempt.assetId)
  if (own.length > 0) return receivedSum(arrived(attempt, own), attempt)
  const [first] = counted as [IncomingPayment]
  const same = counted.filter(({ assetId }) => assetId === first.assetId)
  return receivedSum(arrived(attempt, same), {
    assetId: first.assetId,
    decimals: decimalsOf(of, attempt, first),
  })
}

/** A provider may report a coin that is not known here. */
function decimalsOf(of: Case, attempt: Attempt, { assetId }: IncomingPayment): number {
  const own = assetId === attempt.assetId || attempt.provider !== null ? attempt.decimals : 0
  return assetId === attempt.assetId ? own : (of.assetOf(assetId)?.decimals ?? own)
}

/** What was received, in one coin; the value of payments in several. */
function receivedOfAll(
  of: Case,
  payer: AttemptCredit,
  chosen: readonly PaymentCredit[],
  value: bigint | null,
): Paying['received'] {
  const [first] = chosen as [PaymentCredit]
  const { assetId } = first.payment
  if (chosen.every(({ payment }) => payment.assetId === assetId)) {
    const byAttempt = Map.groupBy(chosen, ({ payment }) => payment.attemptId)
    const sums = [...byAttempt].map(([id, group]) => {
      const found = of.attempts.find(({ attempt }) => attempt.id === id)?.attempt ?? payer.attempt
      return arrived(
        found,
        group.map(({ payment }) => payment),
      )
    })
    return receivedSum(total(sums), { assetId, decimals: decimalsOf(of, payer.attempt, first.payment) })
  }
  if (value === null) {
    throw new Refusal(
      'conflict',
      'These payments are in different assets, and the value of one is unknown. Accept those in one asset.',
    )
  }
  return { receivedAmount: moneyBelow(value, of.order), receivedCurrency: of.order.currency }
}

function ruleOf(of: Case, { settled, price }: Sums): string {
  const { amount, currency } = of.order
  const money = (value: bigint) => `${moneyBelow(value, of.order)} ${currency}`
  const tolerance = toleranceOf(of)
  const enough = settled < price ? `, of which ${money(tolerance)} may be missing` : ''
  return `final payments count for ${money(settled)} of ${amount} ${currency}${enough}`
}

/** What counts of an attempt in the coin that it asked for, atomic. */
function confirmedBy({ attempt, credits }: AttemptCredit, counts: Counts): bigint {
  const counted = credits.filter(counts).map(({ payment }) => payment)
  return arrived(
    attempt,
    counted.filter(({ assetId }) => assetId === attempt.assetId),
  )
}

/** A buyer who pays in parts may cause more fees than usual. */
function shareBy(payer: AttemptCredit): number | null {
  const isOne = payer.credits.filter(isCounted).length === 1
  return isOne ? pageShareOf(payer.attempt, confirmedBy(payer, isCounted)) : null
}

/** What settled the order: the quote of the attempt that completed it, and all payments that count. */
function evidenceOf(
  of: Case,
  { credits, settled, price }: Pick<Sums, 'credits' | 'settled' | 'price'>,
  payer: AttemptCredit,
  counts: Counts,
): { [key: string]: Json } {
  const { attempt } = payer
  const paid = credits.filter(one => one.credits.some(counts))
  const confirmed = confirmedBy(payer, counts)
  return {
    dueAtomic: attempt.dueAtomic.toString(),
    thresholdAtomic: attempt.thresholdAtomic.toString(),
    confirmedAtomic: confirmed.toString(),
    missingAtomic: (confirmed < attempt.dueAtomic ? attempt.dueAtomic - confirmed : 0n).toString(),
    ...rateOf(attempt),
    credited: moneyBelow(settled, of.order),
    missing: settled < price ? moneyAbove(price - settled, of.order) : null,
    incomingPayments: paid.flatMap(one => one.credits.filter(counts).map(one => evidenceOfPayment(of, one))),
  }
}

/** What each attempt contributed, as the evidence and `payment.paid` list it. */
const partsOf = (of: Case, { credits }: Sums, counts: Counts) =>
  credits.filter(one => one.credits.some(counts)).map(credit => partOf(credit, of, counts))

function partOf(credit: AttemptCredit, { order }: Case, counts: Counts): { [key: string]: Json } {
  const { attempt, credits } = credit
  const counted = credits.filter(counts).map(({ payment }) => payment)
  return {
    attemptId: attempt.id,
    methodKey: attempt.methodKey,
    assetId: attempt.assetId,
    amount: fromUnitsShort(arrived(attempt, counted), attempt.decimals),
    credited: moneyBelow(creditedBy(credit, counts), order),
  }
}

const evidenceOfPayment = (
  { order, unmatched }: Case,
  { payment, value, rate, inTime }: PaymentCredit,
): { [key: string]: Json } => {
  const row = unmatched.find(({ incomingPaymentId }) => incomingPaymentId === payment.id)
  return {
    attemptId: payment.attemptId,
    source: payment.source,
    txId: payment.txId,
    txIndex: payment.txIndex,
    assetId: payment.assetId,
    amount: payment.amountAtomic.toString(),
    value: value === null ? null : moneyBelow(value, order),
    confirmations: payment.confirmations,
    height: payment.height,
    paidAt: payment.paidAt,
    minedAt: payment.minedAt,
    // The rate of what was late: null for a payment that arrived in time.
    lateRate: inTime === payment.amountAtomic ? null : rate,
    ...(row && { unmatchedId: row.id, reason: row.reason }),
    evidence: payment.evidence,
  }
}
