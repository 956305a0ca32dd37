import { expect, test } from 'bun:test'
import { type CacheContext, readThroughCache } from '../../../src/operations/upstreams/steps/stale-cache.ts'
import type { Provider } from '../../../src/providers/port.ts'

test('a forced read that began before another one was stored returns what that stored', async () => {
  let stored: { fetchedAt: number } | null = null
  const gates: (() => void)[] = []
  let isHeld = true
  const storage = {
    /** A read sees the state of its beginning, however long it takes. */
    async read() {
      const seen = stored
      if (isHeld) await new Promise<void>(resolve => gates.push(resolve))
      return seen
    },
    write: async (work: () => Promise<void>) => work(),
  }
  const context = { storage, clock: () => 5, log: {} } as unknown as CacheContext
  const cached = readThroughCache<{ fetchedAt: number }>({
    event: 'test',
    find: async () => stored,
    fetch: async () => ({ fetchedAt: 5 }),
    async put(_, fetched) {
      stored = fetched
    },
  })
  const provider = { id: 'one' } as Provider
  const late = cached(context, provider, true)
  isHeld = false
  const first = await cached(context, provider, true)
  for (const letGo of gates) letGo()
  expect([first, await late]).toEqual([{ fetchedAt: 5 }, { fetchedAt: 5 }])
})
