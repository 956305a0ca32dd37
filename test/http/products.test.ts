import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { START } from '../support/app.ts'
import { givenMerchant } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { productProblems } from './expected-shapes.ts'
import { productBody, template } from './products.ts'
import { data } from './request.ts'
import { rowOf } from './rows.ts'

const { app, once, each } = suite()
once(() => app.jobs.settle())
each(() => {
  app.time.now = START
})
const shop = each(() => givenMerchant(app))

const at = (ms: number): string => new Date(START + ms).toISOString()
const freshId = (): string => crypto.randomUUID()
const emoji = (count: number): string => '😀'.repeat(count)

async function product(method: string, path: string, body?: object, status = 200) {
  const answered = await data(app, method, path, { key: shop.test, body }, status)
  expect(productProblems(answered)).toEqual([])
  return answered
}
const create = (change: object = {}) => product('POST', '/v1/products', productBody(change), 201)
const read = (id: string) => product('GET', `/v1/products/${id}`)
const patch = (id: string, change: object) => product('PATCH', `/v1/products/${id}`, change)
const bulk = (method: string, path: string, body: object, status = 200) =>
  data(app, method, `/v1/products/bulk${path}`, { key: shop.test, body }, status)
const list = async (key = shop.test) => (await data(app, 'GET', '/v1/products', { key })).items

test('a product with only a name and a template has the documented defaults', async () => {
  const made = await create()
  expect(made).toEqual({
    productUUID: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    merchantId: shop.id,
    checkoutUrl: `http://localhost/checkout/${made.productUUID}`,
    name: 'House blend',
    description: null,
    imageUrl: null,
    imageDisplaySize: 512,
    active: true,
    allowPriceOverride: true,
    orderTemplate: template({ metadata: {} }),
    createdAt: at(0),
    updatedAt: at(0),
  })
  expect(await read(made.productUUID)).toEqual(made)
  expect(await read(made.productUUID.toUpperCase())).toEqual(made)
})

test('a product with all optional fields keeps them', async () => {
  const everything = {
    name: 'Ünïcode blend',
    description: 'A bag of 1 kg',
    imageUrl: 'http://shop.example/blend.png?size=800',
    imageDisplaySize: 160,
    active: false,
    allowPriceOverride: false,
    orderTemplate: template({
      paymentMethodsKeys: ['crypto', 'stripe'],
      metadata: { sku: { a: [1, null] } },
    }),
  }
  expect(await create(everything)).toMatchObject(everything)
})

const edges: [title: string, change: object][] = [
  ['a name of one character', { name: 'a' }],
  ['a name of 120 characters beyond the basic plane', { name: emoji(120) }],
  ['a description of 512 of them', { description: emoji(512) }],
  ['a description of null', { description: null }],
  ['an image of null', { imageUrl: null }],
  ['an image address of 2048 characters', { imageUrl: `https://a.example/${'a'.repeat(2030)}` }],
  ['an image of 512 pixels', { imageDisplaySize: 512 }],
  [
    '64 methods',
    {
      orderTemplate: template({
        paymentMethodsKeys: Array.from({ length: 64 }, (_, i) => `k${i}`),
        metadata: {},
      }),
    },
  ],
  ['metadata with three levels', { orderTemplate: template({ metadata: { a: { b: { c: 1 } } } }) }],
]

test.each(edges)('a product can have %s', async (_, change) => {
  expect(await create(change)).toMatchObject(change)
})

test.each([
  ['25', 'USD', '25.00'],
  ['25.5', 'USD', '25.50'],
  ['100', 'JPY', '100'],
  ['1.234', 'KWD', '1.234'],
  ['007', 'EUR', '7.00'],
])('the template’s amount %s %s is normalised', async (amount, currency, normal) => {
  const { orderTemplate } = await create({ orderTemplate: template({ amount, currency }) })
  expect(orderTemplate).toMatchObject({ amount: normal, currency })
})

const patches: [title: string, change: object][] = [
  ['name', { name: 'Another' }],
  ['description', { description: 'Another' }],
  ['description to null', { description: null }],
  ['image', { imageUrl: 'https://shop.example/b.png' }],
  ['image to null', { imageUrl: null }],
  ['image’s size', { imageDisplaySize: 200 }],
  ['price’s freedom', { allowPriceOverride: true }],
  ['activity', { active: false }],
]

