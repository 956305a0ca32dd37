import type { Locale } from '../../views/locale.ts'
import { minorOf } from '../domain/money.ts'
import type { Order } from '../domain/order.ts'
import type { TaxLine, TaxRate } from '../domain/tax.ts'
import { money } from './amounts.ts'

/** A tax rate in the language of the page: "19 %". */
export const rateText = (formats: string, rate: TaxRate): string =>
  (rate / 10_000).toLocaleString(formats, { style: 'percent', maximumFractionDigits: 2 })

type Taxed = Pick<Order, 'tax' | 'currency'>

/** Sentences for buyers about the tax of an order: one for each rate, or the reason why there is no tax. */
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

/** The VAT IDs of the shop and of the buyer; null for a party without one. */
export const vatIdsOf = ({ tax }: Pick<Order, 'tax'>): { seller: string | null; buyer: string | null } => ({
  seller: tax?.seller.vatId ?? null,
  buyer: tax?.vatId ?? null,
})
