import type { DashboardLocale } from '../../views/dashboard/locale.ts'
import { mailto } from '../../views/dashboard/mailto.ts'
import type { OrderModel, OverpaidModel, SettlementModel, SumsModel } from '../../views/dashboard/order.ts'
import type { OrderActions, UnmatchedPaymentModel } from '../../views/dashboard/order-actions.ts'
import type { AttemptModel, EventModel } from '../../views/dashboard/order-payments.ts'
import { listFormat } from '../../views/formats.ts'
import { type Attempt, leftMinor, rateOf } from '../domain/attempt.ts'
import { NO_EMAIL } from '../domain/customer.ts'
import { asserted } from '../domain/errors.ts'
import { type Amount, amountOf, minorOf } from '../domain/money.ts'
import { allOf, type Opening } from '../domain/opening.ts'
import type { Order } from '../domain/order.ts'
import { overpaidOf } from '../domain/overpaid.ts'
import { transactionIdOf } from '../domain/payment.ts'
import { moneyBelow } from '../domain/quote.ts'
import { isRefundable, paidAssets } from '../domain/refund.ts'
import { leftOf } from '../domain/taken-back.ts'
import type { Webhook } from '../domain/webhook.ts'
import type { OrderHistory } from '../operations/orders/inspect.ts'
import type { RefundPrice } from '../operations/refunds/price.ts'
import { isUnsent } from '../operations/webhooks/read-events.ts'
import { presentAwaited, presentCredit } from './attempt.ts'
import { presentTransactionLink } from './explorer.ts'
import { byName, type TimelineContext, withTicker } from './order-timeline.ts'
import { amountIn, sumOf } from './payment-amounts.ts'
import { presentSettlement } from './settlement.ts'
import { rateText } from './tax.ts'

type Refund = NonNullable<OrderActions['refund']>

function attemptModel(
  context: TimelineContext,
  attempt: Attempt,
  { order, payments }: OrderHistory,
): AttemptModel {
  const { assetId } = attempt
  const { rate, rateAt, rateSources } = rateOf(attempt)
  const own = payments.filter(({ attemptId, state }) => attemptId === attempt.id && state !== 'gone')
  const sum = (atomic: bigint) => withTicker(context, sumOf(atomic, attempt), assetId)
  const price = (amount: string) => context.locale.money({ amount, currency: order.currency })
  // If a provider took the payment, its transaction moves the money on to the merchant.
  const outgoing = own.flatMap(payment =>
    payment.txOut === null || payment.txOut === transactionIdOf(payment)
      ? []
      : [presentTransactionLink({ ...payment, txIn: null, txId: payment.txOut }, context)],
  )
  const transactions = [...own.map(payment => presentTransactionLink(payment, context)), ...outgoing]
  return {
    method: attempt.methodName,
    state: attempt.state,
    due: sum(attempt.dueAtomic),
    received: sum(attempt.receivedAtomic),
    credited: creditedOf(order, attempt),
    address: attempt.address,
    payoutAddress: attempt.payoutAddress,
    rate: rate && `${withTicker(context, '1', assetId)} = ${price(rate)}`,
    rateAt,
    rateSources,
    confirmations: attempt.confirmations,
    required: attempt.requiredConfirmations,
    lockedUntil: attempt.lockedUntil,
    checkedAt: attempt.checkedAt,
    transactions: transactions.filter(transaction => transaction !== null),
  }
}

function creditedOf({ currency }: Order, { credited, priced }: Attempt): AttemptModel['credited'] {
  if (credited === 0n) return null
  return {
    amount: { amount: moneyBelow(credited, { currency }), currency },
    of: { amount: priced, currency },
  }
}

/**
 * The received sums of an order. A paid order shows what arrived, which may be more or less than its amount.
 * An order marked as paid manually has received nothing.
 */
export function sumsModel({ order, attempts }: Pick<OrderHistory, 'order' | 'attempts'>): SumsModel {
  const { currency } = order
  const { credited, settledCredit, left } = presentCredit(order, attempts)
  const awaited = presentAwaited(attempts, currency)
  const some = (amount: string | null) =>
    amount === null || minorOf(amount, currency) === 0n ? null : { amount, currency }
  const arrived = order.status === 'PAID' ? settledCredit : credited
  const received = order.forcedAt === null ? some(arrived) : null
  return {
    received,
    confirmed: settledCredit === arrived ? null : some(settledCredit),
    left: some(left.amount),
    waiting: some(awaited),
    isWaiting: awaited === null || some(awaited) !== null,
  }
}

