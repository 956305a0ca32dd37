import { expect, test } from 'bun:test'
import { Refusal } from '../../src/domain/errors.ts'
import { DatabaseError } from '../../src/storage/index.ts'
import { startWithReceiver } from '../support/app-with-receiver.ts'
import { givenOrder, givenShop, paidInCash } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { listen } from './request.ts'
import { rowsOf } from './rows.ts'

// The database is unavailable for a moment while jobs run, as when one PostgreSQL server replaces another.

const LEASE_MS = 120_000

const { app, once, each } = suite({ start: startWithReceiver, isFresh: true })
const receiver = once(() => app.receiver)
const shop = each(() => givenShop(app))
each(() => listen(app, shop, receiver.url))
each(() => app.jobs.settle())
const gone = () => new DatabaseError('gone', { cause: new Refusal('storage_unavailable') })

/** Runs writes until one of them leases a job, and from then on behaves as `then` says, until the end. */
function afterClaim(then: { isClaimLost: boolean }): () => unknown {
  const { storage } = app.context
  const { write, claimJobs } = storage
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
  Object.assign(storage, { write: failing(write), claimJobs: failing(claimJobs) })
  return () => Object.assign(storage, { write, claimJobs })
}

test.each([
  ['its outcome could not be stored', { isClaimLost: false }],
  ['it was leased in a commit whose answer was lost', { isClaimLost: true }],
])('a job is run again at once when the database is back, after %s', async (_, then) => {
  const before = receiver.received.length
  const { orderUUID } = await givenOrder(app, shop)
  await app.jobs.settle()
  const logged = app.logged.length
  const restore = afterClaim(then)
  await paidInCash(app, shop, orderUUID).catch(() => {})
  const isLeased = () => rowsOf(app, "SELECT 1 FROM jobs WHERE kind = 'event.deliver' AND lease IS NOT NULL")
  for (let tries = 0; isLeased().length === 0 && tries < 3000; tries++) await Bun.sleep(10)
  expect(isLeased()).toHaveLength(1)
  if (!then.isClaimLost) {
    for (let tries = 0; receiver.received.length === before && tries < 3000; tries++) await Bun.sleep(10)
    expect(receiver.received.length).toBe(before + 1)
  }
  const isNoticed = () => app.logged.slice(logged).some(({ sentence }) => /^job\..*failed$/.test(sentence))
  for (let tries = 0; !isNoticed() && tries < 3000; tries++) await Bun.sleep(10)
  restore()
  const since = app.time.now
  await app.advance(1000)
  expect(rowsOf(app, "SELECT status FROM deliveries WHERE status <> 'delivered'")).toEqual([])
  expect(app.time.now - since).toBeLessThan(LEASE_MS)
  expect(receiver.received.length).toBe(before + (then.isClaimLost ? 1 : 2))
})
