import { describe } from 'bun:test'
import { type Case, expired, type Line, testCases } from './fixtures.ts'
import { at, beginning, created, delivered, opened, paidJson, said, sent } from './story.ts'

const asset = {
  ...{ id: 'lightning', chain: 'lightning', ticker: 'btc' },
  ...{ decimals: 8, quoteDecimals: 8, contract: null },
}
const chain = {
  id: 'lightning',
  family: 'lightning',
  blockMs: 1,
  finalDepth: 1,
  firstHeight: 0,
  endpoints: 1,
}
const price = (minutes: number, micros: bigint) => at(minutes, { fact: 'price', ticker: 'btc', micros })

/** A run in which shops have Lightning nodes too, and a bitcoin costs 50,000 dollars at first. */
const nodes = beginning().map((line): Line => {
  if (!('fact' in line) || line.fact !== 'server') return line
  return {
    ...line,
    assets: [...line.assets, asset],
    chains: [...line.chains, { ...chain, startsAt: 0 }],
  } as Line
})
const before = [...nodes, price(0, 50_000_000_000n), created()]
const shown = opened(2, { assetId: 'lightning', address: 'lnbc1', amount: '0.0005' })
const invoice = { ...shown, asset: 'lightning' } as Line
const received = { receivedAmount: '0.0005', receivedCurrency: 'lightning' }

/** The price falls by half, the buyer looks at a coin, and then pays the invoice in its last minute. */
const lastMinute = [
  ...[...before, invoice, price(20, 25_000_000_000n), opened(25)],
  ...sent(32.5, 50_000n, { chain: 'lightning', asset: 'lightning', to: 'lnbc1' }),
]

const cases: Case[] = [
  [
    '5b',
    'an invoice that is paid in its last minute pays the order',
    [...lastMinute, delivered(34), said(35, paidJson(received))],
    [...lastMinute, expired()],
  ],
  [
    '5d',
    'an amount above the invoice is reported',
    [
      ...[...before, invoice, ...sent(5, 60_000n, { chain: 'lightning', asset: 'lightning', to: 'lnbc1' })],
      delivered(10, undefined, { headers: { 'x-service-settlement': 'over' } }),
      said(11, paidJson({ ...received, receivedAmount: '0.0006' })),
    ],
    [
      ...[...before, invoice, ...sent(5, 60_000n, { chain: 'lightning', asset: 'lightning', to: 'lnbc1' })],
      said(11, paidJson(received)),
    ],
  ],
]

describe('the model checks invoices', () => testCases(cases))