/** What is still missing of a paid order: payments that arrived later can have joined its settlement. */
function missingNow({ order, attempts, payments, settlement }: OrderHistory, missing: Amount | null) {
  const evidence = settlement?.evidence as { incomingPayments?: { txId: string; txIndex: string }[] } | null
  const known = new Set(evidence?.incomingPayments?.map(({ txId, txIndex }) => `${txId} ${txIndex}`))
  const hasMore = payments.some(({ settles, txId, txIndex }) => settles && !known.has(`${txId} ${txIndex}`))
  if (missing === null || !hasMore) return missing
  const left = leftMinor(order, attempts)
  return left > 0n ? amountOf(left, order.currency) : null
}

/** The settlement of an order; null until it is paid. */
export function settlementModel(context: TimelineContext, history: OrderHistory): SettlementModel | null {
  const settled = presentSettlement(history)
  if (settled === null) return null
  const { currency, forcedBy, forcedAt } = history.order
  const { verdict, acceptedBy, parts } = settled
  const shortfall = missingNow(history, settled.shortfall)
  const by = acceptedBy ?? forcedBy
  return {
    verdict,
    by: by === null ? null : byName(context, by),
    isForced: forcedAt !== null,
    shortfall: shortfall === null ? null : { amount: shortfall, currency },
    parts:
      parts.length < 2
        ? []
        : parts.map(({ credited, amount, assetId }) => ({
            credited: { amount: credited, currency },
            coins: withTicker(context, amount, assetId),
          })),
  }
}
const openingModel = ({ methodName, state, payoutAddress, lockedUntil }: Opening): AttemptModel => ({
  ...{ method: methodName, state, payoutAddress, lockedUntil },
  ...{ due: null, received: null, credited: null, address: null, rate: null, rateAt: null, rateSources: [] },
  ...{ confirmations: null, required: null, checkedAt: null, transactions: [] },
})

export const attemptModels = (context: TimelineContext, history: OrderHistory): AttemptModel[] =>
  allOf(history).map(one =>
    one.kind === 'opening' ? openingModel(one) : attemptModel(context, one, history),
  )

export const eventModels = ({ events }: OrderHistory, webhook: Webhook | null): EventModel[] =>
  events.map(({ event, delivery }) => {
    const { status, tries, nextAttemptAt } = delivery
    const last = tries.at(-1)
    const answer = last ? (last.httpStatus === null ? last.outcome : `HTTP ${last.httpStatus}`) : null
    const name = isUnsent(delivery, webhook) ? ('unsent' as const) : status
    const { id, type } = event
    return { id, type, status: name, tries: tries.length, answer, nextAt: nextAttemptAt }
  })

/** Payments that did not complete the order. Open ones can be accepted while the order can be paid. */
export function unmatchedModels(
  context: TimelineContext,
  { attempts, unmatched, order, reversals }: OrderHistory,
  isOwner: boolean,
): UnmatchedPaymentModel[] {
  const isPayable = order.status === 'UNPAID' || order.status === 'EXPIRED'
  const { currency } = order
  const inFiat = (amount: string | null) => amount && context.locale.money({ amount, currency })
  return unmatched.map(({ payment, incoming }) => {
    const attempt = asserted(
      attempts.find(({ id }) => id === payment.attemptId),
      'a payment has its attempt',
    )
    const isThere = incoming.state !== 'gone' && leftOf(payment, incoming, reversals) > 0n
    return {
      id: payment.id,
      amount: withTicker(context, amountIn(context, attempt, incoming), incoming.assetId),
      value: inFiat(payment.value),
      shortfall: inFiat(payment.shortfall),
      reason: payment.reason,
      status: payment.status,
      txId: transactionIdOf(incoming),
      refundAddress: attempt.refundAddress,
      mayAccept: isOwner && isPayable && payment.status === 'open' && isThere,
    }
  })
}

/** The rest of a paid order's amount after the fee and the refunds; null if nothing was deducted. */
export function netModel({ order }: Pick<OrderHistory, 'order'>): OrderModel['net'] {
  const { status, forcedAt, currency, amount, netAmount, refundedAmount } = order
  if (status !== 'PAID' || forcedAt !== null) return null
  const refunded = refundedAmount === null ? 0n : minorOf(refundedAmount, currency)
  const net = minorOf(netAmount, currency) - refunded
  return net === minorOf(amount, currency) ? null : { amount: amountOf(net, currency), currency }
}

