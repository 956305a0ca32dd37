import { afterAll, expect, test } from 'bun:test'
import { openApiDocument } from '../../src/boot/openapi.ts'
import type { Scope } from '../../src/domain/api-key.ts'
import { Refusal } from '../../src/domain/errors.ts'
import { eventTypes } from '../../src/domain/webhook.ts'
import { blockCustomer } from '../../src/operations/customers/block.ts'
import { createKey } from '../../src/operations/keys/manage.ts'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { type Answer, type App, type CallOptions, startApp } from '../support/app.ts'
import { givenMerchant, givenShop, orderBody } from '../support/given.ts'
import { startReceiver } from '../support/receiver.ts'
import { type Document, type DocumentedRoute, operationsOf } from './openapi.ts'
import { DocumentValidator } from './openapi-validator.ts'
import { DAY_MS, givenCoinShop, outage, rest } from './payments.ts'
import { productBody } from './products.ts'
import { freshKey, givenPaid, refundPath, withKey } from './refunding.ts'
import { subscribe } from './rows.ts'

const document = (await openApiDocument()) as Document
const operations = operationsOf(document)
const validator = new DocumentValidator(document)
const receiver = startReceiver()
const app = await startApp(
  { FLORIN_OUTBOUND_ALLOW: receiver.host },
  { lookup: async () => [{ address: '93.184.216.34' }] },
)
afterAll(async () => {
  await rest(app)
  await app.close()
  await receiver.stop()
})

const shop = await givenCoinShop(app)
const key = shop.live
const routeOf = (id: string): DocumentedRoute =>
  operations.find(({ operation }) => operation.operationId === id)!

interface CallInput extends CallOptions {
  id?: string
  query?: string
}

/** Calls an operation and checks the response against the document. */
async function callOperation(
  operationId: string,
  status: number,
  input: CallInput = {},
  by: App = app,
): Promise<Answer> {
  const { id = crypto.randomUUID(), query = '', ...options } = input
  const { method, path, operation } = routeOf(operationId)
  const usual = operation['x-test-key'] ? shop.test : key
  const given = { ...('key' in options ? {} : { key: usual }), ...options }
  const answer = await by.call(method, path.replace(/\{\w+\}/, id) + query, given)
  expect([answer.status, validator.problemsOf(routeOf(operationId), answer)]).toEqual([status, []])
  return answer
}

const dataOf = async (...args: Parameters<typeof callOperation>) => (await callOperation(...args)).json.data
const exampleOf = (id: string) => routeOf(id).operation.requestBody?.content['application/json'].example
const needsKey = ({ operation }: DocumentedRoute) => operation.security.length > 0
const withHeader = { 'idempotency-key': 'a-key-of-these-tests' }

const keyOf = async (merchantId: string, mode: 'live' | 'test', scopes?: Scope[]) =>
  (await createKey(app.context, { merchantId, mode, ...(scopes && { scopes }) })).text

test('every example matches its own schema', () => {
  expect(validator.examples()).toEqual([])
})

const priced = { amount: '25.00', currency: 'USD', paymentMethodsKeys: ['crypto'] }
const buyer = { customer: { email: 'buyer@example.com' } }
const ofProduct = { ...buyer, productUUID: '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55' }
const methods = (...paymentMethodsKeys: string[]) => ({ ...buyer, ...priced, paymentMethodsKeys })

test.each([
  ['createOrder', buyer, false],
  ['createOrder', { ...buyer, amount: '25.00', currency: 'USD' }, false],
  ['createOrder', { ...buyer, ...priced, amount: undefined }, false],
  ['createOrder', { ...ofProduct, amount: '25.00' }, false],
  ['createOrder', { ...ofProduct, currency: 'USD' }, false],
  ['createOrder', ofProduct, true],
  ['createOrder', { ...ofProduct, ...priced }, true],
  ['createOrder', methods('all'), false],
  ['createOrder', methods('hosted', 'crypto'), false],
  ['createOrder', methods('A B'), false],
  ['createOrder', methods('*', 'crypto'), false],
  ['createOrder', methods('crypto', 'crypto'), false],
  ['createOrder', methods('*'), true],
  ['createOrder', methods('moonpay', 'crypto'), true],
  ['createOrder', { ...buyer, ...priced, returnUrl: 'thanks' }, false],
  ['createOrder', { ...buyer, ...priced, returnUrl: 'ftp://shop.example/' }, false],
  ['createOrder', { ...buyer, ...priced, externalId: 'a b' }, false],
  ['createOrder', { ...buyer, ...priced, externalId: null }, true],
  ['changeWebhook', { url: 'shop.example/hook' }, false],
  ['changeWebhook', { url: receiver.url }, true],
])('%s accepts the body %j, for the server and by the document: %p', async (id, given, isValid) => {
  const body = JSON.parse(JSON.stringify(given))
  const { method, path } = routeOf(id)
  const { status } = await app.call(method, path, { key, body })
  expect([status !== 400, validator.requestProblems(routeOf(id), body).length === 0]).toEqual([
    isValid,
    isValid,
  ])
})

