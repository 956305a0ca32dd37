import { expect, test } from 'bun:test'
import { type CacheContext, readThroughCache } from '../../../src/operations/upstreams/steps/stale-cache.ts'
import type { Provider } from '../../../src/providers/port.ts'

const DAY_MS = 86_400_000
const provider = { id: 'one' } as Provider

/** A cache whose reads return the state at their beginning, and can be delayed. */
function givenCache(stored: { fetchedAt: number } | null) {
  const gates: (() => void)[] = []
  const given = { now: 5, fetches: 0, isHeld: false, letGo: () => gates.map(letGo => letGo()) }
  const storage = {
    async remember() {
      const seen = stored
      if (given.isHeld) await new Promise<void>(resolve => gates.push(resolve))
      return seen
    },
    write: async (work: () => Promise<void>) => work(),
  }
  const context = { storage, clock: () => given.now, log: {} } as unknown as CacheContext
  const cached = readThroughCache<{ fetchedAt: number }, 'catalogues'>({
    table: 'catalogues',
    event: 'test',
    find: async () => stored,
    async fetch(_, now) {
      given.fetches++
      return { fetchedAt: now }
    },
    async put(_, fetched) {
      stored = fetched
    },
  })
  return Object.assign(given, { read: (force = false) => cached(context, provider, force) })
}

test.each([false, true])(
  'a read that began before the end of a fetch returns the fetched value (forced: %p)',
  async force => {
    const cache = givenCache(null)
    cache.isHeld = true
    const late = cache.read(force)
    cache.isHeld = false
    const first = await cache.read(force)
    cache.letGo()
    expect([first, await late]).toEqual([{ fetchedAt: 5 }, { fetchedAt: 5 }])
    expect(cache.fetches).toBe(1)
  },
)

test('a value that was fetched while the clock was a month ahead is fetched again', async () => {
  const cache = givenCache({ fetchedAt: 30 * DAY_MS })
  expect(await cache.read()).toEqual({ fetchedAt: 5 })
  expect(await cache.read()).toEqual({ fetchedAt: 5 })
  expect(cache.fetches).toBe(1)
})
