import { expect, test } from 'bun:test'
import { openPayments } from '../support/open-payments.ts'
import { newPostgresDatabase } from '../support/postgres-database.ts'

const STEP_MS = 15_000
const STEPS = 40
const OPENED = 20

/** The number of requests to a chain in ten minutes, in which each server runs the jobs that it finds due. */
async function requestsOf(count: number): Promise<number> {
  const { url, drop } = await newPostgresDatabase()
  const environment = { FLORIN_DATABASE_URL: url }
  const { app, traffic, startAnother } = await openPayments(OPENED, STEP_MS, { environment })
  const servers = [app]
  while (servers.length < count) servers.push(await startAnother())
  const before = traffic.requests
  for (let step = 0; step < STEPS; step++) {
    app.time.now += STEP_MS
    await Promise.all(servers.map(({ jobs }) => jobs.settle()))
  }
  // The chain uses the clock of the first server, so that one closes last.
  for (const server of servers.toReversed()) await server.close()
  await drop()
  return traffic.requests - before
}

test('the regular checks of open payments cost about as much on three servers as on one', async () => {
  const alone = await requestsOf(1)
  expect(alone).toBeGreaterThan(8)
  const shared = await requestsOf(3)
  expect(shared).toBeGreaterThan(alone * 0.3)
  expect(shared).toBeLessThanOrEqual(alone * 1.3)
})