test('test orders match the document', async () => {
  const body = exampleOf('createTestOrder')
  await callOperation('createTestOrder', 201, { body, headers: withHeader })
  await callOperation('createTestOrder', 200, { body, headers: withHeader })
  await callOperation('createTestOrder', 409, { body: orderBody({ amount: '1.00' }), headers: withHeader })
  await callOperation('createTestOrder', 422, { body: ofProduct })
  const listed = await dataOf('listOrders', 200, { query: '?livemode=false' })
  expect(listed.items).toHaveLength(1)
})

test('orders match the document', async () => {
  const body = exampleOf('createOrder')
  const order = await dataOf('createOrder', 201, { body, headers: withHeader })
  await callOperation('createOrder', 200, { body, headers: withHeader })
  await callOperation('createOrder', 409, { body: orderBody({ amount: '1.00' }), headers: withHeader })
  const bare = await givenMerchant(app)
  await callOperation('createOrder', 422, { key: bare.live, body: orderBody() })
  await callOperation('createOrder', 403, { body: orderBody({ receivingWallet: `0x${'1'.repeat(40)}` }) })
  await callOperation('readOrder', 200, { id: order.orderUUID })
  const page = await dataOf('listOrders', 200, { query: '?pageSize=1' })
  expect(page.items).toHaveLength(1)
  await callOperation('cancelOrder', 200, { id: order.orderUUID, body: exampleOf('cancelOrder') })
  await callOperation('cancelOrder', 409, { id: order.orderUUID, body: {} })
})

test('refunds, transactions and events match the document', async () => {
  const { endpointId } = await dataOf('changeWebhook', 200, { body: { url: receiver.url } })
  await callOperation('rotateWebhook', 200, { id: endpointId, body: { overlapHours: 24 } })
  subscribe(app, shop.id, [...eventTypes])
  const { orderUUID: id } = await givenPaid(app, shop)
  const refund = exampleOf('recordRefund')
  const replayed = withKey(shop, freshKey(), refund)
  const { transaction } = await dataOf('recordRefund', 201, { id, ...replayed })
  await callOperation('recordRefund', 200, { id, ...replayed })
  await callOperation('recordRefund', 422, {
    id,
    ...withKey(shop, freshKey(), { amount: '900.00', reason: 'too much' }),
  })
  await callOperation('recordRefund', 201, { id, ...withKey(shop, freshKey(), { reason: 'the rest' }) })
  await callOperation('recordRefund', 409, { id, ...withKey(shop, freshKey(), { reason: 'once more' }) })
  expect(refundPath(id)).toBe(routeOf('recordRefund').path.replace('{orderUUID}', id))
  await callOperation('listRefunds', 200, { id, query: '?pageSize=1' })
  await callOperation('listTransactions', 200, { query: '?status=REFUNDED' })
  await callOperation('readTransaction', 200, { id: transaction.transactionId })
  await callOperation('readOrder', 200, { id })
  await app.jobs.settle()
  const { items } = await dataOf('listEvents', 200, { query: '?type=order.paid' })
  await callOperation('readEvent', 200, { id: items[0].id })
  await callOperation('redeliverEvent', 202, { id: items[0].id })
  const sent = receiver.received.map(({ json }) => json)
  expect(sent.flatMap(body => validator.eventProblems(body))).toEqual([])
  const ofHeaders = receiver.received.flatMap(({ json, headers }) =>
    validator.eventHeaderProblems(json.type, headers),
  )
  expect(ofHeaders).toEqual([])
  expect(receiver.received.some(({ headers }) => headers.has('x-service-signature-previous'))).toBe(true)
  const kinds = sent.map(({ type }) => type)
  expect(['order.paid', 'payment.created', 'payment.paid'].filter(kind => !kinds.includes(kind))).toEqual([])
})

