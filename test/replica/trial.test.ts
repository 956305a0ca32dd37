import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startReplicaTrials, trialService } from '../../src/boot/replica-trials.ts'
import { readSettings } from '../../src/settings/read.ts'
import { runInProcess } from '../cli/in-process.ts'
import { ACCESS_KEY, type ObjectStore, startObjectStore } from '../support/object-store.ts'
import { contentOf, KEY, openReplicated, restored, until, writeSome } from './scene.ts'

// A trial restores the content of a bucket, so that damage is noticed before a restore is needed.

let objects: ObjectStore
beforeAll(async () => {
  objects = await startObjectStore()
})
afterAll(() => objects.stop())

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
