import type { Attempt } from '../../domain/attempt.ts'
import { hasExcess, isValueWorthMail, type PaymentMailKind } from '../../domain/payment-mail.ts'
import type { Case, Change } from './case.ts'
import { moneyBelow, type Sums, toleranceOf } from './sums.ts'

/**
 * What the buyer is written about a decision, who may have closed the page: a part that arrived, what settles
 * nothing, and what was more than was due. Once for each kind, and never about dust.
 */
export function buyerMails(of: Case, sums: Sums, changes: readonly Change[]): Change[] {
  const mails = new Map<PaymentMailKind, Attempt>()
  const isCovered = sums.credited >= sums.price - toleranceOf(of)
  for (const change of changes) {
    if (change.do === 'change attempt' && of.order.status === 'UNPAID' && !isCovered) {
      const more = (change.change.credited ?? 0n) - change.attempt.credited
      if (more > 0n && isValueWorthMail(of.order, moneyBelow(more, of.order)))
        mails.set('part', change.attempt)
    }
    if (change.do === 'add unmatched' && change.row.reason !== 'underpaid') {
      const { value, attemptId } = change.row
      const found = of.attempts.find(({ attempt }) => attempt.id === attemptId)
      if (found && isValueWorthMail(of.order, value)) mails.set('unmatched', found.attempt)
    }
    if (change.do === 'pay' && change.paying.isOver) {
      const { attempt, confirmedAtomic } = change.paying
      if (hasExcess({ ...attempt, confirmedAtomic })) mails.set('overpaid', attempt)
    }
  }
  return [...mails].map(([kind, attempt]) => ({ do: 'mail buyer', kind, attempt }))
}