test.each(patches)('changing the %s changes nothing else but updatedAt', async (_, change) => {
  const description = 'A bag of 1 kg'
  const before = await create({ description, imageUrl: 'https://a.example/a', allowPriceOverride: false })
  app.time.now += 60_000
  const after = await patch(before.productUUID, change)
  expect(after).toEqual({ ...before, ...change, updatedAt: at(60_000) })
  expect(await read(before.productUUID)).toEqual(after)
})

test('a template is replaced as a whole: metadata that is left out is removed', async () => {
  const { productUUID } = await create({ orderTemplate: template({ metadata: { sku: 1 } }) })
  const { orderTemplate } = await patch(productUUID, { orderTemplate: template({ amount: '9' }) })
  expect(orderTemplate).toEqual(template({ amount: '9.00', metadata: {} }))
})

test('an archived product can be read, and restored', async () => {
  const { productUUID } = await create()
  expect((await patch(productUUID, { active: false })).active).toBe(false)
  expect((await read(productUUID)).active).toBe(false)
  expect((await patch(productUUID, { active: true })).active).toBe(true)
})

test('a change in the same millisecond, or after the clock was set back, still comes first', async () => {
  const [first, second] = [await create(), await create()]
  expect((await list()).map(({ productUUID }: { productUUID: string }) => productUUID)).toEqual([
    second.productUUID,
    first.productUUID,
  ])
  app.time.now = START - 5000
  const changed = await patch(first.productUUID, { name: 'Changed' })
  expect(Date.parse(changed.updatedAt)).toBeGreaterThan(Date.parse(second.updatedAt))
  expect((await list())[0].productUUID).toBe(first.productUUID)
})

test('50 products are created in the order of the request, at the same time', async () => {
  const names = Array.from({ length: 50 }, (_, i) => `Blend ${i}`)
  const made = await bulk('POST', '', { items: names.map(name => productBody({ name })) }, 201)
  expect(made.createdCount).toBe(50)
  expect(made.items.flatMap(productProblems)).toEqual([])
  expect(made.items.map(({ name }: { name: string }) => name)).toEqual(names)
  expect(new Set(made.items.map(({ updatedAt }: { updatedAt: string }) => updatedAt)).size).toBe(1)
  expect(new Set(made.items.map(({ productUUID }: { productUUID: string }) => productUUID)).size).toBe(50)
})

test('an upsert creates new products, changes existing ones, and counts both', async () => {
  const known = await create({
    description: 'stays',
    imageUrl: 'https://a.example/a',
    imageDisplaySize: 200,
    active: false,
    allowPriceOverride: false,
    orderTemplate: template({ metadata: { sku: 1 } }),
  })
  app.time.now += 60_000
  const id = freshId()
  const orderTemplate = template({ amount: '99', currency: 'EUR' })
  const items = [
    productBody({ productUUID: id.toUpperCase(), imageDisplaySize: 300 }),
    productBody({ productUUID: known.productUUID, name: 'Renamed', orderTemplate }),
  ]
  const { items: stored, ...counts } = await bulk('PUT', '', { items })
  expect(counts).toEqual({ createdCount: 1, updatedCount: 1 })
  expect(stored.flatMap(productProblems)).toEqual([])
  expect(stored[0]).toMatchObject({ productUUID: id, imageDisplaySize: 300, createdAt: at(60_000) })
  expect(stored[1]).toEqual({
    ...known,
    name: 'Renamed',
    orderTemplate: template({ amount: '99.00', currency: 'EUR', metadata: {} }),
    updatedAt: at(60_000),
  })
  const again = await bulk('PUT', '', { items })
  expect(again).toMatchObject({ createdCount: 0, updatedCount: 2 })
  expect(again.items[0].createdAt).toBe(stored[0].createdAt)
})

test('archiving 100 products counts all of them, including those already archived', async () => {
  const ids: string[] = []
  for (let i = 0; i < 2; i++) {
    const items = Array.from({ length: 50 }, () => productBody({ active: i === 0 }))
    const made = await bulk('POST', '', { items }, 201)
    ids.push(...made.items.map(({ productUUID }: { productUUID: string }) => productUUID))
  }
  for (const active of [false, true]) {
    const { items, ...rest } = await bulk('PATCH', '/status', { productUUIDs: ids, active })
    expect(rest).toEqual({ updatedCount: 100, active })
    expect(items.flatMap(productProblems)).toEqual([])
    expect(items.map((item: { productUUID: string }) => item.productUUID)).toEqual(ids)
    expect(items.every((item: { active: boolean }) => item.active === active)).toBe(true)
  }
})

