import { expect, test } from 'bun:test'
import { createKey } from '../../src/operations/keys/manage.ts'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { givenMerchant } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { productBody, template } from './products.ts'
import { data, MARKER, refused, requestTo, send } from './request.ts'
import { snapshotOf } from './rows.ts'

const { app, once } = suite()
let ownId: string
let foreignId: string
const shop = once(() => givenMerchant(app))
const stranger = once(() => givenMerchant(app))
once(async () => {
  ownId = await create(shop.live)
  foreignId = await create(stranger.live)
  await app.jobs.settle()
})

const create = async (key: string): Promise<string> =>
  (await data(app, 'POST', '/v1/products', { key, body: productBody() }, 201)).productUUID

const wrong = { status: 400, code: 'validation_error' }
const absent = { status: 404, code: 'not_found' }
const emoji = (count: number): string => '😀'.repeat(count)
const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) })
const keys = (count: number): string[] => Array.from({ length: count }, (_, i) => `key${i}`)
const freshId = (): string => crypto.randomUUID()

/** By field: the clause and the values that violate it, in each of the four bodies with a product. */
const wrongValues: [field: string, clause: string, values: unknown[]][] = [
  [
    'name',
    'name',
    [
      '',
      'a'.repeat(121),
      emoji(121),
      'a\0',
      '\ud800',
      'a\nb',
      'a\r\nBcc: b',
      'a\u2028b',
      '\x1b[2J',
      null,
      5,
      ['a'],
      {},
    ],
  ],
  ['description', 'description', ['', 'a'.repeat(513), emoji(513), 5, ['a'], {}, false]],
  [
    'imageUrl',
    'imageUrl',
    [
      ...['', 'ftp://a.example/a', 'shop.example/a.png', '//a.example/a', 'http://', 'HTTPS://a.example'],
      ...[`https://a.example/${'a'.repeat(2031)}`, `data:image/png;base64,${MARKER}`, ' https://a.example'],
      ...['javascript:alert(1)', 5, [], {}, false],
    ],
  ],
  ['imageDisplaySize', 'imageDisplaySize', [159, 513, 0, -200, 200.5, '200', null, [200], true]],
  ['active', 'active', ['true', 1, 0, null, [], {}]],
  ['allowPriceOverride', 'allowPriceOverride', ['false', 1, 0, null, [], {}]],
  ['orderTemplate', 'orderTemplate', [null, [], MARKER, 5, {}, template({ name: MARKER })]],
  [
    'orderTemplate/amount',
    'Amount',
    ['', '0', '0.00', '-1', '1.', '.5', '25.001', '9'.repeat(19), MARKER, 25, null, undefined, {}],
  ],
  [
    'orderTemplate/currency',
    'Currency',
    ['', 'usd', 'USDD', 'XXX', 'XAU', 'ZZZ', MARKER, null, undefined, 840],
  ],
  [
    'orderTemplate/paymentMethodsKeys',
    'PaymentMethodsKeys',
    [
      ...[[], ['*', 'crypto'], ['all'], ['hosted'], ['a', 'a'], keys(65), ['a'.repeat(65)], ['Stripe'], ['']],
      ...['*', null, undefined, [5], [MARKER], {}],
    ],
  ],
  [
    'orderTemplate/metadata',
    'Metadata',
    [nested(4), { a: 'a'.repeat(16_384) }, [], null, MARKER, 5, { constructor: 1 }, { a: { prototype: 1 } }],
  ],
]

const bodyWith = (field: string, value: unknown) => {
  const [outer, inner] = field.split('/')
  if (inner) return productBody({ orderTemplate: template({ [inner]: value }) })
  return productBody({ [outer!]: value })
}

for (const [field, clause, values] of wrongValues) {
  test.each(values.map(value => [JSON.stringify(value)?.slice(0, 60), value]))(
    `a product whose ${field} is %s is refused (${clause})`,
    async (_, value) => {
      const body = bodyWith(field, value)
      const options = { key: shop.live, body }
      const refusal = { ...wrong, path: field.split('/')[0]! }
      await refused(app, refusal, 'POST', '/v1/products', options)
      await refused(app, refusal, 'PATCH', `/v1/products/${ownId}`, options)
      const second = { ...wrong, path: '/items/1/' }
      const items = [productBody(), body]
      await refused(app, second, 'POST', '/v1/products/bulk', { key: shop.live, body: { items } })
      const upserts = items.map((item, at) => ({ ...item, productUUID: at === 0 ? ownId : freshId() }))
      await refused(app, second, 'PUT', '/v1/products/bulk', { key: shop.live, body: { items: upserts } })
    },
  )
}

const rawProto = '{"name":"a","orderTemplate":{"amount":"1","currency":"USD","paymentMethodsKeys":["*"],'

