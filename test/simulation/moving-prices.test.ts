import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { PriceStep } from './price-history.ts'
import { openPriceRunner } from './price-runner.ts'

/** The number of histories that run here. `npm run simulate` runs 40. */
const HISTORIES = 6

let runner: Awaited<ReturnType<typeof openPriceRunner>>

beforeAll(async () => {
  runner = await openPriceRunner()
})
afterAll(() => runner.close())

test('while prices move, an attempt keeps its price, no page asks for more than is left, and checks change no value', async () => {
  for (let seed = 1; seed <= HISTORIES; seed++) expect(await runner.failureOf(seed)).toBeNull()
  expect(runner.compared()).toBeGreaterThan(0)
}, 120_000)

const pay = (percent: number, more: Partial<Extract<PriceStep, { do: 'pay' }>> = {}): PriceStep => ({
  do: 'pay',
  attempt: 0,
  percent,
  waits: false,
  hiddenMinutes: 0,
  ...more,
})

/** Combinations that hardly ever occur in random histories. */
const rare: [title: string, family: 'evm' | 'bitcoin', steps: PriceStep[]][] = [
  [
    'a tiny waiting payment that is replaced after the grace, when the price has fallen, keeps no quote',
    'bitcoin',
    [
      { do: 'choose', coin: 0 },
      pay(5, { waits: true }),
      { do: 'look' },
      { do: 'price', coin: 0, percent: 70 },
      { do: 'wait', minutes: 280 },
      { do: 'replace', percent: 100 },
      { do: 'look' },
      { do: 'mine' },
      { do: 'wait', minutes: 20 },
    ],
  ],
  [
    'a second payment in another coin asks for the rest alone, at the prices of its opening',
    'evm',
    [
      { do: 'choose', coin: 0 },
      pay(50),
      { do: 'wait', minutes: 15 },
      { do: 'price', coin: 1, percent: 200 },
      { do: 'choose', coin: 1 },
      { do: 'wait', minutes: 15 },
      { do: 'look' },
      { do: 'choose', coin: 0 },
      pay(100, { attempt: 1 }),
      { do: 'wait', minutes: 15 },
    ],
  ],
  [
    'while the sources contradict each other, a late payment waits for the merchant',
    'evm',
    [
      { do: 'choose', coin: 0 },
      { do: 'wait', minutes: 100 },
      { do: 'source', source: 0, mood: 'away' },
      { do: 'source', source: 2, mood: 'false' },
      { do: 'wait', minutes: 31 },
      pay(100),
      { do: 'wait', minutes: 31 },
      { do: 'look' },
    ],
  ],
]

test.each(rare)(
  '%s',
  async (_, family, steps) => {
    expect(await runner.problemOf({ setup: { family, seed: 1, amount: '25.00' }, steps })).toBeNull()
  },
  60_000,
)
