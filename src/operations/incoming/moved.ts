import type { Attempt } from '../../domain/attempt.ts'
import { asserted } from '../../domain/errors.ts'
import type { NotificationFacts } from '../../domain/notification-facts.ts'
import { type IncomingPayment, vanishedOf } from '../../domain/payment.ts'
import { isWorthMail, type PaymentMailKind } from '../../domain/payment-mail.ts'
import type { UnmatchedPayment } from '../../domain/settlement.ts'
import type { Tables } from '../../storage/port.ts'

/** Something to tell about payments. */
export type News =
  | { do: 'notify'; facts: NotificationFacts }
  | { do: 'mail buyer'; kind: PaymentMailKind; attempt: Attempt }
  | { do: 'log'; level: 'warn' | 'error'; event: string; txId: string }

export const notify = (facts: NotificationFacts): News => ({ do: 'notify', facts })

/** The payments of an attempt before and after a report. */
interface Moved {
  before: readonly IncomingPayment[]
  after: readonly IncomingPayment[]
  /** the transactions whose disappearance people were notified of before */
  notified: ReadonlySet<string>
}

/** The transactions that just left the mempool, and were never in a block as far as is known. */
export const leftMempool = ({ before, after }: Omit<Moved, 'notified'>): string[] =>
  before
    .filter(({ id, state, height }) => {
      const now = after.find(one => one.id === id)
      return state === 'seen' && height === null && now?.state === 'gone'
    })
    .map(({ txId }) => txId)

/**
 * Notifies people of payments that left their chain or their block, or that are back. Settlements are never
 * reversed automatically, so the merchant has to know if the payment settled an order or waits for their
 * decision: of those, a return to the mempool is no news, and neither is leaving it again. A payment that was
 * only seen is news if nothing replaced it, and once: wallets send it again and again.
 */
export function movedNews(
  { unmatched }: { unmatched: readonly Pick<UnmatchedPayment, 'incomingPaymentId'>[] },
  attempt: Attempt,
  { before, after, notified }: Moved,
): News[] {
  const recorded = new Set(unmatched.map(({ incomingPaymentId }) => incomingPaymentId))
  const vanished = new Set(vanishedOf(after))
  return before.flatMap((payment): News[] => {
    const { id, txId, state, height, settles, amountAtomic } = payment
    const now = asserted(
      after.find(one => one.id === id),
      'a known payment is kept',
    )
    const isBack = isMined(now) && !isMined(payment)
    const hasLeft = isMined(payment) && !isMined(now)
    if (settles || recorded.has(id)) return isBack || hasLeft ? knownNews(payment, isBack) : []
    if (state === 'gone' || !vanished.has(now) || (height === null && notified.has(txId))) return []
    const news = notify({ about: 'payment_vanished', txId })
    // The page said that the payment was detected, and may have been closed since.
    return isWorthMail(attempt, amountAtomic)
      ? [news, { do: 'mail buyer', kind: 'vanished', attempt }]
      : [news]
  })
}

const isMined = ({ state, height }: IncomingPayment): boolean => state !== 'gone' && height !== null

/** News of a payment that settled an order or is recorded as unmatched. */
function knownNews({ txId, settles }: IncomingPayment, isBack: boolean): News[] {
  const event = isBack ? 'payment.returned' : 'payment.reorganised'
  const [gone, back] = settles
    ? (['payment_gone', 'payment_back'] as const)
    : (['unmatched_gone', 'unmatched_back'] as const)
  return [
    { do: 'log', level: settles && !isBack ? 'error' : 'warn', event, txId },
    notify({ about: isBack ? back : gone, txId }),
  ]
}

const NOTICES_MAX = 100

/** Of transactions that have left the mempool, those that the merchant was notified of before. */
export async function loadNotified(
  tables: Tables,
  { orderId }: Attempt,
  left: readonly string[],
): Promise<ReadonlySet<string>> {
  const notices = left.length > 0 ? await tables.notifications.listOfOrder(orderId, NOTICES_MAX) : []
  return new Set(notices.flatMap(({ facts }) => (facts.about === 'payment_vanished' ? [facts.txId] : [])))
}
