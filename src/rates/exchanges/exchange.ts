import type { Coin, ExchangeName, ExchangeTickers } from '../../coins/types.ts'
import type { RateTable } from '../rate-table.ts'
import { type HttpResponse, SourceError } from '../request.ts'

/** Requests and responses of one exchange. */
export interface Exchange {
  /** true if the exchange may have a price for a coin, by ticker in lower case, or for a currency, by code */
  lists(name: string): boolean
  /** The path below the base URL for the prices of these coins and all currencies. */
  path(coins: readonly string[]): string
  /**
   * the path of the full list, for an exchange that refuses the whole request after it has delisted one of
   * the pairs
   */
  fullList?: { path: string; isNeeded(response: HttpResponse): boolean }
  /**
   * Reads a response whose numbers are strings. Throws an Error that completes "The source …" if the response
   * has another shape or reports an error.
   */
  read(response: unknown, coins: readonly string[]): RateTable
}

export const unexpectedResponse = (exchange: string): Error =>
  new SourceError(`did not send a response of the ${exchange} API`, 'malformed')

/** An exchange's ticker of each coin that it trades, by the coin's name in rate tables. */
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
