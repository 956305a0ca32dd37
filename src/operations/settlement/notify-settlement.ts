import { arrived } from '../../domain/coverage.ts'
import { minorOf } from '../../domain/money.ts'
import type { NotificationFacts } from '../../domain/notification-facts.ts'
import type { Order } from '../../domain/order.ts'
import { VALUE_UNIT } from '../../domain/quote.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { notifyMerchant } from '../merchants/steps/notify.ts'
import type { Case, Paying } from './case.ts'
import { arrivedText } from './sum-text.ts'
import { moneyBelow } from './sums.ts'

type NotifyContext = Pick<Context, 'clock' | 'ids'>

/**
 * Notifies the people of the shop that an order was paid, and of a settlement that was late, short or too
 * much.
 */
export async function notifySettlement(
  context: NotifyContext,
  tables: Tables,
  order: Order,
  { of, paying }: { of: Case; paying: Paying },
): Promise<void> {
  const notify = (facts: NotificationFacts) => notifyMerchant(context, tables, order, facts)
  const { amount, currency, externalId } = order
  const channels = await tables.personChannels.listOfMerchant(order.merchantId)
  if (!channels.every(({ muted }) => muted.includes('order_paid'))) {
    await notify({ about: 'order_paid', amount: `${amount} ${currency}`, number: externalId })
  }
  const { outcome, isOver, settled, attempt } = paying
  const sums = sumsText(of, paying)
  if (outcome.late) {
    const value = attempt.kind === 'redirect' ? null : `${moneyBelow(paying.lateValue, order)} ${currency}`
    await notify({ about: 'settled_late', ...sums, value })
  }
  if (outcome.shortfall !== null) {
    await notify({ about: 'settled_short', ...sums, missing: `${outcome.shortfall} ${currency}` })
  }
  if (!isOver) return
  const extra = moneyBelow(settled - minorOf(amount, currency) * VALUE_UNIT, order)
  const coins = coinsOf(of, paying)
  const isCoins = coins !== null && !outcome.late
  const more = isCoins
    ? arrivedText(of, attempt, attempt.assetId, coins - attempt.dueAtomic)
    : `${extra} ${currency}`
  await notify({ about: 'settled_over', ...sums, extra: more })
}

/**
 * What arrived for the only attempt that was paid, in its own coin, atomic; null where there were several.
 */
function coinsOf(of: Case, { attempt, payments }: Paying): bigint | null {
  const isOne = payments.every(one => one.attemptId === attempt.id && one.assetId === attempt.assetId)
  return isOne && attempt.priced === of.order.amount ? arrived(attempt, payments) : null
}

/** What arrived and what was due: coins, or the values of parts that were paid in several ways. */
function sumsText(of: Case, paying: Paying): { arrived: string; due: string } {
  const { attempt, settled } = paying
  const coins = coinsOf(of, paying)
  const { amount, currency } = of.order
  if (coins === null) {
    return { arrived: `${moneyBelow(settled, of.order)} ${currency}`, due: `${amount} ${currency}` }
  }
  const text = (atomic: bigint) => arrivedText(of, attempt, attempt.assetId, atomic)
  return { arrived: text(coins), due: text(attempt.dueAtomic) }
}
