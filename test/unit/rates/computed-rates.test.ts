import { describe, expect, test } from 'bun:test'
import { computeRate, type Quotes, USABLE_MS } from '../../../src/rates/compute-rate.ts'
import { ComputedRates } from '../../../src/rates/computed-rates.ts'
import type { FetchedTable } from '../../../src/rates/rate-table.ts'

const source = { name: 'a', isOperatorFile: false, lists: () => true }
const NOW = 10_000_000

const tableOf = (price: bigint, fetchedAt = NOW, updatedAt?: number): FetchedTable => {
  const prices = new Map([['USD', { numerator: price, denominator: 1n }]])
  return { fetchedAt, table: { rows: new Map([['btc', { prices, updatedAt }]]), problems: [] } }
}

function given() {
  let computed = 0
  const compute = (coin: string, currency: string, quotes: Quotes) => {
    computed++
    return computeRate([coin], currency, quotes)?.value ?? null
  }
  const rates = new ComputedRates<string | null>([source], compute)
  return {
    ask: (table: FetchedTable | null, now = NOW) => rates.at([table], now)('btc', 'USD'),
    computed: () => computed,
  }
}

describe('a computed rate', () => {
  test('is computed once for one state of the tables', () => {
    const { ask, computed } = given()
    const table = tableOf(100n)
    expect([ask(table), ask(table), ask(table, NOW + USABLE_MS)]).toEqual(['100', '100', '100'])
    expect(computed()).toBe(1)
  })

  test('is computed again for another table, and for one that is missing', () => {
    const { ask, computed } = given()
    expect([ask(tableOf(100n)), ask(tableOf(101n)), ask(null), ask(tableOf(102n))]).toEqual([
      '100',
      '101',
      null,
      '102',
    ])
    expect(computed()).toBe(4)
  })

  test('ends in the millisecond in which its price becomes too old', () => {
    const { ask } = given()
    const fetched = tableOf(100n)
    expect(ask(fetched, NOW + USABLE_MS)).toBe('100')
    expect(ask(fetched, NOW + USABLE_MS + 1)).toBeNull()
    const dated = tableOf(100n, NOW, NOW - USABLE_MS + 500)
    expect(ask(dated)).toBe('100')
    expect(ask(dated, NOW + 500)).toBe('100')
    expect(ask(dated, NOW + 501)).toBeNull()
  })

  test('is computed again after the clock is set back', () => {
    const { ask, computed } = given()
    const table = tableOf(100n)
    ask(table)
    expect(ask(table, NOW - 60_000)).toBe('100')
    expect(computed()).toBe(2)
  })
})
