import type { Locale } from '../../views/locale.ts'
import type { Asset } from '../domain/asset.ts'
import type { Attempt } from '../domain/attempt.ts'
import { fromUnitsShort } from '../domain/money.ts'
import type { Order } from '../domain/order.ts'
import type { Overpaid } from '../domain/overpaid.ts'
import type { IncomingPayment } from '../domain/payment.ts'
import type { UnmatchedReason } from '../domain/settlement.ts'
import { coinName, money, tickerOf } from './amounts.ts'

interface ReceivedAmount {
  /** amount such as "12.5 USDC"; in the order's currency for a payment on a provider's page */
  amount: string
  /** value in the order's currency; null if unknown */
  worth: string | null
  /** the coin that was asked for; null on a provider's page, where buyers pay money */
  wanted: string | null
}

/**
 * Title and reason of a notice about a payment that settled nothing. If the payment came before the order was
 * paid or ended, the notice does not say that it came later.
 */
export function noticeOf(
  { paidAt, forcedAt, cancelledAt }: Order,
  reason: UnmatchedReason,
  incoming: Pick<IncomingPayment, 'paidAt'>,
): { title: UnmatchedReason | 'overpaid'; reason: UnmatchedReason } {
  const isBefore = (end: number | null) => end !== null && incoming.paidAt < end
  // A part that left its chain, and came back when another payment had paid the order, was not needed.
  const isSpare = reason === 'underpaid' && paidAt !== null && forcedAt === null
  if (isSpare || (reason === 'second_payment' && isBefore(paidAt)))
    return { title: 'overpaid', reason: 'underpaid' }
  if (reason === 'order_closed' && isBefore(forcedAt ?? cancelledAt))
    return { title: 'underpaid', reason: 'underpaid' }
  return { title: reason, reason }
}

/**
 * A sentence for buyers about a payment that settled nothing. Names the value only if it differs from the
 * amount.
 */
export function receivedSentence(
  { texts }: Locale,
  reason: UnmatchedReason,
  { amount, worth, wanted }: ReceivedAmount,
): string {
  const { received } = texts.notices
  const value = worth === amount ? null : worth
  const coins = amount
  if (reason === 'wrong_asset' && wanted !== null) return received.wrong_asset({ coins, wanted })
  const said = reason === 'wrong_asset' ? 'underpaid' : reason
  if (value === null || (said !== 'underpaid' && said !== 'late')) return received[said]({ coins })
  return received[said === 'late' ? 'lateWorth' : 'underpaidWorth']({ coins, value })
}

/** The coin that an attempt asked for; null on a provider's page. */
export const wantedOf = (
  locale: Locale,
  { kind, assetId, methodName }: Pick<Attempt, 'kind' | 'assetId' | 'methodName'>,
  { asset }: { asset(id: string): Asset | undefined },
): string | null => (kind === 'redirect' ? null : coinName(locale, asset(assetId)?.name ?? methodName))

/** A sentence about an excess: in the coin of the payment, or in money if it comes from several payments. */
export function overpaidSentence(
  locale: Locale,
  { attempt, coins, received }: Overpaid,
  order: Pick<Order, 'amount' | 'currency'>,
): string {
  const { overpaid } = locale.texts.notices.received
  if (coins === null)
    return overpaid({
      coins: money(locale, { ...order, amount: received }),
      due: money(locale, order),
    })
  const inCoins = (atomic: bigint) =>
    `${fromUnitsShort(atomic, attempt.decimals)} ${tickerOf(attempt.assetId)}`
  return overpaid({ coins: inCoins(coins.received), due: inCoins(coins.due) })
}
