import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { cpSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startReplicaTrials, trialService } from '../../src/boot/replica-trials.ts'
import { restoreTo } from '../../src/replica/restore.ts'
import { newKeyText, parseKey } from '../../src/replica/store.ts'
import { readSettings } from '../../src/settings/read.ts'
import type { Storage } from '../../src/storage/port.ts'
import { databaseFile, openStorage } from '../../src/storage/sqlite/open.ts'
import { runInProcess } from '../cli/in-process.ts'
import { ACCESS_KEY, type Fault, type ObjectStore, startObjectStore } from '../support/object-store.ts'
import { newFolder } from '../support/process.ts'
import { contentOf, KEY, openReplicated, restored, storeOf, until, writeSome } from './scene.ts'

const KB = 1024

let objects: ObjectStore
beforeAll(async () => {
  objects = await startObjectStore()
})
afterAll(() => objects.stop())
afterEach(() => {
  objects.state.fault = 'none'
})

const reasons = (lines: string[]): string[] =>
  lines.filter(line => line.startsWith('replica.generation')).map(line => JSON.parse(line.slice(19)).reason)

const has = (lines: string[], text: string) => lines.some(line => line.includes(text))
/** The factor by which the second measurement may be slower, because the machine may be busy. */
const SLOWER = 10
const SPARE_MS = 2000

async function msOf(work: () => Promise<void>): Promise<number> {
  const before = performance.now()
  await work()
  return performance.now() - before
}

async function writeOften(opened: { storage: Storage }): Promise<void> {
  for (let part = 0; part < 5; part++) {
    await writeSome(opened, 50)
    await Bun.sleep(30)
  }
}

/** Acts like commands beside a server, which try to empty the write-ahead log when they end. */
async function writeBeside(storage: Storage, file: string): Promise<void> {
  for (let round = 0; round < 6; round++) {
    const command = openStorage(file, Date.now())
    await Promise.all([writeSome({ storage }, 60), writeSome({ storage: command }, 40)])
    await command.close()
    await Bun.sleep(60)
  }
}

test('changes are uploaded, and a clean restart continues the replica', async () => {
  const opened = openReplicated(objects)
  await writeSome(opened, 10)
  await opened.caughtUp()
  await writeSome(opened, 200)
  await opened.caughtUp()
  expect(await restored(objects)).toMatchObject({ rows: 210, integrity: 'ok' })
  expect(reasons(opened.lines)).toEqual(['it is the first'])
  await opened.storage.close()
  expect(contentOf(opened.file)).toMatchObject({ rows: 210 })

  const again = openReplicated(objects, { dataDir: opened.dataDir })
  await writeSome(again, 5)
  await again.caughtUp()
  expect(reasons(again.lines)).toEqual([])
  expect(await restored(objects)).toMatchObject({ rows: 215, integrity: 'ok' })
  await again.storage.close()
})

test('commits of other processes, checkpoints and snapshots in between leave no hole', async () => {
  const prefix = 'busy'
  const limits = { checkpointBytes: 64 * KB, snapshotMs: 150, segmentBytes: 32 * KB }
  const opened = openReplicated(objects, { prefix, limits })
  await opened.caughtUp()
  const file = join(newFolder(), 'plain.sqlite')
  const plain = openStorage(file, Date.now())
  const usualMs = await msOf(() => writeBeside(plain, file))
  await plain.close()
  expect(await msOf(() => writeBeside(opened.storage, opened.file))).toBeLessThan(SLOWER * usualMs + SPARE_MS)
  await opened.caughtUp()
  expect(await restored(objects, Number.POSITIVE_INFINITY, prefix)).toMatchObject({
    rows: 600,
    integrity: 'ok',
  })
  expect(reasons(opened.lines)).toEqual(['it is the first'])
  expect(opened.lines.filter(line => line.startsWith('replica.snapshot')).length).toBeGreaterThan(1)
  await opened.storage.close()
})

