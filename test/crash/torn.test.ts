import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { databaseFile } from '../../src/storage/sqlite/open.ts'
import { endProcesses, newFolder } from '../support/process.ts'
import { type Books, lostHistory, openBooks, readServerState, stateProblems } from './deals.ts'
import { load } from './load.ts'
import { problemsIn } from './problems.ts'
import { seeded, seedOf } from './random.ts'
import { type Installation, openInstallation, runJson, startAndKill } from './server.ts'
import { cutAt, overwrite, readWal } from './wal.ts'

const LOAD_MAX_MS = 10_000
/** The number of transactions in the log, so that cuts lose different parts of the history. */
const COMMITS = 24
const CUTS = 5
/** Half of the cuts are within this number of last transactions. */
const NEAR_END = 12
/** The number of bytes after the last transaction, as if another was being written. */
const UNDER_WAY = 5000
const FIRST_STARTS = 4
const FIRST_START_MS = 120
const MIGRATION_MS = 12

setDefaultTimeout(60_000)

const chance = seeded(seedOf('test/crash/torn.test.ts'))
let installation: Installation
let books: Books

/** Copies the data directory, as it may be on disk after a power failure. */
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
  // The log is short, so no checkpoint has started to copy it to the database file.
  while (readWal(installation.file).commits.length < COMMITS && performance.now() < until) await Bun.sleep(10)
  await server.stop('SIGKILL')
  await clients
})
afterAll(async () => {
  installation?.receiver.stop()
  await endProcesses()
})

/** Starts a server on torn data, checks what is left, and uses it. Returns how many changes were lost. */
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

/** A random position in the log after the last checkpoint, often near the end. */
function tearPosition(): { at: number; end: number } {
  const { safeEnd, commits, end } = readWal(installation.file)
  const from = chance.percent(50) ? safeEnd : (commits.at(-NEAR_END) ?? safeEnd)
  return { at: from + chance.below(end - from), end }
}

describe('a log', () => {
  test('that is cut anywhere has a history without gaps', async () => {
    let lost = 0
    for (let i = 0; i < CUTS; i++) {
      const folder = copyOf(installation.dataDir)
      cutAt(`${databaseFile(folder)}-wal`, tearPosition().at)
      lost += await resumeFrom(folder)
    }
    expect(lost).toBeGreaterThan(0)
  })

  test('that ends in random bytes has a history without gaps', async () => {
    let lost = 0
    for (let i = 0; i < CUTS; i++) {
      const folder = copyOf(installation.dataDir)
      const { at, end } = tearPosition()
      overwrite(`${databaseFile(folder)}-wal`, at, end, chance)
      lost += await resumeFrom(folder)
    }
    expect(lost).toBeGreaterThan(0)
  })

  test('that is torn after the last transaction has lost nothing', async () => {
    const folder = copyOf(installation.dataDir)
    const last = readWal(installation.file).commits.at(-1)!
    overwrite(`${databaseFile(folder)}-wal`, last, last + UNDER_WAY, chance)
    const server = await installation.start(folder)
    expect(stateProblems(books, await readServerState(server, installation.key))).toEqual([])
    await server.stop()
    expect(await resumeFrom(folder)).toBe(0)
  })
})

/** Expects the next start to work like a first start. */
async function expectUsable(folder: string): Promise<void> {
  const server = await installation.start(folder)
  const shop = ['--email', 'late@shop.example', '--name', 'Late Lunch']
  const { merchantId } = await runJson(folder, 'merchant', 'create', ...shop)
  const { key } = await runJson(folder, 'key', 'create', '--merchant', merchantId, '--mode', 'live')
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
      await expectUsable(folder)
    }
  })
})
