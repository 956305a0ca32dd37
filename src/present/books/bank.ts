import { type CalendarDate, dateAt } from '../../domain/calendar.ts'
import type { Movement } from '../../operations/reports/movement.ts'
import { csvFile } from '../csv.ts'
import type { Books } from './books.ts'
import { emailOf } from './columns.ts'

/** Formats a date as the import of a program expects it. */
export function dateIn(program: BankProgram, date: CalendarDate): string {
  const [year, month, day] = date.split('-')
  return program === 'xero' ? `${day}/${month}/${year}` : `${month}/${day}/${year}`
}

/** The columns that each program expects when it imports bank statements. */
const programs = {
  xero: {
    heads: ['Date', 'Amount', 'Payee', 'Description', 'Reference'],
    cells: (date: string, line: Line) => [date, line.amount, line.payee, line.description, line.reference],
  },
  quickbooks: {
    heads: ['Date', 'Description', 'Amount'],
    cells: (date: string, { amount, payee, description, reference }: Line) => [
      date,
      [reference, payee, description].filter(Boolean).join(' · '),
      amount,
    ],
  },
}

export type BankProgram = keyof typeof programs

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

/** Writes a line for each movement in the currency of the file, as in bank statements. */
export async function* bankLines(books: Books, name: BankProgram): AsyncGenerator<string> {
  const { locale, timeZone, currency, movements } = books
  const { heads, cells } = programs[name]
  async function* rows() {
    for await (const movement of movements) {
      if (movement.amount === null || movement.currency !== currency) continue
      const kind = locale.texts.reports.movements[movement.type]
      const day = dateIn(name, dateAt(movement.at, timeZone))
      yield cells(day, lineOf(movement, movement.amount, kind))
    }
  }
  yield* csvFile(heads, rows())
}
