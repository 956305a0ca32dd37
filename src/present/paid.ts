import type { Part } from '../../views/checkout/model.ts'
import type { Locale } from '../../views/locale.ts'
import type { Asset } from '../domain/asset.ts'
import { arrived } from '../domain/coverage.ts'
import { fromUnitsShort } from '../domain/money.ts'
import { allOf } from '../domain/opening.ts'
import type { Order } from '../domain/order.ts'
import { moneyBelow } from '../domain/quote.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import type { Checkout } from '../operations/payments/load-checkout.ts'
import { listOf, money, tickerOf } from './amounts.ts'
import { currentOf } from './attempt.ts'

type PaidPart = Extract<Part, { kind: 'paid' }>

interface Assets {
  asset(id: string): Asset | undefined
}

/** Part of the page of a paid order: the amounts that paid it, and the refunded sum. */
export const presentPaid = (locale: Locale, checkout: Checkout, assets: Assets): PaidPart => ({
  kind: 'paid',
  paidAt: formatTimestamp(checkout.order.paidAt ?? checkout.order.updatedAt),
  ...paidWith(locale, checkout, assets),
  refunded: refundedOf(locale, checkout.order),
})

const refundedOf = (locale: Locale, { refundedAmount, refundStatus, currency }: Order) =>
  refundedAmount === null
    ? null
    : { amount: money(locale, { amount: refundedAmount, currency }), isFull: refundStatus === 'FULL' }

/** The coins or the method that paid an order; null for an order that the shop has marked as paid. */
function paidWith(locale: Locale, checkout: Checkout, assets: Assets): Pick<PaidPart, 'coins' | 'method'> {
  const parts = partsOf(locale, checkout, assets)
  if (parts.length === 0) return { coins: null, method: null }
  const attempt = currentOf(checkout.order, allOf(checkout), checkout.attempts)
  return parts.length > 1 || attempt?.kind === 'address'
    ? { coins: listOf(locale, parts), method: null }
    : { coins: null, method: attempt?.methodName ?? null }
}

/** Key of the sum that was paid on pages of providers, in the order's currency. */
const MONEY = 'money'

/**
 * Amounts that paid the order: one for each coin, and one for everything that was paid on pages of providers.
 */
function partsOf(
  locale: Locale,
  { order: { currency }, attempts, payments }: Checkout,
  { asset }: Assets,
): string[] {
  const sums = new Map<string, bigint>()
  const add = (key: string, amount: bigint) => sums.set(key, (sums.get(key) ?? 0n) + amount)
  for (const attempt of attempts) {
    const own = payments.filter(({ settles, attemptId }) => settles && attemptId === attempt.id)
    if (own.length > 0 && attempt.kind === 'redirect') add(MONEY, attempt.settledCredit)
    else for (const [key, some] of Map.groupBy(own, one => one.assetId)) add(key, arrived(attempt, some))
  }
  return [...sums].map(([key, sum]) => {
    if (key === MONEY) return money(locale, { amount: moneyBelow(sum, { currency }), currency })
    const decimals = (attempts.find(({ assetId }) => assetId === key) ?? asset(key))?.decimals
    return decimals === undefined
      ? locale.texts.notices.otherCoin
      : `${fromUnitsShort(sum, decimals)} ${tickerOf(key)}`
  })
}
