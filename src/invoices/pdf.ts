import sans from 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf' with { type: 'file' }
// This is PDFKit's build for browsers, which contains its color profile. An executable could not read the
// profile from a file.
import PDFDocument from '../../node_modules/pdfkit/js/pdfkit.browser.mjs'
import type { DocumentRow, InvoiceDocument } from '../domain/invoice-document.ts'
import { facturX } from './factur-x.ts'
import { type Direction, linesOf, partsOf, withoutMarks } from './typeset.ts'

const MARGIN = 56
const [SMALL, NORMAL, LARGE] = [9, 10, 18]

const isRightToLeft = (language: string): boolean => language === 'ar' || language === 'he'

interface PdfOptions {
  /** the e-invoice inside the file; null for none */
  xml: string | null
  /** a font of the operator that replaces DejaVu Sans; empty for none */
  fontFile: string
}

/** All texts of a document, to find letters that the font lacks. */
const textOf = ({ issuedAt: _, ...document }: InvoiceDocument): string =>
  Object.values(document).flat(2).join('')

/** Returns a copy of a document, with each of its texts changed. */
const mapTexts = (document: InvoiceDocument, change: (text: string) => string): InvoiceDocument =>
  JSON.parse(JSON.stringify(document), (_, value) => (typeof value === 'string' ? change(value) : value))

/** Emoji that people write in names, and the characters that join them. */
const picture = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\u200d|\ufe0e|\ufe0f/u

interface Place {
  x: number
  width: number
  align: 'left' | 'right'
}

class Page {
  readonly #pdf: PDFDocument
  readonly #direction: Direction

  constructor(pdf: PDFDocument, direction: Direction) {
    this.#pdf = pdf
    this.#direction = direction
  }

  get #width(): number {
    return this.#pdf.page.width - 2 * MARGIN
  }

  #widthOf(text: string): number {
    // With a list of features, PDFKit lays out a part as a whole, not word by word.
    return this.#pdf.widthOfString(text, { features: [] })
  }

  /**
   * Returns a place at a distance of `from` from the start of lines, which is on the right if the document is
   * read from right to left.
   */
  #place(from: number, width: number, isAtEnd = false): Place {
    const isTurned = this.#direction === 'rtl'
    const x = isTurned ? MARGIN + this.#width - from - width : MARGIN + from
    return { x, width, align: isTurned === isAtEnd ? 'left' : 'right' }
  }

  #linesOf(text: string, { width }: Place): string[] {
    return linesOf(text, line => this.#widthOf(withoutMarks(line)) > width)
  }

  #line(text: string, { x, width, align }: Place, y: number): void {
    const parts = partsOf(text, this.#direction)
    const widths = parts.map(part => this.#widthOf(part))
    const left = width - widths.reduce((sum, one) => sum + one, 0)
    let at = align === 'right' ? x + left : x
    for (const [index, part] of parts.entries()) {
      this.#pdf.text(part, at, y, { lineBreak: false, features: [] })
      at += widths[index] ?? 0
    }
  }

  /** Draws texts beside each other. Lines that do not fit on the page are drawn on the next page. */
  #draw(texts: readonly (readonly [text: string, place: Place])[], gap: number): void {
    const height = this.#pdf.currentLineHeight(true)
    const columns = texts.map(([text, place]) => [this.#linesOf(text, place), place] as const)
    const count = Math.max(...columns.map(([lines]) => lines.length))
    for (let row = 0; row < count; row++) {
      if (this.#pdf.y + height > this.#pdf.page.height - MARGIN) this.#pdf.addPage()
      const { y } = this.#pdf
      for (const [lines, place] of columns) this.#line(lines[row] ?? '', place, y)
      this.#pdf.y = y + height
    }
    this.#pdf.y += gap
  }

  text(text: string, size = NORMAL): void {
    this.#pdf.fontSize(size)
    this.#draw([[text, this.#place(0, this.#width)]], 0)
  }

  gap(lines = 1): void {
    this.#pdf.fontSize(NORMAL).moveDown(lines)
  }

  rule(): void {
    const { y, page } = this.#pdf
    this.#pdf
      .moveTo(MARGIN, y)
      .lineTo(page.width - MARGIN, y)
      .lineWidth(0.5)
      .stroke()
    this.#pdf.moveDown(0.4)
  }

  /** A label at the beginning of a line and its value at the end, or in a second column. */
  row([label, value]: DocumentRow, { isSum = false, size = NORMAL } = {}): void {
    const labelWidth = isSum ? this.#width - 130 : 150
    const from = labelWidth + 10
    this.#pdf.fontSize(size)
    const second = this.#place(from, this.#width - from, isSum)
    this.#draw(
      [
        [label, this.#place(0, labelWidth)],
        [value, second],
      ],
      3,
    )
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
 * Writes an invoice as PDF/A-3 with the e-invoice inside, as Factur-X and ZUGFeRD require. Returns null if
 * the font lacks a letter of the document.
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
      Title: withoutMarks(document.title),
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
  // Fonts for text have few emoji, so missing ones are left out. The e-invoice inside the PDF keeps them.
  const isShown = (letter: string) => !(picture.test(letter) && lacks(letter))
  const shown = mapTexts(document, text => [...text.replace(/\p{Cc}/gu, ' ')].filter(isShown).join(''))
  if ([...new Set(withoutMarks(textOf(shown)).replace(/\s/g, ''))].some(lacks)) return null
  draw(new Page(pdf, isRightToLeft(document.language) ? 'rtl' : 'ltr'), shown)
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
