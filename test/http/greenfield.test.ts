import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { createKey } from '../../src/operations/keys/manage.ts'
import { type CallOptions, startApp } from '../support/app.ts'
import { check, givenMerchant, givenShop, openCrypto, paidInCash, simulate } from '../support/given.ts'
import { startReceiver } from '../support/receiver.ts'
import { suite } from '../support/suite.ts'
import { openOnly, sendCoins } from './payments.ts'
import { data } from './request.ts'

setDefaultTimeout(30_000)

const plugin = startReceiver()
const { app, each } = suite({
  start: () => startApp({ FLORIN_GREENFIELD: 'on', FLORIN_OUTBOUND_ALLOW: plugin.host }),
  isFresh: true,
})
afterAll(() => plugin.stop())
each(async () => {
  plugin.received.length = 0
})
const shop = each(() => givenShop(app))

const store = () => `/api/v1/stores/${shop.id}`

/** A request as a client of BTCPay Server sends it. */
const ask = (method: string, path: string, body?: object, token = shop.live, options: CallOptions = {}) =>
  app.call(method, path, { headers: { authorization: `token ${token}` }, ...(body && { body }), ...options })

async function get(path: string) {
  const answer = await ask('GET', path)
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.json
}

/** The body that the plugin for WooCommerce sends. */
const invoiceBody = (change: object = {}) => ({
  amount: '25.00',
  currency: 'EUR',
  metadata: {
    orderId: '17',
    orderUrl: 'https://shop.example/admin/17',
    taxIncluded: 0,
    posData: '{"a":[1]}',
  },
  checkout: {
    ...{ speedPolicy: null, paymentMethods: null, expirationMinutes: null, monitoringMinutes: null },
    ...{ paymentTolerance: null, redirectURL: 'https://shop.example/thanks', redirectAutomatically: null },
    defaultLanguage: null,
  },
  ...change,
})

async function invoice(change: object = {}) {
  const answer = await ask('POST', `${store()}/invoices`, invoiceBody(change))
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.json
}

const events = {
  everything: false,
  specificEvents: [
    ...['InvoiceReceivedPayment', 'InvoicePaymentSettled', 'InvoiceProcessing'],
    ...['InvoiceExpired', 'InvoiceSettled', 'InvoiceInvalid', 'SomethingOfANewerVersion'],
  ],
}
const webhookBody = { enabled: true, automaticRedelivery: true, url: plugin.url, authorizedEvents: events }

async function givenWebhook() {
  const answer = await ask('POST', `${store()}/webhooks`, webhookBody)
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.json
}

const stateOf = async ({ id }: { id: string }) => {
  const { status, additionalStatus } = await get(`${store()}/invoices/${id}`)
  return `${status} ${additionalStatus}`
}

/** Delivers what is due. An event waits a second for each that has to be sent before. */
async function deliver() {
  for (let step = 0; step < 4; step++) {
    await app.jobs.settle()
    app.time.now += 1000
  }
}

const typesSent = () => plugin.received.map(({ json }) => json.type)

test('without its setting, the API for plugins does not exist', async () => {
  const off = await startApp()
  try {
    const answer = await off.call('GET', '/api/v1/stores')
    expect([answer.status, answer.json.success]).toEqual([404, false])
  } finally {
    await off.close()
  }
})

test('a plugin reads the descriptions of the server, its key and its store', async () => {
  expect(await get('/api/v1/server/info')).toMatchObject({ fullySynched: true, syncStatus: [] })
  expect(await get('/api/v1/stores')).toMatchObject([{ id: shop.id, name: 'Corner Coffee' }])
  expect(await get(store())).toMatchObject({ id: shop.id })
  const methods = await get(`${store()}/payment-methods`)
  expect(methods).toContainEqual({
    paymentMethodId: 'CRYPTO',
    paymentMethod: 'CRYPTO',
    enabled: true,
    config: null,
  })
  const { apiKey, permissions } = await get('/api/v1/api-keys/current')
  expect(apiKey).toBe(shop.live)
  expect(permissions).toContain(`btcpay.store.cancreateinvoice:${shop.id}`)
})

test('each route accepts its UUIDs in upper case', async () => {
  const { id } = await invoice()
  const { id: webhook } = await givenWebhook()
  const own = [
    store(),
    `${store()}/invoices/${id}`,
    `/api/v1/invoices/${id}`,
    `${store()}/webhooks/${webhook}`,
  ]
  for (const path of [...own, `${store()}/payment-methods`, `${store()}/invoices/${id}/payment-methods`]) {
    const upper = path.replace(/[0-9a-f-]{36}/g, uuid => uuid.toUpperCase())
    expect([path, await get(upper)]).toEqual([path, await get(path)])
  }
  const marked = await ask('POST', `${store()}/invoices/${id.toUpperCase()}/status`, { status: 'Invalid' })
  expect(marked.json).toMatchObject({ id, status: 'Invalid' })
})

