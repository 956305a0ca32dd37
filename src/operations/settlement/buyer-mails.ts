import type { Attempt } from '../../domain/attempt.ts'
import { hasExcess, isValueWorthMail, type PaymentMailKind } from '../../domain/payment-mail.ts'
import type { Case, Change } from './case.ts'
import { moneyBelow, type Sums, toleranceOf } from './sums.ts'

/**
 * What the buyer is written about a decision, who may have closed the page: a part that arrived, what settles
 * nothing, and what was more than was due. Once for each kind, and never about dust.
 */
export function buyerMails(of: Case, sums: Sums, changes: readonly Change[]): Change[] {
  const mails = new Map(changes.flatMap(change => mailAbout(of, sums, change)))
  return [...mails].map(([kind, attempt]) => ({ do: 'mail buyer', kind, attempt }))
}

function mailAbout(of: Case, sums: Sums, change: Change): [PaymentMailKind, Attempt][] {
  if (change.do === 'change attempt') return isPart(of, sums, change) ? [['part', change.attempt]] : []
  if (change.do === 'add unmatched') {
    const { value, attemptId, reason } = change.row
    const found = of.attempts.find(({ attempt }) => attempt.id === attemptId)
    const isReported = reason !== 'underpaid' && found && isValueWorthMail(of.order, value)
    return isReported ? [['unmatched', found.attempt]] : []
  }
  if (change.do !== 'pay' || !change.paying.isOver) return []
  const { attempt, confirmedAtomic, payments, settled } = change.paying
  const isShared = payments.some(({ attemptId }) => attemptId !== attempt.id)
  const excess = moneyBelow(settled - sums.price, of.order)
  return hasExcess({ ...attempt, confirmedAtomic }) || (isShared && isValueWorthMail(of.order, excess))
    ? [['overpaid', attempt]]
    : []
}

function isPart(of: Case, sums: Sums, changed: Extract<Change, { do: 'change attempt' }>): boolean {
  const isCovered = sums.credited >= sums.price - toleranceOf(of)
  if (of.order.status !== 'UNPAID' || isCovered) return false
  const more = (changed.change.credited ?? 0n) - changed.attempt.credited
  return more > 0n && isValueWorthMail(of.order, moneyBelow(more, of.order))
}
