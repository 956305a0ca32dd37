import { Elysia } from 'elysia'
import { type Registry, registry } from '../coins/registry.ts'
import { currencies } from '../domain/currency.ts'
import { toDollars } from './paygate/convert-to-usd.ts'

/** The rate of currencies that the simulated gateway does not know. */
const DEFAULT_RATE = '0.05'

/** Prices in US dollars: plausible, and fixed so that scripts can count on them. */
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

/** The simulated source of exchange rates. */
export const rateRoutes = (isDown: () => boolean) =>
  new Elysia().get('/rates', () =>
    isDown() ? new Response('503 Service Unavailable', { status: 503 }) : rateTable,
  )
