import { afterAll, expect, test } from 'bun:test'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { serverOrigin } from '../../src/domain/audit.ts'
import { createKey } from '../../src/operations/keys/manage.ts'
import { createPairingCode } from '../../src/operations/keys/pair.ts'
import { startApp } from '../support/app.ts'
import { check, givenMerchant, givenShop, openCrypto, simulate } from '../support/given.ts'
import { startReceiver } from '../support/receiver.ts'
import { suite } from '../support/suite.ts'
import { data } from './request.ts'

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

const ask = (method: string, path: string, body?: object, key = shop.live) =>
  app.call(method, path, {
    headers: { authorization: `Basic ${btoa(key)}` },
    ...(body && { body }),
  })

/** The body that the plugin for WHMCS sends. */
const whmcsBody = (change: object = {}) => ({
  orderID: 17,
  notificationURL: `${plugin.url}/modules/gateways/callback/btcpay.php`,
  redirectURL: 'https://shop.example/viewinvoice.php?id=17',
  posData: '{"posData": "17", "hash": "flx"}',
  ...{ price: '25.00', currency: 'EUR', physical: 'true', fullNotifications: 'true' },
  ...{ transactionSpeed: 'medium', buyerName: 'Ann Smith', buyerEmail: 'ann@example.com', buyerPhone: '' },
  ...change,
})

async function invoice(change: object = {}) {
  const { status, json, text } = await ask('POST', '/invoices', whmcsBody(change))
  if (status !== 200) throw new Error(text)
  return json.data
}

async function paid({ id }: { id: string }) {
  await openCrypto(app, id, 'btc')
  for (const outcome of ['pending', 'mined']) await simulate(app, id, outcome)
  await check(app, id)
  await app.jobs.settle()
}

const read = async ({ id }: { id: string }) => (await ask('GET', `/invoices/${id}`)).json.data

test('without its setting, the older API for plugins does not exist', async () => {
  const off = await startApp()
  try {
    for (const [method, path] of [
      ['POST', '/invoices'],
      ['POST', '/tokens'],
      ['GET', '/invoices/x'],
    ] as const) {
      const { status, json } = await off.call(method, path, method === 'POST' ? { body: {} } : {})
      expect([status, json.success]).toEqual([404, false])
    }
  } finally {
    await off.close()
  }
})

test('an invoice of the older API is an order', async () => {
  const made = await invoice()
  expect(made).toMatchObject({
    ...{ status: 'new', exceptionStatus: false, price: 25, currency: 'EUR', orderId: '17' },
    ...{ posData: whmcsBody().posData, url: expect.stringContaining(`/pay/${made.id}`) },
    ...{ invoiceTime: app.time.now, currentTime: app.time.now },
  })
  const order = await data(app, 'GET', `/v1/orders/${made.id}`, { key: shop.live })
  expect(order).toMatchObject({
    ...{ amount: '25.00', externalId: '17', customerEmail: 'ann@example.com' },
    returnUrl: 'https://shop.example/viewinvoice.php?id=17',
  })
  expect(JSON.stringify(order.metadata)).not.toContain('ann@')
  for (const path of [`/invoices/${made.id}`, `/invoices/${made.id.toUpperCase()}`])
    expect((await ask('GET', path)).json.data).toEqual(made)
})

test('each status is sent to the plugin, which reads the same status', async () => {
  const made = await invoice()
  await openCrypto(app, made.id, 'btc')
  await simulate(app, made.id, 'pending')
  await check(app, made.id)
  await app.jobs.settle()
  expect([(await read(made)).status, plugin.received.map(({ json }) => json.status)]).toEqual([
    'paid',
    ['paid'],
  ])
  await simulate(app, made.id, 'mined')
  await check(app, made.id)
  await app.jobs.settle()
  const [, last] = plugin.received
  expect(last?.json).toEqual({
    ...{ id: made.id, status: 'complete', exceptionStatus: false, price: 25, currency: 'EUR' },
    ...{ orderId: '17', posData: whmcsBody().posData },
  })
  expect(last?.path).toEndWith('/callback/btcpay.php')
  expect(await read(made)).toMatchObject({ status: 'complete', amountPaid: 25 })
  expect(plugin.received).toHaveLength(2)
})

test('the statuses of expired and cancelled orders are sent too', async () => {
  const [late, cancelled] = [await invoice(), await invoice()]
  await data(app, 'POST', `/v1/orders/${cancelled.id}/cancel`, { key: shop.live, body: {} })
  await app.jobs.settle()
  app.time.now += 30 * 24 * 3600_000
  await app.jobs.settle()
  const sent = plugin.received.map(({ json }) => [json.id, json.status, json.exceptionStatus])
  expect(sent.toSorted()).toEqual(
    [
      [late.id, 'expired', false],
      [cancelled.id, 'invalid', 'marked'],
    ].toSorted(),
  )
})

