import type { Attempt } from '../../domain/attempt.ts'
import { asserted } from '../../domain/errors.ts'
import type { NotificationFacts } from '../../domain/notification-facts.ts'
import type { Order } from '../../domain/order.ts'
import { type IncomingPayment, vanishedOf } from '../../domain/payment.ts'
import { isWorthMail, type PaymentMailKind } from '../../domain/payment-mail.ts'
import type { UnmatchedPayment } from '../../domain/settlement.ts'
import type { Tables } from '../../storage/port.ts'
import type { PaymentReport } from './merge.ts'

/** News about payments: for people, for a buyer or for the log. */
export type News =
  | { do: 'notify'; facts: NotificationFacts }
  | { do: 'mail buyer'; kind: PaymentMailKind; attempt: Attempt }
  | { do: 'log'; level: 'warn' | 'error'; event: string; txId: string }

/** The first transaction that forwarded the payment of a paid order. */
export type Forwarding = { do: 'set outgoing transaction'; txOut: string; transactionId: string }

export const notify = (facts: NotificationFacts): News => ({ do: 'notify', facts })

/** The payments of an attempt before and after a report. */
interface Moved {
  before: readonly IncomingPayment[]
  after: readonly IncomingPayment[]
  /** the transactions that people were notified of before, because they had disappeared */
  notified: ReadonlySet<string>
}

/** The transactions that just left the mempool and, as far as is known, were never in a block. */
export const leftMempool = ({ before, after }: Omit<Moved, 'notified'>): string[] =>
  before
    .filter(({ id, state, height }) => {
      const current = after.find(one => one.id === id)
      return state === 'seen' && height === null && current?.state === 'gone'
    })
    .map(({ txId }) => txId)

/**
 * The news of payments that left their chain or their block, or that are back. Settlements are never reversed
 * automatically, so the merchant is notified if the payment settled an order or waits for their decision. For
 * such a payment, only blocks count: returning to the mempool or leaving it again is no news. Any other
 * payment is news only if nothing replaced it, and only once, because wallets send it again and again.
 */
export function movedNews(
  { unmatched }: { unmatched: readonly Pick<UnmatchedPayment, 'incomingPaymentId'>[] },
  attempt: Attempt,
  { before, after, notified }: Moved,
): News[] {
  const recorded = new Set(unmatched.map(({ incomingPaymentId }) => incomingPaymentId))
  const vanished = new Set(vanishedOf(after))
  return before.flatMap((payment): News[] => {
    const { id, txId, state, height, settles } = payment
    const current = asserted(
      after.find(one => one.id === id),
      'a known payment is kept',
    )
    const isBack = isMined(current) && !isMined(payment)
    const hasLeft = isMined(payment) && !isMined(current)
    if (settles || recorded.has(id)) return isBack || hasLeft ? recordedNews(payment, isBack) : []
    if (state === 'gone' || !vanished.has(current) || (height === null && notified.has(txId))) return []
    return vanishedNews(attempt, payment)
  })
}

/** News of a payment that will never arrive: its chain lost it, or its provider says that it failed. */
function vanishedNews(attempt: Attempt, { txId, amountAtomic }: IncomingPayment): News[] {
  const { kind, methodName: method } = attempt
  const news = notify(
    kind === 'redirect' ? { about: 'payment_failed', method, txId } : { about: 'payment_vanished', txId },
  )
  // The page showed the payment as detected, and the buyer may have closed the page since, so a mail says
  // that the payment vanished.
  return isWorthMail(attempt, amountAtomic) ? [news, { do: 'mail buyer', kind: 'vanished', attempt }] : [news]
}

const isMined = ({ state, height }: IncomingPayment): boolean => state !== 'gone' && height !== null

/** News of a payment that settled an order or is recorded as unmatched. */
function recordedNews({ txId, settles }: IncomingPayment, isBack: boolean): News[] {
  const event = isBack ? 'payment.returned' : 'payment.reorganised'
  const [gone, back] = settles
    ? (['payment_gone', 'payment_back'] as const)
    : (['unmatched_gone', 'unmatched_back'] as const)
  return [
    { do: 'log', level: settles && !isBack ? 'error' : 'warn', event, txId },
    notify({ about: isBack ? back : gone, txId }),
  ]
}

/** Returns the first transaction that forwarded the payment of an order, unless it is known. */
export function forwardingOf(
  { transactionId, providerTxOut }: Pick<Order, 'transactionId' | 'providerTxOut'>,
  payments: readonly IncomingPayment[],
  { outflows = [] }: Pick<PaymentReport, 'outflows'>,
): Forwarding[] {
  if (transactionId === null || providerTxOut !== null) return []
  const txIds = new Set(outflows.map(({ txId }) => txId))
  const swept = payments.find(({ settles, txOut }) => settles && txOut !== null && txIds.has(txOut))
  return swept?.txOut ? [{ do: 'set outgoing transaction', txOut: swept.txOut, transactionId }] : []
}

/** Max notifications of an order that are searched. */
const NOTICES_MAX = 100

/** The transactions that the merchant was notified of before because they had left the mempool. */
export async function loadNotified(
  tables: Tables,
  { orderId }: Attempt,
  left: readonly string[],
): Promise<ReadonlySet<string>> {
  const notices = left.length > 0 ? await tables.notifications.listOfOrder(orderId, NOTICES_MAX) : []
  return new Set(notices.flatMap(({ facts }) => (facts.about === 'payment_vanished' ? [facts.txId] : [])))
}
