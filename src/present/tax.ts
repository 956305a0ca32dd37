import type { Locale } from '../../views/locale.ts'
import { minorOf } from '../domain/money.ts'
import type { Order } from '../domain/order.ts'
import type { TaxLine, TaxRate } from '../domain/tax.ts'
import { money } from './amounts.ts'

/** "19 %" in the language of the page. */
export const rateText = (formats: string, rate: TaxRate): string =>
  (rate / 10_000).toLocaleString(formats, { style: 'percent', maximumFractionDigits: 2 })

type Taxed = Pick<Order, 'tax' | 'currency'>

/** What buyers read about the tax of an order: a sentence for each rate, or why there is none. */
export function taxSentences(locale: Locale, { tax, currency }: Taxed): string[] {
  if (tax === null) return []
  const { receipt } = locale.texts
  return tax.lines.flatMap((line: TaxLine) => {
    if (line.category === 'AE') return [receipt.reverseCharge]
    if (minorOf(line.tax, currency) > 0n) {
      const shown = {
        tax: money(locale, { amount: line.tax, currency }),
        rate: rateText(locale.formats, line.rate),
      }
      return [receipt.includesTax(shown)]
    }
    return [tax.exemption ?? receipt.noTax]
  })
}

/** The numbers of the shop and of the buyer, if they are businesses; null for those without. */
export const vatIdsOf = ({ tax }: Pick<Order, 'tax'>): { seller: string | null; buyer: string | null } => ({
  seller: tax?.seller.vatId ?? null,
  buyer: tax?.vatId ?? null,
})