test('an invoice is an order, with the shop’s number and return URL', async () => {
  const made = await invoice({
    metadata: { orderId: '17', buyerEmail: 'buyer@example.com', itemDesc: 'Two bags' },
  })
  expect(made).toMatchObject({
    ...{ storeId: shop.id, amount: '25.00', currency: 'EUR', type: 'Standard', paidAmount: '0' },
    ...{ status: 'New', additionalStatus: 'None', archived: false },
    metadata: { orderId: '17', buyerEmail: 'buyer@example.com', itemDesc: 'Two bags' },
    checkoutLink: expect.stringContaining(`/pay/${made.id}`),
    createdTime: Math.floor(app.time.now / 1000),
  })
  const order = await data(app, 'GET', `/v1/orders/${made.id}`, { key: shop.live })
  expect(order).toMatchObject({
    ...{ externalId: '17', customerEmail: 'buyer@example.com', description: 'Two bags' },
    ...{ returnUrl: 'https://shop.example/thanks', paymentMethodsKeys: ['*'] },
  })
  for (const path of [`${store()}/invoices/${made.id}`, `/api/v1/invoices/${made.id}`]) {
    expect(await get(path)).toMatchObject({ id: made.id, status: 'New' })
  }
  const listed = async (query: string) =>
    (await get(`${store()}/invoices?${query}`)).map(({ id }: { id: string }) => id)
  const other = await invoice({ amount: 12.5, metadata: { orderId: '18' } })
  expect(await listed('orderId=17')).toEqual([made.id])
  expect(await listed('status=New&status=Settled&take=1&skip=1')).toEqual([made.id])
  expect(await listed('status=Settled')).toEqual([])
  expect(await listed('')).toEqual([other.id, made.id])
  const page = await app.call('GET', `/i/${made.id}`)
  expect([page.status, page.headers.get('location')]).toEqual([303, `/pay/${made.id}`])
})

test('a list by status has the requested length, even if orders with other statuses are newer', async () => {
  const made = await Promise.all(Array.from({ length: 4 }, () => invoice()))
  const [first, second, third, last] = made.map(({ id }: { id: string }) => id).toSorted() as string[]
  for (const id of [first!, last!]) {
    await openCrypto(app, id, 'btc')
    await simulate(app, id, 'pending')
    await check(app, id)
  }
  const listed = async (query: string) =>
    (await get(`${store()}/invoices?${query}`)).map(({ id }: { id: string }) => id)
  expect(await listed('status=Processing&take=2')).toEqual([last, first])
  expect(await listed('status=Processing&take=1&skip=1')).toEqual([first])
  expect(await listed('status=New&take=2')).toEqual([third, second])
  expect(await listed('status=New&status=Processing&take=2&skip=1')).toEqual([third, second])
  expect(await listed('status=Settled&status[]=Processing&take=5')).toEqual([last, first])
  expect(await listed('status=Unknown')).toEqual([])
})

test('a list by time has the invoices of its first and last second, whatever else it asks for', async () => {
  const made: string[] = []
  for (let at = 0; at < 4; at++) {
    await app.advance(1001)
    made.push((await invoice({ metadata: { orderId: '17' } })).id)
  }
  const [, first, second] = made
  const { createdTime } = await get(`/api/v1/invoices/${first}`)
  const period = `startDate=${createdTime}&endDate=${createdTime + 1}`
  for (const more of ['', '&status=New', '&status=New&status=Settled', '&orderId=17']) {
    const found = await get(`${store()}/invoices?${period}${more}`)
    expect([more, found.map(({ id }: { id: string }) => id)]).toEqual([more, [second, first]])
  }
})

test('a shop without a wallet for cards takes coins', async () => {
  const answer = await app.call('PUT', '/v1/wallet', { key: shop.live, body: { cryptoWallets: { evm: '' } } })
  expect(answer.status).toBe(200)
  const { id } = await invoice()
  const order = await data(app, 'GET', `/v1/orders/${id}`, { key: shop.live })
  expect(order.paymentMethodsKeys).toEqual(['crypto'])
})

