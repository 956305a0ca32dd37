import { listFormat, numberFormat } from '../../views/formats.ts'
import type { Locale } from '../../views/locale.ts'
import { LruCache } from '../domain/lru-cache.ts'
import type { Order } from '../domain/order.ts'

/** Formatted amounts of the last pages. Formatting takes longer than all else that is done with amounts. */
const knownMoney = new LruCache<string>(500)

/**
 * Formats an amount for people: "$25.00", "CA$25.00", "¥2,500". Exact even beyond the precision of a double.
 */
export const money = (locale: Locale, { amount, currency }: Pick<Order, 'amount' | 'currency'>): string =>
  knownMoney.get(`${locale.formats} ${currency} ${amount}`, () => {
    const minimumFractionDigits = (amount.split('.')[1] ?? '').length
    return print(locale, formatOf(locale, currency, { minimumFractionDigits }), amount)
  })

const LEFT_TO_RIGHT_ISOLATE = '\u2066'
const POP_ISOLATE = '\u2069'
const marks = /[\u200e\u200f]/g

/** Isolates the amount in right-to-left languages, where a currency such as "US$" would be torn apart. */
function print({ dir }: Locale, format: Intl.NumberFormat, amount: string): string {
  const text = format.format(amount as unknown as number)
  return dir === 'rtl' ? `${LEFT_TO_RIGHT_ISOLATE}${text.replace(marks, '')}${POP_ISOLATE}` : text
}

/** Formats the price of one coin. */
export const price = (locale: Locale, rate: string, currency: string): string =>
  print(locale, formatOf(locale, currency, { maximumSignificantDigits: 8 }), rate)

const formatOf = (
  { formats }: Locale,
  currency: string,
  options: Intl.NumberFormatOptions,
): Intl.NumberFormat => numberFormat(formats, { style: 'currency', currency, ...options })

/** The ticker of an asset that may no longer be configured. */
export const tickerOf = (assetId: string): string => (assetId.split('/').at(-1) ?? assetId).toUpperCase()

/** Translates a name such as "USDC on Polygon". The name of a coin with its own network is not changed. */
export function coinName({ texts }: Locale, name: string): string {
  const [coin, network] = name.split(' on ')
  return coin !== undefined && network !== undefined ? texts.crypto.coinOnNetwork({ coin, network }) : name
}

const FIRST_STRONG_ISOLATE = '\u2068'

/**
 * Joins names: "A, B, and C". In right-to-left languages, isolates keep the names apart, so that the first
 * name is read first.
 */
export function listOf({ tag, dir }: Locale, names: string[]): string {
  const isolated = names.map(name => `${FIRST_STRONG_ISOLATE}${name}${POP_ISOLATE}`)
  return listFormat(tag, { type: 'conjunction' }).format(dir === 'rtl' ? isolated : names)
}

const NO_BREAK_SPACE = '\u00a0'
const MINUTE_SECONDS = 60

/** Formats a duration: "30 sec", "13 min". */
export function duration({ formats }: Locale, seconds: number): string {
  const isShort = seconds < MINUTE_SECONDS
  const unit = isShort ? 'second' : 'minute'
  const format = numberFormat(formats, { style: 'unit', unit, unitDisplay: 'short' })
  const text = format.format(isShort ? seconds : Math.round(seconds / MINUTE_SECONDS))
  return text.replace(' ', NO_BREAK_SPACE)
}
