import { expect, test } from 'bun:test'
import { LostRace } from '../../src/domain/errors.ts'
import { fillPool } from '../../src/operations/addresses/fill-pool.ts'
import { previewAccount, setUpSource, stopSource } from '../../src/operations/addresses/set-up-source.ts'
import { allocateAddress } from '../../src/operations/addresses/steps/allocate.ts'
import { blockCustomer } from '../../src/operations/customers/block.ts'
import { createKey, revokeKey } from '../../src/operations/keys/manage.ts'
import { forceOrder } from '../../src/operations/orders/force.ts'
import { chooseEvents } from '../../src/operations/webhooks/change.ts'
import type { Storage } from '../../src/storage/port.ts'
import { type App, START, startApp } from '../support/app.ts'
import {
  BTC_WALLET,
  check,
  EVM_WALLET,
  givenMerchant,
  givenOrder,
  givenShop,
  openCrypto,
  orderBody,
  type Shop,
  simulate,
} from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { DAY_MS, rest, wallets } from './payments.ts'
import { givenPaid, refundOf } from './refunding.ts'
import { ask, data, MARKER, refused } from './request.ts'
import { rowsOf, snapshotOf } from './rows.ts'

const { app, once } = suite()
let used = 0
const shop = once(() => givenShop(app))
once(() => app.jobs.settle())

const fresh = (): string => `key-${++used}.of:this_test`

const create = (idempotencyKey: string, body: unknown = orderBody(), key = shop.live) =>
  ask(app, 'POST', '/v1/orders', { key, body, headers: { 'idempotency-key': idempotencyKey } })

const malformed: [title: string, key: string][] = [
  ['nothing', ''],
  ['seven characters', '1234567'],
  ['129 characters', 'a'.repeat(129)],
  ['a space', `${MARKER} b`],
  ['a slash', `${MARKER}/b`],
  ['a comma, as two headers make', `${MARKER}1,${MARKER}2`],
  ['a letter outside of ASCII', `${MARKER}é`],
  ['quotes', `"${MARKER}"`],
]

test.each(malformed)('an Idempotency-Key of %s is refused', async (_, key) => {
  const options = { key: shop.live, body: orderBody(), headers: { 'idempotency-key': key } }
  await refused(app, { status: 400, code: 'validation_error' }, 'POST', '/v1/orders', options)
})

/** Bodies that differ from the plain one. */
const others: [title: string, body: object][] = [
  ['another amount', orderBody({ amount: '25.01' })],
  ['another currency', orderBody({ currency: 'EUR' })],
  ['other methods', orderBody({ paymentMethodsKeys: ['crypto'] })],
  ['another customer', orderBody({ customer: { email: 'other@example.com' } })],
  ['an additional field', orderBody({ externalId: 'a' })],
  ['a missing field', { ...orderBody(), customer: { email: 'buyer@example.com' } }],
  ['other metadata', orderBody({ metadata: { a: 1 } })],
]

test.each(others)('the same Idempotency-Key with %s is refused', async (_, body) => {
  const key = fresh()
  expect((await create(key)).status).toBe(201)
  const options = { key: shop.live, body, headers: { 'idempotency-key': key } }
  await refused(app, { status: 409, code: 'idempotency_key_reused' }, 'POST', '/v1/orders', options)
})

test('the order of a list and the nesting of metadata matter when bodies are compared', async () => {
  const key = fresh()
  await create(key, orderBody({ metadata: { a: [1, 2], b: { c: 1 } } }))
  for (const metadata of [
    { a: [2, 1], b: { c: 1 } },
    { a: [1, 2], c: 1 },
    { a: [1, 2], b: { c: '1' } },
  ]) {
    expect((await create(key, orderBody({ metadata }))).status).toBe(409)
  }
})

test('a bad body with a used Idempotency-Key is refused as a bad body', async () => {
  const key = fresh()
  await create(key)
  expect((await create(key, orderBody({ amount: '0' }))).status).toBe(400)
})

