import { dateAt } from '../../domain/calendar.ts'
import type { Movement } from '../../operations/reports/movement.ts'
import { csvFile } from '../csv.ts'
import type { Books } from './books.ts'
import { emailOf } from './columns.ts'

/** What the import of bank statements takes. */
const programs = {
  xero: {
    heads: ['Date', 'Amount', 'Payee', 'Description', 'Reference'],
    date: ([year, month, day]: string[]) => `${day}/${month}/${year}`,
    cells: (date: string, line: Line) => [date, line.amount, line.payee, line.description, line.reference],
  },
  quickbooks: {
    heads: ['Date', 'Description', 'Amount'],
    date: ([year, month, day]: string[]) => `${month}/${day}/${year}`,
    cells: (date: string, { amount, payee, description, reference }: Line) => [
      date,
      [reference, payee, description].filter(Boolean).join(' · '),
      amount,
    ],
  },
}

interface Line {
  amount: string
  payee: string
  description: string
  reference: string
}

const lineOf = (movement: Movement, amount: string, kind: string): Line => ({
  amount,
  payee: movement.customerFullName || (emailOf(movement) ?? ''),
  description: [kind, movement.productName ?? movement.description].filter(Boolean).join(': '),
  reference: movement.externalId ?? movement.orderId ?? movement.id,
})

/** One line for each movement in the currency of the file, as bank statements have them. */
export async function* bankLines(books: Books, name: keyof typeof programs): AsyncGenerator<string> {
  const { locale, timeZone, currency, movements } = books
  const { heads, date, cells } = programs[name]
  async function* rows() {
    for await (const movement of movements) {
      if (movement.amount === null || movement.currency !== currency) continue
      const kind = locale.texts.reports.movements[movement.type]
      const day = date(dateAt(movement.at, timeZone).split('-'))
      yield cells(day, lineOf(movement, movement.amount, kind))
    }
  }
  yield* csvFile(heads, rows())
}
