import { LruCache } from '../domain/lru-cache.ts'
import type { Order } from '../domain/order.ts'

/** An amount for people: "$25.00", "CA$25.00", "¥2,500". Exact even beyond the precision of a double. */
export function money({ amount, currency }: Pick<Order, 'amount' | 'currency'>): string {
  const minimumFractionDigits = (amount.split('.')[1] ?? '').length
  return formatOf(currency, { minimumFractionDigits }).format(amount as unknown as number)
}

/** The price of one coin. */
export const price = (rate: string, currency: string): string =>
  formatOf(currency, { maximumSignificantDigits: 8 }).format(rate as unknown as number)

/** There are some 150 currencies with up to three formats each. Making one takes longer than using it. */
const formats = new LruCache<Intl.NumberFormat>(500)

const formatOf = (currency: string, options: Intl.NumberFormatOptions): Intl.NumberFormat =>
  formats.get(
    `${currency} ${JSON.stringify(options)}`,
    () => new Intl.NumberFormat('en', { style: 'currency', currency, ...options }),
  )

/** The ticker of an asset that may no longer be configured. */
export const tickerOf = (assetId: string): string => (assetId.split('/').at(-1) ?? assetId).toUpperCase()
