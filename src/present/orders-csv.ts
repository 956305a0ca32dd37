import { timestampIn } from '../domain/calendar.ts'
import { NO_EMAIL } from '../domain/customer.ts'
import type { OrderView } from '../domain/order-view.ts'
import { CRYPTO } from '../domain/payment-methods.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import { csvFile } from './csv.ts'

type Order = OrderView['order']

/** Names of provider methods and assets for people, null if unknown, and the time zone of the shop. */
interface Names {
  timeZone: string
  method: (key: string) => string | null
  asset: (id: string) => string | null
}

/** A time as the clocks of the shop show it. */
const local = (at: number | null, { timeZone }: Names): string | null =>
  at === null ? null : timestampIn(at, timeZone)

const timestamp = (at: number | null): string | null => (at === null ? null : formatTimestamp(at))

/** The asset that paid the order, which may differ from the buyer's choice. */
export const assetOf = (
  { chosenAsset, receivedCurrency }: Order,
  { asset }: Pick<Names, 'asset'>,
): string | null =>
  receivedCurrency !== null && asset(receivedCurrency) !== null ? receivedCurrency : chosenAsset

function assetName(order: Order, names: Names): string | null {
  const assetId = assetOf(order, names)
  return assetId && names.asset(assetId)
}

/**
 * The columns of the file. They are named like the fields of the API. At the end are times in the shop's time
 * zone.
 */
const columns: Record<string, (order: Order, names: Names) => string | number | null> = {
  createdAt: ({ createdAt }) => formatTimestamp(createdAt),
  orderUUID: ({ id }) => id,
  externalId: ({ externalId }) => externalId,
  status: ({ status }) => status,
  amount: ({ amount }) => amount,
  currency: ({ currency }) => currency,
  platformFeeAmount: ({ feeAmount }) => feeAmount,
  netAmount: ({ netAmount }) => netAmount,
  refundStatus: ({ refundCount, refundStatus }) => (refundCount > 0 ? refundStatus : null),
  refundedAmount: ({ refundCount, refundedAmount }) => (refundCount > 0 ? refundedAmount : null),
  customerEmail: ({ customerEmail }) => (customerEmail === NO_EMAIL ? null : customerEmail),
  customerFullName: ({ customerFullName }) => customerFullName,
  description: ({ description }) => description,
  productName: ({ productName }) => productName,
  methodKey: ({ chosenMethod }) => chosenMethod,
  methodName: (order, names) =>
    order.chosenMethod === CRYPTO
      ? assetName(order, names)
      : order.chosenMethod && names.method(order.chosenMethod),
  assetId: assetOf,
  assetName,
  receivedAmount: ({ receivedAmount }) => receivedAmount,
  receivedCurrency: ({ receivedCurrency }) => receivedCurrency,
  providerTxIn: ({ providerTxIn }) => providerTxIn,
  providerTxOut: ({ providerTxOut }) => providerTxOut,
  paidAt: ({ paidAt }) => timestamp(paidAt),
  cancelledAt: ({ cancelledAt }) => timestamp(cancelledAt),
  forced: ({ forcedAt }) => (forcedAt === null ? null : 'true'),
  paymentState: ({ paymentState }) => paymentState,
  createdAtLocal: ({ createdAt }, names) => local(createdAt, names),
  paidAtLocal: ({ paidAt }, names) => local(paidAt, names),
}

async function* rowsOf(parts: AsyncIterable<OrderView[]>, names: Names) {
  for await (const part of parts) {
    for (const { order } of part) yield Object.values(columns).map(cell => cell(order, names))
  }
}

export const ordersCsv = (parts: AsyncIterable<OrderView[]>, names: Names): AsyncGenerator<string> =>
  csvFile(Object.keys(columns), rowsOf(parts, names))
