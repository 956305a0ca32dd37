import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Replicator } from '../../src/replica/replicator.ts'
import { restoreTo } from '../../src/replica/restore.ts'
import { parseKey } from '../../src/replica/store.ts'
import { SqliteChanges } from '../../src/storage/sqlite/change-source.ts'
import { type ObjectStore, startObjectStore } from '../support/object-store.ts'
import { newFolder } from '../support/process.ts'
import { storeOf, until } from './scene.ts'
// Three servers of an earlier version wrote this file, one after another. Never write it again: it represents
// the replicas that exist.
import stored from './stored-format.json'

const key = parseKey(stored.key)!
const ROWS = 7
const end = Number.POSITIVE_INFINITY

let objects: ObjectStore
beforeAll(async () => {
  objects = await startObjectStore()
})
afterAll(() => objects.stop())

async function givenReplica(prefix: string, isLeftOut = (_name: string): boolean => false) {
  const store = storeOf(objects, prefix)
  for (const [name, text] of Object.entries(stored.objects)) {
    if (!isLeftOut(name)) await store.put(name, Buffer.from(text, 'base64'))
  }
  return store
}

async function rowsAt(source: Parameters<typeof restoreTo>[0], moment = end): Promise<number> {
  const file = join(newFolder(), 'restored.sqlite')
  await restoreTo(source, file, moment)
  const database = new Database(file)
  const rows = database.query<{ count: number }, []>('SELECT COUNT(*) AS count FROM orders').get()
  database.close()
  return rows?.count ?? 0
}

/** A data directory as the last of those servers left it. Its note has the path on their machine. */
function givenDataDir(store: string): { dataDir: string; file: string } {
  const dataDir = newFolder()
  const file = join(dataDir, 'florin.sqlite')
  writeFileSync(file, Buffer.from(stored.database, 'base64'))
  const { ino, size, mtimeNs } = statSync(file, { bigint: true })
  const state = structuredClone({ ...stored.state, store })
  state.shipped.log.mark = `${ino}:${size}:${mtimeNs}:${state.shipped.log.mark.split(':').at(-1)}`
  writeFileSync(join(dataDir, 'florin.replica'), JSON.stringify(state))
  writeFileSync(join(dataDir, 'florin.replica-owner'), stored.owner)
  return { dataDir, file }
}

test('a replica that an earlier version wrote can be restored, now and at a moment', async () => {
  const store = await givenReplica('restored')
  expect(await rowsAt({ store, key })).toBe(ROWS)
  expect(await rowsAt({ store, key }, stored.state.restorableAt - 300)).toBeLessThan(ROWS)
})

test('the replica without its newest snapshots is restored from the segments of all three servers', async () => {
  const names = Object.keys(stored.objects).filter(name => name.includes('snapshot'))
  for (const used of names) {
    const store = await givenReplica(used, name => name.includes('snapshot') && name !== used)
    expect(await rowsAt({ store, key })).toBe(ROWS)
  }
})

test('a server continues the replica that an earlier version wrote', async () => {
  const store = await givenReplica('continued')
  const { dataDir, file } = givenDataDir(store.name)
  const database = new Database(file, { strict: true })
  const source = new SqliteChanges(file, database)
  const events: string[] = []
  const note = (_fields: object, event: string) => void events.push(event)
  const startedAt = stored.state.notedAt + 1000
  let now = startedAt
  const replicator = new Replicator(source, {
    ...{ store, key, dataDir, keepMs: 7 * 24 * 3600_000, now: () => now },
    log: { debug: note, info: note, warn: note, error: note },
    freeBytes: () => 1e12,
    limits: { everyMs: 20, retryMs: 20, manifestMs: 100 },
  })
  database.run("INSERT INTO orders (name) VALUES ('one more')")
  now = startedAt + 1
  await until(() => replicator.lagMs() === 0)
  expect(await rowsAt({ store, key })).toBe(ROWS + 1)
  expect(await rowsAt({ store, key }, stored.state.notedAt)).toBe(ROWS)
  expect(events).not.toContain('replica.generation')
  expect(replicator.problem()).toBe(null)
  await replicator.stop()
  source.stop()
  database.close()
  source.close()
})