/**
 * The operator's fee for a paid order. An order that was marked as paid has no fee, because no payment is
 * known.
 */
export function feeModel({ order, transactions }: OrderHistory): OrderModel['fee'] {
  const { currency, feePercent: percent, feeAmount } = order
  if (order.status !== 'PAID' || order.forcedAt !== null) return null
  if (minorOf(feeAmount, currency) === 0n) return null
  const collection = transactions[0]?.transaction.feeCollection
  return {
    amount: { amount: feeAmount, currency },
    percent,
    isCollected: collection === 'PROVIDER_SPLIT',
  }
}

/** The amount beyond what was due, and the buyer's refund address; null if there is no such amount. */
export function overpaidModel(
  context: TimelineContext,
  { order, attempts }: OrderHistory,
): OverpaidModel | null {
  if (order.paymentState !== 'OVERPAID') return null
  const over = overpaidOf(order, attempts)
  if (over === null) return { extra: null, refundAddress: null }
  const { attempt, coins, excess } = over
  return {
    extra: coins
      ? withTicker(context, sumOf(coins.received - coins.due, attempt), attempt.assetId)
      : context.locale.money({ amount: excess, currency: order.currency }),
    refundAddress: attempt.refundAddress,
  }
}

/** The amount that can still be refunded; null if nothing can. */
export function refundableAmount({ order }: Pick<OrderHistory, 'order'>): string | null {
  if (!isRefundable(order)) return null
  const { amount, currency, refundedAmount } = order
  const left = minorOf(amount, currency) - (refundedAmount === null ? 0n : minorOf(refundedAmount, currency))
  return left > 0n ? amountOf(left, currency) : null
}

export const taxModel = (
  { formats }: DashboardLocale,
  { tax, currency }: OrderHistory['order'],
): OrderModel['tax'] =>
  tax && {
    lines: tax.lines.map(line => ({
      category: line.category,
      rate: rateText(formats, line.rate),
      tax: { amount: line.tax, currency },
    })),
    country: tax.country,
    vatId: tax.vatId,
  }

/** The coins in which an order can be refunded, and the addresses at which the buyer wants the refund. */
export function refundCoins(
  { asset, locale }: TimelineContext,
  { order, merchant, attempts, payments, transactions }: OrderHistory,
  checkoutUrl: string,
): Pick<Refund, 'coins' | 'askUrl'> {
  const [paid] = transactions
  const coins = paid ? paidAssets(paid.transaction, payments).flatMap(id => asset(id) ?? []) : []
  const addressFor = (assetId: string): string | null => {
    const paying = payments.filter(one => one.settles && one.assetId === assetId)
    const own = attempts.filter(({ id }) => paying.some(({ attemptId }) => attemptId === id))
    return own.findLast(({ refundAddress }) => refundAddress !== null)?.refundAddress ?? null
  }
  const names = coins.map(({ name }) => locale.coin(name))
  const { askSubject, askBody } = locale.texts.order.refund
  const email = order.customerEmail === NO_EMAIL ? null : order.customerEmail
  const coinNames = listFormat(locale.tag, { type: 'disjunction' }).format(names)
  const ask = email !== null && names.length > 0
  return {
    coins: coins.map(({ id, name }) => ({ assetId: id, name: locale.coin(name), address: addressFor(id) })),
    askUrl: ask
      ? mailto(email, {
          subject: askSubject({ shop: merchant.name }),
          body: askBody({ url: `${checkoutUrl}/pay/${order.id}`, coin: coinNames }),
        })
      : null,
  }
}

/**
 * The number of coins that a refund is worth. Amounts of coins are copied into wallets, so their decimal sign
 * is not that of the language.
 */
export function refundPrice(
  context: TimelineContext,
  currency: string,
  { amount, asset, paid, now }: RefundPrice,
): Refund['price'] {
  const { money } = context.locale
  const priced = (one: RefundPrice['paid']) =>
    one && {
      coins: one.coins,
      rate: `${withTicker(context, '1', asset.id)} = ${money({ amount: one.rate, currency })}`,
      at: one.at,
    }
  return {
    coin: context.locale.coin(asset.name),
    amount: money({ amount, currency }),
    paid: priced(paid),
    now: priced(now),
  }
}
