import { expect, test } from 'bun:test'
import { LATEST, type Open, opening } from './given.ts'

export function sharedScansContract(open: Open): void {
  const { read, write } = opening(open)
  const find = (chain: string) => read(tables => tables.sharedScans.find(chain))
  const ask = (chain: string, attemptId: string, isLocked: boolean, askedAt: number) =>
    write(tables => tables.sharedScans.ask({ chain, attemptId, isLocked, askedAt }))
  const take = async (chain: string, limit: number) =>
    (await write(tables => tables.sharedScans.take(chain, limit))).toSorted()

  test('the last scan of a chain is replaced by the next, and ends only with its own end', async () => {
    const scan = { chain: 'btc', beganAt: 5, leasedUntil: LATEST }
    expect(await find('btc')).toBe(null)
    for (const beganAt of [5, 6]) await write(tables => tables.sharedScans.put({ ...scan, beganAt }))
    await write(tables => tables.sharedScans.put({ ...scan, chain: 'ltc' }))
    await write(tables => tables.sharedScans.end('btc', 5))
    expect(await find('btc')).toEqual({ ...scan, beganAt: 6 })
    await write(tables => tables.sharedScans.end('btc', 6))
    expect(await find('btc')).toEqual({ chain: 'btc', beganAt: 6, leasedUntil: null })
    expect(await find('ltc')).toEqual({ ...scan, chain: 'ltc' })
  })

  test('the state of chains that cannot be read is stored and replaced', async () => {
    const known = { chain: 'ltc', since: 5, failedAt: LATEST, failures: 2, readAt: null, notified: ['m'] }
    const other = { ...known, chain: 'btc', readAt: LATEST, notified: [] }
    const put = (row: typeof known | typeof other) => write(tables => tables.blindChains.put(row))
    await put({ ...known, failures: 1, notified: [] })
    await put(known)
    await put(other)
    expect(await read(tables => tables.blindChains.find('ltc'))).toEqual(known)
    expect(await read(tables => tables.blindChains.find('doge'))).toBe(null)
    expect(await read(tables => tables.blindChains.list())).toEqual([other, known])
  })

  test('a requested check is taken once: locked attempts first, then those that waited longest', async () => {
    await ask('btc', 'late', true, 9)
    await ask('btc', 'open', false, 1)
    await ask('btc', 'early', true, 2)
    await ask('btc', 'late', false, 0)
    await ask('ltc', 'late', true, 0)
    expect(await take('btc', 1)).toEqual(['early'])
    await ask('btc', 'early', true, 10)
    expect(await take('btc', 2)).toEqual(['early', 'late'])
    expect(await take('btc', 9)).toEqual(['open'])
    expect(await take('btc', 9)).toEqual([])
    expect(await take('ltc', 9)).toEqual(['late'])
  })
}
