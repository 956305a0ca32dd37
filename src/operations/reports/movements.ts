import type { Attempt } from '../../domain/attempt.ts'
import { addDays, type CalendarDate, startOfDay } from '../../domain/calendar.ts'
import { fiatCurrency, receivedSum } from '../../domain/fiat.ts'
import { type Amount, amountOf, minorOf } from '../../domain/money.ts'
import type { PageStart } from '../../domain/page.ts'
import { CRYPTO } from '../../domain/payment-methods.ts'
import type { Transaction } from '../../domain/transaction.ts'
import type {
  ForcedRow,
  MovementRange,
  PaymentRow,
  RefundRow,
  Tables,
  UnmatchedMovement,
} from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { type RangeRequest, rangeOf } from './steps/range.ts'

/** Max rows per read, so that a long export holds few of them and other reads can run in between. */
const ROWS_AT_ONCE = 500

/** A movement of money, for the accounts of a merchant. */
export interface Movement {
  type: 'payment' | 'fee' | 'refund' | 'unmatched' | 'forced'
  at: number
  /** of the transaction, refund or unmatched payment */
  id: string
  orderId: string
  externalId: string | null
  customerEmail: string
  /** in the currency of the order, negative for fees and refunds; null if the value of a coin is unknown */
  amount: Amount | null
  currency: string
  feePercent: string | null
  feeAmount: Amount | null
  /** change of the net revenue; null for fees, which the payment contains, and without a known payment */
  net: Amount | null
  /** null, like the asset, for an order marked as paid manually */
  methodKey: string | null
  /** name of the method at its use; for a coin at the merchant's own address, the coin's name */
  methodName: string | null
  /** null for a charge in a currency */
  network: string | null
  assetId: string | null
  /** null for a currency, and for a coin that is no longer known */
  assetName: string | null
  /** what arrived, in the coin or currency */
  received: string | null
  receivedIn: string | null
  rate: string | null
  rateAt: number | null
  rateSources: readonly string[]
  txIn: string | null
  txOut: string | null
  /** of a refund; or why a payment is unmatched, or an order was marked as paid */
  reason: string | null
}

export interface MovementExport {
  timeZone: string
  lastDay: CalendarDate
  /** oldest first */
  movements: AsyncGenerator<Movement>
}

type StoredMovement = Omit<Movement, 'assetName'>

const nothing = {
  feePercent: null,
  feeAmount: null,
  net: null,
  received: null,
  receivedIn: null,
  rate: null,
  rateAt: null,
  rateSources: [],
  txIn: null,
  txOut: null,
  reason: null,
} as const

const negative = (amount: Amount, currency: string): Amount => amountOf(-minorOf(amount, currency), currency)

const networkOf = (assetId: string | null): string | null =>
  assetId !== null && fiatCurrency(assetId) === null ? (assetId.split('/')[0] ?? null) : null

type AssetContext = Pick<Context, 'networks'>
type MethodOfPayment = Pick<Attempt, 'assetId' | 'methodName'> & { methodKey: string }

/** The method and asset of a payment. If another coin arrived than was asked for, uses its name. */
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

/** The quoted rate does not apply to accepted payments, or to those that counted at a later rate. */
const isQuoted = ({ kind, assetId }: PaymentRow['attempt'], verdict: string, arrived: string | null) =>
  arrived === assetId && verdict !== 'accepted' && (verdict !== 'late' || kind === 'redirect')

/** A payment, and the operator's fee if there is one. */
const ofPayment =
  (context: AssetContext) =>
  ({ transaction, order, attempt, verdict }: PaymentRow): StoredMovement[] => {
    const { id, orderId, methodKey, amount, currency, feePercent, feeAmount, createdAt: at } = transaction
    const assetId = arrivedAsset(attempt, transaction)
    const paid = paidIn(context, { ...attempt, methodKey }, assetId)
    const shared = { at, id, orderId, ...order, currency, ...paid }
    const payment: StoredMovement = {
      ...nothing,
      type: 'payment',
      ...shared,
      amount,
      feePercent,
      feeAmount,
      net: transaction.netAmount,
      received: transaction.receivedAmount,
      receivedIn: transaction.receivedCurrency,
      ...(isQuoted(attempt, verdict, assetId) && {
        rate: attempt.rate,
        rateAt: attempt.rateAt,
        rateSources: attempt.rateSources,
      }),
      txIn: transaction.txIn,
      txOut: transaction.txOut,
    }
    if (minorOf(feeAmount, currency) === 0n) return [payment]
    const fee = { type: 'fee', amount: negative(feeAmount, currency), feePercent, feeAmount } as const
    return [payment, { ...nothing, ...shared, ...fee }]
  }

