import type { Attempt } from '../../../domain/attempt.ts'
import { NO_EMAIL } from '../../../domain/customer.ts'
import { fiatCurrency, receivedSum } from '../../../domain/fiat.ts'
import { type Amount, amountOf, minorOf } from '../../../domain/money.ts'
import { transactionIdOf } from '../../../domain/payment.ts'
import { CRYPTO } from '../../../domain/payment-methods.ts'
import { settledOf } from '../../../domain/settled.ts'
import { type OrderTax, type TaxLine, taxOfPart } from '../../../domain/tax.ts'
import type { Transaction } from '../../../domain/transaction.ts'
import type { SweepTransaction } from '../../../domain/waiting-funds.ts'
import type { ForcedRow, PaymentRow, RefundRow, UnmatchedMovement } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import type { Movement } from '../movement.ts'

export type StoredMovement = Omit<Movement, 'assetName'>

const nothing = {
  feePercent: null,
  feeAmount: null,
  net: null,
  received: null,
  receivedIn: null,
  parts: [],
  rate: null,
  rateAt: null,
  rateSources: [],
  txIn: null,
  txOut: null,
  reason: null,
  worth: null,
  tax: null,
} as const

const negative = (amount: Amount, currency: string): Amount => amountOf(-minorOf(amount, currency), currency)

/**
 * The part of an order's tax that a refund or a shortfall takes back, with negative amounts. It is the tax of
 * `more` of the order's amount, less the tax of `less` of it, so that the refunds of an order together never
 * take back more tax than it had.
 */
function takenBack(tax: OrderTax | null, less: bigint, more: bigint, currency: string): OrderTax | null {
  if (tax === null) return null
  const linesOf = (minor: bigint) => taxOfPart(tax.lines, amountOf(minor, currency), currency)
  const without = linesOf(less)
  const minus = (of: Amount, from: Amount | undefined): Amount =>
    amountOf(minorOf(from ?? '0', currency) - minorOf(of, currency), currency)
  const lines = linesOf(more).map((line, at): TaxLine => {
    return { ...line, net: minus(line.net, without[at]?.net), tax: minus(line.tax, without[at]?.tax) }
  })
  return { ...tax, lines }
}

const networkOf = (assetId: string | null): string | null =>
  assetId !== null && fiatCurrency(assetId) === null ? (assetId.split('/')[0] ?? null) : null

type AssetContext = Pick<Context, 'networks'>
type MethodOfPayment = Pick<Attempt, 'assetId' | 'methodName'> & { methodKey: string }

/**
 * The method and asset of a payment. If another coin arrived than was asked for, that coin gives the name.
 */
function paidIn({ networks }: AssetContext, opened: MethodOfPayment, assetId: string | null) {
  const { methodKey, methodName: askedName } = opened
  const isAsked = assetId === opened.assetId || methodKey !== CRYPTO
  const methodName = isAsked ? askedName : assetId && (networks.asset(assetId)?.name ?? null)
  return { methodKey, methodName, network: networkOf(assetId), assetId }
}

type ReceivedCurrency = Pick<Transaction, 'receivedCurrency' | 'currency'>

/** The coin or currency that arrived; null if the merchant accepted several kinds. */
function arrivedAsset(
  { assetId }: Pick<Attempt, 'assetId'>,
  { receivedCurrency, currency }: ReceivedCurrency,
) {
  if (receivedCurrency === (fiatCurrency(assetId) ?? assetId)) return assetId
  return receivedCurrency === currency ? null : receivedCurrency
}

/**
 * True if the quoted rate applies to a payment. It does not apply to accepted payments, or to those that
 * counted at a later rate.
 */
const isQuoted = ({ kind, assetId }: PaymentRow['attempt'], verdict: string, arrived: string | null) =>
  arrived === assetId && verdict !== 'accepted' && (verdict !== 'late' || kind === 'redirect')

/**
 * The movements of a payment: the payment itself, its difference from the order's amount, and the operator's
 * fee.
 */
