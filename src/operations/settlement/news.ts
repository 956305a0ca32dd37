import type { Attempt } from '../../domain/attempt.ts'
import { asserted } from '../../domain/errors.ts'
import type { NotificationFacts } from '../../domain/notification-facts.ts'
import { type IncomingPayment, vanishedOf } from '../../domain/payment.ts'
import { hasExcess, isValueWorthMail, isWorthMail, type PaymentMailKind } from '../../domain/payment-mail.ts'
import { arrivedText } from '../notices/sum-text.ts'
import { type Assessment, moneyBelow } from './assess.ts'
import type { Case, Change, Paying } from './case.ts'

const notify = (facts: NotificationFacts): Change => ({ do: 'notify', facts })

/** Notifies the merchant of a settlement that was late, short or too much, unless they accepted it. */
export function settlementNews(of: Assessment, paying: Paying): Change[] {
  const { amount, currency } = of.order
  const { attempt, outcome, settled } = paying
  if (outcome.acceptedBy !== null) return []
  const money = (value: bigint) => `${moneyBelow(value, of.order)} ${currency}`
  const coins = coinsOf(of, paying)
  const text = (atomic: bigint) => arrivedText(of, attempt, attempt.assetId, atomic)
  const sums =
    coins === null
      ? { arrived: money(settled), due: `${amount} ${currency}` }
      : { arrived: text(coins), due: text(attempt.dueAtomic) }
  const news: Change[] = []
  if (outcome.late) {
    const value = attempt.kind === 'redirect' ? null : money(paying.lateValue)
    news.push(notify({ about: 'settled_late', ...sums, value }))
  }
  if (outcome.shortfall !== null) {
    news.push(notify({ about: 'settled_short', ...sums, missing: `${outcome.shortfall} ${currency}` }))
  }
  if (paying.isOver) {
    const isCoins = coins !== null && !outcome.late
    const extra = isCoins ? text(coins - attempt.dueAtomic) : money(settled - of.price)
    news.push(notify({ about: 'settled_over', ...sums, extra }))
  }
  return news
}

/**
 * The amount that arrived for the only attempt that was paid, in its own coin, atomic; null if there were
 * several.
 */
function coinsOf(of: Case, { attempt, payments, confirmedAtomic }: Paying): bigint | null {
  const isOne = payments.every(one => one.attemptId === attempt.id && one.assetId === attempt.assetId)
  return isOne && attempt.priced === of.order.amount ? confirmedAtomic : null
}

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
export function movedNews(of: Case, attempt: Attempt, moved: Moved): Change[] {
  const { before, after, notified } = moved
  const recorded = new Set(of.unmatched.map(({ incomingPaymentId }) => incomingPaymentId))
  const vanished = new Set(vanishedOf(after))
  return before.flatMap((payment): Change[] => {
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

/**
 * Mails for the buyer, who may have closed the page: a part arrived, a payment settles nothing, or more
 * arrived than was due. One mail of each kind, and none about dust.
 */
export function buyerMails(of: Assessment, changes: readonly Change[]): Change[] {
  const mails = new Map(changes.flatMap(change => mailAbout(of, change)))
  return [...mails].map(([kind, attempt]) => ({ do: 'mail buyer', kind, attempt }))
}

function mailAbout(of: Assessment, change: Change): [PaymentMailKind, Attempt][] {
  if (change.do === 'change attempt') return isPart(of, change) ? [['part', change.attempt]] : []
  if (change.do === 'add unmatched') {
    const { value, attemptId, reason } = change.row
    const found = of.attempts.find(({ attempt }) => attempt.id === attemptId)
    const isReported = reason !== 'underpaid' && found && isValueWorthMail(of.order, value)
    return isReported ? [['unmatched', found.attempt]] : []
  }
  if (change.do !== 'pay' || !change.paying.isOver) return []
  const { attempt, confirmedAtomic, payments, settled } = change.paying
  const isShared = payments.some(({ attemptId }) => attemptId !== attempt.id)
  const excess = moneyBelow(settled - of.price, of.order)
  return hasExcess({ ...attempt, confirmedAtomic }) || (isShared && isValueWorthMail(of.order, excess))
    ? [['overpaid', attempt]]
    : []
}

function isPart(of: Assessment, changed: Extract<Change, { do: 'change attempt' }>): boolean {
  const isCovered = of.credited >= of.price - of.tolerance
  if (of.order.status !== 'UNPAID' || isCovered) return false
  const more = (changed.change.credited ?? 0n) - changed.attempt.credited
  return more > 0n && isValueWorthMail(of.order, moneyBelow(more, of.order))
}