test('a notification to a plugin that fails is repeated, and those of one origin share a webhook', async () => {
  plugin.answerWith(() => new Response(null, { status: 500 }))
  const first = await invoice({ notificationURL: `${plugin.url}/a?order=1`, extendedNotifications: true })
  const other = await invoice({ notificationURL: `${plugin.url}/b?order=2` })
  await paid(first)
  await paid(other)
  expect(plugin.received.map(({ json }) => json.data?.status ?? json.status)).toEqual([
    'complete',
    'complete',
  ])
  plugin.answerWith(() => new Response('ok'))
  app.time.now += 3600_000
  await app.jobs.settle()
  const sent = plugin.received
    .slice(2)
    .map(({ path, json }) => [path.split('?')[1], json.data?.id ?? json.id])
  expect(sent.toSorted()).toEqual([
    ['order=1', first.id],
    ['order=2', other.id],
  ])
  expect(plugin.received[0]?.json).toMatchObject({
    event: { name: 'invoice_complete' },
    data: { orderId: '17' },
  })
  const { items: webhooks } = await data(app, 'GET', '/v1/webhooks', { key: shop.live })
  expect(webhooks).toHaveLength(1)
  const listed = await app.call('GET', `/api/v1/stores/${shop.id}/webhooks`, {
    headers: { authorization: `token ${shop.live}` },
  })
  expect(listed.json).toEqual([])
  const tested = await data(app, 'POST', `/v1/webhooks/${webhooks[0].endpointId}/test`, { key: shop.live })
  expect([tested.outcome, plugin.received.at(-1)?.json.status]).toEqual(['delivered', 'new'])
})

test('an order of another source is never notified, and one without a URL needs no webhook', async () => {
  await invoice()
  const quiet = await invoice({ notificationURL: undefined })
  const foreign = await invoice({ notificationURL: '' })
  for (const one of [quiet, foreign]) await paid(one)
  expect(plugin.received).toEqual([])
})

test.each<[title: string, change: object, status: number, error: RegExp]>([
  ['a private address', { notificationURL: 'https://10.0.0.5/ipn' }, 422, /public/],
  ['no price', { price: undefined }, 400, /price/],
  ['an unknown currency', { currency: 'BTC' }, 400, /currency/],
  ['a price in coins of a cent', { price: '0.004' }, 400, /amount/],
])('an invoice with %s is refused, and no order is created', async (_, change, status, error) => {
  const answer = await ask('POST', '/invoices', whmcsBody(change))
  expect([answer.status, answer.json.error]).toEqual([status, expect.stringMatching(error)])
  expect((await data(app, 'GET', '/v1/webhooks', { key: shop.live })).items).toEqual([])
})

test('a plugin lists the invoices of its own shop by order, state and day, newest first', async () => {
  const [first, second] = [await invoice(), await invoice({ orderID: 18 })]
  await paid(second)
  await app.call('POST', '/invoices', {
    headers: { authorization: `Basic ${btoa((await givenShop(app)).live)}` },
    body: whmcsBody(),
  })
  const today = new Date(app.context.clock()).toISOString().slice(0, 10)
  const [year, month, day] = today.split('-')
  const list = async (query: string) =>
    (await ask('GET', `/invoices${query}`)).json.data.map(({ id }: { id: string }) => id)
  const both = [second.id, first.id]
  expect(await list('')).toEqual(both)
  expect(await list('?limit=1&offset=1')).toEqual([first.id])
  expect(await list('?orderId=17')).toEqual([first.id])
  expect(await list('?status=new')).toEqual([first.id])
  for (const status of ['complete', 'confirmed']) expect(await list(`?status=${status}`)).toEqual([second.id])
  expect(await list('?status=unknown')).toEqual([])
  for (const date of [today, `${month}/${day}/${year}`])
    expect(await list(`?dateStart=${date}&dateEnd=${date}`)).toEqual(both)
  expect(await list('?dateEnd=2020-01-01')).toEqual([])
  const { status, json } = await ask('GET', '/invoices?dateStart=soon')
  expect([status, json.error]).toEqual([400, expect.stringMatching(/date/)])
})

