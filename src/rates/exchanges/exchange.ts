import type { Coin, ExchangeName, ExchangeTickers } from '../../coins/types.ts'
import type { RateTable } from '../rate-table.ts'
import type { Answer } from '../request.ts'

/** How one exchange is asked for its prices, and understood. */
export interface Exchange {
  /** whether it may price a coin, by its ticker in lower case, or a currency, by its code */
  lists(name: string): boolean
  /** The path below the base URL that asks for these coins, and for every currency that it has. */
  question(coins: readonly string[]): string
  /** for an exchange that refuses a question when it has dropped one of the pairs */
  whole?: { path: string; isNeeded(answer: Answer): boolean }
  /**
   * Reads an answer, whose numbers are texts. Throws an Error that completes "The source …" where it is of
   * another shape, or says that something went wrong.
   */
  read(answer: unknown, coins: readonly string[]): RateTable
}

export const unlike = (name: string): Error => new Error(`does not answer as ${name} does`)

/** What an exchange calls each coin that it trades, by the name of the coin in rate tables. */
export const tickersAt = <E extends ExchangeName>(
  coins: readonly Coin[],
  exchange: E,
): ReadonlyMap<string, NonNullable<ExchangeTickers[E]>> =>
  new Map(
    coins.flatMap(({ ticker, exchanges }) => {
      const name = exchanges[exchange]
      return name === null ? [] : [[ticker.toLowerCase(), name] as const]
    }),
  )
