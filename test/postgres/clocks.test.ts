import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startJobs } from '../../src/jobs/loop.ts'
import type { Context } from '../../src/operations/context.ts'
import { databaseUrl } from '../../src/settings/database-url.ts'
import { DatabaseError } from '../../src/storage/index.ts'
import type { Storage } from '../../src/storage/port.ts'
import { checkClock } from '../../src/storage/postgres/clock.ts'
import { type Connection, connect } from '../../src/storage/postgres/connection.ts'
import { postgresEngine } from '../../src/storage/postgres/engine.ts'
import { openStorage } from '../../src/storage/postgres/open.ts'
import type { Target } from '../../src/storage/postgres/socket.ts'
import { newId } from '../storage/contract/given.ts'
import { newPostgresDatabase } from '../support/postgres-database.ts'
import { until } from '../support/until.ts'

// Servers whose clocks are wrong share a database with one whose clock is right.

const BUSY_MS = 30_000
const LEASE_MS = 2000
const anyJob = { fullLanes: [], remaining: () => 100 }
/** More than the lease, and less than the deviation that is refused. */
const SLIGHTLY_MS = 4000
const HOUR_MS = 3600_000

let target: Target
let drop: () => Promise<void>
let admin: Connection
const opened: Storage[] = []

interface Server {
  storage: Storage
  now: () => number
}

/** A server whose clock is ahead by `ms`, or behind if it is negative. */
async function serverAhead(ms: number): Promise<Server> {
  const now = () => Date.now() + ms
  const storage = await openStorage(target, 0, { ownClock: now })
  opened.push(storage)
  return { storage, now }
}

beforeAll(async () => {
  const made = await newPostgresDatabase()
  target = databaseUrl(made.url)!
  drop = made.drop
  admin = await connect(target)
})
afterAll(async () => {
  for (const storage of opened) await storage.close()
  await admin.close()
  await drop()
})

/** A due job. Returns a function that reads its lease. */
async function givenJob(): Promise<() => Promise<{ lease: string | null; endsAt: number }>> {
  await admin.script('DELETE FROM jobs')
  const subject = newId()
  await admin.rows(
    `INSERT INTO jobs (kind, subject, lane, priority, due_at) VALUES ('order.expire', $1, 'orders', 0, 1)`,
    [subject],
  )
  return async () => {
    const [row] = await admin.rows('SELECT lease, due_at FROM jobs WHERE subject = $1', [subject])
    return { lease: row?.lease as string | null, endsAt: Number(row?.due_at) }
  }
}

const claim = ({ storage, now }: Server, lease: string) =>
  storage.claimJobs(now(), lease, now() + LEASE_MS, anyJob)

test.each([SLIGHTLY_MS, -SLIGHTLY_MS])(
  'a server whose clock is off by %i ms leases jobs by the clock of the database',
  async ms => {
    const [right, other] = [await serverAhead(0), await serverAhead(ms)]
    const read = await givenJob()
    const leasedAt = Date.now()
    expect((await claim(right, 'right')).length).toBe(1)
    // By the other server's clock, this lease has ended already, or has long to go. Neither may matter.
    const early = await claim(other, 'other')
    if (Date.now() < leasedAt + LEASE_MS) expect(early.length).toBe(0)
    await until(async () => (await claim(other, 'other')).length === 1, 'the end of the lease', BUSY_MS)
    const { lease, endsAt } = await read()
    expect(lease).toBe('other')
    expect(endsAt).toBeLessThanOrEqual(Date.now() + LEASE_MS)

    const before = Date.now()
    await other.storage.extendJobs(['other'], other.now() + HOUR_MS)
    const after = Date.now()
    const extended = (await read()).endsAt
    // The estimate of the database's time may be off by the duration of the query, and by rounding.
    expect(extended).toBeGreaterThanOrEqual(before - (after - before) - 1 + HOUR_MS)
    expect(extended).toBeLessThanOrEqual(after + HOUR_MS)
  },
)

test.each([HOUR_MS, -HOUR_MS])('a server whose clock is off by %i ms leases no jobs', async ms => {
  const wrong = await serverAhead(ms)
  const read = await givenJob()
  const refused = await claim(wrong, 'wrong').catch(error => error)
  expect(refused).toBeInstanceOf(DatabaseError)
  expect(refused.message).toMatch(/clocks of this machine and of the database differ by 3(600|5\d\d) seconds/)
  expect((await read()).lease).toBe(null)
  expect(Math.abs(wrong.storage.clockAhead() + ms)).toBeLessThan(BUSY_MS)
  await expect(wrong.storage.check()).rejects.toThrow(/differ by 3(600|5\d\d) seconds/)
})

test('the jobs of a server whose clock is wrong pause, and continue once it is right', async () => {
  let ms = HOUR_MS
  const now = () => Date.now() + ms
  const storage = await openStorage(target, 0, { ownClock: now })
  opened.push(storage)
  const read = await givenJob()
  const failures: number[] = []
  const log = { debug() {}, info() {}, warn() {}, error: () => failures.push(performance.now()) }
  const context = { storage, clock: now, ids: { uuid: newId }, log } as unknown as Context
  const jobs = await startJobs(context)
  await until(async () => failures.length > 2, 'failures', BUSY_MS)
  // The server waits between its tries.
  expect(failures[2]! - failures[0]!).toBeGreaterThan(1500)
  expect((await read()).lease).toBe(null)
  ms = 0
  // The job's order does not exist, so the job ends.
  await until(async () => (await read()).lease === undefined, 'the job', BUSY_MS)
  await jobs.stop()
})

test('a server does not start with a wrong clock, and doctor reports the deviation', async () => {
  await checkClock(admin)
  for (const ms of [-60_000, 60_000]) {
    const error = await checkClock(admin, () => Date.now() + ms).catch(reason => reason)
    expect(error).toBeInstanceOf(DatabaseError)
    expect(error.message).toMatch(/differ by (60|5\d|[3-4]\d) seconds/)
  }
  const state = await postgresEngine(target).readState()
  expect(state.kind === 'whole' && Math.abs(state.clockAhead ?? Number.NaN) < BUSY_MS).toBe(true)
})
