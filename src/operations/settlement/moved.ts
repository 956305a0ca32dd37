import type { IncomingPayment } from '../../domain/payment.ts'
import { isWorthMail } from '../../domain/payment-mail.ts'
import type { Case, Change } from './case.ts'
import type { Merged } from './merge.ts'

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
