import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { restoreTo } from '../../src/replica/restore.ts'
import { newKeyText, parseKey } from '../../src/replica/store.ts'
import { runInProcess } from '../cli/in-process.ts'
import { audit } from '../support/auditor.ts'
import { ACCESS_KEY, type ObjectStore, startObjectStore } from '../support/object-store.ts'
import { newFolder } from '../support/process.ts'
import { contentOf, KEY, openReplicated, restored, storeOf, until, writeSome } from './scene.ts'

let objects: ObjectStore
/** the moments after 10, 20 and 30 rows */
const moments: number[] = []
let segments: string[]
let snapshots: string[]
let dataDir: string

beforeAll(async () => {
  objects = await startObjectStore()
  const opened = openReplicated(objects)
  dataDir = opened.dataDir
  // The first snapshot has none of the rows: all of them are in segments.
  await opened.caughtUp()
  for (let part = 0; part < 3; part++) {
    await writeSome(opened, 10)
    moments.push(await opened.caughtUp())
    await Bun.sleep(50)
  }
  await opened.storage.close()
  segments = objects.names().filter(name => name.includes('segment'))
  snapshots = objects.names().filter(name => name.includes('snapshot'))
})
afterAll(() => objects.stop())

const message = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing was refused',
    error => (error as Error).message,
  )

/** The moment that a refusal suggests. */
const offered = (text: string): number => Date.parse(/--at (\S+Z)/.exec(text)?.[1] ?? '')

/** Damages an object, and repairs it afterwards. */
async function withDamage(name: string, damage: (bytes: Buffer) => void, work: () => Promise<void>) {
  const bytes = objects.read(name)
  damage(bytes)
  try {
    await work()
  } finally {
    objects.write(name, bytes)
  }
}

const flip = (name: string) => (bytes: Buffer) => {
  const changed = Buffer.from(bytes)
  changed.writeUInt8(changed.readUInt8(bytes.length - 20) ^ 1, bytes.length - 20)
  objects.write(name, changed)
}

test('each moment can be restored', async () => {
  expect((await restored(objects, moments[0])).rows).toBe(10)
  expect((await restored(objects, moments[1])).rows).toBe(20)
  expect((await restored(objects)).rows).toBe(30)
  expect(await message(restored(objects, moments[0]! - 3600_000))).toMatch(/nothing from .* oldest moment/)
})

describe('a damaged segment is refused, and earlier moments can be restored:', () => {
  const check = async (words: RegExp) => {
    const text = await message(restored(objects))
    expect(text).toMatch(words)
    const before = await restored(objects, offered(text))
    expect(before.integrity).toBe('ok')
    expect(before.rows).toBeGreaterThanOrEqual(10)
    expect(before.rows).toBeLessThan(30)
  }
  const last = () => segments.at(-2)!
  test('changed', () => withDamage(last(), flip(last()), () => check(/was changed or cut/)))
  test('cut', () =>
    withDamage(
      last(),
      bytes => objects.write(last(), bytes.subarray(0, bytes.length / 2)),
      () => check(/was changed or cut/),
    ))
  test('empty', () =>
    withDamage(
      last(),
      () => objects.write(last(), Buffer.alloc(0)),
      () => check(/was changed or cut/),
    ))
  test('missing', () =>
    withDamage(
      last(),
      () => objects.remove(last()),
      () => check(/is missing/),
    ))
  test('replaced by the one before it', () =>
    withDamage(
      last(),
      () => objects.write(last(), objects.read(segments.at(-3)!)),
      () => check(/was changed or cut/),
    ))
})

test('a damaged snapshot or manifest is refused with advice', async () => {
  const [snapshot] = snapshots
  await withDamage(snapshot!, flip(snapshot!), async () => {
    expect(await message(restored(objects))).toMatch(/was changed or cut.*another backup/)
  })
  await withDamage(
    snapshot!,
    () => objects.remove(snapshot!),
    async () => {
      expect(await message(restored(objects))).toMatch(/is missing/)
    },
  )
  await withDamage('contents', flip('contents'), async () => {
    expect(await message(restored(objects))).toMatch(/"contents".*older version of the object/)
  })
  expect(await message(restored(objects, undefined, 'empty'))).toMatch(/no copy.*Check the URL/)
})

test('an endless answer is given up at the largest size of its object', async () => {
  objects.state.fault = 'endless'
  const text = await message(restored(objects))
  const part = storeOf(objects).get(snapshots[0]!, 1024 * 1024)
  expect(await message(part)).toMatch(/larger than any object/)
  objects.state.fault = 'none'
  expect(text).toMatch(/"contents".*was changed or cut/)
  expect(objects.state.sentBytes).toBeLessThan(100 * 1024 * 1024)
  const last = segments.at(-2)!
  await withDamage(
    last,
    () => objects.write(last, Buffer.alloc(9 * 1024 * 1024)),
    async () => expect(await message(restored(objects))).toMatch(/was changed or cut/),
  )
})

test('another key, and another secret, are refused with advice', async () => {
  const other = parseKey(newKeyText())!
  const file = join(newFolder(), 'other')
  const text = await message(restoreTo({ store: storeOf(objects), key: other }, file, Date.now()))
  expect(text).toMatch(/encrypted with another key.*FLORIN_REPLICA_KEY_FILE/)
})