export const ofPayment =
  (context: AssetContext) =>
  (row: PaymentRow): StoredMovement[] => {
    const { transaction, order, attempt, verdict } = row
    const { tax, createdBy: _, ...ofOrder } = order
    const { parts, worth, shortfall, excess, lateRate } = settledOf({
      price: transaction,
      verdict,
      evidence: row.evidence,
    })
    const { id, orderId, methodKey, amount, currency, feePercent, feeAmount, createdAt: at } = transaction
    const assetId = arrivedAsset(attempt, transaction)
    const paid = paidIn(context, { ...attempt, methodKey }, assetId)
    const shared = { at, id, orderId, ...ofOrder, currency, ...paid }
    const payment: StoredMovement = {
      ...nothing,
      type: 'payment',
      ...shared,
      amount,
      worth,
      tax,
      feePercent,
      feeAmount,
      net: transaction.netAmount,
      received: transaction.receivedAmount,
      receivedIn: transaction.receivedCurrency,
      parts: parts.length > 1 ? parts : [],
      ...lateRate,
      ...(isQuoted(attempt, verdict, assetId) && {
        rate: attempt.rate,
        rateAt: attempt.rateAt,
        rateSources: attempt.rateSources,
      }),
      txIn: transaction.txIn,
      txOut: transaction.txOut,
      reason: verdict === 'accepted' ? row.rule : null,
    }
    const movements = [payment]
    const add = (more: Pick<StoredMovement, 'type' | 'amount'> & Partial<StoredMovement>): void => {
      movements.push({ ...nothing, ...shared, ...more })
    }
    if (shortfall !== null) {
      const amountLess = negative(shortfall, currency)
      const price = minorOf(amount, currency)
      const less = takenBack(tax, price - minorOf(shortfall, currency), price, currency)
      add({ type: 'shortfall', amount: amountLess, net: amountLess, tax: less, reason: payment.reason })
    }
    if (excess !== null) add({ type: 'excess', amount: excess, net: excess })
    if (minorOf(feeAmount, currency) > 0n) {
      add({ type: 'fee', amount: negative(feeAmount, currency), feePercent, feeAmount })
    }
    return movements
  }

export const ofRefund =
  (context: AssetContext) =>
  (row: RefundRow): StoredMovement[] => {
    const { refund, order, attempt, receivedCurrency } = row
    const { id, orderId, currency, reason, createdAt: at, sentAssetId } = refund
    const amount = negative(refund.amount, currency)
    const before = minorOf(row.before, currency)
    const isCharge = fiatCurrency(attempt.assetId) !== null
    const paidWith = isCharge ? attempt.assetId : arrivedAsset(attempt, { receivedCurrency, currency })
    const assetId = sentAssetId ?? paidWith
    const methodKey = assetId === paidWith ? attempt.methodKey : CRYPTO
    const paid = paidIn(context, { ...attempt, methodKey }, assetId)
    return [
      {
        ...nothing,
        type: 'refund',
        at,
        id,
        orderId,
        ...order,
        amount,
        currency,
        net: amount,
        tax: takenBack(order.tax, before, before + minorOf(refund.amount, currency), currency),
        ...paid,
        ...(refund.sentAmount !== null && {
          received: `-${refund.sentAmount}`,
          receivedIn: sentAssetId ?? receivedCurrency,
        }),
        txOut: refund.txId,
        reason,
      },
    ]
  }

/**
 * The movement of an order that was marked as paid manually. Nothing is known about money that may have
 * arrived.
 */
export const ofForced = ({
  id,
  forcedAt: at,
  forceReason: reason,
  ...order
}: ForcedRow): StoredMovement[] => {
  const unknown = { methodKey: null, methodName: null, network: null, assetId: null }
  return [{ ...nothing, type: 'forced', at, id, orderId: id, ...order, ...unknown, reason }]
}

/** The fee that a network took for moving funds. Another wallet pays it, so no payment contains it. */
export const ofNetworkFee = (sweep: SweepTransaction & { minedAt: number }): StoredMovement[] => {
  const { id, chain, txId, feeAssetId, feeAmount, feeValue, currency, minedAt: at } = sweep
  if (feeAmount === null) return []
  const amount = feeValue && negative(feeValue, currency)
  return [
    {
      ...nothing,
      ...{ type: 'network_fee', at, id, orderId: null, externalId: null },
      ...{ customerEmail: NO_EMAIL, customerFullName: '', productName: null, description: null },
      ...{ amount, worth: amount, net: amount, currency },
      ...{ methodKey: null, methodName: null, network: chain, assetId: feeAssetId },
      received: `-${feeAmount}`,
      receivedIn: feeAssetId,
      txOut: txId,
    },
  ]
}

export const ofUnmatched =
  (context: AssetContext) =>
  ({ payment, incoming, order, attempt }: UnmatchedMovement): StoredMovement[] => {
    const { id, orderId, reason, value, createdAt: at } = payment
    const { assetId, amountAtomic, txOut } = incoming
    const decimals =
      assetId === attempt.assetId ? attempt.decimals : context.networks.asset(assetId)?.decimals
    const received = decimals === undefined ? null : receivedSum(amountAtomic, { assetId, decimals })
    return [
      {
        ...nothing,
        type: 'unmatched',
        at,
        id,
        orderId,
        ...order,
        tax: null,
        amount: value,
        worth: value,
        ...paidIn(context, attempt, assetId),
        received: received?.receivedAmount ?? null,
        receivedIn: received?.receivedCurrency ?? null,
        txIn: transactionIdOf(incoming),
        txOut,
        reason,
      },
    ]
  }
