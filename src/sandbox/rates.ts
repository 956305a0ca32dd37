import { Elysia } from 'elysia'
import { currencies } from '../domain/currency.ts'
import { toDollars } from './paygate/convert-to-usd.ts'

/** The price of each coin in US dollars: plausible, and fixed so that scripts can rely on it. */
const coins: Record<string, string> = {
  btc: '60000',
  ltc: '80',
  doge: '0.16',
  bitcoincash: '400',
  zec: '40',
  xmr: '160',
  'trc20/trx': '0.2',
  'solana/sol': '150',
  'ethereum/eth': '3000',
  'base/eth': '3000',
  'arbitrum/eth': '3000',
  'optimism/eth': '3000',
  'polygon/pol': '0.5',
  'bsc/bnb': '600',
  usdc: '1',
  usdt: '1',
}

/** The rate of currencies that the simulated gateway does not know. */
const DEFAULT_RATE = '0.05'

const rateTable = Object.fromEntries([
  ...Object.entries(coins).map(([coin, dollars]) => [coin, { USD: dollars }]),
  ...currencies
    .filter(currency => currency !== 'USD')
    .map(currency => [currency, { USD: toDollars('1', currency)?.rate ?? DEFAULT_RATE }]),
])

/** The simulated source of exchange rates. */
export const rateRoutes = (isDown: () => boolean) =>
  new Elysia().get('/rates', () =>
    isDown() ? new Response('503 Service Unavailable', { status: 503 }) : rateTable,
  )
