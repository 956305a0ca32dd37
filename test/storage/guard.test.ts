import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type SlowWork, StorageGuard } from '../../src/storage/guard.ts'
import type { Storage, Tables } from '../../src/storage/port.ts'
import { openStorage } from '../../src/storage/sqlite/open.ts'
import { newFolder } from '../support/process.ts'

let folder: string
let storage: Storage
let slow: SlowWork[]

beforeEach(() => {
  folder = newFolder()
  slow = []
  storage = openStorage(join(folder, 'florin.sqlite'), 0, { onSlow: work => slow.push(work) })
})
afterEach(() => storage.close())

const catalogue = (provider: string, fetchedAt = 1) => ({ provider, methods: [], fetchedAt })
const fetchedAt = async (provider: string) =>
  (await storage.read(tables => tables.catalogues.find(provider)))?.fetchedAt ?? null
/** One turn of the event loop, in which pending work can run. */
const turn = () => new Promise(setImmediate)
const within = <T>(work: Promise<T>) =>
  Promise.race([work, Bun.sleep(2000).then(() => Promise.reject(new Error('still waiting after 2 s')))])

describe('a nested read or write', () => {
  const rows: [outer: 'read' | 'write', inner: string, use: () => Promise<unknown>, words: RegExp][] = [
    ['write', 'a write', () => storage.write(async () => 1), /A write inside a storage write.*tables/],
    ['write', 'a read', () => storage.read(async () => 1), /A read inside a storage write/],
    ['read', 'a write', () => storage.write(async () => 1), /A write inside a storage read/],
    ['read', 'a read', () => storage.read(async () => 1), /A read inside a storage read.*tables/],
    ['write', 'a check', () => storage.check(), /A check inside a storage write/],
    ['write', 'an inspection', () => storage.inspect(), /An inspection inside a storage write/],
    [
      'write',
      'another call',
      async () => storage.assertOutside('A call'),
      /A call inside a storage write.*before/,
    ],
    ['read', 'another call', async () => storage.assertOutside('A call'), /A call inside a storage read/],
  ]

  test.each(rows)('in a %s: %s throws at once, and later work still runs', async (outer, _, use, words) => {
    let reached = false
    const nested = storage[outer](async () => {
      await Promise.resolve()
      await use()
      reached = true
    })
    expect(await within(nested.catch(String))).toMatch(words)
    expect(reached).toBe(false)
    await within(storage.write(tables => tables.catalogues.put(catalogue('later'))))
    expect(await within(fetchedAt('later'))).toBe(1)
  })

  test('fails the write even if the work catches the error', async () => {
    const swallowing = storage.write(async tables => {
      await tables.catalogues.put(catalogue('lost'))
      await storage.read(async () => 1).catch(() => {})
      return 'done'
    })
    expect(await within(swallowing.catch(String))).toMatch(/A read inside a storage write/)
    expect(await fetchedAt('lost')).toBe(null)
  })

  test('is refused only inside the work, while other code can read and write', async () => {
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    const first = storage.write(async tables => {
      await held
      await tables.catalogues.put(catalogue('first'))
    })
    await turn()
    const second = storage.write(tables => tables.catalogues.put(catalogue('second')))
    expect(await within(fetchedAt('first'))).toBe(null)
    storage.assertOutside('A call')
    release()
    await within(Promise.all([first, second]))
    expect([await fetchedAt('first'), await fetchedAt('second')]).toEqual([1, 1])
  })

  test('is allowed for code that the work started, once the work has ended', async () => {
    let late: Promise<unknown> = Promise.resolve()
    await storage.write(async () => {
      late = turn()
        .then(turn)
        .then(() => storage.write(tables => tables.catalogues.put(catalogue('late'))))
    })
    await within(late)
    expect(await fetchedAt('late')).toBe(1)
  })
})

describe('the tables passed to work', () => {
  const put = (tables: Tables) => tables.catalogues.put(catalogue('leaked'))
  const leak = async (access: 'read' | 'write') => {
    const leaked: { tables?: Tables; catalogues?: Tables['catalogues'] } = {}
    await storage[access](async tables => {
      leaked.tables = tables
      leaked.catalogues = tables.catalogues
    })
    return leaked as Required<typeof leaked>
  }

  test.each(['read', 'write'] as const)('throw once the %s has ended', async access => {
    const { tables, catalogues } = await leak(access)
    expect(() => put(tables)).toThrow(
      `The tables of a storage ${access} were used after it ended. Is an await missing`,
    )
    expect(() => catalogues.find('leaked')).toThrow(/used after it ended/)
    expect(await fetchedAt('leaked')).toBe(null)
  })

  test('throw while another write runs, and do not affect it', async () => {
    const { tables } = await leak('write')
    await storage.write(async own => {
      expect(() => put(tables)).toThrow(/used after it ended/)
      await own.catalogues.put(catalogue('own'))
    })
    expect([await fetchedAt('leaked'), await fetchedAt('own')]).toEqual([null, 1])
  })

  test('throw for a call that was not awaited, even before the commit', async () => {
    let late: unknown
    const writes = [
      storage.write(async tables => {
        void turn().then(() => {
          try {
            void put(tables)
          } catch (error) {
            late = error
          }
        })
      }),
      // Delays the commits of both writes.
      storage.write(async () => {
        await turn()
        await turn()
      }),
    ]
    await Promise.all(writes)
    expect(String(late)).toMatch(/used after it ended/)
    expect(await fetchedAt('leaked')).toBe(null)
  })

  test('throw after the work failed', async () => {
    let leaked: Tables | undefined
    const failing = storage.write(async tables => {
      leaked = tables
      throw new Error('changed my mind')
    })
    expect(await failing.catch(String)).toBe('Error: changed my mind')
    expect(() => put(leaked!)).toThrow(/used after it ended/)
  })
})

describe('slow work', () => {
  test('is reported with the name of the calling function', async () => {
    async function dawdle() {
      await Promise.resolve()
      return storage.write(() => Bun.sleep(60))
    }
    const browse = async () => storage.read(() => Bun.sleep(60))
    await dawdle()
    await browse()
    expect(slow).toEqual([
      { access: 'write', operation: 'dawdle', ms: expect.any(Number) },
      { access: 'read', operation: 'browse', ms: expect.any(Number) },
    ])
    for (const { ms } of slow) expect(ms).toBeGreaterThan(50)
  })

  test('is reported with file and line if the function has no name', async () => {
    await (async () => storage.write(() => Bun.sleep(60)))()
    expect(slow[0]?.operation).toMatch(/^guard\.test\.ts:\d+$/)
  })

  test('is reported if it takes more than 50 ms, even if it fails', async () => {
    let now = 0
    const guard = new StorageGuard(
      work => slow.push(work),
      () => now,
    )
    const take = (ms: number, end: () => void = () => {}) =>
      guard.run('write', new Error(), async () => {
        now += ms
        end()
      })
    await take(0)
    await take(50)
    await take(51)
    const failing = take(70, () => {
      throw new Error('changed my mind')
    })
    expect(await failing.catch(String)).toBe('Error: changed my mind')
    expect(slow.map(({ ms }) => ms)).toEqual([51, 70])
  })
})
