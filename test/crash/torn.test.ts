import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readNote } from '../../src/storage/sqlite/commit-note.ts'
import { databaseFile } from '../../src/storage/sqlite/open.ts'
import { florinHere } from '../cli/in-process.ts'
import { endProcesses, newFolder } from '../support/process.ts'
import { timesOf } from '../support/whole.ts'
import { type Books, lostHistory, openBooks, readServerState, stateProblems } from './deals.ts'
import { load } from './load.ts'
import { problemsIn, rowsOf } from './problems.ts'
import { seeded, seedOf } from './random.ts'
import { type Installation, openInstallation, run, startAndKill } from './server.ts'
import { cutAt, overwrite, readWal } from './wal.ts'

const LOAD_MAX_MS = 10_000
/** The number of transactions in the log. There are enough that cuts lose different parts of the history. */
const COMMITS = 24
const CUTS = 5
/** Half of the cuts are within this number of transactions from the end. */
const NEAR_END = 12
/** The number of bytes after the last transaction, as if another was being written. */
const UNDER_WAY = 5000
const FIRST_STARTS = timesOf(2, 4)
const FIRST_START_MS = 120
const MIGRATION_MS = 12

const chance = seeded(seedOf('test/crash/torn.test.ts'))
let installation: Installation
let books: Books
/** The number of commits that the server had noted when it was killed. */
let acknowledged: number

/** Copies the data directory to the state that it may have on disk after a power failure. */
function copyOf(dataDir: string): string {
  const folder = join(newFolder(), 'data')
  cpSync(dataDir, folder, { recursive: true })
  if (chance.percent(50)) rmSync(`${databaseFile(folder)}-shm`, { force: true })
  return folder
}

beforeAll(async () => {
  installation = await openInstallation()
  books = openBooks(installation)
  const server = await installation.start()
  const clients = load(server, installation, books, chance.fork())
  const until = performance.now() + LOAD_MAX_MS
  // The log is short, so that no checkpoint has started to copy it to the database file.
  while (readWal(installation.file).commits.length < COMMITS && performance.now() < until) await Bun.sleep(10)
  await server.stop('SIGKILL')
  await clients
  acknowledged = readNote(installation.file)!.count
})
afterAll(async () => {
  installation?.receiver.stop()
  await endProcesses()
})

/** The number of commits in the database of a folder. Does not change the folder. */
function commitsIn(folder: string): number {
  const copy = join(newFolder(), 'data')
  cpSync(folder, copy, { recursive: true })
  return Number(rowsOf(databaseFile(copy), 'SELECT count FROM commits')[0]?.[0])
}

const noteIn = (folder: string): string => join(folder, 'florin.commits')

/** The note is not flushed, so after a power failure it may be that of an earlier commit. */
function setNote(folder: string, count: number): void {
  const line = `${String(count).padStart(16, '0')}\n`
  writeFileSync(noteIn(folder), line + line)
}

/** Starts a server on torn data, checks the rest, and uses it. Returns the number of lost changes. */
async function resumeFrom(folder: string): Promise<number> {
  const server = await installation.start(folder)
  const state = await readServerState(server, installation.key)
  const { lost, problems } = lostHistory(books, state)
  expect(problems).toEqual([])
  expect(await problemsIn(databaseFile(folder))).toEqual([])
  const there = new Set(state.orders.map(order => order.externalId))
  const requireKey = books.deals.filter(deal => deal.aim === 'keep' && deal.idempotencyKey !== null)
  for (const { externalId, body, idempotencyKey } of requireKey.slice(-10)) {
    const headers = { 'idempotency-key': idempotencyKey! }
    const answer = await server.call('POST', '/v1/orders', { key: installation.key, body, headers })
    expect([externalId, answer.status]).toEqual([externalId, there.has(externalId) ? 200 : 201])
  }
  expect((await server.stop()).exitCode).toBe(0)
  expect(server.stderr()).not.toContain('"level":"error"')
  expect(await problemsIn(databaseFile(folder))).toEqual([])
  return lost
}

/** Expects the server to refuse the database, and to report the number of missing writes. */
async function expectRefused(folder: string, missing: number): Promise<void> {
  const ran = await run(folder, installation.settings, 'serve')
  expect([ran.exitCode, ran.stdout]).toEqual([1, ''])
  expect(ran.stderr).toContain(`is older than its last write. Missing writes: ${missing}, `)
}

/** Accepts the loss by the steps of the documentation, and continues with the rest. */
async function acceptLoss(folder: string): Promise<void> {
  const rest = join(newFolder(), 'rest.sqlite')
  for (const args of [
    ['backup', rest, '--anyway'],
    ['restore', rest, '--force'],
  ]) {
    const { exitCode, stderr } = await florinHere(folder).run(...args)
    if (exitCode !== 0) throw new Error(`${args.join(' ')} ended with ${exitCode}: ${stderr}`)
  }
}

/** Expects a refusal if noted commits are missing, and accepts the loss. `lost` counts the lost changes. */
async function resumeAsNoted(folder: string, noted: number): Promise<{ isRefused: boolean; lost: number }> {
  const missing = noted - commitsIn(folder)
  if (missing > 0) {
    await expectRefused(folder, missing)
    await acceptLoss(folder)
  }
  return { isRefused: missing > 0, lost: await resumeFrom(folder) }
}

/** A random position in the log after the last checkpoint, often near the end, at which the log is torn. */
function tearPosition(): { at: number; end: number } {
  const { safeEnd, commits, end } = readWal(installation.file)
  const from = chance.percent(50) ? safeEnd : (commits.at(-NEAR_END) ?? safeEnd)
  return { at: from + chance.below(end - from), end }
}

