import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { databaseFile } from '../../src/storage/sqlite/open.ts'
import { endProcesses, newFolder } from '../support/process.ts'
import { type Books, historyOf, keptFaults, openBooks, readKept } from './deals.ts'
import { faultsOf } from './faults.ts'
import { load } from './load.ts'
import { seeded, seedOf } from './random.ts'
import { openStand, type Stand, startAndKill, told } from './server.ts'
import { cutAt, garble, readWal } from './wal.ts'

const LOAD_MAX_MS = 10_000
/** Transactions that stand in the log, so that cuts lose different parts of the history. */
const COMMITS = 24
const CUTS = 5
/** Half of the cuts hit the last so many transactions. */
const NEAR_END = 12
/** Bytes after the last transaction, as of one that was being written. */
const UNDER_WAY = 5000
const FIRST_STARTS = 4
const FIRST_START_MS = 120
const MIGRATION_MS = 12

setDefaultTimeout(60_000)

const chance = seeded(seedOf('test/crash/torn.test.ts'))
let stand: Stand
let books: Books

/** A copy of the folder, as the disk of a machine that lost its power may hold it. */
function copied(dataDir: string): string {
  const folder = join(newFolder(), 'data')
  cpSync(dataDir, folder, { recursive: true })
  if (chance.percent(50)) rmSync(`${databaseFile(folder)}-shm`, { force: true })
  return folder
}

beforeAll(async () => {
  stand = await openStand()
  books = openBooks(stand)
  const server = await stand.start()
  const clients = load(server, stand, books, chance.fork())
  const until = performance.now() + LOAD_MAX_MS
  // One server and a short log: no checkpoint has begun to bring it into the database file.
  while (readWal(stand.file).commits.length < COMMITS && performance.now() < until) await Bun.sleep(10)
  await server.stop('SIGKILL')
  await clients
})
afterAll(async () => {
  stand?.receiver.stop()
  await endProcesses()
})

/** Starts over a torn folder, looks at what is left, and goes on with it; answers how many facts are lost. */
async function goOn(folder: string): Promise<number> {
  const server = await stand.start(folder)
  const kept = await readKept(server, stand.key)
  const { lost, faults } = historyOf(books, kept)
  expect(faults).toEqual([])
  expect(await faultsOf(databaseFile(folder))).toEqual([])
  const there = new Set(kept.orders.map(order => order.externalId))
  const requireKey = books.deals.filter(deal => deal.aim === 'keep' && deal.idempotencyKey !== null)
  for (const { externalId, body, idempotencyKey } of requireKey.slice(-10)) {
    const headers = { 'idempotency-key': idempotencyKey! }
    const answer = await server.call('POST', '/v1/orders', { key: stand.key, body, headers })
    expect([externalId, answer.status]).toEqual([externalId, there.has(externalId) ? 200 : 201])
  }
  expect((await server.stop()).exitCode).toBe(0)
  expect(server.stderr()).not.toContain('"level":"error"')
  expect(await faultsOf(databaseFile(folder))).toEqual([])
  return lost
}

/** Where the log is torn: anywhere that no checkpoint has passed, and often near its end. */
function tornAt(): { at: number; end: number } {
  const { safeEnd, commits, end } = readWal(stand.file)
  const from = chance.percent(50) ? safeEnd : (commits.at(-NEAR_END) ?? safeEnd)
  return { at: from + chance.below(end - from), end }
}

describe('a log whose tail', () => {
  test('is cut off anywhere keeps a history without gaps', async () => {
    let lost = 0
    for (let i = 0; i < CUTS; i++) {
      const folder = copied(stand.dataDir)
      cutAt(`${databaseFile(folder)}-wal`, tornAt().at)
      lost += await goOn(folder)
    }
    expect(lost).toBeGreaterThan(0)
  })

  test('is overwritten with anything keeps a history without gaps', async () => {
    let lost = 0
    for (let i = 0; i < CUTS; i++) {
      const folder = copied(stand.dataDir)
      const { at, end } = tornAt()
      garble(`${databaseFile(folder)}-wal`, at, end, chance)
      lost += await goOn(folder)
    }
    expect(lost).toBeGreaterThan(0)
  })

  test('is torn after the last transaction has lost nothing', async () => {
    const folder = copied(stand.dataDir)
    const last = readWal(stand.file).commits.at(-1)!
    garble(`${databaseFile(folder)}-wal`, last, last + UNDER_WAY, chance)
    const server = await stand.start(folder)
    expect(keptFaults(books, await readKept(server, stand.key))).toEqual([])
    await server.stop()
    expect(await goOn(folder)).toBe(0)
  })
})

/** The next start over this folder is as good as a first one. */
async function expectUsable(folder: string): Promise<void> {
  const server = await stand.start(folder)
  const shop = ['--email', 'late@shop.example', '--name', 'Late Lunch']
  const { merchantId } = await told(folder, 'merchant', 'create', ...shop)
  const { key } = await told(folder, 'key', 'create', '--merchant', merchantId, '--mode', 'live')
  expect((await server.call('GET', '/v1/orders', { key })).json).toEqual({
    success: true,
    data: { items: [] },
  })
  expect((await server.stop()).exitCode).toBe(0)
  expect(await faultsOf(databaseFile(folder))).toEqual([])
}

describe('a first start that is killed leaves a folder in which the next one succeeds:', () => {
  const starts = Array.from({ length: FIRST_STARTS }, (_, i) => i + 1)

  test.each(starts)('at any moment (start %i)', async () => {
    const folder = newFolder()
    await startAndKill(folder, stand.settings, () => Bun.sleep(chance.below(FIRST_START_MS)))
    await expectUsable(folder)
  })

  test.each(starts)('while the database is made (start %i)', async () => {
    const folder = newFolder()
    const pause = chance.below(MIGRATION_MS)
    await startAndKill(folder, stand.settings, async () => {
      for (let i = 0; i < 5000 && !existsSync(databaseFile(folder)); i++) await Bun.sleep(0)
      await Bun.sleep(pause)
    })
    await expectUsable(folder)
  })

  test('after any of its transactions, and in the middle of any', async () => {
    const whole = newFolder()
    await (await stand.start(whole)).stop('SIGKILL')
    const { commits } = readWal(databaseFile(whole))
    expect(commits.length).toBeGreaterThan(1)
    const ends = commits.slice(0, 3)
    for (const at of [0, ...ends, ...ends.map(end => end - 1 - chance.below(4000))]) {
      const folder = copied(whole)
      cutAt(`${databaseFile(folder)}-wal`, at)
      await expectUsable(folder)
    }
  })
})
