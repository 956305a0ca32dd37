import type { Attempt } from '../../domain/attempt.ts'
import { asserted } from '../../domain/errors.ts'
import type { NotificationFacts } from '../../domain/notification-facts.ts'
import { type IncomingPayment, vanishedOf } from '../../domain/payment.ts'
import { isWorthMail } from '../../domain/payment-mail.ts'
import type { Case, Change } from './case.ts'

const notify = (facts: NotificationFacts): Change => ({ do: 'notify', facts })

/** The payments of an attempt before and after a report. */
interface Reported {
  before: readonly IncomingPayment[]
  after: readonly IncomingPayment[]
}

/**
 * Whom to tell of payments that left their chain or their block, or that are back. Settlements are never
 * reversed automatically, so a person has to know of a payment that settled an order, or that waits for the
 * merchant's decision. Of one that was only seen, nobody has to do anything unless nothing replaced it.
 */
export function movedNews(of: Case, attempt: Attempt, { before, after }: Reported): Change[] {
  const recorded = new Set(of.unmatched.map(({ incomingPaymentId }) => incomingPaymentId))
  const vanished = new Set(vanishedOf(after))
  return before.flatMap((payment): Change[] => {
    const { id, txId, state, height, settles, amountAtomic } = payment
    const now = asserted(
      after.find(one => one.id === id),
      'a known payment is kept',
    )
    const isBack = isMined(now) && !isMined(payment)
    const hasLeft = now.state === 'gone' ? state !== 'gone' : now.height === null && height !== null
    if (!isBack && !hasLeft) return []
    if (settles || recorded.has(id)) return knownNews(payment, isBack)
    if (!vanished.has(now)) return []
    const news = notify({ about: 'payment_vanished', txId })
    // The page said that the payment was detected, and may have been closed since.
    return isWorthMail(attempt, amountAtomic)
      ? [news, { do: 'mail buyer', kind: 'vanished', attempt }]
      : [news]
  })
}

const isMined = ({ state, height }: IncomingPayment): boolean => state !== 'gone' && height !== null

/** The news of a payment that a person knows of. */
function knownNews({ txId, settles }: IncomingPayment, isBack: boolean): Change[] {
  const event = isBack ? 'payment.returned' : 'payment.reorganised'
  const [gone, back] = settles
    ? (['payment_gone', 'payment_back'] as const)
    : (['unmatched_gone', 'unmatched_back'] as const)
  return [
    { do: 'log', level: settles && !isBack ? 'error' : 'warn', event, txId },
    notify({ about: isBack ? back : gone, txId }),
  ]
}