test('each state of an order is sent as BTCPay Server sends it, with its signature', async () => {
  const { secret, id: webhookId, ...webhook } = await givenWebhook()
  expect(webhook.authorizedEvents.specificEvents).toHaveLength(6)
  const made = await invoice()
  await openCrypto(app, made.id, 'btc')
  await simulate(app, made.id, 'pending')
  app.time.now += 999
  await check(app, made.id)
  const seconds = Math.floor(app.time.now / 1000)
  await deliver()
  expect([await stateOf(made), typesSent()]).toEqual([
    'Processing None',
    ['InvoiceReceivedPayment', 'InvoiceProcessing'],
  ])
  const [method] = await get(`${store()}/invoices/${made.id}/payment-methods`)
  expect(method).toMatchObject({ paymentMethodId: 'BTC-CHAIN', currency: 'BTC', activated: true })
  expect(method.payments).toMatchObject([{ status: 'Processing', value: method.amount }])
  await simulate(app, made.id, 'mined')
  await check(app, made.id)
  await deliver()
  expect([await stateOf(made), typesSent().slice(2)]).toEqual([
    'Settled None',
    ['InvoicePaymentSettled', 'InvoiceSettled'],
  ])
  for (const { headers, body, json } of plugin.received) {
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
    expect(headers.get('btcpay-sig')).toBe(signature)
    const about = { storeId: shop.id, invoiceId: made.id, webhookId, metadata: { orderId: '17' } }
    expect(json).toMatchObject({ ...about, isRedelivery: false, originalDeliveryId: json.deliveryId })
  }
  const settled = plugin.received.find(({ json }) => json.type === 'InvoiceSettled')
  expect(settled?.json).toMatchObject({ manuallyMarked: false, overPaid: false })
  const received = plugin.received.find(({ json }) => json.type === 'InvoiceReceivedPayment')
  expect(received?.json).toMatchObject({
    paymentMethodId: 'BTC-CHAIN',
    afterExpiration: false,
    timestamp: seconds,
    payment: { status: 'Processing', value: method.amount, receivedDate: seconds },
  })
})

const settled = ['InvoiceReceivedPayment', 'InvoicePaymentSettled', 'InvoiceSettled']

async function paidInvoice() {
  const made = await invoice()
  await openCrypto(app, made.id, 'btc')
  for (const outcome of ['pending', 'mined']) await simulate(app, made.id, outcome)
  await check(app, made.id)
  return made
}

test('for a payment that is final when first seen, the event of its receipt precedes that of its settlement', async () => {
  await givenWebhook()
  await paidInvoice()
  await deliver()
  expect(typesSent()).toEqual(settled)
  const [received] = plugin.received
  expect(received?.json).toMatchObject({ afterExpiration: false, payment: { status: 'Settled' } })
})

test('after an outage of the shop, the events of an invoice arrive in their order', async () => {
  await givenWebhook()
  plugin.answerWith(() => new Response(null, { status: 503 }))
  await paidInvoice()
  await deliver()
  expect(typesSent()).toEqual(['InvoiceReceivedPayment'])
  plugin.answerWith(() => new Response('ok'))
  app.time.now += 60_000
  await deliver()
  expect(typesSent().slice(1)).toEqual(settled)
  expect(plugin.received.map(({ json }) => json.isRedelivery)).toEqual([false, true, false, false])
})

test('a plugin that always refuses one event gets the others after 15 minutes', async () => {
  await givenWebhook()
  plugin.answerWith(({ json }) => new Response(null, { status: json.type === settled[0] ? 500 : 200 }))
  await paidInvoice()
  await deliver()
  expect(typesSent()).not.toContain('InvoiceSettled')
  app.time.now += 15 * 60_000
  await deliver()
  expect(typesSent()).toContain('InvoiceSettled')
  plugin.answerWith(() => new Response('ok'))
})

test('the statuses of orders that expire, are marked as paid or are cancelled are sent too', async () => {
  await givenWebhook()
  const [late, forced, cancelled] = [await invoice(), await invoice(), await invoice()]
  await paidInCash(app, shop, forced.id)
  const marked = await ask('POST', `${store()}/invoices/${cancelled.id}/status`, { status: 'Invalid' })
  expect(marked.json).toMatchObject({ status: 'Invalid', additionalStatus: 'Marked' })
  app.time.now += 30 * 24 * 3600_000
  await app.jobs.settle()
  expect(await Promise.all([late, forced].map(stateOf))).toEqual(['Expired None', 'Settled Marked'])
  const sent = Object.fromEntries(plugin.received.map(({ json }) => [json.type, json]))
  expect(sent).toMatchObject({
    InvoiceExpired: { invoiceId: late.id, partiallyPaid: false },
    InvoiceSettled: { invoiceId: forced.id, manuallyMarked: true },
    InvoiceInvalid: { invoiceId: cancelled.id, manuallyMarked: true },
  })
})

