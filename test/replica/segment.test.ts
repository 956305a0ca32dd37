import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Replicator } from '../../src/replica/replicator.ts'
import { restoreTo } from '../../src/replica/restore.ts'
import { parseKey } from '../../src/replica/store.ts'
import { SqliteChanges } from '../../src/storage/sqlite/change-source.ts'
import { type ObjectStore, startObjectStore } from '../support/object-store.ts'
import { newFolder } from '../support/process.ts'
import { contentOf, KEY, openReplicated, restored, storeOf, until, writeSome } from './scene.ts'
// Three servers of an earlier version wrote this file, one after another. Never write it again: it represents
// the replicas that exist.
import stored from './stored-format.json'

let objects: ObjectStore
beforeAll(async () => {
  objects = await startObjectStore()
})
afterAll(() => objects.stop())

/** A store that can withhold chosen objects. */
function gatedStore(prefix: string) {
  const store = storeOf(objects, prefix)
  const state = { isHeld: (_name: string): boolean => false, arrived: [] as string[] }
  async function put(name: string, bytes: Uint8Array) {
    while (state.isHeld(name)) await Bun.sleep(5)
    await store.put(name, bytes)
    state.arrived.push(name)
  }
  return { state, store: { ...store, put } }
}

const sequenceOf = (name: string): number => Number(/segment-(\d+)/.exec(name)?.[1] ?? 0)
const generations = (lines: string[]) => lines.filter(line => line.startsWith('replica.generation'))
const end = Number.POSITIVE_INFINITY

test('a segment that does not arrive delays no others, and the replica can be restored up to it', async () => {
  const prefix = 'held'
  const { state, store } = gatedStore(prefix)
  const opened = openReplicated(objects, { prefix, store })
  // From here on, rows are in segments.
  await opened.caughtUp()
  await writeSome(opened, 10)
  await opened.caughtUp()
  const held = Math.max(...state.arrived.map(sequenceOf)) + 1
  const beforeHeld = opened.replicator.lagMs()!
  state.isHeld = name => sequenceOf(name) === held
  while (!state.arrived.some(name => sequenceOf(name) === held + 3)) {
    await writeSome(opened)
    await Bun.sleep(5)
  }
  expect(opened.replicator.lagMs()).toBeGreaterThan(beforeHeld)
  expect(await restored(objects, end, prefix)).toMatchObject({ rows: 10, integrity: 'ok' })

  state.isHeld = () => false
  await opened.caughtUp()
  expect(await restored(objects, end, prefix)).toMatchObject(contentOf(opened.file))
  await opened.storage.close()
})

test('a replica without a complete snapshot is refused with advice', async () => {
  const prefix = 'begun'
  const { state, store } = gatedStore(prefix)
  state.isHeld = name => name.includes('snapshot')
  const opened = openReplicated(objects, { prefix, store })
  await until(() => generations(opened.lines).length > 0 && objects.names(prefix).includes('contents'))
  await expect(restored(objects, end, prefix)).rejects.toThrow(/first one was not finished.*another backup/)
  state.isHeld = () => false
  await opened.caughtUp()
  await opened.storage.close()
})

test('a restore names a segment that was uploaded and then deleted', async () => {
  const prefix = 'gone'
  const opened = openReplicated(objects, { prefix, limits: { manifestMs: 3600_000 } })
  await opened.caughtUp()
  for (let part = 0; part < 3; part++) {
    await writeSome(opened)
    await opened.caughtUp()
  }
  const segments = objects.names(prefix).filter(name => name.includes('segment'))
  const [gone = ''] = segments.slice(-2)
  const bytes = objects.read(gone, prefix)
  objects.remove(gone, prefix)
  await expect(restored(objects, end, prefix)).rejects.toThrow(/is missing.*use --at/)
  objects.write(gone, bytes, prefix)
  await opened.storage.close()
})

test('a server that is killed after a checkpoint continues from the spill file', async () => {
  const prefix = 'emptied'
  const dataDir = newFolder()
  const args = [objects.url(prefix), dataDir, Buffer.from(KEY).toString('hex')]
  const script = join(import.meta.dir, 'emptying.ts')
  const child = Bun.spawn([process.execPath, script, ...args], { stdout: 'pipe', stderr: 'inherit' })
  const { value } = await child.stdout.getReader().read()
  child.kill('SIGKILL')
  await child.exited

  const rest = join(dataDir, 'florin.replica-rest')
  expect(existsSync(rest)).toBe(true)
  const again = openReplicated(objects, { prefix, dataDir })
  await again.caughtUp()
  expect(generations(again.lines)).toEqual([])
  const rows = Number(new TextDecoder().decode(value))
  expect(await restored(objects, end, prefix)).toMatchObject({ rows, integrity: 'ok' })
  await until(() => !existsSync(rest))
  await again.storage.close()
})

test('a server that stops while the store is away continues when it is back', async () => {
  const prefix = 'stopped'
  const opened = openReplicated(objects, { prefix, limits: { stopMs: 100 } })
  await opened.caughtUp()
  objects.state.fault = 'error'
  await writeSome(opened, 10)
  await opened.storage.close()
  objects.state.fault = 'none'
  const again = openReplicated(objects, { prefix, dataDir: opened.dataDir })
  await writeSome(again, 5)
  await again.caughtUp()
  expect(generations(again.lines)).toEqual([])
  expect(await restored(objects, end, prefix)).toMatchObject({ rows: 15, integrity: 'ok' })
  await again.storage.close()
})

const key = parseKey(stored.key)!
const ROWS = 7

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