test('a new key begins at a new prefix, and the old one still restores the old prefix', async () => {
  const key = parseKey(newKeyText())!
  const old = { store: storeOf(objects, 'old-place'), key: KEY }
  const changed = { store: storeOf(objects, 'new-place'), key }
  const before = openReplicated(objects, { prefix: 'old-place' })
  await writeSome(before, 5)
  await before.caughtUp()
  await before.storage.close()
  const after = openReplicated(objects, { prefix: 'new-place', dataDir: before.dataDir, key })
  await writeSome(after, 5)
  await after.caughtUp()
  await after.storage.close()
  const rowsIn = async (from: typeof old): Promise<number> => {
    const file = join(newFolder(), 'restored')
    await restoreTo(from, file, Date.now())
    return contentOf(file).rows
  }
  expect([await rowsIn(old), await rowsIn(changed)]).toEqual([5, 10])
  const mixed = restoreTo({ ...changed, key: KEY }, join(newFolder(), 'mixed'), Date.now())
  expect(await message(mixed)).toContain('encrypted with another key')
})

test('nothing in the store can be read without the key', () => {
  const clear = /SQLite format|asset-|CREATE TABLE|source \d/
  for (const name of objects.names()) expect(objects.read(name).toString('latin1')).not.toMatch(clear)
})

describe('florin restore --from', () => {
  const settings = (folder: string) => {
    writeFileSync(join(dataDir, 'key'), Buffer.from(KEY).toString('hex'))
    writeFileSync(join(dataDir, 'secret'), `${ACCESS_KEY}\n`)
    return {
      FLORIN_DATA_DIR: folder,
      FLORIN_REPLICA_URL: objects.url(),
      FLORIN_REPLICA_ACCESS_KEY: ACCESS_KEY,
      FLORIN_REPLICA_SECRET_FILE: join(dataDir, 'secret'),
      FLORIN_REPLICA_KEY_FILE: join(dataDir, 'key'),
    }
  }

  test('restores on an empty machine, now and at a moment', async () => {
    const folder = join(newFolder(), 'data')
    const ran = await runInProcess(settings(folder), 'restore', '--from', objects.url(), '--json')
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
    const file = join(folder, 'florin.sqlite')
    expect(JSON.parse(ran.stdout)).toMatchObject({ database: file, orders: 0, skipped: null })
    expect(contentOf(file)).toMatchObject({ rows: 30, integrity: 'ok' })
    expect(audit(file)).toEqual([])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(existsSync(`${file}.fetched`)).toBe(false)

    const at = new Date(moments[0]!).toISOString()
    const args = ['restore', '--from', objects.url(), '--at', at]
    const refused = await runInProcess(settings(folder), ...args)
    expect(refused.stderr).toMatch(/already exists. Use --force/)
    const before = await runInProcess(settings(folder), ...args, '--force')
    expect(before.stdout).toMatch(
      /The previous database is kept.*\nIt is the database of 20.*\n.*replica adopt/s,
    )
    expect(contentOf(file).rows).toBe(10)
  })

  test('asks before it restores the newest copy if that is old', async () => {
    const prefix = 'old'
    const twoHoursAgo = () => Date.now() - 2 * 3600_000
    const opened = openReplicated(objects, { prefix, now: twoHoursAgo })
    await writeSome(opened, 3)
    await until(() => opened.lines.some(line => line.startsWith('replica.snapshot')))
    await opened.storage.close()
    const folder = newFolder()
    const args = ['restore', '--from', objects.url(prefix)]
    const asked = await runInProcess(settings(folder), ...args)
    expect([asked.exitCode, asked.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^The newest copy there is the database of 2.*a server last wrote there at .* --yes[.]/,
      ),
    ])
    expect(existsSync(join(folder, 'florin.sqlite'))).toBe(false)
    const accepted = await runInProcess(settings(folder), ...args, '--yes')
    expect([accepted.exitCode, accepted.stderr]).toEqual([0, ''])
    expect(contentOf(join(folder, 'florin.sqlite')).rows).toBe(3)
  })

  test('refuses wrong usage with a message', async () => {
    const run = (...args: string[]) => runInProcess(settings(newFolder()), 'restore', ...args)
    expect((await run()).stderr).toMatch(/a file.*or a store with --from/)
    expect((await run('file', '--at', '2026-01-01T00:00:00Z')).stderr).toMatch(/--at needs --from/)
    expect((await run('--from', objects.url(), '--at', 'noon')).stderr).toMatch(/--at must be a time/)
    expect((await run('--from', 'http://x')).stderr).toMatch(/--from must be s3:/)
    const wrong = { ...settings(newFolder()), FLORIN_REPLICA_KEY_FILE: join(dataDir, 'secret') }
    const ran = await runInProcess(wrong, 'restore', '--from', objects.url())
    expect(ran.stderr).toMatch(/not a key file.*florin replica key/)
    writeFileSync(join(dataDir, 'wrong-secret'), 'wrong')
    const other = { ...settings(newFolder()), FLORIN_REPLICA_SECRET_FILE: join(dataDir, 'wrong-secret') }
    const denied = await runInProcess(other, 'restore', '--from', objects.url())
    expect(denied.stderr).toMatch(/refuses access.*SignatureDoesNotMatch.*FLORIN_REPLICA_SECRET_FILE/)
  })

  test('florin replica key overwrites no key, and florin replica adopt lets a new server use the store', async () => {
    const file = join(newFolder(), 'new.key')
    const made = await runInProcess({}, 'replica', 'key', file)
    expect(made.stdout).toMatch(/Keep a second copy/)
    expect(parseKey(readFileSync(file, 'utf8'))).not.toBe(null)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await runInProcess({}, 'replica', 'key', file)).stderr).toMatch(/Choose a new file/)
    const folder = newFolder()
    expect((await runInProcess(settings(folder), 'replica', 'adopt')).stdout).toMatch(/From its next start/)
    const opened = openReplicated(objects, { dataDir: folder })
    await writeSome(opened, 4)
    await opened.caughtUp()
    expect((await restored(objects)).rows).toBe(4)
    await opened.storage.close()
  })
})
