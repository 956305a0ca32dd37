import { Elysia } from 'elysia'
import { type Registry, registry } from '../coins/registry.ts'
import { currencies } from '../domain/currency.ts'
import { worthOf } from './paygate/convert-to-usd.ts'

/** A price for currencies that the simulated gateway does not convert. */
const OTHER_CURRENCY_USD = '0.05'

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
      .map(currency => [currency, { USD: worthOf('1', currency)?.rate ?? OTHER_CURRENCY_USD }]),
  ])

const rateTable = makeRateTable(registry)

/** The stand-in for exchange rates. */
export const rateRoutes = (isDown: () => boolean) =>
  new Elysia().get('/rates', () =>
    isDown() ? new Response('503 Service Unavailable', { status: 503 }) : rateTable,
  )
