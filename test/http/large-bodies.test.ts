import { expect, test } from 'bun:test'
import { givenShop, orderBody } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { productBody } from './products.ts'

const { app, once } = suite()
const shop = once(() => givenShop(app))

const BULK = '/v1/products/bulk'
/** Processor time, which other processes do not change. Each of these bodies took 1 to 5 seconds before. */
const CPU_MS = 500

const list = (item: string, count: number) => `{"items":[${Array(count).fill(item).join()}]}`
const members = Array.from({ length: 400_000 }, (_, i) => `"k${i}":1`).join()

const floods: [what: string, body: string, message: RegExp][] = [
  ['empty lists', list('[]', 1_600_000), /at most 100000 values/],
  ['numbers', list('1', 2_500_000), /at most 100000 values/],
  ['long numbers', list('0.123456789012345', 250_000), /at most 100000 values/],
  ['empty strings', list('""', 1_650_000), /at most 100000 values/],
  ['unknown properties', `{${members}}`, /at most 100000 values/],
  ['unknown properties of an item', `{"items":[{${members}}]}`, /at most 100000 values/],
  ['99,000 empty lists', list('[]', 49_000), /^\/items: must have 1 to 50 items$/],
  ['99,000 numbers', list('1', 99_000), /^\/items: must have 1 to 50 items$/],
  ['levels', `${'['.repeat(2_500_000)}${']'.repeat(2_500_000)}`, /nested at most 32 levels deep/],
]

test.each(floods)('a body of many %s is refused quickly', async (_, body, message) => {
  const { user: before } = process.cpuUsage()
  const { status, json } = await app.call('PUT', BULK, { key: shop.live, body })
  const ms = (process.cpuUsage().user - before) / 1000
  expect([status, json.error.code]).toEqual([400, 'validation_error'])
  expect(json.error.message).toMatch(message)
  expect(ms).toBeLessThan(CPU_MS)
})

test.each([
  ['PUT', BULK, 'items', 51, 'must have 1 to 50 items'],
  ['POST', BULK, 'items', 60, 'must have 1 to 50 items'],
  ['PATCH', `${BULK}/status`, 'productUUIDs', 101, 'must have 1 to 100 items'],
])(
  '%s %s with too many %s gets one error, not one for each of them',
  async (method, path, field, count, rule) => {
    const body = { [field]: Array(count).fill({ colour: 'red' }), active: true }
    const { error } = (await app.call(method, path, { key: shop.live, body })).json
    expect(error.details.filter((detail: { path: string }) => detail.path.startsWith(`/${field}`))).toEqual([
      { path: `/${field}`, rule },
    ])
  },
)

test('the items of a body are checked one by one if there are not too many', async () => {
  const body = { items: Array(3).fill({ colour: 'red' }) }
  const { details } = (await app.call('POST', BULK, { key: shop.live, body })).json.error
  expect(details.map(({ path }: { path: string }) => path)).toEqual(
    expect.arrayContaining(['/items/0/colour', '/items/1/colour', '/items/2/colour']),
  )
})

test('the limit of a body’s items does not count commas, brackets and quotes in strings', async () => {
  const text = '[,{"\\'.repeat(400)
  const items = Array.from({ length: 50 }, () =>
    productBody({ description: text.slice(0, 500), orderTemplate: { ...template, metadata: { text } } }),
  )
  expect((await app.call('POST', BULK, { key: shop.live, body: { items } })).status).toBe(201)
})

test('the metadata of an order may have thousands of short values', async () => {
  const metadata = { ones: Array(8000).fill(1) }
  expect(
    (await app.call('POST', '/v1/orders', { key: shop.live, body: orderBody({ metadata }) })).status,
  ).toBe(201)
  const body = orderBody({ metadata: { ones: Array(11_000).fill(1) } })
  const { error } = (await app.call('POST', '/v1/orders', { key: shop.live, body })).json
  expect(error.message).toBe('The request must contain at most 10000 values')
})

const template = { amount: '18.50', currency: 'EUR', paymentMethodsKeys: ['*'] }
