import { type Attempt, type AttemptState, isOpen } from '../../domain/attempt.ts'
import { type AttemptCredit, arrived, awaitedBy, creditedBy } from '../../domain/coverage.ts'
import type { OrderStatus } from '../../domain/order.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import type { Case, Change } from './case.ts'
import { isGraceOver, type Sums, toleranceOf, wholeAgain } from './sums.ts'

/** How the order is after the decision, as far as its attempts depend on it. */
export interface Outcome {
  status: OrderStatus
  /** the attempt that has just completed it */
  payer: Attempt | null
  /** what its page brought, in millionths of due */
  pageShare: number | null
  /** the attempt that its provider has just said to have failed */
  failed: Attempt | null
  settles(payment: IncomingPayment): boolean
}

const isClosed = ({ status }: Outcome): boolean => status !== 'UNPAID' && status !== 'EXPIRED'

/** The state of an attempt, by its payments and by those of the whole order. */
export function stateOf(of: Case, sums: Sums, credit: AttemptCredit, outcome: Outcome): AttemptState {
  const { attempt } = credit
  if (attempt.id === outcome.payer?.id) return 'settled'
  if (isClosed(outcome) && attempt.state === 'settled') return 'settled'
  if (wholeAgain(creditedBy(credit)) >= credit.whole) return isClosed(outcome) ? 'expired' : 'settled'
  if (attempt.id === outcome.failed?.id || isStillFailed(credit)) return 'failed'
  if (isConfirming(of, sums, credit)) return 'confirming'
  return openState(of, credit, outcome)
}

/** Whether what was seen covers the attempt, or with the other attempts the order, once it is final. */
function isConfirming(of: Case, sums: Sums, credit: AttemptCredit): boolean {
  const isUnconfirmed = credit.credits.some(({ payment, rest }) => payment.state === 'seen' && rest !== null)
  if (!isUnconfirmed) return false
  const isCovered = wholeAgain(creditedBy(credit, () => true)) >= credit.whole
  return isCovered || sums.credited >= sums.price - toleranceOf(of)
}

/** What arrives after a failure opens the attempt again, what it had received before does not. */
const isStillFailed = (credit: AttemptCredit): boolean =>
  credit.attempt.state === 'failed' && arrived(credit.attempt, ownOf(credit)) <= credit.attempt.receivedAtomic

/** The state of an attempt that is not covered. */
function openState(of: Case, credit: AttemptCredit, { status }: Outcome): AttemptState {
  const { kind, state } = credit.attempt
  const hasReceived = ownOf(credit).some(({ amountAtomic }) => amountAtomic > 0n)
  const isPageOver = kind === 'redirect' && (state === 'expired' || status === 'EXPIRED')
  if (isPageOver || isGraceOver(credit, of.now)) return 'expired'
  return hasReceived ? 'underpaid' : 'waiting'
}

/** The payments in the coin that the attempt asked for. */
const ownOf = ({ attempt, credits }: AttemptCredit): IncomingPayment[] =>
  credits.flatMap(({ payment }) => (payment.assetId === attempt.assetId ? [payment] : []))

/** What changes about one attempt, and the event of it. */
export function attemptChanges(of: Case, sums: Sums, credit: AttemptCredit, outcome: Outcome): Change[] {
  const { attempt } = credit
  const wanted = {
    state: stateOf(of, sums, credit, outcome),
    ...amountsOf(of, credit, outcome),
    pageShare: attempt.id === outcome.payer?.id ? outcome.pageShare : attempt.pageShare,
  }
  const isSame = (Object.keys(wanted) as (keyof typeof wanted)[]).every(key => wanted[key] === attempt[key])
  if (isSame) return []
  return [
    { do: 'change attempt', attempt, change: { ...wanted, updatedAt: of.now } },
    ...eventOf(of, credit, wanted),
  ]
}

/** The sums of an attempt, as pages and people read them. */
function amountsOf(of: Case, credit: AttemptCredit, outcome: Outcome) {
  const closed = isClosed(outcome)
  // What settled an order stays known. What came beside it is unmatched.
  const settling = credit.credits.filter(({ payment }) => outcome.settles(payment))
  const shown = closed && settling.length > 0 ? { ...credit, credits: settling } : credit
  const counted = closed ? { ...credit, credits: settling } : credit
  const own = ownOf(shown)
  const final = own.filter(({ state }) => state === 'final')
  const confirmations = own.map(payment => payment.confirmations)
  return {
    receivedAtomic: arrived(credit.attempt, own),
    confirmedAtomic: arrived(credit.attempt, final),
    confirmations: confirmations.length === 0 ? null : Math.min(...confirmations),
    credited: creditedBy(counted, () => true),
    settledCredit: creditedBy(counted),
    awaited: closed ? 0n : awaitedBy(credit),
    graceUntil: credit.graceEnd,
    vanishedAt: vanishedAt(of, credit.attempt),
  }
}

/** When a payment left its chain that nothing has replaced since. */
function vanishedAt({ attempts }: Case, { id }: Attempt): number | null {
  const payments = attempts.find(({ attempt }) => attempt.id === id)?.payments ?? []
  const live = new Set(payments.flatMap(({ state, inputs }) => (state === 'gone' ? [] : inputs)))
  const gone = payments.filter(({ state, inputs }) => state === 'gone' && !inputs.some(one => live.has(one)))
  return gone.length === 0 ? null : Math.max(...gone.map(({ updatedAt }) => updatedAt))
}

/** Whether anything arrived that counts, waits for the merchant, or may still be mined. */
function hasMoney({ attempts }: Case, { attempt: { id }, credits }: AttemptCredit): boolean {
  const known = attempts.find(({ attempt }) => attempt.id === id)?.payments ?? []
  return credits.length > 0 || known.some(({ state }) => state === 'seen')
}

function eventOf(
  of: Case,
  credit: AttemptCredit,
  { state, receivedAtomic, vanishedAt }: Pick<Attempt, 'state' | 'receivedAtomic' | 'vanishedAt'>,
): Change[] {
  const { attempt } = credit
  const event = (type: 'payment.processing' | 'payment.expired' | 'payment.failed'): Change[] => [
    { do: 'record event', type, attempt },
  ]
  if (state === 'settled') return []
  if (state === 'expired') {
    const hasEnded = state !== attempt.state || (vanishedAt !== attempt.vanishedAt && wasHeld(of, credit))
    return hasEnded && !hasMoney(of, credit) ? event('payment.expired') : []
  }
  if (state === attempt.state) return []
  if (state === 'failed') return isOpen(attempt) ? event('payment.failed') : []
  return receivedAtomic > 0n && attempt.receivedAtomic === 0n ? event('payment.processing') : []
}

/** Whether a payment that has vanished was known when the attempt expired, so that nothing was sent then. */
const wasHeld = ({ attempts }: Case, { attempt, graceEnd }: AttemptCredit): boolean =>
  attempts.some(
    ({ attempt: { id }, payments }) =>
      id === attempt.id && payments.some(({ state, createdAt }) => state === 'gone' && createdAt <= graceEnd),
  )
