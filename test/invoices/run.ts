import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Invoice, InvoiceContent } from '../../src/domain/invoice.ts'
import { ciiOf } from '../../src/invoices/cii.ts'
import { invoiceFilesOf } from '../../src/invoices/files.ts'
import { ublOf } from '../../src/invoices/ubl.ts'
import { presentInvoiceDocument } from '../../src/present/invoice-document.ts'
import { databaseFile, openStorage } from '../../src/storage/sqlite/open.ts'
import { english, type Locale, locales } from '../../views/locale.ts'
import { merchantRow } from '../storage/contract/given.ts'
import { faultsOf, rulesFor } from './check.ts'
import { madeInvoices } from './made-invoices.ts'

const WRITERS = 8
const LIFE_MS = 1500

/** Starts a process that issues invoices, and waits for its first ones. */
async function startWriter(folder: string, shop: string) {
  const script = join(import.meta.dir, 'issue-until-killed.ts')
  const writer = Bun.spawn([process.execPath, script, folder, shop], { stdout: 'pipe', stderr: 'pipe' })
  const complaint = new Response(writer.stderr).text()
  const { done } = await writer.stdout.getReader().read()
  if (done) throw new Error(`A writer did not start: ${await complaint}`)
  return writer
}

/**
 * Lets eight processes issue invoices of one shop in one database, and kills each without warning. Returns
 * the number of issued invoices, and a description of each number that is missing or was used twice.
 */
async function killWriters(rounds: number): Promise<{ issued: number; faults: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-invoices-'))
  const shop = crypto.randomUUID()
  try {
    await openStorage(databaseFile(folder), 0).close()
    for (let round = 0; round < rounds; round++) {
      const writers = await Promise.all(Array.from({ length: WRITERS }, () => startWriter(folder, shop)))
      await Promise.all(
        writers.map(async writer => {
          await Bun.sleep(Math.random() * LIFE_MS)
          writer.kill('SIGKILL')
          await writer.exited
        }),
      )
    }
    const storage = openStorage(databaseFile(folder), 0)
    const all = await storage.read(tables => tables.invoices.list(shop, 1_000_000, null))
    await storage.close()
    const ordinals = all.map(({ ordinal }) => ordinal).reverse()
    const faults = ordinals.flatMap((ordinal, at) => (ordinal === at + 1 ? [] : [`${at + 1} is ${ordinal}`]))
    return { issued: ordinals.length, faults: faults.slice(0, 10) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/* npm run test:invoices -- [--seed S] [--count N] [--rounds R] */

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
  },
})
const PDFS = 50
const say = (line: string): boolean => process.stdout.write(`${line}\n`)
const faults: string[] = []

const made = madeInvoices(Number(values.seed), Number(values.count))
for (const content of made) {
  const files = [['CII', ciiOf(content)] as const, ['UBL', ublOf(content)] as const]
  for (const [syntax, xml] of files) {
    for (const rules of rulesFor(syntax, xml)) {
      faults.push(...faultsOf(rules, xml).map(fault => `${content.number} ${rules}: ${fault}`))
    }
  }
}
say(`${made.length} invoices of seed ${values.seed} in both syntaxes: ${faults.length} faults`)

/** The output of a program; null if it is not installed. */
function outputOf(program: string, ...args: string[]): string | null {
  if (Bun.which(program) === null) return null
  const { stdout, stderr, exitCode } = Bun.spawnSync([program, ...args])
  return exitCode === 0 ? stdout.toString() : `exit ${exitCode}: ${stderr}`
}

/** Parts of the output of pdfinfo and qpdf that PDF/A-3 and Factur-X require. */
const demanded = [
  ...['<pdfaid:part>3<', '<pdfaid:conformance>B<', '<fx:DocumentType>INVOICE<', '/AF [', '/OutputIntents'],
  ...['/AFRelationship /Alternative', '/Subtype /text#2fxml', '/ModDate', '/ID ['],
]

/** Languages that Florin's font can write, including those from right to left. */
const written = locales.filter(({ tag }) => invoiceFilesOf('').writesPdf(tag))

/** Checks the PDF of an invoice with programs of other authors. */
async function checkPdf(made: InvoiceContent, locale: Locale, folder: string): Promise<boolean> {
  const content = { ...made, language: locale.tag }
  const xml = ciiOf(content)
  const { number } = content
  const row = { id: number, merchantId: 'shop', orderId: 'order', cause: 'sale', year: 2026, ordinal: 1 }
  const invoice: Invoice = {
    ...row,
    number,
    content,
    xml,
    sha256: null,
    issuedAt: Date.parse(content.issueDate),
  }
  const view = { invoice, merchant: merchantRow(), all: [] }
  const document = presentInvoiceDocument(locale, view, 'https://pay.shop.example')
  const pdf = await invoiceFilesOf('').pdf(document, xml)
  if (pdf === null) return false
  const [file, inside] = [join(folder, 'invoice.pdf'), join(folder, 'inside.xml')]
  await Bun.write(file, pdf)
  const checked = outputOf('qpdf', '--check', file)
  if (checked === null || outputOf('pdfdetach', '-save', '1', '-o', inside, file) === null) return false
  if (!checked.includes('No syntax or stream encoding errors')) faults.push(`${number}: qpdf says ${checked}`)
  if ((await Bun.file(inside).text()) !== xml) faults.push(`${number}: another file is inside of the PDF`)
  const fonts = (outputOf('pdffonts', file) ?? '').split('\n').slice(2).filter(Boolean)
  if (fonts.some(font => !/ yes yes yes /.test(font))) faults.push(`${number}: a font is not embedded`)
  const described = `${outputOf('pdfinfo', '-meta', file)}\n${outputOf('qpdf', '--qdf', file, '-')}`
  const name = xml.includes('xrechnung_3.0') ? 'xrechnung.xml' : 'factur-x.xml'
  for (const part of [...demanded, `<fx:DocumentFileName>${name}<`])
    if (!described.includes(part)) faults.push(`${number}: ${part} is missing`)
  if (described.includes('/Encrypt')) faults.push(`${number}: the PDF is encrypted`)
  return true
}

const folder = mkdtempSync(join(tmpdir(), 'florin-pdf-'))
let checked = 0
for (const [at, content] of made.slice(0, PDFS).entries())
  if (await checkPdf(content, written[at % written.length] ?? english, folder)) checked++
rmSync(folder, { recursive: true })
say(`${checked} PDFs looked at by qpdf and poppler${checked === 0 ? ', which are not installed' : ''}`)

const numbers = await killWriters(Number(values.rounds))
faults.push(...numbers.faults.map(fault => `number ${fault}`))
say(`${numbers.issued} numbers given by processes that were killed: ${numbers.faults.length} faults`)

for (const fault of faults) say(fault)
process.exit(faults.length === 0 && numbers.issued > 0 ? 0 : 1)
