import { assert } from '../domain/errors.ts'
import type { Rate } from '../domain/quote.ts'
import { compare, type Fraction, isNear, mean, ONE, over, printRate, times } from './fraction.ts'
import { DOLLAR, type RateRow, type RateTable, TETHER } from './rate-table.ts'

/** Prices that are older than this are not used. */
export const USABLE_MS = 5 * 60_000

export interface Source {
  name: string
  /** true for the operator's file: its price needs no second source if no other source has a price */
  isOperatorFile: boolean
  /** true if the source may have a price for a name, or if that cannot be known */
  lists(name: string): boolean
}

interface SourceQuotes {
  source: Source
  table: RateTable
  /** milliseconds since 1970 UTC */
  fetchedAt: number
}

/** All sources, and the tables of those that responded. */
export interface Quotes {
  sources: readonly Source[]
  received: readonly SourceQuotes[]
  /** milliseconds since 1970 UTC */
  now: number
}

/** A price, and the sources that it comes from. The source of the coin's price is the first. */
interface PricePoint {
  price: Fraction
  evidence: { source: Source; at: number }[]
}

/**
 * Price of a coin in a currency: the median of the sources' prices, two of which must agree. Dollar prices
 * are converted at the median price of the currency. `names` are those under which a table may have the coin,
 * preferred first. Null without such a rate.
 */
export function computeRate(names: readonly string[], currency: string, quotes: Quotes): Rate | null {
  const point = currency === DOLLAR ? dollarMedian(names, quotes) : currencyMedian(names, currency, quotes)
  const value = point && printRate(point.price)
  if (!point || !value) return null
  const isUsed = (source: Source) => point.evidence.some(each => each.source === source)
  return {
    value,
    currency,
    sources: quotes.sources.filter(isUsed).map(({ name }) => name),
    at: Math.min(...point.evidence.map(({ at }) => at)),
  }
}

/** The median price in a currency other than the dollar. */
function currencyMedian(names: readonly string[], currency: string, quotes: Quotes): PricePoint | null {
  const unit = dollarMedian([currency], quotes)
  const points = quotes.received.map(one => {
    const direct = priceIn(currency, names, one, quotes)
    const dollars = direct || !unit ? null : dollarPrice(names, one, quotes)
    return direct ?? (dollars && unit && derived(over(dollars.price, unit.price), dollars, unit))
  })
  return confirmedMedian(names, points, quotes)
}

const dollarMedian = (names: readonly string[], quotes: Quotes): PricePoint | null =>
  confirmedMedian(
    names,
    quotes.received.map(one => dollarPrice(names, one, quotes)),
    quotes,
  )

/**
 * The median of the prices. One price is enough if there is no other source, or if it is the operator's and
 * no other source may have a price.
 */
function confirmedMedian(
  names: readonly string[],
  found: readonly (PricePoint | null)[],
  { sources }: Quotes,
): PricePoint | null {
  const points = found.filter(point => point !== null)
  const source = points[0]?.evidence[0]?.source
  const others = sources.filter(other => other !== source)
  const isUncontested = source?.isOperatorFile === true && !others.some(other => names.some(other.lists))
  return median(points, others.length === 0 || isUncontested)
}

/** A source's price in dollars. A price in USDT is converted at the other sources' price of USDT. */
function dollarPrice(names: readonly string[], one: SourceQuotes, quotes: Quotes): PricePoint | null {
  const direct = priceIn(DOLLAR, names, one, quotes)
  const inTethers = direct ? null : priceIn(TETHER, names, one, quotes)
  const tether = inTethers && tetherPrice(quotes)
  return direct ?? (inTethers && tether && derived(times(inTethers.price, tether.price), inTethers, tether))
}

/**
 * Price of USDT. One source is enough if its price is near a dollar, as expected: USDT prices count only
 * beside another source's dollar prices, so one wrong price moves them by 2 % at most.
 */
function tetherPrice(quotes: Quotes): PricePoint | null {
  const found = quotes.received.map(one => priceIn(DOLLAR, [TETHER.toLowerCase()], one, quotes))
  const points = found.filter(point => point !== null)
  return median(
    points,
    points.every(({ price }) => isNear(price, ONE)),
  )
}

/** The price in one source's own table; null if the price is too old. */
function priceIn(
  unit: string,
  names: readonly string[],
  { source, table, fetchedAt }: SourceQuotes,
  { now }: Quotes,
): PricePoint | null {
  const row = rowOf(table, names)
  const price = row?.prices.get(unit)
  const at = Math.min(fetchedAt, row?.updatedAt ?? fetchedAt)
  return price && now - at <= USABLE_MS ? { price, evidence: [{ source, at }] } : null
}

function rowOf({ rows }: RateTable, names: readonly string[]): RateRow | undefined {
  const name = names.find(each => rows.has(each))
  return name === undefined ? undefined : rows.get(name)
}

const derived = (price: Fraction, own: PricePoint, unit: PricePoint): PricePoint => ({
  price,
  evidence: [...own.evidence, ...unit.evidence],
})

/** The median of all points; null if there are none, or no two of them confirm it. */
function median(points: readonly PricePoint[], isOneEnough: boolean): PricePoint | null {
  const sorted = points.map(({ price }) => price).sort(compare)
  if (sorted.length === 0) return null
  const price = middleOf(sorted)
  const isGood = isConfirmed(sorted, price) || (isOneEnough && sorted.length === 1)
  return isGood ? { price, evidence: points.flatMap(({ evidence }) => evidence) } : null
}

/** The middle price; for an even number of prices, the mean of the middle two. */
function middleOf(sorted: readonly Fraction[]): Fraction {
  const half = sorted.length >> 1
  const [before, middle] = [sorted[half - 1], sorted[half]]
  assert(middle, 'there is a middle of one or more')
  return sorted.length % 2 === 1 || !before ? middle : mean(before, middle)
}

/** True if two neighbours are near each other and the median: two broken sources must not move it. */
const isConfirmed = (sorted: readonly Fraction[], price: Fraction): boolean =>
  sorted.some((one, index) => {
    const next = sorted[index + 1]
    return next !== undefined && isNear(one, next) && isNear(one, price) && isNear(next, price)
  })
