import { strToU8, Zip, ZipDeflate } from 'fflate'
import type { Books } from './books.ts'
import { type BookCell, cellsOf, headsOf } from './columns.ts'

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const OFFICE = 'http://schemas.openxmlformats.org'
const MAIN = `${OFFICE}/spreadsheetml/2006/main`
const RELATIONS = `${OFFICE}/officeDocument/2006/relationships`
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Numbers of cell formats in `styles`. */
const formats = { text: 0, amount: 1, time: 2, head: 3, plain: 4 }

const styles = `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164"
formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>
<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill>
<fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="5"><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0"/>
<xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>
<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>
<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>
<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs></styleSheet>`

/** The parts of the file besides the rows. */
const parts = {
  '[Content_Types].xml': `${XML}<Types xmlns="${OFFICE}/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/>
<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/>
<Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`,
  '_rels/.rels': `${XML}<Relationships xmlns="${OFFICE}/package/2006/relationships"><Relationship Id="rId1"
Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="Florin"
sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${OFFICE}/package/2006/relationships">
<Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2"
Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': styles,
}

const SHEET_START = `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">
<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>
<sheetData>`
const SHEET_END = '</sheetData></worksheet>'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Escapes a text. Characters that XML does not allow, and unpaired surrogates, are replaced. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '\ufffd')
    .replace(/[&<>]/g, sign => entities[sign]!)

const textCell = (text: string, format: number): string =>
  `<c s="${format}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`

/** A number with more digits is written as text, because a double could not hold all of them exactly. */
const DIGITS_MAX = 15
const EPOCH_DAYS = 25_569
const DAY_MS = 86_400_000

function numberCell(number: string): string {
  const digits = number.replace(/^-?0*[.]?0*|[.]/g, '').length
  if (digits > DIGITS_MAX) return textCell(number, formats.text)
  const format = /[.]\d{2}$/.test(number) ? formats.amount : formats.plain
  return `<c s="${format}"><v>${number}</v></c>`
}

/** A cell with a time. Spreadsheets know no time zones, so the cell has the local time of the shop. */
function timeCell(at: number, timeZone: string): string {
  const { offsetNanoseconds } = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone)
  const local = at - (at % 1000) + offsetNanoseconds / 1_000_000
  return `<c s="${formats.time}"><v>${local / DAY_MS + EPOCH_DAYS}</v></c>`
}

function cellOf(cell: BookCell, timeZone: string): string {
  if (cell.kind === 'text') return cell.text === null ? '<c/>' : textCell(cell.text, formats.text)
  if (cell.kind === 'number') return cell.number === null ? '<c/>' : numberCell(cell.number)
  return cell.at === null ? '<c/>' : timeCell(cell.at, timeZone)
}

const rowOf = (cells: readonly string[]): string => `<row>${cells.join('')}</row>`

/** Size of the pieces that are compressed at once, in characters. */
const CHUNK = 65_536

async function* sheetOf({ locale, timeZone, movements }: Books): AsyncGenerator<string> {
  let text = SHEET_START + rowOf(headsOf(locale).map(head => textCell(head, formats.head)))
  for await (const row of cellsOf(locale, movements)) {
    text += rowOf(row.map(cell => cellOf(cell, timeZone)))
    if (text.length < CHUNK) continue
    yield text
    text = ''
  }
  yield text + SHEET_END
}

/** The books as a spreadsheet (Office Open XML), compressed while its rows are read. */
export async function* booksXlsx(books: Books): AsyncGenerator<Uint8Array> {
  let made: Uint8Array[] = []
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    made.push(bytes)
  })
  const add = (name: string): ZipDeflate => {
    const entry = new ZipDeflate(name, { level: 6 })
    zip.add(entry)
    return entry
  }
  for (const [name, text] of Object.entries(parts)) add(name).push(strToU8(text), true)
  const sheet = add('xl/worksheets/sheet1.xml')
  for await (const text of sheetOf(books)) {
    sheet.push(strToU8(text))
    yield* made
    made = []
  }
  sheet.push(new Uint8Array(), true)
  zip.end()
  yield* made
}
