import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type ObjectStore, startObjectStore } from '../support/object-store.ts'
import { newFolder } from '../support/process.ts'
import { contentOf, KEY, openReplicated, restored, storeOf, until, writeSome } from './scene.ts'

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
