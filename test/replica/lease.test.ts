import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { Lease } from '../../src/replica/lease.ts'
import { readManifest } from '../../src/replica/manifest.ts'
import { adoptOwner } from '../../src/replica/state.ts'
import type { Store } from '../../src/replica/store.ts'
import { type Conditions, type ObjectStore, startObjectStore } from '../support/object-store.ts'
import { newFolder } from '../support/process.ts'
import { KEY, storeOf } from './scene.ts'

let objects: ObjectStore
let prefix = 'lease'
let rounds = 0
beforeAll(async () => {
  objects = await startObjectStore()
})
afterAll(() => objects.stop())
beforeEach(() => {
  prefix = `lease-${++rounds}`
})

/** A server with a copy of the same installation. Its writing requests can be delayed on their way. */
function givenServer(tag?: string) {
  const dataDir = newFolder()
  adoptOwner(dataDir, 'one installation')
  const store = storeOf(objects, prefix)
  let way: Promise<void> | null = null
  const putIfMatch: Store['putIfMatch'] = async (...given) => {
    await way
    return store.putIfMatch(...given)
  }
  const getWithETag: Store['getWithETag'] = async name => {
    const found = await store.getWithETag(name)
    return tag && found.etag ? { ...found, etag: tag } : found
  }
  const options = {
    store: { ...store, putIfMatch, getWithETag },
    key: KEY,
    dataDir,
    keepMs: 1e9,
    now: Date.now,
  }
  const lease = new Lease(options, 0)
  return {
    lease,
    async acquire() {
      await lease.acquire()
    },
    save: () =>
      lease.save().then(
        () => 'saved',
        (error: Error) => error.message,
      ),
    /** Holds up its writes until the returned function is called. */
    holdUp(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      way = promise
      return () => {
        way = null
        resolve()
      }
    },
  }
}

const STOPPED = /used by a copy of this installation.*stop the other server and restart this one/
const writtenBy = async () => (await readManifest({ store: storeOf(objects, prefix), key: KEY }))?.run

const all: [Conditions][] = [['known'], ['ignored'], ['refused']]

test.each(all)(
  'of two servers that start at the same moment, one keeps the lease: conditional writes are %s',
  async conditions => {
    objects.state.conditions = conditions
    for (const isReverse of [false, true]) {
      prefix = `${prefix}-next`
      const servers = [givenServer(), givenServer()]
      servers.sort((a, b) => (a.lease.run < b.lease.run ? -1 : 1))
      const [loser, winner] = servers as [(typeof servers)[0], (typeof servers)[0]]
      await Promise.all(servers.map(server => server.acquire()))
      const answers = []
      for (const server of isReverse ? [winner, loser] : servers) answers.push(await server.save())
      expect(await winner.save()).toBe('saved')
      answers.push(await loser.save())
      expect(answers.filter(answer => STOPPED.test(answer)).length).toBe(1)
      expect(await winner.save()).toBe('saved')
      expect(await writtenBy()).toBe(winner.lease.run)
      // The loser does not take the lease back without a restart.
      expect(loser.lease.acquire()).rejects.toThrow(STOPPED)
    }
  },
)

test.each(all)(
  'a manifest that arrives late does not stop both servers: conditional writes are %s',
  async conditions => {
    objects.state.conditions = conditions
    const first = givenServer()
    await first.acquire()
    expect(await first.save()).toBe('saved')
    const second = givenServer()
    await second.acquire()
    const arrive = first.holdUp()
    const late = first.save()
    expect(await second.save()).toBe('saved')
    arrive()
    // A store that compares versions refuses the late write. Otherwise the second server repairs it.
    expect(await late).toMatch(conditions === 'known' ? STOPPED : 'saved')
    expect(await writtenBy()).toBe((conditions === 'known' ? second : first).lease.run)
    expect(await second.save()).toBe('saved')
    expect(await writtenBy()).toBe(second.lease.run)
    if (conditions !== 'known') expect(await first.save()).toMatch(STOPPED)
  },
)

test('a store that refuses its own versions is written to without conditions', async () => {
  const server = givenServer('"other"')
  await server.acquire()
  expect(await server.save()).toBe('saved')
  expect(await server.save()).toBe('saved')
  expect(await server.save()).toBe('saved')
})

test('a server keeps the lease if its manifest was stored but the answer was lost', async () => {
  objects.state.conditions = 'known'
  const server = givenServer()
  await server.acquire()
  expect(await server.save()).toBe('saved')
  objects.state.fault = 'cut'
  expect(await server.save()).not.toBe('saved')
  objects.state.fault = 'none'
  expect(await server.save()).toBe('saved')
})