const metadata = { a: { b: 1, c: [1, 2] }, e: 'x' }
const sameBodies: [title: string, first: unknown, again: unknown][] = [
  ['unchanged', orderBody(), orderBody()],
  [
    'with its fields in another order',
    orderBody({ metadata, externalId: 'a' }),
    reversed(orderBody({ metadata, externalId: 'a' })),
  ],
  ['with other white space', orderBody({ metadata }), JSON.stringify(orderBody({ metadata }), null, '\t\n ')],
  [
    'with other escapes',
    orderBody({ description: 'é/😀' }),
    JSON.stringify(orderBody({ description: '?' })).replace('?', '\\u00e9\\/\\ud83d\\ude00'),
  ],
]

function reversed(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, part]) => [name, reversed(part)]),
  )
}

test.each(sameBodies)(
  'the same key and the same body, %s, returns the first order with 200',
  async (_, body, again) => {
    const key = fresh()
    const first = await create(key, body)
    expect(first.status).toBe(201)
    const before = snapshotOf(app)
    app.time.now += 1000
    const second = await create(key, again)
    app.time.now = START
    expect(second.status).toBe(200)
    expect(second.json.data).toEqual(first.json.data)
    expect(snapshotOf(app)).toEqual(before)
  },
)

test('without an Idempotency-Key every request creates an order', async () => {
  const body = orderBody()
  const [first, second] = [
    await data(app, 'POST', '/v1/orders', { key: shop.live, body }, 201),
    await data(app, 'POST', '/v1/orders', { key: shop.live, body }, 201),
  ]
  expect(first.orderUUID).not.toBe(second.orderUUID)
})

test('each Idempotency-Key is case-sensitive', async () => {
  const [first, second] = [await create('abcdefgh'), await create('ABCDEFGH')]
  expect([first.status, second.status]).toEqual([201, 201])
})

test.each(['a'.repeat(8), 'A.b_c:1-2', 'z'.repeat(128)])('%s is a valid Idempotency-Key', async key => {
  expect((await create(key)).status).toBe(201)
  expect((await create(key)).status).toBe(200)
})

/** Refusals after which the same key and body can be sent again, with what removes the cause. */
const refusals: [title: string, status: number, prepare: (merchant: Shop) => Promise<unknown>][] = [
  [
    'no payout wallet',
    422,
    merchant => data(app, 'PUT', '/v1/wallet', { key: merchant.live, body: { payoutWallet: EVM_WALLET } }),
  ],
]

test.each(refusals)('only success uses up an Idempotency-Key, not %s (%d)', async (_, status, prepare) => {
  const merchant = await givenMerchant(app)
  const key = fresh()
  expect((await create(key, orderBody(), merchant.live)).status).toBe(status)
  await prepare(merchant)
  expect((await create(key, orderBody(), merchant.live)).status).toBe(201)
  expect((await create(key, orderBody(), merchant.live)).status).toBe(200)
})

test('a bad body, a blocked customer or an API key without permission uses up no Idempotency-Key', async () => {
  const key = fresh()
  const customer = { email: 'unlucky@example.com' }
  const { text: reader } = await createKey(app.context, {
    merchantId: shop.id,
    mode: 'live',
    scopes: ['api:read'],
  })
  expect((await create(key, orderBody({ customer, amount: '-1' }))).status).toBe(400)
  expect((await create(key, orderBody({ customer }), reader)).status).toBe(403)
  await blockCustomer(app.context, shop.id, customer.email, true)
  expect((await create(key, orderBody({ customer }))).status).toBe(403)
  await blockCustomer(app.context, shop.id, customer.email, false)
  expect((await create(key, orderBody({ customer, amount: '7' }))).status).toBe(201)
})

test('20 requests at once with one Idempotency-Key create one order', async () => {
  const key = fresh()
  const merchant = await givenShop(app)
  const answers = await Promise.all(Array.from({ length: 20 }, () => create(key, orderBody(), merchant.live)))
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201])
  expect(new Set(answers.map(({ json }) => json.data.orderUUID)).size).toBe(1)
  expect(rowsOf(app, 'SELECT id FROM orders WHERE merchant_id = ?', merchant.id)).toHaveLength(1)
})

test('of 20 different requests at once with one Idempotency-Key, one succeeds', async () => {
  const key = fresh()
  const merchant = await givenShop(app)
  const bodies = Array.from({ length: 20 }, (_, i) => orderBody({ amount: `${i + 1}` }))
  const answers = await Promise.all(bodies.map(body => create(key, body, merchant.live)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)])
  expect(rowsOf(app, 'SELECT id FROM orders WHERE merchant_id = ?', merchant.id)).toHaveLength(1)
})

