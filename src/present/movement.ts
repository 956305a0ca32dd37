import { timestampIn } from '../domain/calendar.ts'
import { NO_EMAIL } from '../domain/customer.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import type { Movement } from '../operations/reports/movement.ts'
import type { MovementExport } from '../operations/reports/movements.ts'
import { each, percentOf } from './books/columns.ts'
import { csvFile } from './csv.ts'

type Cell = string | number | null
type Column = [name: string, cell: (movement: Movement, timeZone: string) => Cell]

const columns: Column[] = [
  ['type', ({ type }) => type],
  ['timeUtc', ({ at }) => formatTimestamp(at)],
  ['time', ({ at }, timeZone) => timestampIn(at, timeZone)],
  ['id', ({ id }) => id],
  ['orderUUID', ({ orderId }) => orderId],
  ['externalId', ({ externalId }) => externalId],
  ['customer', ({ customerEmail }) => (customerEmail === NO_EMAIL ? null : customerEmail)],
  ['amount', ({ amount }) => amount],
  ['currency', ({ currency }) => currency],
  ['feePercent', ({ feePercent }) => feePercent],
  ['feeAmount', ({ feeAmount }) => feeAmount],
  ['net', ({ net }) => net],
  ['method', ({ methodKey }) => methodKey],
  ['methodName', ({ methodName }) => methodName],
  ['network', ({ network }) => network],
  ['assetId', ({ assetId }) => assetId],
  ['assetName', ({ assetName }) => assetName],
  ['received', ({ received }) => received],
  ['receivedCurrency', ({ receivedIn }) => receivedIn],
  ['rate', ({ rate }) => rate],
  ['rateTimeUtc', ({ rateAt }) => rateAt && formatTimestamp(rateAt)],
  ['rateSources', ({ rateSources }) => rateSources.join(' ')],
  ['txIn', ({ txIn }) => txIn],
  ['txOut', ({ txOut }) => txOut],
  ['reason', ({ reason }) => reason],
  ['worth', ({ worth }) => worth],
  ['customerFullName', ({ customerFullName }) => customerFullName || null],
  ['productName', ({ productName }) => productName],
  ['description', ({ description }) => description],
  ['taxCountry', ({ tax }) => tax?.country ?? null],
  ['vatId', ({ tax }) => tax?.vatId ?? null],
  ['taxCategory', ({ tax }) => each(tax, ({ category }) => category)],
  ['taxRate', ({ tax }) => each(tax, ({ rate }) => percentOf(rate))],
  ['taxNet', ({ tax }) => each(tax, ({ net }) => net)],
  ['taxAmount', ({ tax }) => each(tax, one => one.tax)],
]

async function* rowsOf({ timeZone, movements }: MovementExport): AsyncGenerator<Cell[]> {
  for await (const movement of movements) yield columns.map(([, cell]) => cell(movement, timeZone))
}

/** The export for accountants as a CSV file, in pieces. */
export const movementsCsv = (exported: MovementExport): AsyncGenerator<string> =>
  csvFile(
    columns.map(([name]) => name),
    rowsOf(exported),
  )