const ofRefund =
  (context: AssetContext) =>
  ({ refund, order, attempt, receivedCurrency }: RefundRow): StoredMovement[] => {
    const { id, orderId, currency, methodKey, reason, createdAt: at } = refund
    const amount = negative(refund.amount, currency)
    const paid = paidIn(
      context,
      { ...attempt, methodKey },
      arrivedAsset(attempt, { receivedCurrency, currency }),
    )
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
        ...paid,
        reason,
      },
    ]
  }

/** If money arrived, nothing is known about it. */
const ofForced = ({ id, forcedAt: at, forceReason: reason, ...order }: ForcedRow): StoredMovement[] => {
  const unknown = { methodKey: null, methodName: null, network: null, assetId: null }
  return [{ ...nothing, type: 'forced', at, id, orderId: id, ...order, ...unknown, reason }]
}

const ofUnmatched =
  (context: AssetContext) =>
  ({ payment, incoming, order, attempt }: UnmatchedMovement): StoredMovement[] => {
    const { id, orderId, reason, value, createdAt: at } = payment
    const { assetId, amountAtomic, txId, txIn, txOut } = incoming
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
        amount: value,
        ...paidIn(context, attempt, assetId),
        received: received?.receivedAmount ?? null,
        receivedIn: received?.receivedCurrency ?? null,
        txIn: txIn ?? txId,
        txOut,
        reason,
      },
    ]
  }

type ListPage<Row> = (tables: Tables, limit: number, after: PageStart | null) => Promise<Row[]>

/** The movements of one kind, page by page. */
async function* paged<Row>(
  { storage, networks }: Pick<Context, 'storage' | 'networks'>,
  list: ListPage<Row>,
  movementsOf: (row: Row) => StoredMovement[],
): AsyncGenerator<Movement> {
  for (let after: PageStart | null = null; ; ) {
    const start: PageStart | null = after
    const rows: Row[] = await storage.read(tables => list(tables, ROWS_AT_ONCE, start))
    const movements = rows.flatMap(movementsOf).map(movement => {
      const asset = movement.assetId === null ? undefined : networks.asset(movement.assetId)
      return { ...movement, assetName: asset?.name ?? null }
    })
    yield* movements
    const last = movements.at(-1)
    if (!last || rows.length < ROWS_AT_ONCE) return
    after = { at: last.at, id: last.id }
  }
}

/** Merges lists that are sorted by time. */
async function* merged(sources: AsyncGenerator<Movement>[]): AsyncGenerator<Movement> {
  const heads = await Promise.all(sources.map(async source => ({ source, next: await source.next() })))
  for (;;) {
    const open = heads.filter(({ next }) => !next.done)
    const [first] = open.sort((a, b) => a.next.value.at - b.next.value.at)
    if (!first) return
    yield first.next.value
    first.next = await first.source.next()
  }
}

/**
 * Every movement of a merchant's money in a range of days of the shop's time zone. Reads a part at a time, so
 * that an export of any length needs little memory.
 */
export async function exportMovements(
  context: Pick<Context, 'storage' | 'networks' | 'clock'>,
  request: RangeRequest,
): Promise<MovementExport> {
  const { merchantId } = request
  const { firstDay, lastDay, timeZone } = await context.storage.read(tables =>
    rangeOf(context, tables, request),
  )
  const range: MovementRange = {
    merchantId,
    from: startOfDay(firstDay, timeZone),
    to: startOfDay(addDays(lastDay, 1), timeZone),
  }
  const movements = merged([
    paged(context, ({ movements }, ...page) => movements.listPayments(range, ...page), ofPayment(context)),
    paged(context, ({ movements }, ...page) => movements.listRefunds(range, ...page), ofRefund(context)),
    paged(context, ({ movements }, ...page) => movements.listForced(range, ...page), ofForced),
    paged(context, ({ movements }, ...page) => movements.listUnmatched(range, ...page), ofUnmatched(context)),
  ])
  return { timeZone, lastDay, movements }
}