test('an invoice that expires with a part of its amount says so, and so does the payment that comes after its end', async () => {
  await givenWebhook()
  const made = await invoice({ checkout: { expirationMinutes: 60 } })
  const attempt = await openOnly(app, made.id, 'ethereum/eth')
  const half = (BigInt(String(attempt.due_atomic)) + 1n) / 2n
  for (const status of ['New PaidPartial', 'Settled PaidLate']) {
    await sendCoins(app, attempt, half)
    app.time.now += 10_000
    await check(app, made.id)
    expect(await stateOf(made)).toBe(status)
    await deliver()
    await app.advance(3 * 3600_000)
  }
  const about = plugin.received.map(({ json }) => [json.type, json.partiallyPaid ?? json.afterExpiration])
  expect(about).toEqual([
    ['InvoiceReceivedPayment', false],
    ['InvoiceExpired', true],
    ['InvoicePaymentSettled', true],
    ['InvoiceSettled', undefined],
  ])
})

test('an order that a buyer has started to pay is ended, and is not invalid', async () => {
  const made = await invoice({ checkout: { paymentMethods: ['BTC-CHAIN'] } })
  await openCrypto(app, made.id, 'btc')
  const marked = await ask('POST', `${store()}/invoices/${made.id}/status`, { status: 'Invalid' })
  expect([marked.status, ['New', 'Expired'].includes(marked.json.status)]).toEqual([200, true])
})

test('webhooks of a plugin are listed, changed and deleted without those of Florin, and without secrets', async () => {
  await data(app, 'PUT', '/v1/webhook', { key: shop.live, body: { url: plugin.url } })
  const { id, secret } = await givenWebhook()
  expect(secret).toMatch(/^whsec_/)
  const path = `${store()}/webhooks/${id}`
  expect(await get(`${store()}/webhooks`)).toHaveLength(1)
  const everything = { url: `${plugin.url}/2`, authorizedEvents: { everything: true } }
  expect((await ask('PUT', path, everything)).json).toEqual({
    ...{ id, url: `${plugin.url}/2`, enabled: true, automaticRedelivery: true },
    authorizedEvents: { everything: true, specificEvents: [] },
  })
  expect(JSON.stringify(await get(path))).not.toContain('whsec_')
  const off = await ask('PUT', path, { ...webhookBody, enabled: false })
  expect([off.status, off.json[0].path]).toEqual([422, 'enabled'])
  app.time.now += 999
  const tested = await data(app, 'POST', `/v1/webhooks/${id}/test`, { key: shop.live })
  const { invoiceId, timestamp } = plugin.received.at(-1)?.json ?? {}
  expect([tested.outcome, invoiceId, timestamp]).toEqual([
    'delivered',
    expect.stringMatching(/^__test__.*__test__$/),
    Math.floor(app.time.now / 1000),
  ])
  expect((await ask('DELETE', path)).status).toBe(200)
  expect((await ask('GET', path)).status).toBe(404)
})

test.each([
  [['BTC'], ['crypto']],
  [['LTC', 'BTC-LightningNetwork', 'BTC_LNURLPAY', 'USDT-TRON', 'DASH'], ['crypto']],
  [
    ['CRYPTO', 'MOONPAY'],
    ['crypto', 'moonpay'],
  ],
  [[], ['*']],
])('the payment methods %p of an invoice are %p of its order', async (paymentMethods, keys) => {
  const { id } = await invoice({ checkout: { paymentMethods } })
  expect((await data(app, 'GET', `/v1/orders/${id}`, { key: shop.live })).paymentMethodsKeys).toEqual(keys)
})

test.each([
  ['11.8881', 'EUR', '11.89'],
  [27.450000000000003, 'USD', '27.45'],
  ['123.45678000', 'EUR', '123.46'],
  ['1500.0000', 'JPY', '1500'],
  ['25', 'EUR', '25.00'],
])('the amount %p of a plugin in %s is %s', async (amount, currency, rounded) => {
  expect((await invoice({ amount, currency })).amount).toBe(rounded)
})

test('the return URL of a plugin gets the numbers of its invoice and order', async () => {
  const redirectURL = 'https://shop.example/paid/{InvoiceId}?order={OrderId}'
  const { id, checkout } = await invoice({ metadata: { orderId: '1/7' }, checkout: { redirectURL } })
  const filled = `https://shop.example/paid/${id}?order=1%2F7`
  expect(checkout.redirectURL).toBe(filled)
  const order = await data(app, 'GET', `/v1/orders/${id}`, { key: shop.live })
  expect([order.orderUUID, order.returnUrl]).toEqual([id, filled])
})