const wrongBodies: [title: string, method: string, path: () => string, body: unknown][] = [
  ['a product: nothing', 'POST', () => '/v1/products', ''],
  ['a product: an empty object', 'POST', () => '/v1/products', {}],
  ['a product: a list', 'POST', () => '/v1/products', [productBody()]],
  ['a product: no template', 'POST', () => '/v1/products', { name: 'a' }],
  ['a product: no name', 'POST', () => '/v1/products', { orderTemplate: template() }],
  ['a product: an unknown property', 'POST', () => '/v1/products', productBody({ price: MARKER })],
  ['a product: an id', 'POST', () => '/v1/products', productBody({ productUUID: freshId() })],
  ['__proto__', 'POST', () => '/v1/products', `${rawProto}"metadata":{"__proto__":{"a":1}}}}`],
  ['a change: nothing', 'PATCH', () => `/v1/products/${ownId}`, ''],
  ['a change: no property', 'PATCH', () => `/v1/products/${ownId}`, {}],
  ['a change: an unknown property', 'PATCH', () => `/v1/products/${ownId}`, { name: 'a', x: MARKER }],
  ['a change: an id', 'PATCH', () => `/v1/products/${ownId}`, { productUUID: freshId() }],
  [
    'a change: part of a template',
    'PATCH',
    () => `/v1/products/${ownId}`,
    { orderTemplate: { amount: '1.00' } },
  ],
  ['new products: no items', 'POST', () => '/v1/products/bulk', {}],
  ['new products: none', 'POST', () => '/v1/products/bulk', { items: [] }],
  [
    'new products: 51',
    'POST',
    () => '/v1/products/bulk',
    { items: Array.from({ length: 51 }, () => productBody()) },
  ],
  [
    'new products: an unknown property',
    'POST',
    () => '/v1/products/bulk',
    { items: [productBody()], x: MARKER },
  ],
  [
    'new products: an id',
    'POST',
    () => '/v1/products/bulk',
    { items: [productBody({ productUUID: freshId() })] },
  ],
  ['new products: null', 'POST', () => '/v1/products/bulk', { items: [productBody(), null] }],
  ['an upsert: none', 'PUT', () => '/v1/products/bulk', { items: [] }],
  ['an upsert: no id', 'PUT', () => '/v1/products/bulk', { items: [productBody()] }],
  ['an upsert: no UUID', 'PUT', () => '/v1/products/bulk', { items: [productBody({ productUUID: MARKER })] }],
  [
    'an upsert: 51',
    'PUT',
    () => '/v1/products/bulk',
    { items: Array.from({ length: 51 }, () => productBody({ productUUID: freshId() })) },
  ],
  ['archiving: nothing', 'PATCH', () => '/v1/products/bulk/status', {}],
  ['archiving: no ids', 'PATCH', () => '/v1/products/bulk/status', { active: false }],
  ['archiving: no state', 'PATCH', () => '/v1/products/bulk/status', { productUUIDs: [freshId()] }],
  ['archiving: none', 'PATCH', () => '/v1/products/bulk/status', { productUUIDs: [], active: true }],
  ['archiving: no UUID', 'PATCH', () => '/v1/products/bulk/status', { productUUIDs: [MARKER], active: true }],
  [
    'archiving: 101',
    'PATCH',
    () => '/v1/products/bulk/status',
    { productUUIDs: Array.from({ length: 101 }, freshId), active: true },
  ],
  [
    'archiving: words for a state',
    'PATCH',
    () => '/v1/products/bulk/status',
    { productUUIDs: [freshId()], active: 'true' },
  ],
]

test.each(wrongBodies)('a body is refused (%s)', async (_, method, path, body) => {
  await refused(app, wrong, method, path(), { key: shop.live, body })
})

test('a repeated UUID is refused, in upper or lower case', async () => {
  const id = freshId()
  for (const second of [id, id.toUpperCase()]) {
    const items = [id, second].map(productUUID => productBody({ productUUID }))
    await refused(app, wrong, 'PUT', '/v1/products/bulk', { key: shop.live, body: { items } })
    const body = { productUUIDs: [ownId, second.replace(id, ownId), ownId.toUpperCase()], active: false }
    await refused(app, wrong, 'PATCH', '/v1/products/bulk/status', { key: shop.live, body })
  }
})

test('an upsert of another merchant’s product is forbidden and stores nothing', async () => {
  for (const productUUID of [foreignId, foreignId.toUpperCase()]) {
    const items = [productBody({ productUUID: freshId() }), productBody({ productUUID })]
    const forbidden = { status: 403, code: 'forbidden' }
    await refused(app, forbidden, 'PUT', '/v1/products/bulk', { key: shop.live, body: { items } })
  }
})

