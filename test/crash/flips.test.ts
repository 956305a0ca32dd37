import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  closeSync,
  copyFileSync,
  cpSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { readNote } from '../../src/storage/sqlite/commit-note.ts'
import { readState } from '../../src/storage/sqlite/integrity.ts'
import { databaseFile } from '../../src/storage/sqlite/open.ts'
import { florinHere } from '../cli/in-process.ts'
import { endProcesses, newFolder } from '../support/process.ts'
import { timesOf } from '../support/whole.ts'
import { openBooks } from './deals.ts'
import { load } from './load.ts'
import { seeded, seedOf } from './random.ts'
import { type Installation, openInstallation, run } from './server.ts'
import { readWal } from './wal.ts'

// Tests databases with flipped bits, as a faulty disk, cable or copy produces them.

const ANSWERS = 60
const LOAD_MAX_MS = 10_000
const FLIPS = timesOf(5, 100)
/** The first page begins with the header of the file, which the header of the B-tree follows. */
const FILE_HEADER_BYTES = 100
/** The flag in the first byte of a page for a page with rows. Without it, the page leads to other pages. */
const LEAF_FLAG = 0x08

const chance = seeded(seedOf('test/crash/flips.test.ts'))
let installation: Installation
/** a data directory after a kill; its log has all writes */
let killed: string
/** a data directory after a stop */
let stopped: string
let backup: string

const copyOf = (folder: string): string => {
  const copy = join(newFolder(), 'data')
  cpSync(folder, copy, { recursive: true })
  return copy
}

beforeAll(async () => {
  installation = await openInstallation()
  const books = openBooks(installation)
  const server = await installation.start()
  const clients = load(server, installation, books, chance.fork())
  const until = performance.now() + LOAD_MAX_MS
  while (books.answers < ANSWERS && performance.now() < until) await Bun.sleep(5)
  await server.stop('SIGKILL')
  await clients
  killed = copyOf(installation.dataDir)
  await (await installation.start()).stop()
  stopped = installation.dataDir
  backup = join(newFolder(), 'backup.sqlite')
  await florinHere(stopped).json('backup', backup)
})
afterAll(async () => {
  installation?.receiver.stop()
  await endProcesses()
})

function flip(file: string, at: number): void {
  const handle = openSync(file, 'r+')
  const byte = Buffer.alloc(1)
  readSync(handle, byte, 0, 1, at)
  byte.writeUInt8(byte.readUInt8() ^ (1 << chance.below(8)))
  writeSync(handle, byte, 0, 1, at)
  closeSync(handle)
}

/** The pages on which the B-trees of tables and indexes begin. */
function rootsOf(file: string): number[] {
  const database = new Database(file, { readonly: true })
  const [page] = database.query('PRAGMA page_size').values().flat()
  const roots = database.query('SELECT rootpage FROM sqlite_master WHERE rootpage > 1').values().flat()
  database.close()
  return [FILE_HEADER_BYTES, ...roots.map(root => (Number(root) - 1) * Number(page))]
}

test('a server does not start on a database whose pages are damaged, and backups and doctor name the damage', async () => {
  for (let times = 0; times < 3; times++) {
    const folder = copyOf(stopped)
    const file = databaseFile(folder)
    flip(file, chance.pick(rootsOf(file)))
    const served = await run(folder, installation.settings, 'serve')
    expect([served.exitCode, served.stdout]).toEqual([1, ''])
    expect(served.stderr).toMatch(/is damaged.*restore/is)
    const florin = florinHere(folder, installation.settings)
    const doctor = await florin.run('doctor')
    expect(doctor.stdout).toMatch(/^ERROR {2}database: .* is damaged/m)
    const kept = await florin.run('backup', join(newFolder(), 'rest.sqlite'))
    expect([kept.exitCode, kept.stdout]).toEqual([1, ''])
    expect(kept.stderr).toMatch(/damaged|cannot be read/)
  }
})

test('the first page of a table or index is reported as damaged if it turned into an inner page', () => {
  const folder = copyOf(stopped)
  const file = databaseFile(folder)
  const pages = readFileSync(file)
  const noticed = rootsOf(file).map(root => {
    const damaged = Buffer.from(pages)
    damaged.writeUInt8(damaged.readUInt8(root) ^ LEAF_FLAG, root)
    writeFileSync(file, damaged)
    return readState(file).kind
  })
  expect(new Set(noticed)).toEqual(new Set(['damaged']))
})

test('a flipped bit in the log counts as a lost write, which is refused', async () => {
  for (let times = 0; times < 3; times++) {
    const folder = copyOf(killed)
    const { safeEnd, end } = readWal(databaseFile(folder))
    flip(`${databaseFile(folder)}-wal`, safeEnd + chance.below(end - safeEnd))
    expect(readNote(databaseFile(folder))).not.toBe(null)
    const served = await run(folder, installation.settings, 'serve')
    expect([served.exitCode, served.stdout]).toEqual([1, ''])
    expect(served.stderr).toContain('is older than its last write. Missing writes: ')
  }
})

describe('a backup', () => {
  test('is not restored after any bit of it flipped', async () => {
    const size = statSync(backup).size
    for (let times = 0; times < FLIPS; times++) {
      const file = join(newFolder(), 'flipped.sqlite')
      copyFileSync(backup, file)
      const at = chance.below(size)
      flip(file, at)
      const ran = await florinHere(newFolder()).run('restore', file)
      expect([at, ran.exitCode]).toEqual([at, 1])
      expect(ran.stderr).toMatch(/changed since|damaged|not a Florin database/)
    }
  })

  test('of a restored backup, and one that was put in place by hand, can be restored again', async () => {
    const [restored, placed] = [newFolder(), newFolder()]
    await florinHere(restored).json('restore', backup)
    copyFileSync(backup, databaseFile(placed))
    for (const folder of [restored, placed]) {
      await (await installation.start(folder)).stop()
      const copy = join(newFolder(), 'copy.sqlite')
      copyFileSync(databaseFile(folder), copy)
      await florinHere(newFolder()).json('restore', copy)
      const again = join(newFolder(), 'again.sqlite')
      await florinHere(folder).json('backup', again)
      await florinHere(newFolder()).json('restore', again)
    }
  })
})
