import type { DashboardLocale } from '../../../views/dashboard/locale.ts'
import { type CsvStyle, csvFile, Decimal } from '../csv.ts'
import type { Books } from './books.ts'
import { type BookCell, cellsOf, headsOf } from './columns.ts'

/**
 * A time that spreadsheets in the reader's language recognize: "31.03.2026 14:05:00" or "2026-03-31
 * 14:05:00".
 */
function timeText({ tag }: DashboardLocale, at: number, timeZone: string): string {
  const time = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone)
  const [day = '', clock = ''] = time.toPlainDateTime().toString({ smallestUnit: 'second' }).split('T')
  return `${tag === 'de' ? day.split('-').toReversed().join('.') : day} ${clock}`
}

function writtenCell(locale: DashboardLocale, timeZone: string, cell: BookCell): string | Decimal | null {
  if (cell.kind === 'text') return cell.text
  if (cell.kind === 'number') return cell.number === null ? null : new Decimal(cell.number)
  return cell.at === null ? null : timeText(locale, cell.at, timeZone)
}

async function* rowsOf({ locale, timeZone, movements }: Books) {
  for await (const row of cellsOf(locale, movements)) yield row.map(one => writtenCell(locale, timeZone, one))
}

const styles: Record<DashboardLocale['tag'], CsvStyle> = {
  en: { separator: ',', decimal: '.' },
  de: { separator: ';', decimal: ',' },
}

/** The books for a spreadsheet in the language of the reader. */
export const booksCsv = (books: Books): AsyncGenerator<string> =>
  csvFile(headsOf(books.locale), rowsOf(books), {
    ...styles[books.locale.tag],
    ...(books.separator && { separator: books.separator }),
  })
