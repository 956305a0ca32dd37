import { expect, test } from 'bun:test'
import { START } from '../support/app.ts'
import {
  check,
  givenOrder,
  givenProduct,
  givenShop,
  openCrypto,
  orderBody,
  simulate,
} from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { orderProblems } from './expected-shapes.ts'
import { data, MARKER, refused } from './request.ts'
import { changeRows, rowOf } from './rows.ts'

const { app, once } = suite()
const shop = once(() => givenShop(app))
const stranger = once(() => givenShop(app))
once(() => app.jobs.settle())

const at = (ms: number): string => new Date(START + ms).toISOString()
const wrong = { status: 400, code: 'validation_error' }
const absent = { status: 404, code: 'not_found' }

interface Page {
  items: { orderUUID: string; createdAt: string; status: string }[]
  nextPageToken?: string
}

const list = (query = '', key = shop.live): Promise<Page> => data(app, 'GET', `/v1/orders${query}`, { key })
const idsOf = ({ items }: Page): string[] => items.map(({ orderUUID }) => orderUUID)

/** Every page of a query; `between` runs before each next page. */
async function pages(query: string, key: string, between: () => Promise<unknown> = async () => {}) {
  const found: Page[] = [await list(query, key)]
  for (let token = found[0]?.nextPageToken; token; token = found.at(-1)?.nextPageToken) {
    await between()
    found.push(await list(`${query}&pageToken=${encodeURIComponent(token)}`, key))
    expect(found.length).toBeLessThan(200)
  }
  return found
}

const wrongQueries: [title: string, query: string][] = [
  ['a page size of 0', 'pageSize=0'],
  ['a page size of 101', 'pageSize=101'],
  ['a negative page size', 'pageSize=-1'],
  ['a fractional page size', 'pageSize=1.5'],
  ['a page size in words', `pageSize=${MARKER}`],
  ['an empty page size', 'pageSize='],
  ['a page size of white space', 'pageSize=%20'],
  ['a hexadecimal page size', 'pageSize=0x10'],
  ['an infinite page size', 'pageSize=Infinity'],
  ['two page sizes', 'pageSize=1&pageSize=2'],
  ['a page size as a list', 'pageSize[]=1'],
  ['an unknown status', `status=${MARKER}`],
  ['a status in lower case', 'status=paid'],
  ['an empty status', 'status='],
  ['two statuses at once', 'status=PAID&status=UNPAID'],
  ['statuses with a comma', 'status=PAID,UNPAID'],
  ['a malformed start', `createdFrom=${MARKER}`],
  ['a start that is a date', 'createdFrom=2026-03-01'],
  ['a start without an offset', 'createdFrom=2026-03-01T10:00:00'],
  ['a start on a day that does not exist', 'createdFrom=2026-02-30T10:00:00Z'],
  ['a start that is a number', 'createdFrom=1772445600000'],
  ['an empty end', 'createdTo='],
  ['a malformed time of change', `updatedFrom=${MARKER}`],
  ['a malformed address', `customerEmail=${MARKER}`],
  ['a malformed product', `productUUID=${MARKER}`],
  ['a malformed end', `createdTo=${MARKER}`],
  ['an unknown parameter', `orderUUID=${MARKER}`],
  ['a parameter in another case', 'PageSize=5'],
  ['a prototype key', '__proto__=1'],
  ['an empty externalId', 'externalId='],
  ['an externalId of 129 characters', `externalId=${'a'.repeat(129)}`],
  ['an empty token', 'pageToken='],
  ['a token that is a word', `pageToken=${MARKER}`],
  ['a token of 2049 characters', `pageToken=${'a'.repeat(2049)}`],
  ['a binary token', 'pageToken=%00%ff'],
  ['a token with other content', `pageToken=${btoa('{"createdAt":1}')}`],
  ['a token with SQL', `pageToken=${btoa("1.a' OR 1=1 --").replaceAll('=', '')}`],
  ['a token with a huge number', `pageToken=${btoa(`${'9'.repeat(40)}.a`).replaceAll('=', '')}`],
]

test.each(wrongQueries)('a list of orders with %s is refused', async (_, query) => {
  await refused(app, wrong, 'GET', `/v1/orders?${query}`, { key: shop.live })
})

test('a page token with one changed letter is refused, or shows no order of others', async () => {
  for (let i = 0; i < 3; i++) await givenOrder(app, shop)
  await givenOrder(app, stranger)
  const { nextPageToken: token = '' } = await list('?pageSize=1')
  for (let i = 0; i < token.length; i++) {
    const changed = token.slice(0, i) + (token[i] === 'A' ? 'B' : 'A') + token.slice(i + 1)
    const answer = await app.call('GET', `/v1/orders?pageToken=${changed}`, { key: shop.live })
    expect([200, 400]).toContain(answer.status)
    for (const { merchantId } of answer.json.data?.items ?? []) expect(merchantId).toBe(shop.id)
  }
})

