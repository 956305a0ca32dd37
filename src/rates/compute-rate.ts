import type { Rate } from '../domain/quote.ts'
import { type Fraction, isNear, ONE, over, printRate, times } from './fraction.ts'
import { medianOf, type Opinion } from './median.ts'
import { DOLLAR, type RateTable, type Row, TETHER } from './rate-table.ts'

/** After this an old price is no price. */
export const USABLE_MS = 5 * 60_000

/** A source of rates, as far as its word counts. */
export interface Voice {
  name: string
  /** the operator writes it himself, so it is enough for what no other source may price */
  isOwnWord: boolean
  /** whether it may price what a table calls so; true also where that cannot be known */
  lists(name: string): boolean
}

interface Heard {
  voice: Voice
  table: RateTable
  /** when it was asked, milliseconds since 1970 UTC */
  at: number
}

/** All sources, and what those said that were heard of late. */
export interface Hearing {
  voices: readonly Voice[]
  heard: readonly Heard[]
  /** milliseconds since 1970 UTC */
  now: number
}

type Word = Opinion<Voice>

/**
 * What a coin costs in a currency: the median of the sources' prices, of which two must agree. A price in
 * dollars is taken over by what the sources agree the currency to be worth. The names are those that a table
 * may call the coin by, the best one first. Null where there is no such rate.
 */
export function computeRate(names: readonly string[], currency: string, hearing: Hearing): Rate | null {
  const agreed = currency === DOLLAR ? worthOf(names, hearing) : costOf(names, currency, hearing)
  const value = agreed && printRate(agreed.price)
  if (!agreed || !value) return null
  const of = (voice: Voice) => agreed.evidence.some(({ source }) => source === voice)
  return {
    value,
    currency,
    sources: hearing.voices.filter(of).map(({ name }) => name),
    at: Math.min(...agreed.evidence.map(({ at }) => at)),
  }
}

/** What the sources agree it to cost in another currency than the dollar. */
function costOf(names: readonly string[], currency: string, hearing: Hearing): Word | null {
  const unit = worthOf([currency], hearing)
  const words = hearing.heard.map(one => {
    const direct = wordIn(currency, names, one, hearing)
    const dollars = direct || !unit ? null : dollarsOf(names, one, hearing)
    return direct ?? (dollars && unit && joined(over(dollars.price, unit.price), dollars, unit))
  })
  return agreedOn(names, words, hearing)
}

/** What the sources agree it to be worth in dollars. */
const worthOf = (names: readonly string[], hearing: Hearing): Word | null =>
  agreedOn(
    names,
    hearing.heard.map(one => dollarsOf(names, one, hearing)),
    hearing,
  )

function agreedOn(names: readonly string[], words: (Word | null)[], { voices }: Hearing): Word | null {
  const opinions = words.filter(word => word !== null)
  const voice = opinions[0]?.evidence[0]?.source
  const others = voices.filter(other => other !== voice)
  const isUncontested = voice?.isOwnWord === true && !others.some(other => names.some(other.lists))
  return medianOf(opinions, others.length === 0 || isUncontested)
}

/** One source's price in dollars; where it has tethers alone, at what the others say that they are worth. */
function dollarsOf(names: readonly string[], one: Heard, hearing: Hearing): Word | null {
  const direct = wordIn(DOLLAR, names, one, hearing)
  const inTethers = direct ? null : wordIn(TETHER, names, one, hearing)
  const tether = inTethers && worthOfTether(hearing)
  return direct ?? (inTethers && tether && joined(times(inTethers.price, tether.price), inTethers, tether))
}

/**
 * One source is enough here where it tells what everybody expects: prices in tethers count only beside
 * another source's in dollars, and more than 2 % a single wrong word could not move them then.
 */
function worthOfTether(hearing: Hearing): Word | null {
  const words = hearing.heard.map(one => wordIn(DOLLAR, [TETHER.toLowerCase()], one, hearing))
  const opinions = words.filter(word => word !== null)
  return medianOf(
    opinions,
    opinions.every(({ price }) => isNear(price, ONE)),
  )
}

/** What one source itself says, unless that is too old. */
function wordIn(unit: string, names: readonly string[], { voice, table, at }: Heard, { now }: Hearing) {
  const row = rowOf(table, names)
  const price = row?.costs.get(unit)
  const seenAt = Math.min(at, row?.seenAt ?? at)
  return price && now - seenAt <= USABLE_MS ? { price, evidence: [{ source: voice, at: seenAt }] } : null
}

function rowOf({ rows }: RateTable, names: readonly string[]): Row | undefined {
  const name = names.find(each => rows.has(each))
  return name === undefined ? undefined : rows.get(name)
}

const joined = (price: Fraction, own: Word, unit: Word): Word => ({
  price,
  evidence: [...own.evidence, ...unit.evidence],
})