test('constant writes do not prevent snapshots', async () => {
  const opened = openReplicated(objects, { prefix: 'constant', limits: { snapshotMs: 100 } })
  const snapshots = () => opened.lines.filter(line => line.startsWith('replica.snapshot')).length
  let isDone = false
  const writer = async () => {
    while (!isDone) await writeSome(opened)
  }
  const written = writer()
  await until(() => snapshots() >= 3).finally(() => {
    isDone = true
  })
  await written
  await opened.storage.close()
})

test('a server that starts after changes by a command begins a generation', async () => {
  const prefix = 'unwatched'
  const opened = openReplicated(objects, { prefix })
  await writeSome(opened, 3)
  await opened.caughtUp()
  await opened.storage.close()
  const command = openStorage(opened.file, Date.now())
  await writeSome({ storage: command }, 3)
  expect(await command.compact()).toBe(true)
  await command.close()
  const again = openReplicated(objects, { prefix, dataDir: opened.dataDir })
  await again.caughtUp()
  expect(reasons(again.lines)).toEqual([expect.stringContaining('while this server did not run')])
  expect(await restored(objects, Number.POSITIVE_INFINITY, prefix)).toMatchObject({
    rows: 6,
    integrity: 'ok',
  })
  await again.storage.close()
})

test.each<[Fault, RegExp]>([
  ['error', /could not answer \(status 500\)/],
  ['forbidden', /refuses access.*AccessDenied.*FLORIN_REPLICA_SECRET_FILE/],
  ['cut', /cannot be reached|was changed or cut/],
  ['hang', /no answer in/],
  ['stale', /./],
  ['slow', /./],
])(
  'a store with the fault "%s" slows no write, and everything is stored afterwards',
  async (fault, words) => {
    const prefix = `fault-${fault}`
    const opened = openReplicated(objects, { prefix })
    await writeSome(opened, 20)
    await opened.caughtUp()
    const usualMs = await msOf(() => writeOften(opened))
    await opened.caughtUp()
    objects.state.fault = fault
    expect(await msOf(() => writeOften(opened))).toBeLessThan(SLOWER * usualMs + SPARE_MS)
    const isBroken = fault !== 'stale' && fault !== 'slow'
    if (isBroken) await until(() => opened.replicator.problem() !== null)
    if (isBroken) expect(opened.replicator.problem()).toMatch(words)
    expect(opened.lines.join('\n')).not.toMatch(/X-Amz|Signature=|S3RVER/)
    objects.state.fault = 'none'
    await opened.caughtUp()
    expect(await restored(objects, Number.POSITIVE_INFINITY, prefix)).toMatchObject({
      rows: 520,
      integrity: 'ok',
    })
    expect(reasons(opened.lines)).toEqual(['it is the first'])
    await opened.storage.close()
  },
)

test('a store that stays down does not fill the disk, and a generation begins when it works again', async () => {
  const prefix = 'away'
  const opened = openReplicated(objects, { prefix, limits: { logBytesMax: 512 * KB } })
  await writeSome(opened, 5)
  await opened.caughtUp()
  objects.state.fault = 'error'
  for (let i = 0; i < 30; i++) {
    await writeSome(opened, 40)
    await Bun.sleep(5)
  }
  await until(() => has(opened.lines, 'replica.log_full'))
  await writeSome(opened, 1500)
  // The log has the size that SQLite allows by default, not that of everything that was written.
  expect(statSync(`${opened.file}-wal`).size).toBeLessThan(9 * 1024 * KB)
  objects.state.fault = 'none'
  await opened.caughtUp()
  expect(reasons(opened.lines)).toEqual(['it is the first', 'the store was too slow for the changes'])
  expect(await restored(objects, Number.POSITIVE_INFINITY, prefix)).toMatchObject({
    rows: 2705,
    integrity: 'ok',
  })
  await opened.storage.close()
})