test('archiving several products changes none if one is unknown or of another merchant', async () => {
  for (const id of [freshId(), foreignId]) {
    const body = { productUUIDs: [ownId, id], active: false }
    await refused(app, absent, 'PATCH', '/v1/products/bulk/status', { key: shop.live, body })
  }
})

test('an unknown product, or one of another merchant, is not found', async () => {
  for (const id of [freshId(), foreignId]) {
    await refused(app, absent, 'GET', `/v1/products/${id}`, { key: shop.live })
    await refused(app, absent, 'PATCH', `/v1/products/${id}`, { key: shop.live, body: { name: 'a' } })
  }
  for (const id of ['bulk', MARKER, '1']) {
    await refused(app, wrong, 'GET', `/v1/products/${id}`, { key: shop.live })
  }
})

test.each([
  ['pageSize=0'],
  ['pageSize=101'],
  ['pageSize=1.5'],
  [`pageSize=${MARKER}`],
  ['pageToken='],
  [`pageToken=${MARKER}`],
  [`pageToken=${'a'.repeat(2049)}`],
  ['active=true'],
  ['pageSize=1&pageSize=2'],
])('a list with the query %s is refused', async query => {
  await refused(app, wrong, 'GET', `/v1/products?${query}`, { key: shop.live })
})

test('a key needs the scope of the operation', async () => {
  const keyWith = async (scope: 'products:read' | 'products:write') =>
    (await createKey(app.context, { merchantId: shop.id, mode: 'test', scopes: [scope] })).text
  const [reader, writer] = [await keyWith('products:read'), await keyWith('products:write')]
  const lacking = { status: 403, code: 'insufficient_scope' }
  const product = productBody({ productUUID: freshId() })
  const writes: [string, string, object][] = [
    ['POST', '/v1/products', productBody()],
    ['POST', '/v1/products/bulk', { items: [productBody()] }],
    ['PUT', '/v1/products/bulk', { items: [product] }],
    ['PATCH', '/v1/products/bulk/status', { productUUIDs: [ownId], active: true }],
    ['PATCH', `/v1/products/${ownId}`, { active: true }],
  ]
  for (const [method, path, body] of writes) {
    await refused(app, lacking, method, path, { key: reader, body })
    await refused(app, { status: 401, code: 'unauthorized' }, method, path, { body: MARKER })
    expect((await app.call(method, path, { key: writer, body })).status).toBeLessThan(300)
  }
  for (const path of ['/v1/products', `/v1/products/${ownId}`]) {
    await refused(app, lacking, 'GET', path, { key: writer })
    await refused(app, { status: 401, code: 'unauthorized' }, 'GET', path)
    expect((await app.call('GET', path, { key: reader })).status).toBe(200)
  }
})

test('a suspended merchant’s key is refused', async () => {
  await changeMerchant(app.context, stranger.id, { status: 'suspended' })
  const suspended = { status: 403, code: 'merchant_suspended' }
  await refused(app, suspended, 'GET', '/v1/products', { key: stranger.live })
  await changeMerchant(app.context, stranger.id, { status: 'active' })
})

const BULK_MAX = 5_505_024

/** A body with one product and a given number of bytes. */
const weighing = (size: number): string => {
  const body = JSON.stringify({ items: [productBody({ productUUID: freshId() })] })
  return body + ' '.repeat(size - body.length)
}

test.each(['POST', 'PUT'])('a bulk body of 5,505,025 bytes is too large for %s', async method => {
  const tooLarge = { status: 413, code: 'body_too_large' }
  const options = { key: shop.live, body: weighing(BULK_MAX + 1) }
  await refused(app, tooLarge, method, '/v1/products/bulk', options)
})

test('a body without Content-Length is read no further than the limit', async () => {
  const before = snapshotOf(app)
  let sent = 0
  const endless = new ReadableStream({
    pull(controller) {
      sent += 65_536
      controller.enqueue(new Uint8Array(65_536).fill(0x20))
    },
  })
  const headers = { 'x-api-key': shop.live, 'content-type': 'application/json' }
  const answer = await send(app, requestTo('PUT', '/v1/products/bulk', { headers, body: endless }))
  expect([answer.status, answer.json.error.code]).toEqual([413, 'body_too_large'])
  expect(sent).toBeLessThan(BULK_MAX + 1_000_000)
  expect(snapshotOf(app)).toEqual(before)
})

test('a bulk body of exactly 5,505,024 bytes is accepted', async () => {
  await data(app, 'PUT', '/v1/products/bulk', { key: shop.live, body: weighing(BULK_MAX) })
})

test('the limit also applies to a single product', async () => {
  const body = JSON.stringify(productBody()) + ' '.repeat(BULK_MAX)
  await refused(app, { status: 413, code: 'body_too_large' }, 'POST', '/v1/products', {
    key: shop.live,
    body,
  })
})
