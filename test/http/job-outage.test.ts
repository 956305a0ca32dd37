import { afterAll, afterEach, expect, test } from 'bun:test'
import { Refusal } from '../../src/domain/errors.ts'
import { forceOrder } from '../../src/operations/orders/force.ts'
import { DatabaseError } from '../../src/storage/index.ts'
import { startApp } from '../support/app.ts'
import { givenOrder, givenShop } from '../support/given.ts'
import { startReceiver } from '../support/receiver.ts'
import { rowsOf } from './rows.ts'

// The database is away for a moment while jobs run, as when one server of PostgreSQL takes the place of another.

const LEASE_MS = 120_000

const receiver = startReceiver()
const app = await startApp({ FLORIN_OUTBOUND_ALLOW: receiver.host })
const shop = await givenShop(app)
const { storage } = app.context
const whole = { ...storage }
await app.call('PUT', '/v1/webhook', { key: shop.live, body: { url: receiver.url } })
await app.jobs.settle()
const gone = () => new DatabaseError('gone', { cause: new Refusal('storage_unavailable') })

afterEach(() => {
  Object.assign(storage, whole)
})
afterAll(async () => {
  expect(app.audit()).toEqual([])
  await app.close()
  receiver.stop()
})

/** Runs writes until one of them leased a job, and from then on as `then` says. */
function afterClaim(then: { isClaimLost: boolean }): void {
  let isGone = false
  const failing =
    <Given extends unknown[], T>(run: (...given: Given) => Promise<T>) =>
    async (...given: Given): Promise<T> => {
      if (isGone) throw gone()
      const value = await run(...given)
      const leased = rowsOf(app, "SELECT 1 FROM jobs WHERE lease IS NOT NULL AND kind = 'event.deliver'")
      isGone ||= leased.length > 0
      if (isGone && then.isClaimLost) throw gone()
      return value
    }
  Object.assign(storage, { write: failing(whole.write), claimJobs: failing(whole.claimJobs) })
}

test.each([
  ['its outcome could not be stored', { isClaimLost: false }],
  ['it was leased in a commit whose answer was lost', { isClaimLost: true }],
])('a job is run again at once when the database is back, after %s', async (_, then) => {
  const before = receiver.received.length
  const { orderUUID } = await givenOrder(app, shop)
  await app.jobs.settle()
  const logged = app.logged.length
  afterClaim(then)
  const force = { merchantId: shop.id, orderId: orderUUID, by: 'Ann', reason: 'paid in cash' }
  await forceOrder(app.context, force).catch(() => {})
  const isLeased = () => rowsOf(app, "SELECT 1 FROM jobs WHERE kind = 'event.deliver' AND lease IS NOT NULL")
  for (let tries = 0; isLeased().length === 0 && tries < 3000; tries++) await Bun.sleep(10)
  expect(isLeased()).toHaveLength(1)
  if (!then.isClaimLost) {
    for (let tries = 0; receiver.received.length === before && tries < 3000; tries++) await Bun.sleep(10)
    expect(receiver.received.length).toBe(before + 1)
  }
  const isNoticed = () => app.logged.slice(logged).some(({ sentence }) => /^job\..*failed$/.test(sentence))
  for (let tries = 0; !isNoticed() && tries < 3000; tries++) await Bun.sleep(10)
  Object.assign(storage, whole)
  const since = app.time.now
  await app.advance(1000)
  expect(rowsOf(app, "SELECT status FROM deliveries WHERE status <> 'delivered'")).toEqual([])
  expect(app.time.now - since).toBeLessThan(LEASE_MS)
  expect(receiver.received.length).toBe(before + (then.isClaimLost ? 1 : 2))
})
