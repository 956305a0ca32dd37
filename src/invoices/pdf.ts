import sans from 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf' with { type: 'file' }
// The build for browsers has its color profile inside, which an executable could not read from a file.
import PDFDocument from '../../node_modules/pdfkit/js/pdfkit.browser.mjs'
import type { DocumentRow, InvoiceDocument } from '../domain/invoice-document.ts'
import { facturX } from './factur-x.ts'

const MARGIN = 56
const [SMALL, NORMAL, LARGE] = [9, 10, 18]

interface PdfOptions {
  /** the e-invoice inside of the file; null for none */
  xml: string | null
  /** a font of the operator in place of DejaVu Sans; empty for none */
  fontFile: string
}

/** All of a document's text. */
const textOf = ({ issuedAt: _, ...document }: InvoiceDocument): string =>
  Object.values(document).flat(2).join('')

/** A document whose texts are changed. */
const mapTexts = (document: InvoiceDocument, change: (text: string) => string): InvoiceDocument =>
  JSON.parse(JSON.stringify(document), (_, value) => (typeof value === 'string' ? change(value) : value))

/** Pictures that people write in names, and what joins them. */
const picture = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\u200d|\ufe0e|\ufe0f/u

class Page {
  readonly #pdf: PDFDocument
  constructor(pdf: PDFDocument) {
    this.#pdf = pdf
  }

  text(text: string, size = NORMAL): void {
    this.#pdf.fontSize(size).text(text, MARGIN)
  }

  gap(lines = 1): void {
    this.#pdf.fontSize(NORMAL).moveDown(lines)
  }

  rule(): void {
    const { x, y, page } = this.#pdf
    this.#pdf
      .moveTo(x, y)
      .lineTo(page.width - MARGIN, y)
      .lineWidth(0.5)
      .stroke()
    this.#pdf.moveDown(0.4)
  }

  /** A label at the left and its value at the right, or in a second column. */
  row([label, value]: DocumentRow, { isSum = false, size = NORMAL } = {}): void {
    const width = this.#pdf.page.width - 2 * MARGIN
    const labelWidth = isSum ? width - 130 : 150
    const options = { width: isSum ? 120 : width - labelWidth - 10, align: isSum ? 'right' : 'left' }
    this.#pdf.fontSize(size)
    const heights = [
      this.#pdf.heightOfString(label, { width: labelWidth }),
      this.#pdf.heightOfString(value, options),
    ]
    const height = Math.max(...heights)
    if (this.#pdf.y + height > this.#pdf.page.height - MARGIN) this.#pdf.addPage()
    const { y } = this.#pdf
    this.#pdf.text(label, MARGIN, y, { width: labelWidth })
    this.#pdf.text(value, MARGIN + labelWidth + 10, y, options)
    this.#pdf.x = MARGIN
    this.#pdf.y = y + height + 3
  }
}

function draw(page: Page, document: InvoiceDocument): void {
  const { title, seller, facts, buyerLabel, buyer, columns, lines, sums, notes, payments, payUrl } = document
  for (const line of seller) page.text(line, SMALL)
  page.gap(2)
  page.text(title, LARGE)
  page.gap(0.5)
  for (const fact of facts) page.row(fact)
  page.gap()
  page.text(buyerLabel, SMALL)
  for (const line of buyer) page.text(line)
  page.gap()
  page.row(columns, { isSum: true, size: SMALL })
  page.rule()
  for (const line of lines) page.row(line, { isSum: true })
  page.rule()
  for (const sum of sums) page.row(sum, { isSum: true })
  page.gap()
  for (const note of notes) page.text(note)
  if (payments.length > 0) page.gap()
  for (const payment of payments) page.row(payment, { size: SMALL })
  if (payUrl !== null) page.text(payUrl)
}

/**
 * An invoice as PDF/A-3 with the e-invoice inside, as Factur-X and ZUGFeRD have it. Null if the font lacks a
 * letter of it.
 */
export async function pdfOf(
  document: InvoiceDocument,
  { xml, fontFile }: PdfOptions,
): Promise<Uint8Array | null> {
  const font = await Bun.file(fontFile === '' ? sans : fontFile).bytes()
  const at = new Date(document.issuedAt)
  const [author = ''] = document.seller
  const pdf = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    pdfVersion: '1.7',
    subset: 'PDF/A-3b',
    lang: document.language,
    displayTitle: true,
    font: null,
    info: {
      Title: document.title,
      Author: author,
      CreationDate: at,
      ModDate: at,
      Producer: 'Florin',
      Creator: 'Florin',
    },
  })
  const chunks: Uint8Array[] = []
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on('data', (chunk: Uint8Array) => void chunks.push(chunk))
    pdf.on('end', resolve)
    pdf.on('error', reject)
  })
  pdf.registerFont('text', font)
  pdf.font('text')
  const lacks = (letter: string) => !pdf._font.font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0)
  // Fonts of letters have few pictures. The e-invoice inside of the PDF keeps them.
  const isShown = (letter: string) => !(picture.test(letter) && lacks(letter))
  const shown = mapTexts(document, text => [...text.replace(/\p{Cc}/gu, ' ')].filter(isShown).join(''))
  if ([...new Set(textOf(shown).replace(/\s/g, ''))].some(lacks)) return null
  draw(new Page(pdf), shown)
  if (xml !== null) {
    const { name, metadata } = facturX(xml)
    pdf.file(Buffer.from(xml), {
      name,
      type: 'text/xml',
      relationship: 'Alternative',
      description: 'Factur-X',
      creationDate: at,
      modifiedDate: at,
    })
    pdf.appendXML(metadata)
  }
  pdf.end()
  await ended
  return Buffer.concat(chunks)
}