test('the page token of another merchant shows none of their orders', async () => {
  for (let i = 0; i < 3; i++) await givenOrder(app, stranger)
  const { nextPageToken } = await list('?pageSize=1', stranger.live)
  const page = await list(`?pageToken=${nextPageToken}`)
  for (const order of page.items) expect(order).toMatchObject({ merchantId: shop.id })
})

const foreign: [method: string, path: (id: string) => string, body?: object][] = [
  ['GET', id => `/v1/orders/${id}`],
  ['POST', id => `/v1/orders/${id}/cancel`, {}],
]

test.each(foreign.map(([method, path, body]) => [`${method} ${path('{id}')}`, method, path, body] as const))(
  '%s of another merchant is not found',
  async (_, method, path, body) => {
    const { orderUUID } = await givenOrder(app, stranger)
    await refused(app, absent, method, path(orderUUID), { key: shop.live, body })
    await refused(app, absent, method, path(crypto.randomUUID()), { key: shop.live, body })
    expect(await data(app, 'GET', `/v1/orders/${orderUUID}`, { key: stranger.live })).toMatchObject({
      orderUUID,
    })
  },
)

test('a list has no order of another merchant, with any filter', async () => {
  const { orderUUID } = await givenOrder(app, stranger, { externalId: 'theirs' })
  for (const query of [
    '',
    '?externalId=theirs',
    '?status=UNPAID',
    `?createdFrom=${at(0)}`,
    '?pageSize=100',
  ]) {
    expect(idsOf(await list(query))).not.toContain(orderUUID)
  }
  expect((await list('?externalId=theirs')).items).toEqual([])
  expect(idsOf(await list('?externalId=theirs', stranger.live))).toEqual([orderUUID])
})

test('orders are found by customer, product and time of change', async () => {
  const merchant = await givenShop(app)
  const { id: productUUID } = await givenProduct(app, merchant, { allowPriceOverride: true })
  const customer = { email: 'Zoe@buyer.example' }
  const first = await givenOrder(app, merchant, { customer, productUUID })
  const second = await givenOrder(app, merchant)
  app.time.now += 1000
  for (const { orderUUID } of [first, second])
    await app.call('POST', `/v1/orders/${orderUUID}/cancel`, { key: merchant.live, body: {} })
  const third = await givenOrder(app, merchant)
  const since = new Date(app.time.now).toISOString()
  const found = async (query: string, key = merchant.live) => idsOf(await list(query, key))
  expect(await found('?customerEmail=zoe@BUYER.example')).toEqual([first.orderUUID])
  expect(await found('?customerEmail=nobody@buyer.example')).toEqual([])
  expect(await found(`?productUUID=${productUUID}`)).toEqual([first.orderUUID])
  const changed = [third, second, first].map(({ orderUUID }) => orderUUID)
  expect(await found(`?updatedFrom=${since}`)).toEqual(changed)
  expect(await found(`?updatedFrom=${since}&productUUID=${productUUID}`)).toEqual([first.orderUUID])
  const each = await pages(`?updatedFrom=${since}&pageSize=1`, merchant.live)
  expect(each.flatMap(idsOf)).toEqual(changed)
  expect(await found('?customerEmail=zoe@buyer.example', stranger.live)).toEqual([])
  expect(await found(`?productUUID=${productUUID}`, stranger.live)).toEqual([])
})