test('an event of a merchant without a webhook is not redelivered', async () => {
  const silent = await givenCoinShop(app)
  await givenPaid(app, silent)
  const { items } = await dataOf('listEvents', 200, { key: silent.live })
  await callOperation('redeliverEvent', 409, { key: silent.live, id: items[0].id })
})

test('products and their checkout match the document', async () => {
  const product = await dataOf('createProduct', 201, { body: exampleOf('createProduct') })
  const id = product.productUUID
  await callOperation('readProduct', 200, { id })
  await callOperation('changeProduct', 200, { id, body: { name: 'House blend, 500 g' } })
  const inside = productBody({ imageUrl: 'https://127.0.0.1/x.png' })
  await callOperation('createProduct', 422, { body: inside })
  await callOperation('changeProduct', 422, { id, body: { imageUrl: 'https://127.0.0.1/x.png' } })
  await callOperation('createProducts', 422, { body: { items: [inside] } })
  await callOperation('upsertProducts', 422, { body: { items: [{ productUUID: id, ...inside }] } })
  await callOperation('createProducts', 201, { body: exampleOf('createProducts') })
  await callOperation('upsertProducts', 200, { body: exampleOf('upsertProducts') })
  await callOperation('changeProductsStatus', 200, { body: { productUUIDs: [id], active: true } })
  const page = await dataOf('listProducts', 200, { query: '?pageSize=1' })
  expect(page.nextPageToken).toBeDefined()
  const anybody = { key: undefined, id }
  await callOperation('readCheckoutProduct', 200, anybody)
  await callOperation('startProductOrder', 201, { ...anybody, body: exampleOf('startProductOrder') })
  const body = { customer: { email: 'blocked@example.com' }, paymentMethodKey: 'crypto' }
  await blockCustomer(app.context, shop.id, body.customer.email, true)
  await callOperation('startProductOrder', 403, { ...anybody, body })
  const narrow = productBody({
    orderTemplate: { amount: '5.00', currency: 'USD', paymentMethodsKeys: ['moonpay'] },
  })
  const other = await dataOf('createProduct', 201, { body: narrow })
  const customer = { email: 'buyer@example.com' }
  const wrong = { customer, paymentMethodKey: 'crypto' }
  await callOperation('startProductOrder', 422, { key: undefined, id: other.productUUID, body: wrong })
})

test('wallet, webhook, payment methods and health match the document', async () => {
  await callOperation('readWallet', 200)
  const fresh = await givenMerchant(app)
  await callOperation('readWallet', 200, { key: fresh.live })
  await callOperation('changeWallet', 200, { key: fresh.live, body: exampleOf('changeWallet') })
  await callOperation('readWebhook', 200, { key: fresh.live })
  const created = await dataOf('changeWebhook', 200, { key: fresh.live, body: exampleOf('changeWebhook') })
  expect(created.signingSecret).toBeDefined()
  const changed = await dataOf('changeWebhook', 200, { key: fresh.live, body: exampleOf('changeWebhook') })
  expect(changed.signingSecret).toBeUndefined()
  await callOperation('readWebhook', 200, { key: fresh.live })
  await callOperation('changeWebhook', 422, { body: { url: 'https://127.0.0.1/hook' } })
  await callOperation('addWebhook', 422, { body: { url: 'https://127.0.0.1/hook' } })
  const key = { key: fresh.live }
  const { endpointId } = await dataOf('addWebhook', 201, { ...key, body: exampleOf('addWebhook') })
  const id = endpointId
  await callOperation('listWebhooks', 200, key)
  await callOperation('readWebhookById', 200, { ...key, id })
  await callOperation('editWebhook', 200, { ...key, id, body: exampleOf('editWebhook') })
  await callOperation('editWebhook', 422, { ...key, id, body: { url: 'https://127.0.0.1/hook' } })
  for (let i = 1; i < 20; i++)
    await callOperation('addWebhook', 201, { ...key, body: exampleOf('addWebhook') })
  await callOperation('addWebhook', 409, { ...key, body: exampleOf('addWebhook') })
  await callOperation('testWebhook', 200, { ...key, id })
  await callOperation('rotateWebhook', 200, { ...key, id, body: exampleOf('rotateWebhook') })
  await callOperation('removeWebhook', 200, { ...key, id })
  await callOperation('removeWebhook', 404, { ...key, id })
  await callOperation('removeWebhook', 409, { ...key, id: created.endpointId })
  await callOperation('listPaymentMethods', 200, { query: '?forceFetch=true' })
  await callOperation('isAlive', 200)
  await callOperation('isReady', 200)
})

