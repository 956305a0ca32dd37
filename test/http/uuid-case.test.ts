import { expect, test } from 'bun:test'
import { check, givenOrder, givenProduct, simulate } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { getOrder, givenCoinShop, openOnly } from './payments.ts'
import { data } from './request.ts'

const { app, once } = suite()
const shop = once(() => givenCoinShop(app))
let ids: Record<string, string>
once(async () => {
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
  await openOnly(app, orderUUID, 'btc')
  await simulate(app, orderUUID, 'paid')
  await check(app, orderUUID)
  const { paidTransactionUUID: transactionId } = await getOrder(app, shop, orderUUID)
  const { id: productUUID } = await givenProduct(app, shop)
  const { items } = await data(app, 'GET', '/v1/events', { key: shop.live })
  ids = { orderUUID, productUUID, transactionId, id: items[0].id }
})

const fill = (path: string, change: (id: string) => string): string =>
  path.replace(/:(\w+)/g, (_, name: string) => change(ids[name]!))
const upper = (id: string): string => id.toUpperCase()
const same = (id: string): string => id

test('each route of an object accepts its UUID in upper and lower case', async () => {
  const paths = (await app.florin.http.routes())
    .filter(
      ({ method, path }) => method === 'GET' && path.includes(':') && !/^\/(dashboard|sandbox)/.test(path),
    )
    .map(({ path }) => path)
    .filter(path => [...path.matchAll(/:(\w+)/g)].every(([, name]) => name! in ids))
  expect(paths.length).toBeGreaterThanOrEqual(12)
  for (const path of paths) {
    const answer = async (change: (id: string) => string) => {
      const { status, text } = await app.call('GET', fill(path, change), { key: shop.live })
      return { path, status, text: text.replaceAll(/"requestId":"[^"]+"/g, '') }
    }
    const expected = await answer(same)
    // This order has no invoice and is not a test order.
    expect(expected.status === 404).toBe(/\/(invoice|test$)/.test(path))
    expect(await answer(upper)).toEqual(expected)
  }
})

test('a filter with a UUID in upper case finds the same rows', async () => {
  const list = (id: string) => data(app, 'GET', `/v1/transactions?orderUUID=${id}`, { key: shop.live })
  expect(await list(upper(ids.orderUUID!))).toEqual(await list(ids.orderUUID!))
  expect((await list(upper(ids.orderUUID!))).items).toHaveLength(1)
})

test.each([
  ['/v1/orders/:orderUUID/cancel', {}, 409],
  ['/v1/orders/:orderUUID/refunds', { amount: '1.00', reason: 'returned' }, 201],
  ['/v1/events/:id/redeliver', undefined, 409],
  ['/v1/checkout/products/:productUUID/orders', undefined, 400],
  ['/pay/:orderUUID/check', undefined, 303],
])('POST %s accepts a UUID in upper case', async (path, body, status) => {
  const headers = { 'idempotency-key': 'upper-case-1' }
  const answer = await app.call('POST', fill(path, upper), { key: shop.live, body, headers })
  expect([path, answer.status]).toEqual([path, status])
})

test('the forms of a page and the sandbox accept a UUID in upper case', async () => {
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
  const form = { asset: 'btc' }
  const opened = await app.call('POST', `/pay/${upper(orderUUID)}/crypto`, { form })
  expect([opened.status, opened.headers.get('location')]).toEqual([303, `/pay/${orderUUID}`])
  const body = { orderUUID: upper(orderUUID), outcome: 'paid' }
  expect((await app.call('POST', '/sandbox/simulate', { body })).status).toBe(202)
})
