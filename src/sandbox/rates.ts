import { Elysia, t } from 'elysia'
import { type Registry, registry } from '../coins/registry.ts'
import { currencies, currencyDecimals } from '../domain/currency.ts'
import { invalid } from '../domain/errors.ts'
import { isRateValue } from '../domain/quote.ts'
import { toDollars } from './paygate/convert-to-usd.ts'
import { SafeString } from './safe-types.ts'
import type { State } from './state.ts'

/** The rate of currencies that the simulated gateway does not know. */
const DEFAULT_RATE = '0.05'

/** Prices in US dollars: plausible, and fixed, so that scripts can rely on them. */
export const makeRateTable = ({ chains }: Registry): Record<string, { USD: string }> =>
  Object.fromEntries([
    ...chains.flatMap(({ assets }) =>
      assets.map(({ id, coin, contract }) => [
        contract === null ? id : coin.ticker.toLowerCase(),
        { USD: coin.sandboxUsd },
      ]),
    ),
    ...currencies
      .filter(currency => currency !== 'USD')
      .map(currency => [currency, { USD: toDollars('1', currency)?.rate ?? DEFAULT_RATE }]),
  ])

const rateTable = makeRateTable(registry)

const KIND = 'rates'

interface SetRate {
  assetId: string
  currency: string
  rate: string
}

/** The table of prices. A price that was set replaces the price in the fixed table. */
function tableWith(set: SetRate[]): Record<string, Record<string, string>> {
  const table: Record<string, Record<string, string>> = { ...rateTable }
  for (const { assetId, currency, rate } of set) {
    const known = table[assetId] ?? table[assetId.slice(assetId.indexOf('/') + 1)]
    table[assetId] = { ...known, [currency]: rate }
  }
  return table
}

const NewRate = t.Object(
  {
    assetId: SafeString({ maxLength: 64, format: 'asset ID', examples: ['ethereum/usdc'] }),
    currency: SafeString({ format: 'currency', examples: ['USD'] }),
    rate: SafeString({ maxLength: 61 }),
  },
  { additionalProperties: false },
)

interface RateParts {
  state: State
  isDown(): boolean
  hasAsset(id: string): boolean
}

/** The simulated rate source, and a route that sets the price of a coin. */
export const rateRoutes = ({ state, isDown, hasAsset }: RateParts) =>
  new Elysia({ normalize: false })
    .get('/rates', () =>
      isDown() ? new Response('503 Service Unavailable', { status: 503 }) : tableWith(state.list(KIND)),
    )
    .post(
      '/rates',
      ({ body }) => {
        const { assetId, currency, rate } = body
        if (!hasAsset(assetId)) throw invalid('/assetId', 'must be the ID of an asset, such as btc')
        if (currencyDecimals(currency) === undefined) {
          throw invalid('/currency', 'must be an ISO 4217 code of a currency in use')
        }
        if (!isRateValue(rate)) throw invalid('/rate', 'must be a positive decimal string such as "45000"')
        state.put(KIND, `${assetId} ${currency}`, { assetId, currency, rate })
        return { success: true, data: { assetId, currency, rate } }
      },
      { body: NewRate },
    )
