import { addDays } from '../../src/domain/calendar.ts'
import {
  creditedLines,
  eInvoiceFault,
  type InvoiceContent,
  type InvoiceSeller,
  invoiceNumber,
  linesLeft,
  sumsOf,
  untaxedLine,
} from '../../src/domain/invoice.ts'
import { amountOf, minorOf } from '../../src/domain/money.ts'
import { type ShopTax, type TaxLine, taxOfSale } from '../../src/domain/tax.ts'

/** Numbers that look random, and are the same for the same seed (mulberry32). */
export function randomFrom(seed: number) {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (most: number): number => Math.floor(next() * most)
  return { below, pick: <T>(from: readonly T[]): T => from[below(from.length)] as T }
}

type Random = ReturnType<typeof randomFrom>

const SMALL_BUSINESS = 'Kein Ausweis von Umsatzsteuer, da Kleinunternehmer gemäß § 19 UStG'

const vatIds: Record<string, string> = { DE: 'DE123456788', FR: 'FR83404833048', AT: 'ATU12345675' }

function sellerOf({ pick }: Random, country: string): InvoiceSeller {
  const hasContact = pick([true, false])
  const vatId = pick([vatIds[country] ?? null, vatIds[country] ?? null, null])
  return {
    name: pick(['Shop GmbH', 'Ärger & Söhne <OHG>', 'Chez "Zoé"', 'Κατάστημα', 'Лавка']),
    street: pick(['Hauptstr. 1', '12, rue de l’Église', 'Kärntner Ring 3']),
    postcode: pick(['10115', '75001', '1010']),
    town: pick(['Berlin', 'Paris', 'Wien']),
    country,
    vatId,
    taxNumber: vatId === null ? pick(['12/345/67890', '12/345/67890', null]) : pick([null, '12/345/67890']),
    contact: hasContact ? 'Eva Muster' : null,
    phone: hasContact ? '+49 30 1234567' : null,
    email: hasContact ? 'rechnung@shop.example' : null,
  }
}

const ratesOf = (country: string) =>
  [
    { country: 'DE', standard: 1900, reduced: 700 },
    { country: 'FR', standard: 2000, reduced: 550 },
    { country: 'AT', standard: 2000, reduced: 1000 },
    { country: 'FI', standard: 2550, reduced: 1400 },
  ].filter(one => one.country === country || country === 'DE')

function shopTaxOf({ pick }: Random, { country, vatId }: InvoiceSeller): ShopTax {
  return {
    country,
    vatId,
    prices: pick(['included', 'added'] as const),
    exemption: pick([null, null, null, SMALL_BUSINESS]),
    sells: pick(['goods', 'services'] as const),
    reverseCharge: pick([true, false]),
    rates: ratesOf(country),
  }
}

/** The lines of one or two products for each pair of category and rate. */
function linesOf(
  random: Random,
  shop: ShopTax,
  buyer: { country: string | null; vatId: string | null },
  currency: string,
) {
  const { below, pick } = random
  const sales = pick([['standard'], ['reduced'], ['standard', 'reduced'], ['zero'], ['exempt']] as const).map(
    taxClass =>
      taxOfSale(shop, {
        price: { amount: amountOf(BigInt(1 + below(pick([10, 5000, 3_000_000]))), currency), currency },
        taxClass,
        payer: buyer,
      }),
  )
  const lines = sales.flatMap(({ tax }) => tax.lines)
  const keys = new Set(lines.map(({ category, rate }) => `${category} ${rate}`))
  const isMixed = keys.size < lines.length || lines.some(({ category }) => category === 'O')
  return { lines: isMixed ? lines.slice(0, 1) : lines, exemption: sales[0]?.tax.exemption ?? null }
}

function contentOf(random: Random, ordinal: number): InvoiceContent {
  const { below, pick } = random
  const seller = sellerOf(random, pick(['DE', 'DE', 'FR', 'AT']))
  const currency = pick(['EUR', 'EUR', 'EUR', 'USD', 'JPY'])
  const shop = shopTaxOf(random, seller)
  const payer = pick([
    { country: null, vatId: null },
    { country: 'DE', vatId: null },
    { country: 'FR', vatId: 'FR83404833048' },
    { country: 'AT', vatId: 'ATU12345675' },
    { country: 'FI', vatId: null },
    { country: 'US', vatId: null },
  ])
  const isTaxed = pick([true, true, true, true, false])
  const untaxed = (): TaxLine[] => [
    untaxedLine(amountOf(BigInt(1 + below(100_000)), currency), currency, seller),
  ]
  const { lines, exemption } = isTaxed
    ? linesOf(random, shop, payer, currency)
    : { lines: untaxed(), exemption: null }
  const sums = sumsOf(lines, currency)
  const isPaid = pick([true, true, false])
  const hasAddress = pick([true, false])
  const issueDate = addDays('2026-01-01', below(360))
  return {
    kind: 'invoice',
    number: invoiceNumber(2026, ordinal),
    issueDate,
    deliveryDate: issueDate,
    currency,
    language: 'de',
    seller,
    buyer: {
      name: pick(['Kunde AG', 'Max Müller', 'O’Neil & Co']),
      street: hasAddress ? 'Weg 2' : '',
      postcode: hasAddress ? '20095' : '',
      town: hasAddress ? 'Hamburg' : '',
      reference: pick([null, '04011000-12345-34']),
      email: 'kunde@example.org',
      ...payer,
    },
    order: `A-${ordinal}`,
    item: pick(['T-shirt', 'Kaffee & Kuchen', '<b>Buch</b>']),
    lines,
    exemption,
    ...sums,
    paid: isPaid ? sums.gross : amountOf(0n, currency),
    due: isPaid ? amountOf(0n, currency) : sums.gross,
    payments: isPaid
      ? pick([
          [],
          [{ method: 'Card', received: null, rate: null, transactionId: null, date: issueDate }],
          [
            {
              method: 'Bitcoin',
              received: '0.00041 BTC',
              rate: '52243.9',
              transactionId: 'ab'.repeat(32),
              date: issueDate,
            },
          ],
        ])
      : [],
    payUrl: isPaid ? null : 'https://pay.shop.example/pay/0190',
    corrects: null,
  }
}

function creditNoteOf({ below }: Random, content: InvoiceContent, ordinal: number): InvoiceContent {
  const { currency, number, issueDate } = content
  const left = linesLeft(content.lines, [], currency)
  const part = amountOf(BigInt(1 + below(Number(minorOf(content.gross, currency)))), currency)
  const lines = creditedLines(content.lines, left, part, currency)
  const sums = sumsOf(lines, currency)
  return {
    ...content,
    ...sums,
    kind: 'credit_note',
    number: invoiceNumber(2026, ordinal),
    lines,
    paid: sums.gross,
    due: amountOf(0n, currency),
    payments: [],
    payUrl: null,
    corrects: { number, date: issueDate },
  }
}

/** Invoices and credit notes for all kinds of shops and buyers that an e-invoice can express. */
export function madeInvoices(seed: number, count: number): InvoiceContent[] {
  const random = randomFrom(seed)
  const made: InvoiceContent[] = []
  while (made.length < count) {
    const content = contentOf(random, made.length + 1)
    if (eInvoiceFault(content) !== null) continue
    made.push(content)
    if (made.length < count && random.below(4) === 0)
      made.push(creditNoteOf(random, content, made.length + 1))
  }
  return made
}
