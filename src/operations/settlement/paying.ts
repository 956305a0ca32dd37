import { type AttemptCredit, arrived, creditedBy, wholeAgain } from '../../domain/coverage.ts'
import { asserted, Refusal } from '../../domain/errors.ts'
import { receivedSum } from '../../domain/fiat.ts'
import { total } from '../../domain/money.ts'
import { pageShareOf } from '../../domain/page-share.ts'
import { moneyAbove, moneyBelow, shareOf, VALUE_UNIT } from '../../domain/quote.ts'
import {
  type Counts,
  coinOf,
  evidenceOf,
  partsOf,
  paymentsIn,
  quoteEvidence,
} from '../../domain/settlement-evidence.ts'
import type { Paying, SettlementOutcome } from '../../domain/settlement-outcome.ts'
import type { Settlement } from '../../domain/transaction.ts'
import type { Assessment } from './assess.ts'
import type { Acceptance } from './case.ts'

/** The least share of a page's amount that a payout usually has, in millionths. The rest is a fee. */
const USUAL_SHARE = 950_000n

/** Selects the final payments that pay a part of the order. */
const isCounted: Counts = ({ payment, rest, inTime }) =>
  payment.state === 'final' && (inTime > 0n || (rest ?? 0n) > 0n)

/** Pays the order if its final payments cover it; null if they do not. */
export function coveringPaying(of: Assessment, reported: string | undefined): Paying | null {
  const { price, settled, attempts, tolerance } = of
  const payer = payerOf(of, isCounted, reported)
  if (payer === null || settled < price - tolerance) return null
  const counted = countedIn(of, isCounted)
  const isLate = counted.some(one => one.isLate)
  const missing = price - wholeAgain(total(attempts.map(worthOf)))
  const isQuoteExceeded = !isLate && creditedBy(payer) > payer.whole
  // An excess of less than a minor unit may be due to rounding, when coins were valued or split.
  const isAboveRounding = settled >= price + VALUE_UNIT || (isQuoteExceeded && settled > price)
  const isOverpaid = missing <= 0n && isAboveRounding
  const confirmedAtomic = confirmedBy(payer, isCounted)
  // Only a single payment shows the usual fees: a buyer who pays in parts may cause more of them.
  const isOne = payer.credits.filter(isCounted).length === 1
  return {
    ...payingWith(of, payer, isCounted, {
      verdict: isLate ? 'late' : missing > 0n ? 'short' : isOverpaid ? 'over' : 'exact',
      rule: ruleOf(of),
      missing,
      acceptedBy: null,
    }),
    received: receivedIn(of, payer, isCounted, [payer]),
    pageShare: isOne ? pageShareOf(payer.attempt, confirmedAtomic) : null,
    isOverpaid,
    lateValue: total(counted.map(({ rest }) => rest ?? 0n)),
  }
}

/** Pays the order with the payments that the merchant accepts, and with everything that is credited. */
export function acceptedPaying(of: Assessment, { ids, by, reason }: Acceptance): Paying {
  const { price, settled, order } = of
  const named = of.unmatched.filter(({ id }) => ids.has(id))
  const accepted = new Set(named.map(({ incomingPaymentId }) => incomingPaymentId))
  const isAccepted: Counts = ({ payment }) => accepted.has(payment.id)
  const counts: Counts = credit => isCounted(credit) || isAccepted(credit)
  const payer = payerOf(of, counts, named[0]?.attemptId)
  const found = countedIn(of, isAccepted)
  if (payer === null || found.length < accepted.size) {
    throw new Refusal(
      'conflict',
      'One of these payments belongs to another order, was taken back, or is being sent back.',
    )
  }
  const isValueKnown = found.every(({ rest }) => rest !== null)
  const isOneCoin = new Set(countedIn(of, counts).map(({ payment }) => payment.assetId)).size === 1
  if (!isOneCoin && !isValueKnown) {
    throw new Refusal(
      'conflict',
      'These payments are in different assets, and the value of one is unknown. Accept those in one asset.',
    )
  }
  return {
    ...payingWith(of, payer, counts, {
      verdict: 'accepted',
      rule: `accepted by ${by}${reason === null ? '' : `: ${reason}`}`,
      missing: isValueKnown ? price - settled : 0n,
      acceptedBy: by,
    }),
    received: isOneCoin
      ? receivedIn(of, payer, counts, of.attempts)
      : { receivedAmount: moneyBelow(settled, order), receivedCurrency: order.currency },
    pageShare: null,
    isOverpaid: false,
    lateValue: 0n,
  }
}

