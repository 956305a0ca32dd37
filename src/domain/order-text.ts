import { currencies, currencyDecimals } from './currency.ts'
import type { Amount } from './money.ts'

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/i
/** A transaction ID or an address in a link. Shorter words of a link name its page. */
const HASH = /^[0-9a-z]{25,}$/i

/**
 * Returns the text by which to search for orders. From a link to an order, it takes the ID; from a link to an
 * explorer, the transaction or address; from a payment URI, the address. Any other text stays as it is.
 */
export function searchedIn(text: string): string {
  const wanted = text.trim()
  if (!/^[a-z]+:[^\s]+$/i.test(wanted)) return wanted
  const [uuid] = UUID.exec(wanted) ?? []
  if (uuid !== undefined) return uuid
  const [, paid] = /[?&]address=([0-9a-z]+)/i.exec(wanted) ?? []
  if (paid !== undefined) return paid
  const [first, ...others] = wanted.split(/[^0-9a-z]+/i).filter(part => HASH.test(part))
  return first === undefined ? wanted : [first, ...others].reduce((a, b) => (b.length > a.length ? b : a))
}

const symbols: Record<string, string> = {
  ...{ '€': 'EUR', '£': 'GBP', '₹': 'INR', '₩': 'KRW', '₺': 'TRY', '₽': 'RUB', '₴': 'UAH' },
  ...{ '₫': 'VND', '฿': 'THB', ZŁ: 'PLN', KČ: 'CZK', FR: 'CHF', R$: 'BRL' },
}

/** Signs that several currencies share. */
const sharedSigns = ['$', '¥', 'KR']

/**
 * The currencies that a currency sign or a code may mean; all currencies if there is neither, or if several
 * share the sign.
 */
function currenciesOf(sign: string): readonly string[] {
  const name = sign.replace(/[.\s]/g, '').toUpperCase()
  if (name === '' || sharedSigns.includes(name)) return currencies
  const code = symbols[name] ?? name
  return currencyDecimals(code) === undefined ? [] : [code]
}

/** The numbers that digits with separators may mean, with a point: "1,234" is 1234 or 1.234. */
function numbersIn(text: string): string[] {
  const compact = text.replace(/[\s'’]/g, '')
  const separators = compact.match(/[.,]/g) ?? []
  const whole = compact.replace(/[.,]/g, '')
  const [last] = separators.slice(-1)
  if (last === undefined) return [whole]
  const at = compact.lastIndexOf(last)
  const decimal = `${compact.slice(0, at).replace(/[.,]/g, '')}.${compact.slice(at + 1)}`
  if (separators.length > 1) return separators.every(one => one === last) ? [whole] : [decimal]
  return compact.length - at === 4 ? [whole, decimal] : [decimal]
}

/** The number as an amount of a currency; null if it has more decimals than the currency. */
function amountOf(number: string, decimals: number): Amount | null {
  const [units = '', fraction = ''] = number.split('.')
  const shown = fraction.replace(/0+$/, '')
  if (shown.length > decimals) return null
  const whole = units.replace(/^0+(?=\d)/, '')
  return (decimals === 0 ? whole : `${whole}.${shown.padEnd(decimals, '0')}`) as Amount
}

const AMOUNT = /^([^\d\s.,]{0,3}\.?)\s*(\d(?:[\d.,'’\s]{0,18}\d)?)\s*([^\d\s.,]{0,3}\.?)$/u

/** The amounts of an order that a text may mean: "48", "€48", "48,00 EUR". */
export function amountIn(text: string): { currency: string; amount: Amount }[] {
  const [, before = '', digits = '', after = ''] = AMOUNT.exec(text.trim()) ?? []
  if (digits === '' || (before !== '' && after !== '')) return []
  return currenciesOf(before || after).flatMap(currency =>
    numbersIn(digits).flatMap(number => {
      const amount = amountOf(number, currencyDecimals(currency) ?? 0)
      return amount === null ? [] : [{ currency, amount }]
    }),
  )
}
