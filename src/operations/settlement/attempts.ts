import { type Attempt, type AttemptState, isOpen } from '../../domain/attempt.ts'
import { endedEarly } from '../../domain/blind-chain.ts'
import { type AttemptCredit, arrived, awaitedBy, creditedBy, wholeAgain } from '../../domain/coverage.ts'
import { type IncomingPayment, vanishedOf } from '../../domain/payment.ts'
import type { Assessment } from './assess.ts'
import { type Case, type Change, isClosed, type Outcome } from './case.ts'

/** Returns an order as the merchant ends it now, before its expiry: its locks and graces end too. */
export function endedCase(of: Case): { of: Case; changes: Change[] } {
  const ended = of.attempts.map(one => ({ ...one, end: endedEarly(one.attempt, of.now) }))
  const attempts = ended.map(({ attempt, end, payments }) => ({ attempt: { ...attempt, ...end }, payments }))
  const changes = ended.map(({ attempt, end }): Change => ({ do: 'change attempt', attempt, change: end }))
  return { of: { ...of, order: { ...of.order, expiresAt: of.now }, attempts }, changes }
}

/** The state of an attempt, by its payments and by those of the whole order. */
export function stateOf(of: Assessment, credit: AttemptCredit, outcome: Outcome): AttemptState {
  const { attempt, whole } = credit
  const closed = isClosed(outcome.status)
  if (attempt.id === outcome.paying?.attempt.id || (closed && attempt.state === 'settled')) return 'settled'
  if (wholeAgain(creditedBy(credit)) >= whole) return closed ? 'expired' : 'settled'
  if (attempt.id === outcome.failed?.id || isStillFailed(credit)) return 'failed'
  if (isConfirming(of, credit)) return 'confirming'
  const { kind, state } = attempt
  const isExpired = state === 'expired' || outcome.pageOver === attempt.id || outcome.status === 'EXPIRED'
  // Nobody can pay a second time on the page of a payment that was taken back.
  const isPageOver = kind === 'redirect' && (isExpired || of.takenBackOf(credit) > 0n)
  if (isPageOver || isGraceOver(credit, of.now)) return 'expired'
  return ownOf(credit).some(({ amountAtomic }) => amountAtomic > 0n) ? 'underpaid' : 'waiting'
}

/** A failed attempt opens again when more arrives than it had received before. */
const isStillFailed = (credit: AttemptCredit): boolean =>
  credit.attempt.state === 'failed' && arrived(credit.attempt, ownOf(credit)) <= credit.attempt.receivedAtomic

/** Returns true if seen payments will cover the attempt or the order once they are final. */
function isConfirming({ credited, price, tolerance }: Assessment, credit: AttemptCredit): boolean {
  const isUnconfirmed = credit.credits.some(({ payment, rest }) => payment.state === 'seen' && rest !== null)
  if (!isUnconfirmed) return false
  return wholeAgain(creditedBy(credit, () => true)) >= credit.whole || credited >= price - tolerance
}

/** Returns true if the grace is over and the chain was read after its end: no payment in time is missing. */
export const isGraceOver = ({ attempt: { checkedAt }, graceEnd }: AttemptCredit, now: number): boolean =>
  now >= graceEnd && checkedAt !== null && checkedAt >= graceEnd

/** The payments in the coin that the attempt asked for. */
const ownOf = ({ attempt, credits }: AttemptCredit): IncomingPayment[] =>
  credits.flatMap(({ payment }) => (payment.assetId === attempt.assetId ? [payment] : []))

/** Returns the changes of one attempt, with the event that merchants get about them. */
export function attemptChanges(of: Assessment, credit: AttemptCredit, outcome: Outcome): Change[] {
  const { attempt } = credit
  const { paying } = outcome
  const wanted = {
    state: stateOf(of, credit, outcome),
    ...amountsOf(credit, outcome),
    pageShare: attempt.id === paying?.attempt.id ? paying.pageShare : attempt.pageShare,
  }
  const isSame = (Object.keys(wanted) as (keyof typeof wanted)[]).every(key => wanted[key] === attempt[key])
  if (isSame) return []
  const type = eventOf(credit, wanted)
  return [
    { do: 'change attempt', attempt, change: { ...wanted, updatedAt: of.now } },
    ...(type ? [{ do: 'record event' as const, type, attempt }] : []),
  ]
}

/** The sums of an attempt, as lists and pages show them. */
function amountsOf(credit: AttemptCredit, { status, settles }: Outcome) {
  const closed = isClosed(status)
  // A closed order keeps the payments that settled it. All others are unmatched.
  const settling = credit.credits.filter(({ payment }) => settles(payment))
  const counted = closed ? { ...credit, credits: settling } : credit
  const own = ownOf(settling.length > 0 ? counted : credit)
  const arrivals = settling.length > 0 ? own : [...own, ...credit.unmined]
  const final = own.filter(({ state }) => state === 'final')
  const confirmations = (own.length > 0 ? own : arrivals).map(payment => payment.confirmations)
  const vanished = vanishedOf(credit.payments).map(({ updatedAt }) => updatedAt)
  return {
    receivedAtomic: arrived(credit.attempt, arrivals),
    confirmedAtomic: arrived(credit.attempt, final),
    confirmations: confirmations.length === 0 ? null : Math.min(...confirmations),
    credited: creditedBy(counted, () => true),
    settledCredit: creditedBy(counted),
    awaited: closed ? 0n : awaitedBy(credit.credits),
    graceUntil: credit.graceEnd,
    vanishedAt: vanished.length === 0 ? null : Math.max(...vanished),
  }
}

/** The event of a change. Null for the change that pays the order, and for changes without an event. */
function eventOf(
  { attempt, credits, payments, graceEnd }: AttemptCredit,
  { state, receivedAtomic, vanishedAt }: Pick<Attempt, 'state' | 'receivedAtomic' | 'vanishedAt'>,
): Extract<Change, { do: 'record event' }>['type'] | null {
  const isNew = state !== attempt.state
  switch (state) {
    case 'settled':
      return null
    case 'failed':
      return isNew && isOpen(attempt) ? 'payment.failed' : null
    case 'expired': {
      // There is no event while a payment counts, waits for the merchant's decision or may still be mined.
      if (credits.length > 0 || payments.some(one => one.state === 'seen')) return null
      // When the attempt expired, a payment that has vanished since may have held this event back.
      const wasHeld = payments.some(one => one.state === 'gone' && one.createdAt <= graceEnd)
      return isNew || (vanishedAt !== attempt.vanishedAt && wasHeld) ? 'payment.expired' : null
    }
    default:
      return isNew && receivedAtomic > 0n && attempt.receivedAtomic === 0n ? 'payment.processing' : null
  }
}