test('two merchants can use the same Idempotency-Key', async () => {
  const key = fresh()
  const stranger = await givenShop(app)
  const mine = await create(key)
  const theirs = await create(key, orderBody({ amount: '99' }), stranger.live)
  expect([mine.status, theirs.status]).toEqual([201, 201])
  expect(theirs.json.data.merchantId).toBe(stranger.id)
  expect((await create(key)).json.data.orderUUID).toBe(mine.json.data.orderUUID)
})

test('another API key of the same merchant gets the same order for an Idempotency-Key', async () => {
  const key = fresh()
  const { text } = await createKey(app.context, { merchantId: shop.id, mode: 'live' })
  const first = await create(key)
  const second = await create(key, orderBody(), text)
  expect([second.status, second.json.data.orderUUID]).toEqual([200, first.json.data.orderUUID])
})

test('a repeated request returns the current order: cancelled', async () => {
  const key = fresh()
  const { orderUUID } = (await create(key)).json.data
  await data(app, 'POST', `/v1/orders/${orderUUID}/cancel`, { key: shop.live, body: {} })
  const again = await create(key)
  expect([again.status, again.json.data.status, again.json.data.orderUUID]).toEqual([
    200,
    'CANCELLED',
    orderUUID,
  ])
})

test('a replay returns the current order: paid, even after the wallet was removed', async () => {
  const key = fresh()
  const merchant = await givenShop(app)
  const { orderUUID } = (await create(key, orderBody(), merchant.live)).json.data
  await openCrypto(app, orderUUID, 'btc')
  await simulate(app, orderUUID, 'paid')
  await check(app, orderUUID)
  const body = { cryptoWallets: { evm: '', btc: '' }, includeCrypto: false }
  await data(app, 'PUT', '/v1/wallet', { key: merchant.live, body })
  await blockCustomer(app.context, merchant.id, 'buyer@example.com', true)
  const again = await create(key, orderBody(), merchant.live)
  expect([again.status, again.json.data?.status, again.json.data?.orderUUID]).toEqual([
    200,
    'PAID',
    orderUUID,
  ])
  app.time.now = START
})

test('a replay returns the first order even when its expiry has passed', async () => {
  const key = fresh()
  const body = orderBody({ expiresAt: new Date(START + 3600_000).toISOString() })
  const { orderUUID } = (await create(key, body)).json.data
  app.time.now += 3600_001
  const again = await create(key, body)
  app.time.now = START
  expect([again.status, again.json.data?.orderUUID]).toEqual([200, orderUUID])
})

test('an Idempotency-Key is remembered for 30 days', async () => {
  const key = fresh()
  const { orderUUID } = (await create(key)).json.data
  await app.advance(29 * 24 * 3600_000)
  const again = await create(key)
  expect([again.status, again.json.data.orderUUID, again.json.data.status]).toEqual([
    200,
    orderUUID,
    'EXPIRED',
  ])
})

/** Undoes every write once and runs it again, like an engine that finds a conflict only at the commit. */
const repeating = (storage: Storage): Storage => ({
  ...storage,
  write(work) {
    let isFirst = true
    return storage.write(async tables => {
      const value = await work(tables)
      if (!isFirst) return value
      isFirst = false
      throw new LostRace()
    })
  },
})

const POOL = [wallets.btc, '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2']
const XPUB =
  'xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu4trkrX7x7DogT5Uv6fcLW5'

