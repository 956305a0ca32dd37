import { afterEach, beforeEach, expect, test } from 'bun:test'
import { attemptsOf, eventTypesOf, instant, LOCK_MS, MINUTE_MS, rest } from '../http/payments.ts'
import { type App, startApp } from '../support/app.ts'
import { check, givenOrder, givenShop, openCrypto, type Shop, statusOf } from '../support/given.ts'
import { addInvoiceNetwork, InvoiceNode, invoiceAsset } from '../support/invoice-network.ts'

let app: App
let shop: Shop
let node: InvoiceNode

beforeEach(async () => {
  app = await startApp()
  shop = await givenShop(app)
  node = new InvoiceNode(() => app.time.now)
  addInvoiceNetwork(app, node)
})
afterEach(async () => {
  await rest(app)
  expect(app.audit()).toEqual([])
  await app.close()
})

const open = (orderUUID: string) => openCrypto(app, orderUUID, invoiceAsset.id)

test('an order is paid by invoice, from its opening to order.paid', async () => {
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
  const { attempt } = await open(orderUUID)
  const { address: invoice } = attempt
  expect(invoice).toMatch(/^lnbc/)
  expect(attempt).toMatchObject({
    assetId: 'lightning/btc',
    uri: `lightning:${invoice}`,
    lockedUntil: instant(app.time.now + node.expiryMs),
  })
  expect((await check(app, orderUUID)).status).toBe('UNPAID')

  node.pay(invoice)
  expect(await check(app, orderUUID)).toMatchObject({ status: 'PAID' })
  const order = await app.call('GET', `/v1/orders/${orderUUID}`, { key: shop.live })
  expect(order.json.data).toMatchObject({ status: 'PAID' })
  expect(eventTypesOf(app, orderUUID)).toEqual(['order.paid'])
})

test('an expired invoice is replaced by a new one', async () => {
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
  const first = await open(orderUUID)
  expect((await open(orderUUID)).attempt.address).toBe(first.attempt.address)
  await app.advance(node.expiryMs)
  expect(() => node.pay(first.attempt.address)).toThrow('expired')
  const second = await open(orderUUID)
  expect(second.attempt.address).not.toBe(first.attempt.address)
  node.pay(second.attempt.address)
  expect(await check(app, orderUUID)).toMatchObject({ status: 'PAID' })
})

test('an invoice that lives longer than the lock does not extend the lock', async () => {
  node.expiryMs = 24 * 60 * MINUTE_MS
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
  const { attempt } = await open(orderUUID)
  expect(attempt.lockedUntil).toBe(instant(app.time.now + LOCK_MS))
})

test.each([
  ['does not answer', { isDown: true }],
  ['issues an expired invoice', { expiryMs: 0 }],
])('a node that %s opens no payment', async (_, state) => {
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
  Object.assign(node, state)
  const answer = await app.call('POST', `/pay/${orderUUID}/crypto`, { form: { asset: invoiceAsset.id } })
  expect(answer.status).toBe(502)
  expect(attemptsOf(app, orderUUID)).toEqual([])
  expect((await statusOf(app, orderUUID)).status).toBe('UNPAID')
})
