import type { Attempt } from '../../domain/attempt.ts'
import { hasExcess, isValueWorthMail, type PaymentMailKind } from '../../domain/payment-mail.ts'
import { moneyBelow } from '../../domain/quote.ts'
import type { Assessment } from './assess.ts'
import type { Change } from './case.ts'

/**
 * Mails for the buyer, who may have closed the page: a part arrived, a payment settles nothing, or more
 * arrived than was due. At most one mail of each kind is sent, and none about a very small amount.
 */
export function buyerMails(of: Assessment, changes: readonly Change[]): Change[] {
  const isPaid = changes.some(change => change.do === 'pay')
  const mails = new Map(changes.flatMap(change => mailAbout(of, change, isPaid)))
  return [...mails].map(([kind, attempt]) => ({ do: 'mail buyer', kind, attempt }))
}

function mailAbout(of: Assessment, change: Change, isPaid: boolean): [PaymentMailKind, Attempt][] {
  if (change.do === 'change attempt') return !isPaid && isPart(of, change) ? [['part', change.attempt]] : []
  if (change.do === 'add unmatched') {
    const { value, attemptId, reason } = change.row
    const found = of.attempts.find(({ attempt }) => attempt.id === attemptId)
    const isReported = reason !== 'underpaid' && found && isValueWorthMail(of.order, value)
    return isReported ? [['unmatched', found.attempt]] : []
  }
  if (change.do !== 'pay' || !change.paying.isOverpaid) return []
  const { attempt, confirmedAtomic, payments, settled } = change.paying
  // The amount that a provider passes on varies, so its only payment has no excess.
  const isKnown = attempt.kind === 'address' || payments.some(({ attemptId }) => attemptId !== attempt.id)
  const excess = moneyBelow(settled - of.price, of.order)
  const isSent = hasExcess({ ...attempt, confirmedAtomic }) || (isKnown && isValueWorthMail(of.order, excess))
  return isSent ? [['overpaid', attempt]] : []
}

function isPart(of: Assessment, changed: Extract<Change, { do: 'change attempt' }>): boolean {
  const isCovered = of.credited >= of.price - of.tolerance
  if (of.order.status !== 'UNPAID' || isCovered) return false
  const more = (changed.change.credited ?? 0n) - changed.attempt.credited
  return more > 0n && isValueWorthMail(of.order, moneyBelow(more, of.order))
}