test('changed orders are on one page each, even if thousands changed together', async () => {
  const merchant = await givenShop(app)
  const made: string[] = []
  for (let i = 0; i < 5; i++) {
    made.unshift((await givenOrder(app, merchant)).orderUUID)
    app.time.now += 1000
  }
  const cancel = (id: string) => app.call('POST', `/v1/orders/${id}/cancel`, { key: merchant.live, body: {} })
  const since = new Date(app.time.now).toISOString()
  for (let i = 0; i < 2; i++) made.unshift((await givenOrder(app, merchant)).orderUUID)
  app.time.now += 1000
  // The newest order is the first of the list. The orders at 1, 3 and 6 change.
  for (const changed of [6, 3, 1]) await cancel(made[changed]!)
  const expected = [0, 1, 3, 6].map(index => made[index]!)
  const found = async (query: string) => (await pages(`?${query}`, merchant.live)).flatMap(idsOf)
  for (const size of [1, 2, 3, 4, 5])
    expect(await found(`updatedFrom=${since}&pageSize=${size}`)).toEqual(expected)
  expect(await found(`updatedFrom=${since}&status=CANCELLED&pageSize=2`)).toEqual(expected.slice(1))
  expect(await found(`updatedFrom=${since}&createdTo=${since}&pageSize=1`)).toEqual(expected.slice(2))
  expect(await found(`updatedFrom=${since}&createdFrom=${since}&pageSize=1`)).toEqual(expected.slice(0, 2))
  const earlier = new Date(Date.parse(since) - 2000).toISOString()
  expect(await found(`updatedFrom=${since}&createdTo=${earlier}&pageSize=1`)).toEqual(expected.slice(3))
  expect(await found(`updatedFrom=${new Date(app.time.now + 1).toISOString()}`)).toEqual([])
  const columns = Object.keys(rowOf(app, 'SELECT * FROM orders WHERE id = ?', made[6]!)).filter(
    name => name !== 'id',
  )
  changeRows(
    app,
    `INSERT INTO orders (id, ${columns.join()})
     WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2100)
     SELECT 'copy-' || n, ${columns.join()} FROM orders, numbers WHERE id = ?`,
    made[6]!,
  )
  const all = await found(`updatedFrom=${since}&pageSize=100`)
  expect([all.length, new Set(all).size]).toEqual([2104, 2104])
  expect(all.filter(id => !id.startsWith('copy-'))).toEqual(expected)
  const old = await found(`updatedFrom=${since}&createdTo=${earlier}&pageSize=100`)
  expect([old.length, old.filter(id => !id.startsWith('copy-'))]).toEqual([2101, expected.slice(3)])
  changeRows(app, "DELETE FROM orders WHERE id LIKE 'copy-%'")
})

test('an order is not found by a part of its id or by a longer id', async () => {
  const { orderUUID } = await givenOrder(app, shop)
  const key = shop.live
  for (const bad of [
    orderUUID.slice(1),
    `${orderUUID}0`,
    orderUUID.replaceAll('-', ''),
    `{${orderUUID}}`,
    '%00',
  ]) {
    await refused(app, wrong, 'GET', `/v1/orders/${bad}`, { key })
  }
})

test('a new merchant has an empty list', async () => {
  expect(await list('', (await givenShop(app)).live)).toEqual({ items: [] })
})

test('the list of orders is newest first, with 20 orders a page by default', async () => {
  const merchant = await givenShop(app)
  const made: string[] = []
  for (let i = 0; i < 25; i++) {
    app.time.now += 1
    made.unshift((await givenOrder(app, merchant)).orderUUID)
  }
  const [first, second, ...more] = await pages('?pageSize=20', merchant.live)
  expect(more).toEqual([])
  expect([idsOf(first!), idsOf(second!)]).toEqual([made.slice(0, 20), made.slice(20)])
  expect(idsOf(await list('', merchant.live))).toEqual(made.slice(0, 20))
  for (const item of first!.items) expect(orderProblems(item)).toEqual([])
})

test('a list shows each order as the order’s own route does', async () => {
  const merchant = await givenShop(app)
  const order = await givenOrder(app, merchant, { metadata: { a: [1] }, externalId: 'one' })
  expect((await list('', merchant.live)).items).toEqual([order])
})

test.each([1, 2, 3, 7, 100])(
  'pages of %d have every order once, even those of one millisecond',
  async size => {
    const merchant = await givenShop(app)
    const made = await Promise.all(Array.from({ length: 21 }, () => givenOrder(app, merchant)))
    const found = await pages(`?pageSize=${size}`, merchant.live)
    expect(found.flatMap(idsOf).sort()).toEqual(made.map(({ orderUUID }) => orderUUID).sort())
    expect(found).toHaveLength(Math.ceil(21 / size))
    for (const page of found.slice(0, -1)) expect(page.items).toHaveLength(size)
    expect(found.at(-1)).not.toHaveProperty('nextPageToken')
  },
)

test('pages repeat and skip no orders while orders are added', async () => {
  const merchant = await givenShop(app)
  const made: string[] = []
  for (let i = 0; i < 12; i++) {
    if (i % 3 === 0) app.time.now += 1
    made.push((await givenOrder(app, merchant)).orderUUID)
  }
  let added = 0
  const found = await pages('?pageSize=3', merchant.live, async () => {
    if (added % 2 === 0) app.time.now += 1
    await givenOrder(app, merchant, { externalId: `added-${++added}` })
  })
  const ids = found.flatMap(idsOf)
  expect(added).toBeGreaterThan(2)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of made) expect(ids).toContain(id)
})

