import { type CalendarDate, dateAt } from '../../domain/calendar.ts'
import { invalid } from '../../domain/errors.ts'
import { amountOf, minorOf } from '../../domain/money.ts'
import { isInUnion, type TaxCategory, type TaxLine } from '../../domain/tax.ts'
import type { Movement } from '../../operations/reports/movement.ts'
import type { Books } from './books.ts'
import { FIELD_COUNT, fields } from './datev-fields.ts'
import { toWindows1252 } from './windows-1252.ts'

interface ChartAccounts {
  /** revenue accounts by tax rate */
  revenue: Readonly<Record<number, string>>
  others: Readonly<Record<TaxCategory | 'none', string>>
}

/** Accounts of the two usual German charts of accounts. DATEV computes the tax for revenue accounts. */
const charts = {
  skr03: {
    name: '03',
    money: '1360',
    fees: '4970',
    open: '1590',
    revenue: { 1900: '8400', 700: '8300' },
    others: { Z: '8200', E: '8195', AE: '8336', K: '8125', G: '8120', O: '8338', S: '8320', none: '8200' },
  },
  skr04: {
    name: '04',
    money: '1460',
    fees: '6855',
    open: '1370',
    revenue: { 1900: '4400', 700: '4300' },
    others: { Z: '4200', E: '4185', AE: '4336', K: '4125', G: '4120', O: '4338', S: '4320', none: '4200' },
  },
}

type Chart = keyof typeof charts

const CURRENCY = 'EUR'

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
const compact = (date: CalendarDate): string => date.replaceAll('-', '')

function header({ firstDay, lastDay, now, timeZone }: Books, chart: Chart): string {
  const at = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone)
  const created = at.toPlainDateTime().toString({ smallestUnit: 'millisecond' }).replaceAll(/\D/g, '')
  const year = `${firstDay.slice(0, 4)}0101`
  const name = quoted(`Florin ${firstDay.slice(5, 7)}/${firstDay.slice(0, 4)}`)
  const batch = [year, '4', compact(firstDay), compact(lastDay), name, '""', '1', '0', '0', quoted(CURRENCY)]
  const kind = ['"EXTF"', '700', '21', '"Buchungsstapel"', '13', created, '', '"RE"', '"Florin"', '""']
  const { name: chartName } = charts[chart]
  return [...kind, '1001', '1', ...batch, '', '""', '', '', quoted(chartName), '', '', '""', '""'].join(';')
}

function accountOf(chart: Chart, line: TaxLine | null): string {
  const { revenue, others }: ChartAccounts = charts[chart]
  if (line === null) return others.none
  return (line.category === 'S' && revenue[line.rate]) || others[line.category]
}

interface Booking {
  /** amount in minor units, always positive */
  minor: bigint
  isCredit: boolean
  contra: string
  line: TaxLine | null
}

const minorOfSigned = (amount: string): bigint =>
  amount.startsWith('-') ? -minorOf(amount.slice(1), CURRENCY) : minorOf(amount, CURRENCY)

/** The bookings of a movement: one for each rate of tax. */
function bookingsOf(chart: Chart, { type, amount, tax }: Movement): Booking[] {
  const { fees, open } = charts[chart]
  const booking = (minor: bigint, contra: string, line: TaxLine | null = null): Booking[] =>
    minor === 0n ? [] : [{ minor: minor < 0n ? -minor : minor, isCredit: minor < 0n, contra, line }]
  const minor = minorOfSigned(amount ?? '0.00')
  if (type === 'fee' || type === 'network_fee') return booking(minor, fees)
  if (type === 'excess' || type === 'unmatched') return booking(minor, open)
  if (tax === null) return booking(minor, accountOf(chart, null))
  return tax.lines.flatMap(line =>
    booking(minorOfSigned(line.net) + minorOfSigned(line.tax), accountOf(chart, line), line),
  )
}

/**
 * The document number of a movement. DATEV allows at most 36 characters, and only those that are kept here.
 */
const documentOf = ({ externalId, orderId, id }: Movement): string =>
  (externalId ?? orderId ?? id).replaceAll(/[^A-Za-z0-9$&%*+/-]/g, '-').slice(0, 36)

const TEXT_MAX = 60

function rowOf(books: Books, chart: Chart, movement: Movement, booking: Booking): string {
  const { line, minor, isCredit, contra } = booking
  const day = dateAt(movement.at, books.timeZone)
  const kind = books.locale.texts.reports.movements[movement.type]
  const what = movement.customerFullName || movement.productName || movement.description
  const vatId = movement.tax?.vatId ?? ''
  const isUnion = line !== null && (line.category === 'AE' || line.category === 'K')
  const country = movement.tax?.country ?? null
  const isForeign = line?.category === 'S' && country !== null && country !== 'DE' && isInUnion(country)
  const cells: Record<number, string> = {
    1: amountOf(minor, CURRENCY).replace('.', ','),
    2: isCredit ? '"H"' : '"S"',
    3: quoted(CURRENCY),
    7: charts[chart].money,
    8: contra,
    9: '""',
    10: `${day.slice(8, 10)}${day.slice(5, 7)}`,
    11: quoted(documentOf(movement)),
    14: quoted([kind, what].filter(Boolean).join(' ').replaceAll(/\s+/g, ' ').slice(0, TEXT_MAX)),
    40: quoted(isUnion ? vatId : isForeign ? country : ''),
    ...(isForeign && { 41: (line.rate / 100).toFixed(2).replace('.', ',') }),
    114: '0',
  }
  return Array.from({ length: FIELD_COUNT }, (_, at) => cells[at + 1] ?? '').join(';')
}

/**
 * A batch of bookings for DATEV (EXTF, format version 13) of one month in euros. The adviser and the client
 * are placeholders, which are chosen during the import.
 */
export function datevFile(books: Books, chart: Chart): AsyncGenerator<Uint8Array> {
  const { firstDay, lastDay } = books
  if (firstDay.slice(0, 7) !== lastDay.slice(0, 7)) {
    throw invalid('to', 'must be in the month of the first day: a file for DATEV has one month')
  }
  return piecesOf(books, chart)
}

async function* piecesOf(books: Books, chart: Chart): AsyncGenerator<Uint8Array> {
  const { movements } = books
  yield toWindows1252(`${header(books, chart)}\r\n${fields.join(';')}\r\n`)
  for await (const movement of movements) {
    if (movement.currency !== CURRENCY || movement.amount === null) continue
    const rows = bookingsOf(chart, movement).map(booking => `${rowOf(books, chart, movement, booking)}\r\n`)
    yield toWindows1252(rows.join(''))
  }
}