/** The attempt that completes the order: the reported one, or the one of the last payment. */
function payerOf(
  { attempts }: Assessment,
  counts: Counts,
  reported: string | undefined,
): AttemptCredit | null {
  const paid = attempts.filter(({ credits }) => credits.some(counts))
  const lastOf = ({ credits }: AttemptCredit) =>
    Math.max(...credits.filter(counts).map(({ payment }) => payment.paidAt))
  const latest = paid.toSorted((one, other) => lastOf(one) - lastOf(other)).at(-1)
  return paid.find(({ attempt }) => attempt.id === reported) ?? latest ?? null
}

const countedIn = ({ attempts }: Assessment, counts: Counts) =>
  attempts.flatMap(({ credits }) => credits.filter(counts))

/** An attempt's value, to find what is missing: a page is paid in full only if no less arrived than usual. */
function worthOf(credit: AttemptCredit): bigint {
  const { kind, dueAtomic, thresholdAtomic } = credit.attempt
  const sum = confirmedBy(credit, isCounted)
  const isUsual = sum >= shareOf(dueAtomic, USUAL_SHARE) && sum >= thresholdAtomic
  return creditedBy(kind === 'address' || isUsual ? credit : { ...credit, threshold: dueAtomic })
}

function ruleOf({ order, settled, price, tolerance }: Assessment): string {
  const money = (value: bigint) => `${moneyBelow(value, order)} ${order.currency}`
  const enough = settled < price ? `, of which ${money(tolerance)} may be missing` : ''
  return `final payments count for ${money(settled)} of ${order.amount} ${order.currency}${enough}`
}

interface Ruling extends Pick<Settlement, 'verdict' | 'rule'>, Pick<SettlementOutcome, 'acceptedBy'> {
  /** the unpaid part of the price; nothing is missing at 0 or below */
  missing: bigint
}

/** The common part of each `Paying`: the quote of the completing attempt, and all payments that count. */
function payingWith(
  of: Assessment,
  payer: AttemptCredit,
  counts: Counts,
  { verdict, rule, missing, acceptedBy }: Ruling,
): Omit<Paying, 'received' | 'pageShare' | 'isOverpaid' | 'lateValue'> {
  const { price, settled, order } = of
  const { attempt } = payer
  const counted = countedIn(of, counts)
  const confirmedAtomic = confirmedBy(payer, counts)
  const outcome = {
    late: counted.some(({ isLate }) => isLate),
    shortfall: missing > 0n ? moneyAbove(missing, order) : null,
    acceptedBy,
    parts: of.attempts.flatMap(credit => partsOf(of, credit, counts)),
  }
  const evidence = {
    ...{ ...outcome, ...quoteEvidence(attempt, confirmedAtomic), credited: moneyBelow(settled, order) },
    missing: settled < price ? moneyAbove(price - settled, order) : null,
    excess: missing <= -VALUE_UNIT ? moneyBelow(-missing, order) : null,
    incomingPayments: counted.map(one => evidenceOf(of, one)),
  }
  const payments = counted.map(({ payment }) => payment)
  return { attempt, payments, settlement: { verdict, rule, evidence }, outcome, confirmedAtomic, settled }
}

/** The sum that counts in the coin that an attempt asked for, atomic. */
const confirmedBy = (credit: AttemptCredit, counts: Counts): bigint =>
  arrived(credit.attempt, paymentsIn(credit, credit.attempt.assetId, counts))

/**
 * The sum of payments in the coin that the paying attempt asked for; without any, in the first coin that
 * arrived for it.
 */
function receivedIn(
  of: Assessment,
  payer: AttemptCredit,
  counts: Counts,
  from: readonly AttemptCredit[],
): Paying['received'] {
  const coins = payer.credits.filter(counts).map(({ payment }) => payment.assetId)
  const own = coins.find(coin => coin === payer.attempt.assetId)
  const coin = own ?? asserted(coins[0], 'something pays an order')
  const sums = from.map(one => arrived(one.attempt, paymentsIn(one, coin, counts)))
  return receivedSum(total(sums), coinOf(of, payer.attempt, coin))
}