test('a generation is given up before the disk is full', async () => {
  const prefix = 'low'
  let free = 1e12
  const limits = { logBytesMax: 512 * KB }
  const opened = openReplicated(objects, { prefix, limits, freeBytes: () => free })
  await opened.caughtUp()
  objects.state.fault = 'error'
  free = 1000
  await writeSome(opened, 60)
  await until(() => has(opened.lines, 'replica.log_full'))
  objects.state.fault = 'none'
  await opened.storage.close()
})

test('expired objects are deleted, and the rest can be restored', async () => {
  const prefix = 'kept'
  let now = Date.now()
  const opened = openReplicated(objects, { prefix, now: () => now, limits: { snapshotMs: 24 * 3600_000 } })
  const settle = async () => {
    const since = now
    await until(() => (opened.replicator.lagMs() ?? 1) === 0 && has(opened.lines, 'replica.snapshot'))
    now = since + 1
    await until(() => opened.replicator.lagMs() === 0)
  }
  for (let day = 0; day < 12; day++) {
    await writeSome(opened, 5)
    await settle()
    now += 24 * 3600_000
    await Bun.sleep(100)
  }
  await settle()
  // Objects are deleted after the manifest was written, a few each time, so the clock has to advance.
  await until(() => {
    now += 1000
    return objects.names(prefix).filter(name => name.includes('snapshot')).length <= 9
  })
  expect(objects.names(prefix).length).toBeLessThan(60)
  expect(await restored(objects, Number.POSITIVE_INFINITY, prefix)).toMatchObject({
    rows: 60,
    integrity: 'ok',
  })
  const old = await restored(objects, now - 6 * 24 * 3600_000, prefix)
  expect(old.integrity).toBe('ok')
  expect(old.rows).toBeLessThan(60)
  await opened.storage.close()
})

test('with another key and another prefix, the replica begins again, and the old one can be restored', async () => {
  const first = openReplicated(objects, { prefix: 'old-key' })
  await writeSome(first, 5)
  await first.caughtUp()
  await first.storage.close()
  const { dataDir } = first
  const key = parseKey(newKeyText())!
  const second = openReplicated(objects, { dataDir, key, prefix: 'new-key' })
  await writeSome(second, 3)
  await second.caughtUp()
  await second.storage.close()
  const file = join(newFolder(), 'restored.sqlite')
  await restoreTo({ store: storeOf(objects, 'new-key'), key }, file, Date.now())
  expect(contentOf(file)).toMatchObject({ integrity: 'ok', rows: 8 })
  expect((await restored(objects, undefined, 'old-key')).rows).toBe(5)
})

test('an installation that finds its store used by another one does not write to it', async () => {
  const prefix = 'shared'
  const first = openReplicated(objects, { prefix })
  await writeSome(first, 5)
  await first.caughtUp()
  const second = openReplicated(objects, { prefix })
  await until(() => second.replicator.problem() !== null)
  expect(second.replicator.problem()).toMatch(
    /used by another installation.*prefix of its own.*replica adopt/,
  )
  await writeSome(first, 5)
  await first.caughtUp()
  expect(await restored(objects, Number.POSITIVE_INFINITY, prefix)).toMatchObject({ rows: 10 })
  await second.storage.close()
  await first.storage.close()
})

test('a copy of an installation takes the lease, and the first one stops', async () => {
  const prefix = 'cloned'
  const first = openReplicated(objects, { prefix })
  await writeSome(first, 5)
  await first.caughtUp()
  const second = openReplicated(objects, { prefix })
  await Bun.write(`${second.dataDir}/florin.replica-owner`, Bun.file(`${first.dataDir}/florin.replica-owner`))
  await writeSome(second, 7)
  await second.caughtUp()
  await until(() => first.replicator.problem() !== null)
  expect(first.replicator.problem()).toMatch(
    /used by a copy of this installation.*stop the other server and restart this one/,
  )
  await Bun.sleep(300)
  expect(second.replicator.problem()).toBe(null)
  expect(await restored(objects, Number.POSITIVE_INFINITY, prefix)).toMatchObject({ rows: 7 })
  await first.storage.close()
  await second.storage.close()
})

