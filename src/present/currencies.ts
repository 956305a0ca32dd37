import type { Locale } from '../../views/locale.ts'
import type { Currency } from '../../views/product/model.ts'
import { currencies } from '../domain/currency.ts'

/** Countries whose currency code does not begin with the country's. */
const EURO = new Set('AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' '))

/** The currency of a locale's region; undefined if unknown. */
function currencyOf({ formats }: Locale): string | undefined {
  const { region = '' } = new Intl.Locale(formats).maximize()
  return EURO.has(region) ? 'EUR' : currencies.find(code => code.startsWith(region))
}

const named = new Map<string, readonly Currency[]>()

/** Names of all currencies in the language of the page, cached per language. */
function namesIn({ tag }: Locale): readonly Currency[] {
  const known = named.get(tag)
  if (known) return known
  const names = new Intl.DisplayNames(tag, { type: 'currency' })
  const list = currencies.map(code => ({ code, label: `${code} – ${names.of(code) ?? code}` }))
  named.set(tag, list)
  return list
}

/** The currencies that a buyer can choose from: the product's first, then the buyer's, then all others. */
export function currencyChoices(locale: Locale, ofProduct: string): readonly Currency[] {
  const first = new Set([ofProduct, currencyOf(locale)])
  const all = namesIn(locale)
  const isFirst = ({ code }: Currency): boolean => first.has(code)
  const head = [...first].flatMap(code => all.find(currency => currency.code === code) ?? [])
  return [...head, ...all.filter(currency => !isFirst(currency))]
}