test('the older API for plugins refuses keys of others, without the scope, or for tests', async () => {
  const stranger = await givenMerchant(app)
  const given = { merchantId: shop.id, mode: 'live' } as const
  const creating = await createKey(app.context, { ...given, scopes: ['orders:create', 'api:read'] })
  const status = async (key: string, change: object = {}) =>
    (await ask('POST', '/invoices', whmcsBody(change), key)).status
  expect(await status('x')).toBe(401)
  expect(await status(shop.test)).toBe(403)
  // Notifications to a new origin need a webhook.
  expect(await status(creating.text)).toBe(403)
  const made = await invoice()
  expect(await status(creating.text)).toBe(200)
  expect((await ask('GET', `/invoices/${made.id}`, undefined, stranger.live)).status).toBe(404)
  expect((await app.call('GET', `/invoices/${made.id}`)).status).toBe(401)
})

/** A client of a plugin that is paired, such as those for Odoo and Drupal Commerce. */
function client() {
  const secret = secp256k1.utils.randomSecretKey()
  const publicKey = Buffer.from(secp256k1.getPublicKey(secret)).toString('hex')
  const headersFor = (url: string, body = '') => ({
    'x-identity': publicKey,
    'x-signature': Buffer.from(
      secp256k1.sign(Buffer.from(url + body), secret, { format: 'der', lowS: false }),
    ).toString('hex'),
  })
  const url = (path: string) => `${app.context.policy.checkoutUrl}${path}`
  return {
    sin: app.context.signedClients.idOf(publicKey) ?? '',
    headersFor,
    get: (path: string, signed = path) => app.call('GET', path, { headers: headersFor(url(signed)) }),
    post: (path: string, body: object, signed = body) =>
      app.call('POST', path, { body, headers: headersFor(url(path), JSON.stringify(signed)) }),
  }
}

const codeFor = async () =>
  (await createPairingCode({ ...app.context, origin: serverOrigin }, shop.id, 'Odoo')).code

const pair = (one: ReturnType<typeof client>, pairingCode: string) =>
  app.call('POST', '/tokens', { body: { id: one.sin, pairingCode, label: 'Odoo' } })

test('a plugin is paired by a code, and signs its requests', async () => {
  const odoo = client()
  const answer = await pair(odoo, await codeFor())
  const [{ token, facade, dateCreated, pairingExpiration }] = answer.json.data
  expect([facade, dateCreated, pairingExpiration]).toEqual(['merchant', app.time.now, app.time.now])
  const made = await odoo.post('/invoices', whmcsBody({ token }))
  expect([made.status, made.json.data.orderId]).toEqual([200, '17'])
  const path = `/invoices/${made.json.data.id}?token=${token}`
  expect((await odoo.get(path)).json.data).toMatchObject({ status: 'new' })
  expect((await client().get(path)).status).toBe(401)
  expect((await odoo.get(path, `/invoices/x?token=${token}`)).status).toBe(401)
  expect((await odoo.post('/invoices', whmcsBody({ token }), whmcsBody({ token, price: 1 }))).status).toBe(
    401,
  )
  const unsigned = await app.call('GET', path, { headers: { 'x-identity': 'zz', 'x-signature': 'zz' } })
  expect(unsigned.status).toBe(401)
  expect((await app.call('GET', path)).status).toBe(401)
  await data(app, 'GET', '/v1/orders', { key: shop.live })
  // The code expires, but not what was paired by it.
  app.time.now += 24 * 3600_000
  expect((await odoo.get(path)).status).toBe(200)
})

test('a pairing is recorded in the audit log, without its code', async () => {
  const code = await codeFor()
  const odoo = client()
  const [{ token }] = (await pair(odoo, code)).json.data
  const about = await app.context.storage.read(tables => tables.audit.listOfSubject(`key:${token}`, 9))
  expect(about.map(({ action, actor }) => `${action} ${actor}`).toSorted()).toEqual([
    'key.created server',
    `key.paired key:${token}`,
  ])
  expect(JSON.stringify(about)).not.toContain(code)
})

test('a pairing code works once and for a short time, and is no API key', async () => {
  const code = await codeFor()
  expect(code).toMatch(/^[A-Za-z0-9]{7}$/)
  const { status } = await ask('POST', '/invoices', whmcsBody(), code)
  expect(status).toBe(401)
  expect((await pair(client(), code)).status).toBe(200)
  expect((await pair(client(), code)).json.error).toMatch(/pairingCode/)
  const old = await codeFor()
  app.time.now += 16 * 60_000
  expect((await pair(client(), old)).status).toBe(400)
  expect((await pair(client(), 'abcdefg')).status).toBe(400)
})

test('a revoked key of a paired plugin works no longer', async () => {
  const drupal = client()
  const [{ token }] = (await pair(drupal, await codeFor())).json.data
  const path = `/invoices/01999999-0000-7000-8000-000000000000?token=${token}`
  expect((await drupal.get(path)).status).toBe(404)
  await app.context.storage.write(tables => tables.keys.revoke(token, app.time.now).then(() => {}))
  expect((await drupal.get(path)).status).toBe(401)
})