/** Tears copies of the log at random positions. Changes that are lost without a refusal were never noted. */
async function tearOften(tear: (log: string, at: number, end: number) => void): Promise<void> {
  let lost = 0
  let refused = 0
  for (let i = 0; i < CUTS; i++) {
    const folder = copyOf(installation.dataDir)
    const { at, end } = tearPosition()
    tear(`${databaseFile(folder)}-wal`, at, end)
    const result = await resumeAsNoted(folder, acknowledged)
    if (!result.isRefused) expect(result.lost).toBe(0)
    lost += result.lost
    refused += Number(result.isRefused)
  }
  expect(lost).toBeGreaterThan(0)
  expect(refused).toBeGreaterThan(0)
}

describe('a log that lost acknowledged writes is refused, and has no gaps once the loss is accepted:', () => {
  test('cut anywhere', () => tearOften(cutAt))

  test('ending in random bytes', () => tearOften((log, at, end) => overwrite(log, at, end, chance)))

  test('cut anywhere, with the note of an earlier commit', async () => {
    for (let i = 0; i < CUTS; i++) {
      const folder = copyOf(installation.dataDir)
      cutAt(`${databaseFile(folder)}-wal`, tearPosition().at)
      const noted = acknowledged - 1 - chance.below(NEAR_END)
      setNote(folder, noted)
      await resumeAsNoted(folder, noted)
    }
  })

  test('cut anywhere, until the whole log is put back', async () => {
    const folder = copyOf(installation.dataDir)
    const log = `${databaseFile(folder)}-wal`
    cutAt(log, readWal(installation.file).commits.at(-NEAR_END)!)
    await expectRefused(folder, acknowledged - commitsIn(folder))
    cpSync(`${installation.file}-wal`, log)
    expect(await resumeFrom(folder)).toBe(0)
  })
})

describe('a log that has all acknowledged writes has lost nothing after a power failure', () => {
  const notes: [what: string, change: (folder: string) => void][] = [
    ['is up to date', () => {}],
    ['is of an earlier commit', folder => setNote(folder, acknowledged - 1 - chance.below(NEAR_END))],
    ['is missing', folder => rmSync(noteIn(folder))],
    ['is empty', folder => truncateSync(noteIn(folder), 0)],
    ['has only zeros', folder => writeFileSync(noteIn(folder), '\0'.repeat(34))],
    ['is a directory', folder => [rmSync(noteIn(folder)), mkdirSync(noteIn(folder))]],
  ]

  test.each(notes)('and a note that %s', async (_, change) => {
    const folder = copyOf(installation.dataDir)
    const last = readWal(installation.file).commits.at(-1)!
    overwrite(`${databaseFile(folder)}-wal`, last, last + UNDER_WAY, chance)
    change(folder)
    const server = await installation.start(folder)
    expect(stateProblems(books, await readServerState(server, installation.key))).toEqual([])
    await server.stop()
    expect(await resumeFrom(folder)).toBe(0)
  })

  test('and cuts off a commit that its note does not count yet', async () => {
    const folder = copyOf(installation.dataDir)
    const [before, last] = readWal(installation.file).commits.slice(-2)
    cutAt(`${databaseFile(folder)}-wal`, before! + chance.below(last! - before!))
    setNote(folder, commitsIn(folder))
    await resumeFrom(folder)
  })
})

/** Expects the next start to work like a first start. */
async function expectUsable(folder: string): Promise<void> {
  const server = await installation.start(folder)
  const shop = ['--email', 'late@shop.example', '--name', 'Late Lunch']
  const florin = florinHere(folder)
  const { merchantId } = await florin.json('merchant', 'create', ...shop)
  const { key } = await florin.json('key', 'create', '--merchant', merchantId, '--mode', 'live')
  expect((await server.call('GET', '/v1/orders', { key })).json).toEqual({
    success: true,
    data: { items: [] },
  })
  expect((await server.stop()).exitCode).toBe(0)
  expect(await problemsIn(databaseFile(folder))).toEqual([])
}

describe('after a first start that was killed, the next start succeeds:', () => {
  const starts = Array.from({ length: FIRST_STARTS }, (_, i) => i + 1)

  test.each(starts)('killed at any time (start %i)', async () => {
    const folder = newFolder()
    await startAndKill(folder, installation.settings, () => Bun.sleep(chance.below(FIRST_START_MS)))
    await expectUsable(folder)
  })

  test.each(starts)('killed while the database was created (start %i)', async () => {
    const folder = newFolder()
    const pause = chance.below(MIGRATION_MS)
    await startAndKill(folder, installation.settings, async () => {
      for (let i = 0; i < 5000 && !existsSync(databaseFile(folder)); i++) await Bun.sleep(0)
      await Bun.sleep(pause)
    })
    await expectUsable(folder)
  })

  test('killed after or during any of its transactions', async () => {
    const whole = newFolder()
    await (await installation.start(whole)).stop('SIGKILL')
    const { commits } = readWal(databaseFile(whole))
    expect(commits.length).toBeGreaterThan(0)
    const ends = commits.slice(0, 3)
    for (const at of [0, ...ends, ...ends.map(end => end - 1 - chance.below(4000))]) {
      const folder = copyOf(whole)
      cutAt(`${databaseFile(folder)}-wal`, at)
      // A power failure cuts off only commits that are not noted.
      setNote(folder, commitsIn(folder))
      await expectUsable(folder)
    }
  })
})
