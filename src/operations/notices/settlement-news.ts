import type { Asset } from '../../domain/asset.ts'
import { ROUNDED } from '../../domain/attempt.ts'
import { minorOf } from '../../domain/money.ts'
import type { NotificationFacts } from '../../domain/notification-facts.ts'
import type { Order } from '../../domain/order.ts'
import { moneyBelow, VALUE_UNIT } from '../../domain/quote.ts'
import type { Paying } from '../../domain/settlement-outcome.ts'
import { arrivedText } from './sum-text.ts'

interface PaidOrder {
  order: Order
  /** the order's amount, in units of value */
  price: bigint
  assetOf(id: string): Asset | undefined
}

/** The notifications of a settlement that was late, too low or too high, unless the merchant accepted it. */
export function settlementNews(of: PaidOrder, paying: Paying): NotificationFacts[] {
  const { amount, currency } = of.order
  const { attempt, outcome, settled } = paying
  const { shortfall } = outcome
  if (outcome.acceptedBy !== null) return []
  const money = (value: bigint) => `${moneyBelow(value, of.order)} ${currency}`
  const coins = coinsOf(of, paying)
  const text = (atomic: bigint) => arrivedText(of, attempt, attempt.assetId, atomic)
  // A provider's page can count as paid in full with less than its amount: `settled` is more than arrived.
  const arrived = shortfall === null ? settled : of.price - minorOf(shortfall, currency) * VALUE_UNIT
  const inMoney = { arrived: money(arrived), due: `${amount} ${currency}` }
  const sums = coins === null ? inMoney : { arrived: text(coins), due: text(attempt.dueAtomic) }
  // A late payment counts by its value, so its coins show neither what is missing nor what is too much.
  const counted = outcome.late ? inMoney : sums
  const news: NotificationFacts[] = []
  if (outcome.late) {
    const value = attempt.kind === 'redirect' ? null : money(paying.lateValue)
    // Coins that came in time are not in the value of those that came late.
    const isAllLate = settled - paying.lateValue < ROUNDED
    news.push({ about: 'settled_late', ...(value === null || isAllLate ? sums : inMoney), value })
  }
  if (shortfall !== null)
    news.push({ about: 'settled_short', ...counted, missing: `${shortfall} ${currency}` })
  if (paying.isOverpaid) {
    const isCoins = coins !== null && !outcome.late
    const extra = isCoins ? text(coins - attempt.dueAtomic) : money(settled - of.price)
    news.push({ about: 'settled_over', ...counted, extra })
  }
  return news
}

/** The atomic amount that arrived, if all payments are in the coin of a single attempt; null otherwise. */
function coinsOf({ order }: PaidOrder, { attempt, payments, confirmedAtomic }: Paying): bigint | null {
  const isOne = payments.every(one => one.attemptId === attempt.id && one.assetId === attempt.assetId)
  return isOne && attempt.priced === order.amount ? confirmedAtomic : null
}