test('rate limits and an unavailable provider match the document', async () => {
  const limited = await startApp({ FLORIN_PUBLIC_RATE_LIMIT: '1' })
  try {
    await callOperation('readCheckoutProduct', 404, { key: undefined }, limited)
    await callOperation('readCheckoutProduct', 429, { key: undefined }, limited)
    const body = exampleOf('startProductOrder')
    await callOperation('startProductOrder', 429, { key: undefined, body }, limited)
    const { live } = await givenShop(limited)
    await outage(limited, 'provider', true)
    limited.time.now += 2 * DAY_MS
    await callOperation('listPaymentMethods', 502, { key: live, query: '?forceFetch=true' }, limited)
  } finally {
    await limited.close()
  }
})

test('a key above its rate limit matches the document', async () => {
  const limited = await startApp({ FLORIN_API_RATE_LIMIT: '1' })
  try {
    const { live } = await givenMerchant(limited)
    await callOperation('listOrders', 200, { key: live }, limited)
    for (const route of operations.filter(needsKey)) {
      const { operationId, requestBody } = route.operation
      const body = requestBody && exampleOf(operationId)
      await callOperation(operationId, 429, { key: live, body, headers: withHeader }, limited)
    }
  } finally {
    await limited.close()
  }
})

test('a database that is not ready matches the document', async () => {
  // This needs a server without an earlier request, because the answer of /readyz is reused for some seconds.
  const unready = await startApp()
  try {
    unready.context.storage.check = async () => {
      throw new Error('not ready')
    }
    await callOperation('isReady', 503, {}, unready)
  } finally {
    await unready.close()
  }
})

test('a full disk matches the document', async () => {
  const { read, write } = app.context.storage
  const fail = async () => {
    throw new Refusal('storage_unavailable', undefined, { retryAfterSeconds: 30 })
  }
  Object.assign(app.context.storage, { read: fail, write: fail })
  for (const { operation } of operations) {
    if (operation.responses['503'] && operation.operationId !== 'isReady') {
      const body = operation.requestBody && exampleOf(operation.operationId)
      await callOperation(operation.operationId, 503, { body, headers: withHeader })
    }
  }
  Object.assign(app.context.storage, { read, write })
})

const rows = operations
  .filter(({ path }) => path.startsWith('/v1/'))
  .map(one => [one.operation.operationId, one] as const)

test.each(rows)('%s refuses as documented', async (operationId, route) => {
  const { operation, method } = route
  const hasBody = operation.requestBody !== undefined
  const headers = withHeader
  if (needsKey(route)) {
    await callOperation(operationId, 401, { key: undefined })
    await callOperation(operationId, 401, { key: 'nonsense' })
    const others = await keyOf(
      shop.id,
      'live',
      operation['x-scope'] === 'api:read' ? ['orders:create'] : ['api:read'],
    )
    if (operation['x-scope']) await callOperation(operationId, 403, { key: others })
    if (operation['x-live-key']) await callOperation(operationId, 403, { key: await keyOf(shop.id, 'test') })
    const suspended = await givenMerchant(app)
    await changeMerchant(app.context, suspended.id, { status: 'suspended' })
    await callOperation(operationId, 403, { key: suspended.live })
  }
  const keyless = needsKey(route) ? {} : { key: undefined }
  if (hasBody) {
    await callOperation(operationId, 400, { ...keyless, body: { stranger: true }, headers })
    await callOperation(operationId, 413, { ...keyless, body: 'x'.repeat(5_600_000), headers })
  } else if (needsKey(route)) await callOperation(operationId, 400, { query: '?pageSize=1&pageSize=2' })
  else await callOperation(operationId, 400, { ...keyless, id: 'no-uuid' })
  if (!('404' in operation.responses)) return
  const body = method === 'GET' ? undefined : exampleOf(operationId)
  await callOperation(operationId, 404, { ...keyless, body, headers })
})

test('every documented status of the API was tested, except internal errors', () => {
  const unmet = operations.flatMap(({ operation }) =>
    Object.keys(operation.responses)
      .filter(status => status !== '500' && !validator.visited.has(`${operation.operationId} ${status}`))
      .map(status => `${operation.operationId} ${status}`),
  )
  expect(unmet).toEqual([])
})
