import type { Fraction } from './fraction.ts'

export const DOLLAR = 'USD'
/** The unit in which an exchange may price coins that has no dollars. */
export const TETHER = 'USDT'

/** What one of a coin, or of a currency, costs. */
export interface Row {
  /** by currency, or TETHER */
  costs: ReadonlyMap<string, Fraction>
  /** when the source saw it itself, milliseconds since 1970 UTC, where it tells that */
  seenAt?: number | undefined
}

/** What one source says. */
export interface RateTable {
  /** by asset id, by ticker in lower case, or by the code of a currency */
  rows: ReadonlyMap<string, Row>
  /** what was left out, and why */
  faults: readonly string[]
}

/** One price of an exchange's answer; null where what stands there is none. */
export interface Quoted {
  name: string
  unit: string
  price: Fraction | null
  seenAt?: number | undefined
}

/** Throws where nothing is left, so that an older table stays in use while it may. */
export function tableOf(quoted: readonly Quoted[]): RateTable {
  const priced = quoted.flatMap(({ name, unit, price, seenAt }) =>
    price ? [[name, { costs: new Map([[unit, price]]), seenAt }] as const] : [],
  )
  if (priced.length === 0) throw new Error('prices nothing that it was asked for')
  const unpriced = quoted.filter(({ price }) => price === null)
  return { rows: new Map(priced), faults: unpriced.map(({ name }) => `${name} has no positive price`) }
}
