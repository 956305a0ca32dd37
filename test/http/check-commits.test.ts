import { expect, test } from 'bun:test'
import { isInFile } from '../support/app.ts'
import { givenOrder } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { givenCoinShop, LOCK_MS, MINUTE_MS, openOnly } from './payments.ts'
import { rowsOf } from './rows.ts'

const { app, once } = suite({ isFresh: true })
const shop = once(() => givenCoinShop(app))

const PAYMENTS = 18
const isCounted = isInFile('PostgreSQL does not count its commits.')
const commits = (): number => (isCounted ? Number(rowsOf(app, 'SELECT count FROM commits')[0]?.count) : 0)

test('payments on one chain that are checked together share the commits that record them', async () => {
  for (let opened = 0; opened < PAYMENTS; opened++) {
    const { orderUUID } = await givenOrder(app, shop)
    await openOnly(app, orderUUID, 'polygon/usdc')
  }
  const before = commits()
  await app.advance(LOCK_MS + MINUTE_MS)
  const checked = rowsOf(app, 'SELECT DISTINCT checked_at FROM attempts')
  expect(checked).toEqual([{ checked_at: app.time.now }])
  expect(commits() - before).toBeLessThan(PAYMENTS)
})