test('invoices are found by their order, in the notation of PHP too, and no others', async () => {
  const [first] = [
    await invoice({ metadata: { orderId: '17' } }),
    await invoice({ metadata: { orderId: '18' } }),
  ]
  const idsAt = async (query: string) => {
    const found = await get(`${store()}/invoices?${new URLSearchParams(query)}`)
    return found.map(({ id }: { id: string }) => id)
  }
  for (const query of ['orderId=17', 'orderId[]=17', 'orderId[]=17&status[]=New'])
    expect([query, await idsAt(query)]).toEqual([query, [first.id]])
  for (const query of ['orderId[]=19', 'orderId[]=17&status[]=Settled'])
    expect([query, await idsAt(query)]).toEqual([query, []])
})

test('a plugin may answer with any status of success, as it may to BTCPay Server', async () => {
  const { id } = await givenWebhook()
  const outcomeOf = async (status: number) => {
    plugin.answerWith(() => new Response(null, { status }))
    const { outcome, httpStatus } = await data(app, 'POST', `/v1/webhooks/${id}/test`, { key: shop.live })
    return [outcome, httpStatus]
  }
  for (const status of [200, 201, 202, 204]) expect(await outcomeOf(status)).toEqual(['delivered', status])
  for (const status of [303, 400, 500]) expect(await outcomeOf(status)).toEqual(['refused', status])
  plugin.answerWith(() => new Response('ok'))
})

test('an app that uses a key can revoke it', async () => {
  const { text } = await createKey(app.context, { merchantId: shop.id, mode: 'live' })
  expect((await ask('DELETE', '/api/v1/api-keys/current', undefined, text)).status).toBe(200)
  expect((await ask('GET', '/api/v1/stores', undefined, text)).status).toBe(401)
})

test.each<
  [title: string, method: string, path: string, body: object | undefined, status: number, code: string]
>([
  ['an unknown route', 'GET', '/api/v1/users/me', undefined, 404, 'not-found'],
  ['an unknown store', 'GET', '/api/v1/stores/x', undefined, 404, 'not-found'],
  ['an unknown invoice', 'GET', '/api/v1/stores/STORE/invoices/x', undefined, 404, 'not-found'],
  ['marking as paid', 'POST', '/api/v1/stores/STORE/invoices/x/status', { status: 'Settled' }, 422, 'status'],
  ['no amount', 'POST', '/api/v1/stores/STORE/invoices', invoiceBody({ amount: null }), 422, 'amount'],
  [
    'an unknown currency',
    'POST',
    '/api/v1/stores/STORE/invoices',
    invoiceBody({ currency: 'BTC' }),
    422,
    'currency',
  ],
  [
    'an amount that rounding changes much',
    'POST',
    '/api/v1/stores/STORE/invoices',
    invoiceBody({ amount: '100.4', currency: 'JPY' }),
    422,
    'amount',
  ],
  ['a refund', 'POST', '/api/v1/stores/STORE/invoices/x/refund', {}, 422, 'conflict'],
  ['a pull payment', 'POST', '/api/v1/stores/STORE/pull-payments', {}, 422, 'conflict'],
])('%s is refused in the words of BTCPay Server', async (_, method, path, body, status, code) => {
  const answer = await ask(method, path.replace('STORE', shop.id), body)
  const { json } = answer
  expect([answer.status, Array.isArray(json) ? json[0].path : json.code]).toEqual([status, code])
  expect((Array.isArray(json) ? json[0] : json).message).toMatch(/\w/)
})

test('the API for plugins refuses keys of others, without the scope, or for tests', async () => {
  const stranger = await givenMerchant(app)
  const reading = await createKey(app.context, { merchantId: shop.id, mode: 'live', scopes: ['api:read'] })
  const path = `${store()}/invoices`
  const status = async (token: string) => (await ask('POST', path, invoiceBody(), token)).json.code
  expect([await status('x'), await status(reading.text), await status(shop.test)]).toEqual([
    ...['unauthenticated', 'missing-permission', 'missing-permission'],
  ])
  expect((await ask('POST', path, invoiceBody(), stranger.live)).status).toBe(404)
  const { id } = await invoice()
  expect((await ask('GET', `/api/v1/invoices/${id}`, undefined, stranger.live)).status).toBe(404)
})