test('a list has only the merchant’s own products, 20 a page by default', async () => {
  const other = await givenMerchant(app)
  expect(await list()).toEqual([])
  await bulk('POST', '', { items: Array.from({ length: 21 }, () => productBody()) }, 201)
  const page = await data(app, 'GET', '/v1/products', { key: shop.live })
  expect(page.items.length).toBe(20)
  expect(page.items.flatMap(productProblems)).toEqual([])
  const { pageToken } = { pageToken: page.nextPageToken }
  const rest = await data(app, 'GET', `/v1/products?pageToken=${pageToken}`, { key: shop.live })
  expect([rest.items.length, rest.nextPageToken]).toEqual([1, undefined])
  expect(await list(other.live)).toEqual([])
})

test('20 upserts of one UUID at once create one product', async () => {
  const productUUID = freshId()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      bulk('PUT', '', { items: [productBody({ productUUID, name: `Blend ${i}` })] }),
    ),
  )
  const created = answers.reduce((sum, { createdCount }) => sum + createdCount, 0)
  expect(created).toBe(1)
  expect(Number(rowOf(app, 'SELECT COUNT(*) AS n FROM products WHERE id = ?', productUUID).n)).toBe(1)
})

const PRODUCTS = 12

/** Changes between two pages: products are created or changed, at the same time or later. */
const change = fc.record({
  kind: fc.constantFrom('create', 'patch', 'archive', 'upsert'),
  targets: fc.uniqueArray(fc.nat(PRODUCTS - 1), { minLength: 1, maxLength: 3 }),
  elapsedMs: fc.constantFrom(0, 1, 1000),
})
const story = fc.record({
  pageSize: fc.integer({ min: 1, max: 5 }),
  elapsedMs: fc.constantFrom(0, 1),
  between: fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 8 }),
})
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

async function givenProducts(key: string, elapsedMs: number): Promise<string[]> {
  const ids: string[] = []
  for (let made = 0; made < PRODUCTS; made += 3) {
    const items = Array.from({ length: 3 }, () => productBody())
    const answer = await data(app, 'POST', '/v1/products/bulk', { key, body: { items } }, 201)
    ids.push(...answer.items.map(({ productUUID }: { productUUID: string }) => productUUID))
    app.time.now += elapsedMs
  }
  return ids
}

async function act({ kind, targets, elapsedMs }: Change, ids: string[], key: string): Promise<string[]> {
  app.time.now += elapsedMs
  if (kind === 'create') {
    await data(app, 'POST', '/v1/products', { key, body: productBody() }, 201)
    return []
  }
  const changed = targets.map(target => ids[target]!)
  const [first] = changed
  if (kind === 'patch') {
    await data(app, 'PATCH', `/v1/products/${first}`, { key, body: { name: 'Changed' } })
    return [first!]
  }
  if (kind === 'archive') {
    const body = { productUUIDs: changed, active: false }
    await data(app, 'PATCH', '/v1/products/bulk/status', { key, body })
  } else {
    const items = changed.map(productUUID => productBody({ productUUID }))
    await data(app, 'PUT', '/v1/products/bulk', { key, body: { items } })
  }
  return changed
}

test('while other products change, an unchanged product is never skipped or repeated', async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ pageSize, elapsedMs, between }) => {
      app.time.now = START
      const { live: key } = await givenMerchant(app)
      const ids = await givenProducts(key, elapsedMs)
      const changed = new Set<string>()
      const seen: { productUUID: string; updatedAt: string }[] = []
      let token: string | undefined
      for (let page = 0; page === 0 || token; page++) {
        expect(page).toBeLessThan(100)
        const query = `pageSize=${pageSize}${token ? `&pageToken=${token}` : ''}`
        const answer = await data(app, 'GET', `/v1/products?${query}`, { key })
        expect(answer.items.length).toBeLessThanOrEqual(pageSize)
        seen.push(...answer.items)
        token = answer.nextPageToken
        for (const step of between[page] ?? []) {
          for (const id of await act(step, ids, key)) changed.add(id)
        }
      }
      const seenIds = seen.map(({ productUUID }) => productUUID)
      expect(new Set(seenIds).size).toBe(seenIds.length)
      expect(ids.filter(id => !changed.has(id) && !seenIds.includes(id))).toEqual([])
      const times = seen.map(({ updatedAt }) => updatedAt)
      expect(times).toEqual([...times].sort().reverse())
    }),
    { numRuns: 40 },
  )
  expect(app.audit()).toEqual([])
})