/** Copies a stopped installation like a whole machine: nothing in it shows that it is a copy. */
function cloned(dataDir: string): string {
  const copy = newFolder()
  cpSync(dataDir, copy, { recursive: true })
  const file = join(copy, 'florin.replica')
  const note = JSON.parse(readFileSync(file, 'utf8'))
  const { ino, size, mtimeNs } = statSync(databaseFile(copy), { bigint: true })
  const counters = note.shipped.log.mark.split(':').at(-1)
  note.shipped.log.mark = `${ino}:${size}:${mtimeNs}:${counters}`
  writeFileSync(file, JSON.stringify(note))
  return copy
}

test('a server does not continue a replica that a copy of it has written to', async () => {
  const prefix = 'unseen'
  const limits = { manifestMs: 3600_000 }
  const first = openReplicated(objects, { prefix, limits })
  await writeSome(first, 5)
  await first.caughtUp()
  await first.storage.close()
  const dataDir = cloned(first.dataDir)
  const one = openReplicated(objects, { prefix, limits, dataDir: cloned(first.dataDir) })
  await writeSome(one, 2)
  await one.caughtUp()
  const copy = openReplicated(objects, { prefix, limits, dataDir })
  await writeSome(copy, 4)
  await copy.caughtUp()
  expect([...reasons(one.lines), ...reasons(copy.lines)]).toEqual([])
  // The first server is killed before it notices the second one.
  const killed = newFolder()
  cpSync(one.dataDir, killed, { recursive: true })
  await one.storage.close()
  await copy.storage.close()
  const last = openReplicated(objects, { prefix, limits, dataDir: killed })
  await writeSome(last, 1)
  await last.caughtUp()
  expect(reasons(last.lines)).toEqual(['another process has continued what the store has'])
  expect(await restored(objects, Number.POSITIVE_INFINITY, prefix)).toMatchObject({
    rows: 8,
    integrity: 'ok',
  })
  await last.storage.close()
})

/** A replica with rows in several segments. */
async function scene(prefix: string) {
  const opened = openReplicated(objects, { prefix })
  await opened.caughtUp()
  for (let part = 0; part < 3; part++) {
    await writeSome(opened, 5)
    await opened.caughtUp()
  }
  const { dataDir } = opened
  writeFileSync(join(dataDir, 'key'), Buffer.from(KEY).toString('hex'))
  writeFileSync(join(dataDir, 'secret'), ACCESS_KEY)
  const environment = {
    FLORIN_SANDBOX: 'true',
    FLORIN_DATA_DIR: dataDir,
    FLORIN_REPLICA_URL: objects.url(prefix),
    FLORIN_REPLICA_ACCESS_KEY: ACCESS_KEY,
    FLORIN_REPLICA_SECRET_FILE: join(dataDir, 'secret'),
    FLORIN_REPLICA_KEY_FILE: join(dataDir, 'key'),
  }
  const doctor = async () => {
    const { stdout } = await runInProcess(environment, 'doctor', '--json')
    return JSON.parse(stdout).findings.find((one: { check: string }) => one.check === 'replica')
  }
  const segments = () => objects.names(prefix).filter(name => name.includes('segment'))
  return { opened, environment, doctor, segments, trial: () => runInProcess(environment, 'replica', 'trial') }
}

/** The position of the changed byte, counted from the end. */
const FLIPPED_AT = 20

async function flip(name: string, prefix: string): Promise<void> {
  let bytes = Buffer.from(objects.read(name, prefix))
  // The store lists an object before it is completely written.
  while (bytes.length < FLIPPED_AT) {
    await Bun.sleep(5)
    bytes = Buffer.from(objects.read(name, prefix))
  }
  bytes.writeUInt8(bytes.readUInt8(bytes.length - FLIPPED_AT) ^ 1, bytes.length - FLIPPED_AT)
  objects.write(name, bytes, prefix)
}

