import type { MoneyModel, OtherPayment, Part } from '../../views/checkout/model.ts'
import type { Locale } from '../../views/locale.ts'
import type { Asset } from '../domain/asset.ts'
import { type Attempt, hasPayments, leftMinor, restMinor } from '../domain/attempt.ts'
import { isElsewhere } from '../domain/elsewhere.ts'
import { areBeside } from '../domain/lightning.ts'
import { amountOf, minorOf } from '../domain/money.ts'
import type { IncomingPayment } from '../domain/payment.ts'
import { VALUE_UNIT } from '../domain/quote.ts'
import type { Checkout } from '../operations/payments/load-checkout.ts'
import { coinName, money, tickerOf } from './amounts.ts'
import { presentAwaited, shownOf, usableAttempts } from './attempt.ts'
import { coinsOn } from './elsewhere.ts'
import { amountIn } from './payment-amounts.ts'
import { unminedOf } from './unmined.ts'

type AssetContext = Parameters<typeof coinsOn>[2] & { now: number }

/**
 * The lines about money at the head of every page until the order is paid; null while nothing has arrived.
 * They come from the order's sums: no other part of a page adds up payments.
 */
export function presentMoney(locale: Locale, checkout: Checkout, context: AssetContext): MoneyModel | null {
  const { status } = checkout.order
  if (checkout.attempts.length === 0) return null
  if (status !== 'UNPAID' && status !== 'EXPIRED') return null
  const lines = creditLines(locale, checkout)
  const missing = shownOf(checkout).asked === 0n ? [] : missingLines(locale, checkout, context)
  return lines.length + missing.length === 0 ? null : { lines, missing }
}

function creditLines(locale: Locale, checkout: Checkout): string[] {
  const { order, attempts } = checkout
  const { amount, currency, status } = order
  const { money: texts } = locale.texts
  const format = (minor: bigint) => money(locale, { amount: amountOf(minor, currency), currency })
  const credited = attempts.reduce((sum, one) => sum + one.credited, 0n) / VALUE_UNIT
  const isAsked = status === 'UNPAID' && shownOf(checkout).asked > 0n
  if (isAsked && !attempts.some(hasPayments)) return []
  const rest = restMinor(order, attempts)
  const received = format(isAsked ? minorOf(amount, currency) - leftMinor(order, attempts) : credited)
  const lines = awaitedLines(locale, checkout, isAsked ? format(rest) : null)
  if (credited > 0n) {
    const total = money(locale, order)
    lines.unshift(
      isAsked
        ? texts.received({ received, total, left: format(rest) })
        : texts.receivedAll({ received, total }),
    )
  }
  if (status === 'UNPAID' && rest > 0n && !isAsked) lines.push(texts.tooSmall({ left: format(rest) }))
  return lines
}

/**
 * Lines about the amount that waits for the merchant's decision. `left` is the amount that buyers are asked
 * for in addition; null if they are asked for nothing.
 */
function awaitedLines(
  locale: Locale,
  { order: { currency }, attempts, payments, merchant: { name: shop } }: Checkout,
  left: string | null,
): string[] {
  const { money: texts, crypto } = locale.texts
  const waiting = attempts.filter(({ awaited }) => awaited !== 0n).map(({ id }) => id)
  if (waiting.length === 0) return []
  const isConfirmed = payments.every(one => one.state === 'final' || !waiting.includes(one.attemptId))
  const unconfirmed = isConfirmed ? [] : [crypto.unconfirmed]
  const sum = presentAwaited(attempts, currency)
  if (sum === null) return [texts.awaitingUnknown({ shop }), ...unconfirmed]
  if (minorOf(sum, currency) === 0n) return []
  const amount = money(locale, { amount: sum, currency })
  const line = left === null ? texts.awaiting({ amount, shop }) : texts.awaitingPart({ amount, shop, left })
  return [line, ...unconfirmed]
}

/**
 * Lines about payments that the page said were detected, and that count no more: they are gone, or have not
 * been mined for hours. Not shown if the buyer has paid in another way since.
 */
const missingLines = (locale: Locale, checkout: Checkout, context: AssetContext): string[] => [
  ...unminedOf(checkout, context.now).flatMap(payment => {
    const amount = coinsOf(locale, checkout, payment, context)
    return amount === null ? [] : [locale.texts.money.unmined({ amount })]
  }),
  ...checkout.vanished.flatMap(payment => {
    const attempt = checkout.attempts.find(({ id }) => id === payment.attemptId)
    if (attempt?.kind === 'redirect') return failedAt(locale, checkout, attempt)
    const amount = coinsOf(locale, checkout, payment, context)
    return amount === null ? [] : [locale.texts.money.vanished({ amount })]
  }),
]

/** The coins of a payment, such as "0.1 LTC"; null if their asset is no longer configured. */
function coinsOf(
  locale: Locale,
  { attempts }: Checkout,
  payment: IncomingPayment,
  context: AssetContext,
): string | null {
  const { attemptId, assetId, source } = payment
  const attempt = attempts.find(({ id }) => id === attemptId)
  if (!attempt || (assetId !== attempt.assetId && !context.asset(assetId))) return null
  return isElsewhere(attempt, source)
    ? coinsOn(locale, payment, context)
    : `${amountIn(context, attempt, payment)} ${tickerOf(assetId)}`
}

/** A payment that failed at its provider. The choice of methods says so, if the payment was the last one. */
const failedAt = ({ texts }: Locale, checkout: Checkout, { id, methodName }: Attempt): string[] =>
  checkout.order.status === 'UNPAID' && shownOf(checkout).current?.id === id
    ? []
    : [texts.choose.declined({ method: methodName })]

interface OtherContext {
  now: number
  asset(id: string): Asset | undefined
}

/**
 * Other payments that the buyer can continue; also the current one if the page shows a choice that allows no
 * further coin.
 */
export function presentOthers(
  locale: Locale,
  checkout: Checkout,
  { now, asset }: OtherContext,
  shown: Part,
): OtherPayment[] {
  if (checkout.attempts.length === 0) return []
  const isFull = shown.kind === 'choose' && shown.isFull
  const current = isFull ? undefined : shownOf(checkout).current
  const others = usableAttempts(checkout, now).filter(({ id }) => id !== current?.id)
  // An invoice that is in the QR code of the shown address already has its own link there.
  const isInCode = (assetId: string) =>
    shown.kind === 'crypto' && shown.isBoth && areBeside(assetId, shown.assetId)
  return others
    .filter(one => one.kind !== 'address' || !isInCode(one.assetId))
    .map(({ kind, assetId, methodKey, methodName, credited }) => ({
      assetId: kind === 'address' ? assetId : null,
      methodKey,
      name: kind === 'address' ? coinName(locale, asset(assetId)?.name ?? methodName) : methodName,
      received:
        credited < VALUE_UNIT
          ? null
          : money(locale, {
              amount: amountOf(credited / VALUE_UNIT, checkout.order.currency),
              currency: checkout.order.currency,
            }),
    }))
}
