import { expect, test } from 'bun:test'
import type { KeptRate } from '../../../src/storage/port.ts'
import { LATEST, type Open, opening } from './given.ts'

const MINUTE_MS = 60_000
const pair = { assetId: 'btc', currency: 'USD' }

const rateRow = (at: number, change: Partial<KeptRate> = {}): KeptRate => ({
  ...pair,
  value: '60000.123456789012345678',
  sources: ['kraken', 'coinbase'],
  at,
  ...change,
})

export function ratesContract(open: Open): void {
  const { read, write } = opening(open)
  const keep = (...rates: KeptRate[]) =>
    write(async tables => {
      for (const rate of rates) await tables.rates.keep(rate)
    })
  const nearest = (at: number, range: number, of = pair) =>
    read(tables => tables.rates.nearest(of, at, range))

  test('one rate is kept for each asset, currency and minute: the first', async () => {
    const other = rateRow(MINUTE_MS, { assetId: 'ltc', value: '80' })
    const euros = rateRow(MINUTE_MS, { currency: 'EUR', value: '55000' })
    await keep(rateRow(MINUTE_MS + 59_999), rateRow(MINUTE_MS, { value: '1' }), other, euros)
    expect(await nearest(MINUTE_MS, 0)).toEqual(rateRow(MINUTE_MS))
    expect(await nearest(MINUTE_MS, 0, { ...pair, assetId: 'ltc' })).toEqual(other)
    expect(await nearest(MINUTE_MS, 0, { ...pair, currency: 'EUR' })).toEqual(euros)
    expect(await nearest(MINUTE_MS, 0, { ...pair, currency: 'JPY' })).toBeNull()
  })

  test('the nearest rate before or after a time is found, and the earlier of two', async () => {
    await write(tables => tables.rates.prune(LATEST))
    const [early, late] = [rateRow(10 * MINUTE_MS), rateRow(14 * MINUTE_MS, { value: '2' })]
    await keep(early, late)
    expect(await nearest(12 * MINUTE_MS, 10 * MINUTE_MS)).toEqual(early)
    expect(await nearest(12 * MINUTE_MS + 1, 10 * MINUTE_MS)).toEqual(late)
    expect(await nearest(11 * MINUTE_MS, MINUTE_MS)).toEqual(early)
    expect(await nearest(20 * MINUTE_MS, 6 * MINUTE_MS)).toEqual(late)
    expect(await nearest(20 * MINUTE_MS + 1, 6 * MINUTE_MS)).toBeNull()
    expect(await nearest(4 * MINUTE_MS, 6 * MINUTE_MS)).toEqual(early)
    expect(await nearest(4 * MINUTE_MS - 1, 6 * MINUTE_MS)).toBeNull()
  })

  test('a pair is watched until the latest time that was requested', async () => {
    const watch = (until: number, lockedUntil: number) =>
      write(tables => tables.rates.watch({ ...pair, until, lockedUntil }))
    const watched = (now: number) => read(tables => tables.rates.watched(now))
    for (const [until, lockedUntil] of [
      [5, 4],
      [9, 1],
      [7, 3],
    ] as const)
      await watch(until, lockedUntil)
    const other = { assetId: 'ltc', currency: 'USD', until: LATEST, lockedUntil: LATEST }
    await write(tables => tables.rates.watch(other))
    expect(await watched(8)).toEqual([{ ...pair, until: 9, lockedUntil: 4 }, other])
    expect(await watched(9)).toEqual([other])
    await write(tables => tables.rates.prune(LATEST))
    expect(await watched(8)).toEqual([{ ...pair, until: 9, lockedUntil: 4 }, other])
  })

  test('old rates are deleted', async () => {
    await write(tables => tables.rates.prune(LATEST))
    expect(await read(tables => tables.rates.oldest())).toBeNull()
    await keep(rateRow(MINUTE_MS), rateRow(2 * MINUTE_MS), rateRow(3 * MINUTE_MS))
    await write(tables => tables.rates.prune(2 * MINUTE_MS))
    expect(await read(tables => tables.rates.oldest())).toBe(2 * MINUTE_MS)
    expect(await nearest(MINUTE_MS, 0)).toBeNull()
  })
}