test('a complete replica is restored in a trial, which doctor reports and which leaves nothing behind', async () => {
  const { opened, doctor, trial } = await scene('whole')
  expect((await doctor()).message).toMatch(/uploaded until 2.*Z, not yet restored on trial$/)
  const ran = await trial()
  expect([ran.exitCode, ran.stdout]).toEqual([
    0,
    expect.stringMatching(/^Test restore succeeded: the database of 2/),
  ])
  expect(await doctor()).toMatchObject({ ok: true, message: expect.stringMatching(/restored on trial at 2/) })
  expect(existsSync(join(opened.dataDir, 'florin-trial'))).toBe(false)
  await opened.storage.close()
})

test.each<[string, (names: string[], prefix: string) => unknown, RegExp]>([
  ['changed', ([name], prefix) => flip(name!, prefix), /was changed or cut/],
  ['removed', ([name], prefix) => objects.remove(name!, prefix), /is missing/],
  [
    'newest',
    (names, prefix) => objects.remove(names.at(-1)!, prefix),
    /newest objects are missing|is missing/,
  ],
])('an object that was %s is named by the trial and the doctor', async (what, damage, words) => {
  const { opened, doctor, segments, trial } = await scene(what)
  await opened.storage.close()
  await damage(segments(), what)
  const ran = await trial()
  expect([ran.exitCode, ran.stdout]).toEqual([1, expect.stringMatching(words)])
  expect(await doctor()).toMatchObject({
    ok: false,
    message: expect.stringMatching(/^A trial restore at 2.* failed[.] /),
    remedy: expect.stringContaining('florin replica trial'),
  })
  expect(await trialService(opened.dataDir).check()).toMatchObject({
    about: 'backup_unusable',
    reason: expect.stringMatching(words),
  })
})

test.each<[string, (name: string, prefix: string) => unknown]>([
  ['changed', flip],
  ['removed', (name, prefix) => objects.remove(name, prefix)],
])(
  'a segment that the store %s is noticed when it is read back, and a generation begins',
  async (what, damage) => {
    const prefix = `read-back-${what}`
    const opened = openReplicated(objects, { prefix, limits: { manifestMs: 2000 } })
    await opened.caughtUp()
    const segments = () => objects.names(prefix).filter(name => name.includes('segment'))
    await writeSome(opened)
    await until(() => segments().length > 0)
    await damage(segments()[0]!, prefix)
    await until(() => opened.lines.some(line => /replica.failed .*has lost or changed the object/.test(line)))
    await until(() => opened.lines.some(line => /replica.generation .*has lost or changed/.test(line)))
    await opened.caughtUp()
    await opened.storage.close()
    expect((await restored(objects, undefined, prefix)).rows).toBe(1)
  },
)

test('a server runs a trial of the replica, and begins a generation when an object is damaged', async () => {
  const { opened, environment, trial } = await scene('server')
  // The trial reads segments back, but not snapshots.
  await flip(objects.names('server').find(name => name.includes('snapshot'))!, 'server')
  const lines: string[] = []
  const note = (_: object, event: string) => void lines.push(event)
  const job = startReplicaTrials({
    settings: readSettings(environment),
    replica: {
      replicate: () => opened.replicator,
      lagMs: () => 0,
      runningMs: () => 0,
      problem: () => null,
      beginAgain: opened.replicator.beginAgain,
    },
    now: Date.now,
    log: { debug: note, info: note, warn: note, error: note },
    lookMs: 10,
  })!
  await until(() => lines.includes('replica.unusable'))
  await until(() => opened.lines.some(line => line.includes('a trial restore found a damaged object')))
  await opened.caughtUp()
  await job.stop()
  expect(lines).toEqual(['replica.unusable'])
  expect((await trial()).exitCode).toBe(0)
  expect(await trialService(opened.dataDir).check()).toBe(null)
  await opened.storage.close()
  expect((await restored(objects, undefined, 'server')).rows).toBe(contentOf(opened.file).rows)
})
