import { compare, type Fraction, isNear, mean } from './fraction.ts'

/** Who said something, and when it was so, in milliseconds since 1970 UTC. */
interface Evidence<Source> {
  source: Source
  at: number
}

/** A price, and all that it rests on: first the source whose opinion it is. */
export interface Opinion<Source> {
  price: Fraction
  evidence: Evidence<Source>[]
}

/** The one in the middle; of an even number the mean of the middle two. */
function middleOf(sorted: Fraction[]): Fraction {
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half]! : mean(sorted[half - 1]!, sorted[half]!)
}

/** A median that no two sources stand behind is nobody's price: two broken ones could drag it anywhere. */
function isConfirmed(sorted: Fraction[], median: Fraction): boolean {
  return sorted.some((price, at) => {
    const next = sorted[at + 1]
    return next !== undefined && isNear(price, next) && isNear(price, median) && isNear(next, median)
  })
}

/** The median, resting on all opinions; null where there is none, or no two of them agree about it. */
export function medianOf<Source>(opinions: Opinion<Source>[], isOneEnough: boolean): Opinion<Source> | null {
  const prices = opinions.map(({ price }) => price).sort(compare)
  if (prices.length === 0) return null
  const price = middleOf(prices)
  const isGood = isConfirmed(prices, price) || (isOneEnough && prices.length === 1)
  return isGood ? { price, evidence: opinions.flatMap(({ evidence }) => evidence) } : null
}
