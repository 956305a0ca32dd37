import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assemble } from '../../src/replica/restore.ts'
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

// All 200: FLORIN_REPLICA_KILLS=200 npm test test/replica/kill
const isWhole = process.env.FLORIN_REPLICA_KILLS !== undefined
const ROUNDS = Number(process.env.FLORIN_REPLICA_KILLS ?? timesOf(6, 20))
const TIME_MS = isWhole ? 3600_000 : 20_000
const LOAD_MS = 1500

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

/** The store has a process of its own, so that the clients of the server do not slow it. */
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

/** Restores from the store on an empty machine. */
async function restoreElsewhere(): Promise<string> {
  const dataDir = newFolder()
  const fetched = join(dataDir, 'fetched')
  await assemble({ store: storeOf(objects), key: KEY }, fetched, Number.POSITIVE_INFINITY)
  await databaseOf({ dataDir } as never).restore(fetched, false, Date.now())
  rmSync(fetched)
  return databaseFile(dataDir)
}

function ordersIn(file: string): Set<string> {
  const database = new Database(file, { readonly: true })
  try {
    return new Set(database.query('SELECT external_id FROM orders').values().map(String))
  } finally {
    database.close()
  }
}

/** The moment that the killed server had noted as restorable, by the clock of this process. */
function notedAt(): number {
  const note = JSON.parse(readFileSync(join(installation.dataDir, 'florin.replica'), 'utf8'))
  return note.restorableAt - performance.timeOrigin
}

/** Orders that should be there: they were confirmed before the noted moment, or before one that is there. */
function missingIn(found: Set<string>, killedAt: number) {
  const made = books.deals.filter(({ isGone }) => !isGone)
  const there = made.filter(({ externalId }) => found.has(externalId))
  const newest = Math.max(notedAt(), ...there.map(deal => deal.made.askedAt))
  const missing = made.filter(deal => deal.made.confirmedAt !== null && !found.has(deal.externalId))
  return {
    ms: Math.max(0, ...missing.map(deal => killedAt - deal.made.confirmedAt!)),
    holes: missing.filter(deal => deal.made.confirmedAt! < newest).map(deal => deal.externalId),
  }
}

test('a server that is killed at any moment leaves everything up to a moment in the store', async () => {
  const until = performance.now() + TIME_MS
  const missing: number[] = []
  const generations: string[] = []
  let rounds = 0
  for (; rounds < ROUNDS && performance.now() < until; rounds++) {
    const server = await installation.start()
    acceptState(books, await readServerState(server, installation.key))
    const clients = load(server, installation, books, chance.fork())
    if (rounds === 0) while (!server.stderr().includes('replica.snapshot')) await Bun.sleep(20)
    await Bun.sleep(chance.below(LOAD_MS))
    const killedAt = performance.now()
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
    const { ms, holes } = missingIn(ordersIn(file), killedAt)
    expect(holes).toEqual([])
    missing.push(ms)
    rmSync(join(file, '..'), { recursive: true })
  }
  expect(books.unexpected).toEqual([])
  const [median, most] = [0.5, 1].map(share => missing.toSorted((a, b) => a - b).at(share * (rounds - 1)))
  const lost = `missing ms: median ${Math.round(median ?? 0)}, most ${Math.round(most ?? 0)}`
  const figures = `${lost}, ${generations.length} generations`
  process.stderr.write(`${rounds} kills with a replica: ${figures}, ${books.deals.length} orders\n`)
})
