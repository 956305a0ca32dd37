import { describe, expect, test } from 'bun:test'
import { testOutcomes } from '../../src/domain/test-shop.ts'
import { listAudit } from '../../src/operations/audit/read.ts'
import { eraseCustomer } from '../../src/operations/customers/erase.ts'
import { applyRetention } from '../../src/operations/retention/apply.ts'
import { createTestOrder } from '../../src/operations/testing/create.ts'
import { deleteTestOrders } from '../../src/operations/testing/delete.ts'
import { dashboardRoutes, signInAs } from '../support/dashboard.ts'
import { givenOrder, givenShop, orderBody, paidInCash } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { data } from './request.ts'
import { rowsOf } from './rows.ts'

const { app, once } = suite()
const shop = once(() => givenShop(app))

const read = (path: string, key = shop.test) => data(app, 'GET', path, { key })
const play = (orderUUID: string, outcome: string) =>
  app.call('POST', `/pay/${orderUUID}/test`, { form: { outcome } })

async function played(outcomes: string[], change: object = {}) {
  const { order } = await createTestOrder(app.context, shop.id, orderBody(change))
  for (const outcome of outcomes) expect((await play(order.id, outcome)).status).toBe(303)
  await app.jobs.settle()
  return { orderUUID: order.id }
}

describe('deleting the test orders of a shop', () => {
  const TABLES = [
    ...['orders', 'attempts', 'incoming_payments', 'transactions', 'settlements', 'refunds', 'reversals'],
    ...['unmatched_payments', 'events', 'deliveries', 'further_deliveries', 'customers', 'idempotency_keys'],
  ]
  const counts = () =>
    Object.fromEntries(
      TABLES.map(table => [
        table,
        rowsOf(app, `SELECT 1 FROM ${table} WHERE substr(merchant_id, 15, 1) = '8'`).length,
      ]),
    )

  test('removes all of them, and nothing live', async () => {
    const { orderUUID } = await givenOrder(app, shop)
    await paidInCash(app, shop, orderUUID)
    for (const outcomes of [['paid', 'refunded'], ['pending'], ['underpaid', 'late'], ['failed']]) {
      await played(outcomes)
    }
    const isOfTests = (table: string) => `SELECT * FROM ${table} WHERE substr(merchant_id, 15, 1) <> '8'`
    const kept = () => TABLES.map(table => rowsOf(app, `${isOfTests(table)} ORDER BY 1`))
    const before = kept()
    expect(counts()).toMatchObject({ refunds: expect.any(Number) })
    const merchants = (await app.context.storage.read(tables => tables.merchants.list())).map(({ id }) => id)
    for (const id of merchants) await deleteTestOrders(app.context, id)
    expect(counts()).toEqual(Object.fromEntries(TABLES.map(table => [table, 0])))
    expect(kept()).toEqual(before)
    expect(rowsOf(app, "SELECT * FROM jobs WHERE kind IN ('attempt.check', 'refund.send')")).toEqual([])
    expect((await read('/v1/orders?livemode=false')).items).toEqual([])
    expect(await deleteTestOrders(app.context, shop.id)).toBe(0)
    expect((await listAudit(app.context, shop.id, 1)).map(({ action }) => action)).toEqual([
      'test_orders.deleted',
    ])
  })

  test('never deletes a settlement or a refund of a live order', async () => {
    await expect(
      app.context.storage.write(tables => tables.retention.deleteTestOrders(shop.id, Infinity, 100)),
    ).rejects.toThrow()
  })

  test('happens automatically when they are old', async () => {
    const { orderUUID } = await played(['paid'])
    app.time.now += 91 * 24 * 3600_000
    for (let day = 0; day < 92; day++) {
      app.time.now += 24 * 3600_000
      await applyRetention(app.context)
    }
    expect(rowsOf(app, 'SELECT id FROM orders WHERE id = ?', orderUUID)).toEqual([])
  })

  test('is one click for an owner, on the page that lists them', async () => {
    const { orderUUID } = await played(['paid'], { externalId: 'test-cart-1' })
    const owner = await signInAs(app, 'owner', shop.id)
    const shown = await owner.get('/dashboard/test-orders')
    expect(shown.text).toContain(`/pay/${orderUUID}/test`)
    expect(shown.text).toContain('test-cart-1')
    const done = await owner.post('/dashboard/test-orders/delete')
    expect(done.headers.get('location')).toBe('/dashboard/test-orders?deleted')
    expect((await owner.get('/dashboard/test-orders?deleted')).text).toContain('There is no test order.')
  })
})

test('a customer who is erased is gone from the test orders too', async () => {
  const email = 'erased.buyer@example.com'
  const { orderUUID } = await played(['paid'], { customer: { email, fullName: 'Erased Buyer' } })
  expect(await eraseCustomer(app.context, shop.id, email)).toMatchObject({ orders: 1 })
  const { customerEmail, customerFullName } = await read(`/v1/orders/${orderUUID}`)
  expect([customerEmail, customerFullName]).toEqual(['erased-1@erased.invalid', ''])
  const bodies = rowsOf(app, 'SELECT body FROM events WHERE order_id = ?', orderUUID)
  expect(JSON.stringify(bodies)).not.toContain(email)
})

// Finds all pages and lists by reflection, so that later ones are tested too.
test('test orders leave every list, report and page of the shop as it was', async () => {
  const quiet = await givenShop(app)
  await givenOrder(app, quiet, { externalId: 'live-1' })
  const owner = await signInAs(app, 'owner', quiet.id)
  const pages = (await dashboardRoutes(app))
    .filter(
      ({ method, path }) => method === 'GET' && !path.includes(':') && path !== '/dashboard/test-orders',
    )
    .map(({ path }) => path)
  const lists = ['orders', 'transactions', 'events', 'webhooks', 'products'].map(noun => `/v1/${noun}`)
  // Each page has tokens of its own, which are removed for the comparison.
  const shown = async (path: string) =>
    (await owner.get(path)).text.replaceAll(/name="(?:token|provenUntil)" value="[^"]*"/g, '')
  const look = async () => ({
    ...Object.fromEntries(await Promise.all(pages.map(async path => [path, await shown(path)]))),
    ...Object.fromEntries(await Promise.all(lists.map(async path => [path, await read(path, quiet.live)]))),
  })
  const before = await look()
  const body = orderBody({ customer: { email: 'tester@example.com', fullName: 'Tess Ter' } })
  for (const outcome of testOutcomes) {
    const { order } = await createTestOrder(app.context, quiet.id, body)
    if (outcome === 'refunded') await play(order.id, 'paid')
    await play(order.id, outcome)
  }
  await app.jobs.settle()
  expect(await look()).toEqual(before)
  expect((await read('/v1/orders?livemode=false', quiet.test)).items).toHaveLength(testOutcomes.length)
})
