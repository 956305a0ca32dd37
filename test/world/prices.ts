import type { Journal } from './journal.ts'

export const moods = ['honest', 'away', 'stale', 'false'] as const
export type Mood = (typeof moods)[number]

/** The server trusts two sources that agree, so only the last source reports false prices. */
export const SOURCES = 3
const FALSE_FACTOR = 7n
const MICROS = 10n ** 6n
/** Tenths of a unit of another currency for a dollar. */
export const crossRates: Record<string, bigint> = { USD: 10n, EUR: 9n, JPY: 1500n }

const first: Record<string, bigint> = {
  btc: 60_000_000_000n,
  ltc: 80_000_000n,
  eth: 2_500_000_000n,
  pol: 500_000n,
  sol: 150_000_000n,
  trx: 200_000n,
  xmr: 160_000_000n,
  usdc: 1_000_000n,
  usdt: 1_000_000n,
}
export const tickers = Object.keys(first)
export const sourceHost = (source: number): string => `prices-${source}.example`

/** The changing prices of coins, at sources that fail, repeat old prices or contradict each other. */
export class Prices {
  readonly #journal: Journal
  readonly #prices = { ...first }
  readonly #sources = Array.from({ length: SOURCES }, () => ({ mood: 'honest' as Mood, told: { ...first } }))

  constructor(journal: Journal) {
    this.#journal = journal
    for (const [ticker, micros] of Object.entries(first)) journal.note({ fact: 'price', ticker, micros })
  }

  move(ticker: string, percent: number): void {
    const micros = (this.#prices[ticker]! * BigInt(percent)) / 100n || 1n
    this.#prices[ticker] = micros
    this.#journal.note({ fact: 'price', ticker, micros })
  }

  turn(source: number, mood: Mood): void {
    this.#sources[source] = { mood, told: { ...this.#prices } }
    this.#journal.note({ fact: 'price-source', source, mood })
  }

  becomeHonest(): void {
    for (const source of this.#sources.keys()) this.turn(source, 'honest')
  }

  /** The answer of a source. */
  answer(source: number): Response {
    const { mood, told } = this.#sources[source]!
    if (mood === 'away') return new Response('{}', { status: 503 })
    const prices = mood === 'stale' ? told : this.#prices
    const factor = mood === 'false' ? FALSE_FACTOR : 1n
    const rows = Object.entries(prices).map(([ticker, micros]) => {
      const own = Object.entries(crossRates).map(([code, tenths]) => [
        code,
        decimal(micros * factor * tenths),
      ])
      return [ticker, Object.fromEntries(own)]
    })
    return Response.json(Object.fromEntries(rows))
  }
}

/** Formats a number of ten-millionths as a decimal. */
const decimal = (value: bigint): string =>
  `${value / (MICROS * 10n)}.${(value % (MICROS * 10n)).toString().padStart(7, '0')}`
