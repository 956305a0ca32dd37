import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { restoreTo } from '../../src/replica/restore.ts'
import { databaseOf } from '../../src/storage/index.ts'
import { databaseFile } from '../../src/storage/sqlite/open.ts'
import { acceptState, type Books, openBooks, readServerState } from '../crash/deals.ts'
import { load } from '../crash/load.ts'
import { problemsIn } from '../crash/problems.ts'
import { seeded, seedOf } from '../crash/random.ts'
import { type Installation, openInstallation } from '../crash/server.ts'
import { ACCESS_KEY } from '../support/object-store.ts'
import { endProcesses, newFolder } from '../support/process.ts'
import { timesOf } from '../support/whole.ts'
import { KEY, storeOf } from './scene.ts'

// Runs all 200 kills: FLORIN_REPLICA_KILLS=200 npm test test/replica/kill
const isWhole = process.env.FLORIN_REPLICA_KILLS !== undefined
const ROUNDS = Number(process.env.FLORIN_REPLICA_KILLS ?? timesOf(6, 20))
const TIME_MS = isWhole ? 3600_000 : 20_000
const LOAD_MS = 2500
/** The longest time without copies if neither the machine nor the store is slower than usual. */
const LOST_MS = 1000
/** The usual duration of an answer of the server, and of the store, on an idle machine. */
const ANSWER_MS = { server: 50, store: 100 }
/** The number of answers of each that a change needs, one after another, until it is stored. */
const STEPS = 4
const PULSE_MS = 25
const STORE_TIMEOUT_MS = 60_000

setDefaultTimeout(TIME_MS + 60_000)

const chance = seeded(seedOf('test/replica/kill.test.ts'))
let objects: { url(): string; stop(): void }
let installation: Installation
let books: Books

beforeAll(async () => {
  objects = await startStore()
  installation = await openInstallation()
  books = openBooks(installation)
  const folder = newFolder()
  writeFileSync(join(folder, 'key'), Buffer.from(KEY).toString('hex'))
  writeFileSync(join(folder, 'secret'), ACCESS_KEY)
  Object.assign(installation.settings, {
    FLORIN_REPLICA_URL: objects.url(),
    FLORIN_REPLICA_ACCESS_KEY: ACCESS_KEY,
    FLORIN_REPLICA_SECRET_FILE: join(folder, 'secret'),
    FLORIN_REPLICA_KEY_FILE: join(folder, 'key'),
    FLORIN_LOG_LEVEL: 'info',
  })
})
afterAll(async () => {
  installation?.receiver.stop()
  await endProcesses()
  objects?.stop()
})

/** The store runs in a process of its own, so that the clients of the server do not slow it down. */
async function startStore() {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'store.ts')], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const { value } = await child.stdout.getReader().read()
  const url = new TextDecoder().decode(value).trim()
  return { url: () => url, stop: () => child.kill() }
}

/** Restores from the store, as on a new machine. */
async function restoreElsewhere(): Promise<string> {
  const dataDir = newFolder()
  const fetched = join(dataDir, 'fetched')
  await restoreTo(
    { store: storeOf(objects, 'florin', STORE_TIMEOUT_MS), key: KEY },
    fetched,
    Number.POSITIVE_INFINITY,
  )
  await databaseOf({ dataDir } as never).restore(fetched, { force: false }, Date.now())
  rmSync(fetched)
  return databaseFile(dataDir)
}

/** The orders of a database, with the time at which each was written. */
function ordersIn(file: string): Map<string, number> {
  const database = new Database(file, { readonly: true })
  try {
    const rows = database.query<[string, number], []>('SELECT external_id, created_at FROM orders').values()
    return new Map(rows as [string, number][])
  } finally {
    database.close()
  }
}

