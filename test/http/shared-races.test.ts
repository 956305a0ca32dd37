import { afterAll, beforeAll, expect, test } from 'bun:test'
import { previewAccount, setUpSource } from '../../src/operations/addresses/set-up-source.ts'
import { allocateAddress } from '../../src/operations/addresses/steps/allocate.ts'
import { databaseUrl } from '../../src/settings/database-url.ts'
import type { Storage } from '../../src/storage/port.ts'
import { openStorage } from '../../src/storage/postgres/open.ts'
import { type App, startApp } from '../support/app.ts'
import { check, givenOrder, givenShop, openCrypto, type Shop, simulate } from '../support/given.ts'
import { rest } from './payments.ts'
import { freshKey, givenPaid, tryRefund } from './refunding.ts'
import { ask, data } from './request.ts'
import { rowsOf } from './rows.ts'

// Three servers with one database race for the same things. With a database in a file, there is one.

const XPUB =
  'xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu4trkrX7x7DogT5Uv6fcLW5'

let app: App
let shop: Shop
let others: Storage[]

beforeAll(async () => {
  app = await startApp()
  const target = app.databaseUrl ? databaseUrl(app.databaseUrl) : null
  others = target ? await Promise.all([0, 1].map(() => openStorage(target, 0))) : []
  const storages = [app.context.storage, ...others]
  let turn = 0
  const next = () => storages[turn++ % storages.length]!
  // Each read and write goes to another of the servers, as behind a load balancer.
  app.context.storage = {
    ...storages[0]!,
    read: work => next().read(work),
    write: work => next().write(work),
  }
  shop = await givenShop(app, '2.5')
})
afterAll(async () => {
  // Closing stops the jobs through the server whose turn it is.
  await app.close()
  await Promise.all(others.map(storage => storage.close()))
})

const times = <T>(count: number, work: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)))

const counted = (answers: { status: number }[]): Record<number, number> => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const audited = async () => {
  await rest(app)
  expect(app.audit()).toEqual([])
}

test('requests with one key at three servers make one order, and every order counts once', async () => {
  const body = { amount: '25.00', currency: 'USD', paymentMethodsKeys: ['*'] }
  const order = (at: number, key: string) =>
    ask(app, 'POST', '/v1/orders', {
      key: shop.live,
      body: { ...body, customer: { email: `buyer${at % 5}@example.com` } },
      headers: { 'idempotency-key': key },
    })
  const same = await times(15, () => order(0, 'the-same'))
  expect(counted(same)).toEqual({ 200: 14, 201: 1 })
  expect(new Set(same.map(({ json }) => json.data.orderUUID)).size).toBe(1)
  // A request with another body and the same key is refused, unless it comes first.
  const mixed = await times(12, at => order(at % 2, 'mixed-bodies'))
  expect(Object.keys(counted(mixed)).map(Number).sort()).toEqual([200, 201, 409])
  expect(counted(mixed)).toMatchObject({ 201: 1, 409: 6 })
  const different = await times(40, at => order(at, `order-key-${at}`))
  expect(counted(different)).toEqual({ 201: 40 })
  expect(rowsOf(app, 'SELECT * FROM customers').length).toBe(5)
  await audited()
})

test('three servers allocate each address of an account once', async () => {
  await setUpSource(app.context, await previewAccount(app.context, shop.id, 'btc', XPUB, null))
  const asset = app.context.networks.asset('btc')!
  const rate = { value: '1', currency: 'USD', sources: [], at: 0 }
  const offer = { asset, payoutAddress: null, dueAtomic: 1n, rate, routes: [] }
  const before = rowsOf(app, 'SELECT * FROM source_addresses').length
  const given = await times(24, () =>
    allocateAddress(app.context, shop.id, app.context.ids.uuid(), offer, 'xpub'),
  )
  expect(new Set(given.map(one => JSON.stringify(one))).size).toBe(24)
  const rows = rowsOf(app, 'SELECT address, position FROM source_addresses')
  expect(rows.length - before).toBe(24)
  expect(new Set(rows.map(({ position }) => position)).size).toBe(rows.length)
})

test('three servers pay or cancel one order once', async () => {
  const orders = await times(6, async () => (await givenOrder(app, shop)).orderUUID as string)
  for (const id of orders) {
    await openCrypto(app, id, 'btc')
    await simulate(app, id, 'paid')
  }
  app.time.now += 6000
  const cancel = (id: string) => app.call('POST', `/v1/orders/${id}/cancel`, { key: shop.live, body: {} })
  await Promise.all(orders.flatMap(id => [check(app, id), cancel(id), check(app, id), cancel(id)]))
  const found = await Promise.all(orders.map(id => data(app, 'GET', `/v1/orders/${id}`, { key: shop.live })))
  for (const { status } of found) expect(['PAID', 'CANCELLED']).toContain(status)
  await audited()
})

test('three servers never refund more than a payment’s amount', async () => {
  const { orderUUID } = await givenPaid(app, shop)
  const key = freshKey()
  const same = await times(8, () => tryRefund(app, shop, orderUUID, { amount: '5.00' }, key))
  expect(counted(same)).toEqual({ 200: 7, 201: 1 })
  const more = await times(8, () => tryRefund(app, shop, orderUUID, { amount: '5.00' }))
  // A refund that loses too many races is refused with that reason, and can be requested again.
  const made = more.filter(({ status }) => status === 201).length
  expect(made).toBeLessThanOrEqual(4)
  for (let at = made; at < 4; at++)
    expect((await tryRefund(app, shop, orderUUID, { amount: '5.00' })).status).toBe(201)
  expect((await tryRefund(app, shop, orderUUID, { amount: '0.01' })).status).not.toBe(201)
  expect(await data(app, 'GET', `/v1/orders/${orderUUID}`, { key: shop.live })).toMatchObject({
    refundedAmount: '25.00',
    refundStatus: 'FULL',
  })
  await audited()
})