/** Uses something of everything that writes. */
async function live(app: App): Promise<void> {
  const shop = await givenMerchant(app, 'Corner Coffee', '1')
  const key = { key: shop.live }
  await data(app, 'PUT', '/v1/wallet', {
    ...key,
    body: { cryptoWallets: { evm: wallets.evm, btc: BTC_WALLET } },
  })
  await data(app, 'PUT', '/v1/webhook', { ...key, body: { url: 'https://shop.example/hook' } })
  await chooseEvents(app.context, shop.id, ['order.paid', 'payment.created', 'payment.paid'])
  await fillPool(app.context, shop.id, 'btc', POOL)
  const orderTemplate = { amount: '9.00', currency: 'USD', paymentMethodsKeys: ['*'] }
  const product = await data(
    app,
    'POST',
    '/v1/products',
    { ...key, body: { name: 'Blend', orderTemplate } },
    201,
  )
  await data(app, 'PATCH', `/v1/products/${product.productUUID}`, { ...key, body: { name: 'House blend' } })
  await givenOrder(app, shop, { productUUID: product.productUUID, amount: undefined, currency: undefined })
  const body = {
    amount: '5.00',
    currency: 'USD',
    paymentMethodsKeys: ['*'],
    customer: { email: 'b@b.example' },
  }
  const headers = { 'idempotency-key': 'only-once' }
  const first = await data(app, 'POST', '/v1/orders', { ...key, body, headers }, 201)
  const second = await data(app, 'POST', '/v1/orders', { ...key, body, headers })
  expect(second.orderUUID).toBe(first.orderUUID)
  await openCrypto(app, first.orderUUID, 'btc')
  await simulate(app, first.orderUUID, 'underpaid')
  await check(app, first.orderUUID)
  await setUpSource(app.context, await previewAccount(app.context, shop.id, 'btc', XPUB, null))
  const asset = app.context.networks.asset('btc')!
  const offer = {
    asset,
    payoutAddress: null,
    dueAtomic: 1n,
    rate: { value: '1', currency: 'USD', sources: [], at: 0 },
    routes: [],
  }
  for (const kind of ['pool', 'xpub'] as const) {
    await allocateAddress(app.context, shop.id, app.context.ids.uuid(), offer, kind)
  }
  const paid = await givenPaid(app, shop)
  await refundOf(app, shop, paid.orderUUID, { amount: '3.00' })
  const cancelled = await givenOrder(app, shop)
  await data(app, 'POST', `/v1/orders/${cancelled.orderUUID}/cancel`, { ...key, body: {} })
  const forced = await givenOrder(app, shop)
  await forceOrder(app.context, { merchantId: shop.id, orderId: forced.orderUUID, by: 'Ann', reason: 'cash' })
  const provided = await givenOrder(app, shop, { paymentMethodsKeys: ['stripe'] })
  await app.call('GET', `/payment/process/${provided.orderUUID}`)
  await simulate(app, provided.orderUUID, 'paid')
  await blockCustomer(app.context, shop.id, 'bad@b.example', true)
  await stopSource(app.context, shop.id, 'btc', 'xpub')
  const extra = await createKey(app.context, { merchantId: shop.id, mode: 'test' })
  await revokeKey(app.context, shop.id, extra.key.id)
  await rest(app)
  await app.advance(3 * DAY_MS)
  await rest(app)
}

/** The content of every table, without random values. */
function contentOf(app: App): Record<string, unknown> {
  const database = app.read()
  const all = (sql: string) => database.query(sql).values()
  const names = all("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").flat().map(String)
  const counts = names.map(name => [name, all(`SELECT count(*) FROM ${name}`).flat()[0]])
  return {
    ...Object.fromEntries(counts),
    orders: all('SELECT status, refund_status, net_amount FROM orders ORDER BY created_at, id').sort(),
    attempts: all('SELECT asset_id, state, confirmed_atomic FROM attempts').sort(),
    sums: all(
      'SELECT minutes, starts_at, pending, gross, net, refunded, cancelled, forced FROM statistics ORDER BY 1, 2',
    ),
    pool: all('SELECT position, attempt_id IS NULL FROM source_addresses ORDER BY network, position'),
    next: all('SELECT next_index, active FROM address_sources ORDER BY network'),
    tries: all('SELECT status, json_array_length(tries) FROM deliveries').sort(),
  }
}

async function lived(change: (storage: Storage) => Storage): Promise<Record<string, unknown>> {
  const app = await startApp()
  try {
    app.context.storage = change(app.context.storage)
    await live(app)
    expect(app.audit()).toEqual([])
    return contentOf(app)
  } finally {
    await app.close()
  }
}

test('writes that are all undone and run again leave the same rows as writes that run once', async () => {
  const once = await lived(storage => storage)
  const again = await lived(repeating)
  expect(again).toEqual(once)
  expect(once).toMatchObject({
    refunds: 1,
    transactions: 2,
    unmatched_payments: 1,
    source_addresses: 3,
    notifications: 15,
    audit_log: 15,
  })
  expect(once).toMatchObject({ idempotency_keys: 2, products: 1, incoming_payments: 3 })
})
