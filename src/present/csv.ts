/** A decimal number, which is written with the decimal sign of the file. */
export class Decimal {
  constructor(readonly text: string) {}
}

type Cell = string | number | bigint | Decimal | null

/** The signs with which spreadsheets in a language read a file. */
export interface CsvStyle {
  separator: ',' | ';'
  decimal: '.' | ','
}

const plainStyle: CsvStyle = { separator: ',', decimal: '.' }

/** Makes spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff'

const plainNumber = /^-?[0-9]+([.][0-9]+)?$/

// Spreadsheets in some languages also read the full-width forms of these signs.
const sign = '[=+\\-@\uff1d\uff0b\uff0d\uff20]'
/** Matches the start of a cell that a spreadsheet takes for a formula. */
const formula = new RegExp(`^(?=[\\t\\r]|\\s*${sign})`)
/**
 * Matches a formula that follows a separator inside a cell, because some spreadsheets split cells at
 * semicolons or tabs. They read a pair of quotes there as an empty text.
 */
const formulaInside = new RegExp(`([\\t\\r\\n;])(?=["\\s]*${sign})`, 'g')

const special = /[",;\t\r\n]|^\s|\s$/

/** Formats a cell. An apostrophe before a possible formula makes it text; numbers are not changed. */
function cell(value: Cell, { separator, decimal }: CsvStyle): string {
  if (value instanceof Decimal) {
    const number = value.text.replace('.', decimal)
    return separator === decimal ? `"${number}"` : number
  }
  const text = value === null ? '' : String(value)
  const safe = plainNumber.test(text) ? text : text.replace(formulaInside, "$1'").replace(formula, "'")
  return special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A row of a CSV file (RFC 4180). */
const csvRow = (cells: readonly Cell[], style: CsvStyle): string =>
  `${cells.map(one => cell(one, style)).join(style.separator)}\r\n`

/** Size of the pieces of a file, in characters. */
const CHUNK = 16_384

/** A CSV file in pieces: its header, then its rows as they come. */
export async function* csvFile(
  header: readonly string[],
  rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>,
  style: CsvStyle = plainStyle,
): AsyncGenerator<string> {
  let text = BYTE_ORDER_MARK + csvRow(header, style)
  for await (const row of rows) {
    text += csvRow(row, style)
    if (text.length < CHUNK) continue
    yield text
    text = ''
  }
  yield text
}