/** Sends requests again and again. Returns by how much the slowest answer so far exceeded `usualMs`. */
function slownessOf(ask: () => Promise<unknown>, usualMs: number) {
  let [slowestMs, askedAt, isOver] = [0, performance.now(), false]
  const note = () => {
    slowestMs = Math.max(slowestMs, performance.now() - askedAt)
  }
  const walk = async () => {
    while (!isOver) {
      askedAt = performance.now()
      await ask()
      note()
      await Bun.sleep(PULSE_MS)
      askedAt = performance.now()
    }
  }
  void walk().catch(() => {})
  return () => {
    isOver = true
    note()
    return Math.max(0, slowestMs - usualMs)
  }
}

/** The moment that the killed server had noted as restorable, converted to the clock of this process. */
function notedAt(): number {
  const note = JSON.parse(readFileSync(join(installation.dataDir, 'florin.replica'), 'utf8'))
  return note.restorableAt - performance.timeOrigin
}

/** Orders that should exist: they were confirmed before the noted moment, or before an order that exists. */
function holesIn(found: Map<string, number>): string[] {
  const made = books.deals.filter(({ isGone }) => !isGone)
  const there = made.filter(({ externalId }) => found.has(externalId))
  const newest = Math.max(notedAt(), ...there.map(deal => deal.made.askedAt))
  const missing = made.filter(deal => deal.made.confirmedAt !== null && !found.has(deal.externalId))
  return missing.filter(deal => deal.made.confirmedAt! < newest).map(deal => deal.externalId)
}

/** For how long, while a server ran, something that was written was missing in the store. */
function missingMs(found: Map<string, number>, startedAt: number, killedAt: number): number {
  const missing = [...ordersIn(installation.file)].filter(([id]) => !found.has(id))
  return Math.max(0, ...missing.map(([, writtenAt]) => killedAt - Math.max(writtenAt, startedAt)))
}

const at = (share: number, figures: number[]): number =>
  Math.round(figures.toSorted((a, b) => a - b).at(share * (figures.length - 1)) ?? 0)

test('a server that is killed at any moment loses at most its last second in the store', async () => {
  const until = performance.now() + TIME_MS
  const missing: number[] = []
  const waited: number[] = []
  let before: string[] = []
  const generations: string[] = []
  let rounds = 0
  for (; rounds < ROUNDS && performance.now() < until; rounds++) {
    const server = await installation.start()
    const startedAt = Date.now()
    acceptState(books, await readServerState(server, installation.key))
    const clients = load(server, installation, books, chance.fork())
    if (rounds === 0) while (!server.stderr().includes('replica.snapshot')) await Bun.sleep(20)
    const slowness = [
      slownessOf(() => server.call('GET', '/healthz'), ANSWER_MS.server),
      slownessOf(() => storeOf(objects, 'florin', STORE_TIMEOUT_MS).get('nothing'), ANSWER_MS.store),
    ]
    await Bun.sleep(chance.below(LOAD_MS))
    const killedAt = Date.now()
    const waitedMs = STEPS * slowness.map(end => end()).reduce((sum, one) => sum + one, 0)
    await server.stop('SIGKILL')
    await clients
    generations.push(
      ...server
        .stderr()
        .split('\n')
        .filter(line => line.includes('replica.generation')),
    )
    const file = await restoreElsewhere()
    expect(await problemsIn(file)).toEqual([])
    const found = ordersIn(file)
    expect(holesIn(found)).toEqual([])
    expect(before.filter(id => !found.has(id))).toEqual([])
    before = [...found.keys()]
    missing.push(missingMs(found, startedAt, killedAt))
    waited.push(waitedMs)
    expect(missing.at(-1)).toBeLessThanOrEqual(LOST_MS + waitedMs)
    rmSync(join(file, '..'), { recursive: true })
  }
  expect(books.unexpected).toEqual([])
  // After none of the kills, the whole database had to be copied again before new changes counted.
  expect(generations.length).toBe(1)
  const over = missing.filter(ms => ms > LOST_MS).length
  const lost = `missing ms: median ${at(0.5, missing)}, most ${at(1, missing)}, ${over} over ${LOST_MS}`
  const slow = `allowed for a slow machine: median ${at(0.5, waited)}, most ${at(1, waited)}`
  process.stderr.write(`${rounds} kills with a replica: ${lost} (${slow}), ${books.deals.length} orders\n`)
})
