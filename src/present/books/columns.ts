import type { DashboardLocale } from '../../../views/dashboard/locale.ts'
import { NO_EMAIL } from '../../domain/customer.ts'
import { amountOf, minorOf } from '../../domain/money.ts'
import type { OrderTax, TaxLine, TaxRate } from '../../domain/tax.ts'
import type { Movement } from '../../operations/reports/movement.ts'

type BookField = keyof DashboardLocale['texts']['reports']['columns']

/** A cell: text, an exact decimal number, or a time. */
export type BookCell =
  | { kind: 'text'; text: string | null }
  | { kind: 'number'; number: string | null }
  | { kind: 'time'; at: number | null }

const text = (value: string | null): BookCell => ({ kind: 'text', text: value })
const number = (value: string | null): BookCell => ({ kind: 'number', number: value })

const sumOf = (tax: OrderTax | null, part: 'net' | 'tax', currency: string): string | null =>
  tax &&
  amountOf(
    tax.lines.reduce((sum, line) => sum + signedMinor(line[part], currency), 0n),
    currency,
  )

const signedMinor = (amount: string, currency: string): bigint =>
  amount.startsWith('-') ? -minorOf(amount.slice(1), currency) : minorOf(amount, currency)

/** A tax rate in percent: "19", "5.5". */
export const percentOf = (rate: TaxRate): string => String(rate / 100)

/** Joins what `of` returns for each line of a row's tax. */
export const each = (tax: OrderTax | null, of: (line: TaxLine) => string): string | null =>
  tax === null ? null : tax.lines.map(of).join(' ')

export const emailOf = ({ customerEmail }: Movement): string | null =>
  customerEmail === NO_EMAIL ? null : customerEmail

type Read = (movement: Movement, position: number, locale: DashboardLocale) => BookCell

/** The columns that bookkeepers read, in their order. */
const columns: Record<BookField, Read> = {
  number: (_, position) => number(String(position)),
  time: ({ at }) => ({ kind: 'time', at }),
  type: ({ type }, _, { texts }) => text(texts.reports.movements[type]),
  externalId: ({ externalId }) => text(externalId),
  customerFullName: ({ customerFullName }) => text(customerFullName || null),
  customer: movement => text(emailOf(movement)),
  taxCountry: ({ tax }) => text(tax?.country ?? null),
  vatId: ({ tax }) => text(tax?.vatId ?? null),
  productName: ({ productName }) => text(productName),
  description: ({ description }) => text(description),
  amount: ({ amount }) => number(amount),
  currency: ({ currency }) => text(currency),
  worth: ({ worth }) => number(worth),
  taxCategory: ({ tax }) => text(each(tax, ({ category }) => category)),
  taxRate: ({ tax }) =>
    tax?.lines.length === 1
      ? number(each(tax, line => percentOf(line.rate)))
      : text(each(tax, line => percentOf(line.rate))),
  taxNet: ({ tax, currency }) => number(sumOf(tax, 'net', currency)),
  taxAmount: ({ tax, currency }) => number(sumOf(tax, 'tax', currency)),
  feeAmount: ({ feeAmount }) => number(feeAmount),
  net: ({ net }) => number(net),
  methodName: ({ methodName }, _, locale) => text(methodName && locale.coin(methodName)),
  received: ({ received }) => number(received),
  receivedCurrency: ({ receivedIn }) => text(receivedIn),
  rate: ({ rate }) => number(rate),
  rateSources: ({ rateSources }) => text(rateSources.join(' ') || null),
  reason: ({ reason }) => text(reason),
  txIn: ({ txIn }) => text(txIn),
  txOut: ({ txOut }) => text(txOut),
  orderUUID: ({ orderId }) => text(orderId),
}

const fields = Object.keys(columns) as BookField[]

export const headsOf = ({ texts }: DashboardLocale): string[] =>
  fields.map(field => texts.reports.columns[field])

export async function* cellsOf(
  locale: DashboardLocale,
  movements: AsyncIterable<Movement>,
): AsyncGenerator<BookCell[]> {
  let position = 0
  for await (const movement of movements) {
    position++
    yield fields.map(field => columns[field](movement, position, locale))
  }
}
