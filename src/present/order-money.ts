import type { MoneyModel, OtherPayment } from '../../views/checkout/model.ts'
import type { Locale } from '../../views/locale.ts'
import type { Asset } from '../domain/asset.ts'
import { askedMinor, leftMinor } from '../domain/attempt.ts'
import { amountOf, minorOf } from '../domain/money.ts'
import { VALUE_UNIT } from '../domain/quote.ts'
import type { Checkout } from '../operations/payments/load-checkout.ts'
import { coinName, money } from './amounts.ts'
import { otherAttempts } from './attempt.ts'

/**
 * What the head of every page says about money while the order is not paid; null while nothing has arrived.
 * The order's sums are the truth: no other part of a page adds up payments.
 */
export function presentMoney(locale: Locale, { order, attempts, merchant }: Checkout): MoneyModel | null {
  const { amount, currency, status } = order
  if (status !== 'UNPAID' && status !== 'EXPIRED') return null
  const { money: texts } = locale.texts
  const format = (minor: bigint) => money(locale, { amount: amountOf(minor, currency), currency })
  const credited = attempts.reduce((sum, one) => sum + one.credited, 0n) / VALUE_UNIT
  const awaited = attempts.map(one => one.awaited)
  const waiting = awaited.includes(null) ? null : awaited.reduce<bigint>((sum, one) => sum + (one ?? 0n), 0n)
  if (credited === 0n && waiting === 0n) return null
  const left = leftMinor(order, attempts)
  const total = money(locale, order)
  const isAsked = status === 'UNPAID' && askedMinor(order, attempts) > 0n
  const received = minorOf(amount, currency) - left
  const lines: string[] = []
  if (credited > 0n && isAsked) lines.push(texts.received(format(received), total, format(left)))
  else if (credited > 0n) lines.push(texts.receivedAll(format(credited), total))
  if (waiting === null) lines.push(texts.awaitingUnknown(merchant.name))
  else if (waiting >= VALUE_UNIT) lines.push(texts.awaiting(format(waiting / VALUE_UNIT), merchant.name))
  if (status === 'UNPAID' && left > 0n && !isAsked) lines.push(texts.tooSmall(format(left)))
  return { lines }
}

interface OtherContext {
  now: number
  asset(id: string): Asset | undefined
}

/** The other payments with which the buyer can go on. */
export const presentOthers = (
  locale: Locale,
  { order, attempts }: Checkout,
  { now, asset }: OtherContext,
): OtherPayment[] =>
  otherAttempts(order, attempts, now).map(({ kind, assetId, methodKey, methodName, credited }) => ({
    assetId: kind === 'address' ? assetId : null,
    methodKey,
    name: kind === 'address' ? coinName(locale, asset(assetId)?.name ?? methodName) : methodName,
    received:
      credited < VALUE_UNIT
        ? null
        : money(locale, {
            amount: amountOf(credited / VALUE_UNIT, order.currency),
            currency: order.currency,
          }),
  }))