test('pages repeat no orders while orders leave a filter, and skip none that still match', async () => {
  const merchant = await givenShop(app)
  const made: string[] = []
  for (let i = 0; i < 9; i++) {
    app.time.now += 1
    made.unshift((await givenOrder(app, merchant)).orderUUID)
  }
  const gone = [made[1]!, made[4]!, made[8]!]
  const leaving = [...gone]
  const found = await pages('?status=UNPAID&pageSize=2', merchant.live, async () => {
    const id = leaving.shift()
    if (id) await data(app, 'POST', `/v1/orders/${id}/cancel`, { key: merchant.live, body: {} })
  })
  const ids = found.flatMap(idsOf)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of made.filter(id => !gone.includes(id))) expect(ids).toContain(id)
})

test('each filter of a list shows the matching orders, alone and combined', async () => {
  const merchant = await givenShop(app)
  const start = app.time.now
  const stamp = (ms: number) => encodeURIComponent(new Date(start + ms).toISOString())
  const made: Record<string, string> = {}
  for (const [name, change] of [
    ['open', { externalId: 'a' }],
    ['cancelled', { externalId: 'a' }],
    ['paid', { externalId: 'b' }],
    ['expired', { externalId: 'c', expiresAt: new Date(start + 7_200_000).toISOString() }],
  ] as const) {
    app.time.now += 1000
    made[name] = (await givenOrder(app, merchant, change)).orderUUID
  }
  await data(app, 'POST', `/v1/orders/${made.cancelled}/cancel`, { key: merchant.live, body: {} })
  await openCrypto(app, made.paid!, 'btc')
  await simulate(app, made.paid!, 'paid')
  await check(app, made.paid!)
  await app.advance(7_200_000)

  const expected: [query: string, names: string[]][] = [
    ['status=UNPAID', ['open']],
    ['status=CANCELLED', ['cancelled']],
    ['status=PAID', ['paid']],
    ['status=EXPIRED', ['expired']],
    ['status=FAILED', []],
    ['externalId=a', ['cancelled', 'open']],
    ['externalId=A', []],
    ['externalId=a&status=UNPAID', ['open']],
    [`createdFrom=${stamp(2500)}`, ['expired', 'paid']],
    [`createdFrom=${stamp(3000)}`, ['expired', 'paid']],
    [`createdTo=${stamp(2500)}`, ['cancelled', 'open']],
    [`createdFrom=${stamp(1500)}&createdTo=${stamp(3500)}`, ['paid', 'cancelled']],
    [`createdFrom=${stamp(3500)}&createdTo=${stamp(1500)}`, []],
    [`createdFrom=${stamp(1500)}&externalId=a&status=CANCELLED&pageSize=1`, ['cancelled']],
    [`createdFrom=${encodeURIComponent('2026-03-01T00:00:00+14:00')}&externalId=b`, ['paid']],
  ]
  for (const [query, names] of expected) {
    const ids = idsOf(await list(`?${query}`, merchant.live))
    expect([query, ids]).toEqual([query, names.map(name => made[name]!)])
  }
})

test('filters of a list of orders apply to every page', async () => {
  const merchant = await givenShop(app)
  for (let i = 0; i < 10; i++) await givenOrder(app, merchant, { externalId: i % 2 ? 'odd' : 'even' })
  const found = await pages('?externalId=odd&pageSize=2', merchant.live)
  expect(found.flatMap(({ items }) => items)).toHaveLength(5)
  for (const { items } of found) for (const item of items) expect(item).toMatchObject({ externalId: 'odd' })
})

test('reading orders changes nothing', async () => {
  const { orderUUID } = await givenOrder(app, shop)
  const before = await data(app, 'GET', `/v1/orders/${orderUUID}`, { key: shop.test })
  app.time.now += 1000
  await list('?pageSize=100', shop.test)
  expect(await data(app, 'GET', `/v1/orders/${orderUUID}`, { key: shop.test })).toEqual(before)
  expect(before.updatedAt).toBe(before.createdAt)
})

test('a merchant learns nothing about another merchant’s order', async () => {
  const { orderUUID } = await givenOrder(app, stranger, orderBody({ externalId: MARKER }))
  for (const path of [
    `/v1/orders/${orderUUID}`,
    `/v1/orders?externalId=${MARKER}`,
    '/v1/orders?pageSize=100',
  ]) {
    const answer = await app.call('GET', path, { key: shop.live })
    expect(answer.text).not.toContain(MARKER)
    expect(answer.text).not.toContain(orderUUID)
  }
})
