import { expect, test } from 'bun:test'
import { givenShop } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { orderProblems } from './expected-shapes.ts'
import { base64, png, productBody, template } from './products.ts'
import { data, refused } from './request.ts'

const { app, once } = suite()
const shop = once(() => givenShop(app))
const stranger = once(() => givenShop(app))
once(() => app.jobs.settle())

const customer = { email: 'buyer@example.com' }

const product = async (change: object = {}, by = shop): Promise<string> =>
  (await data(app, 'POST', '/v1/products', { key: by.live, body: productBody(change) }, 201)).productUUID

async function order(productUUID: string, change: object = {}) {
  const body = { productUUID, customer, ...change }
  const made = await data(app, 'POST', '/v1/orders', { key: shop.live, body }, 201)
  expect(orderProblems(made)).toEqual([])
  expect(await data(app, 'GET', `/v1/orders/${made.orderUUID}`, { key: shop.live })).toEqual(made)
  return made
}

const twoMethods = template({ paymentMethodsKeys: ['stripe', 'crypto'] })

const refusals: [title: string, product: object, change: object, status: number, code: string][] = [
  ['an archived product', { active: false }, {}, 422, 'product_not_available'],
  [
    'a price that is not allowed',
    { allowPriceOverride: false },
    { amount: '1.00', currency: 'USD' },
    422,
    'price_override_not_allowed',
  ],
  ['an amount without a currency', {}, { amount: '1.00' }, 400, 'validation_error'],
  ['a currency without an amount', {}, { currency: 'EUR' }, 400, 'validation_error'],
  [
    'a method that the product does not have',
    { orderTemplate: twoMethods },
    { paymentMethodsKeys: ['crypto', 'paypal'] },
    422,
    'method_not_offered',
  ],
  [
    'every method of a product of two',
    { orderTemplate: twoMethods },
    { paymentMethodsKeys: ['*'] },
    422,
    'method_not_offered',
  ],
  ['a reserved method key', {}, { paymentMethodsKeys: ['all'] }, 400, 'validation_error'],
  [
    'merged metadata that is too much',
    { orderTemplate: template({ metadata: { a: 'a'.repeat(9000) } }) },
    { metadata: { b: 'b'.repeat(9000) } },
    400,
    'validation_error',
  ],
  ['an id that is not a UUID', {}, { productUUID: '1' }, 400, 'validation_error'],
  ['an unknown product', {}, { productUUID: crypto.randomUUID() }, 422, 'product_not_available'],
  ['no customer', {}, { customer: undefined }, 400, 'validation_error'],
]

test.each(refusals)('an order of %s is refused', async (_, made, change, status, code) => {
  const body = { productUUID: await product(made), customer, ...change }
  await refused(app, { status, code }, 'POST', '/v1/orders', { key: shop.live, body })
})

test('an order for another merchant’s product is refused', async () => {
  const body = { productUUID: await product({}, stranger), customer }
  const refusal = { status: 422, code: 'product_not_available' }
  await refused(app, refusal, 'POST', '/v1/orders', { key: shop.live, body })
})

test('an order takes what it leaves out from the template of its product', async () => {
  const metadata = { sku: 'HB-1', bag: { grams: 250 } }
  const id = await product({ description: 'A bag', orderTemplate: template({ metadata }) })
  expect(await order(id.toUpperCase())).toMatchObject({
    productUUID: id,
    productName: 'House blend',
    amount: '12.50',
    currency: 'USD',
    paymentMethodsKeys: ['*'],
    description: 'A bag',
    metadata,
    source: 'api',
    status: 'UNPAID',
  })
})

const allowed: [title: string, product: object, change: object, has: object][] = [
  [
    'price and currency are replaced together',
    {},
    { amount: '7', currency: 'JPY' },
    { amount: '7', currency: 'JPY' },
  ],
  [
    'the template’s own price is normalised too',
    {},
    { amount: '12.5', currency: 'USD' },
    { amount: '12.50' },
  ],
  [
    'a part of the methods can be chosen',
    { orderTemplate: twoMethods },
    { paymentMethodsKeys: ['crypto'] },
    { paymentMethodsKeys: ['crypto'], provisioningStatus: 'READY' },
  ],
  [
    'any method can be chosen when all are offered',
    {},
    { paymentMethodsKeys: ['stripe'] },
    { paymentMethodsKeys: ['stripe'], provisioningStatus: 'CREATED' },
  ],
  [
    'the product’s description takes precedence',
    { description: 'ours' },
    { description: 'b' },
    { description: 'ours' },
  ],
  [
    'the order’s description is used when the product has none',
    {},
    { description: 'b' },
    { description: 'b' },
  ],
  [
    'the product’s image takes precedence',
    { imageUrl: 'http://shop.example/a.png' },
    { productImageUrl: 'https://b.example/b.png' },
    { productImageUrl: 'http://shop.example/a.png' },
  ],
  [
    'the order’s image is used when the product has none',
    {},
    { productImageUrl: 'https://b.example/b.png' },
    { productImageUrl: 'https://b.example/b.png' },
  ],
  [
    'the order’s metadata is merged over the product’s',
    { orderTemplate: template({ metadata: { a: 1, b: { c: 1 } } }) },
    { metadata: { b: { d: 2 } } },
    { metadata: { a: 1, b: { d: 2 } } },
  ],
]

test.each(allowed)('%s', async (_, made, change, has) => {
  expect(await order(await product(made), change)).toMatchObject(has)
})

test('an order does not change when its product is changed or archived', async () => {
  const imageBase64 = base64(png({ colour: 0 }))
  const id = await product({ description: 'A bag', imageBase64 })
  const before = await order(id)
  expect(before.productImageUrl).toMatch(/^http:\/\/localhost\/images\/[0-9a-f]{64}$/)
  const change = productBody({
    name: 'Another',
    description: 'Another',
    imageUrl: 'https://shop.example/b.png',
    active: false,
    orderTemplate: template({
      amount: '99',
      currency: 'EUR',
      paymentMethodsKeys: ['crypto'],
      metadata: { a: 1 },
    }),
  })
  await data(app, 'PATCH', `/v1/products/${id}`, { key: shop.live, body: change })
  expect(await data(app, 'GET', `/v1/orders/${before.orderUUID}`, { key: shop.live })).toEqual(before)
  await data(app, 'PATCH', `/v1/products/${id}`, { key: shop.live, body: { active: true } })
  expect(await order(id)).toMatchObject({ productName: 'Another', amount: '99.00', currency: 'EUR' })
  expect(await data(app, 'GET', `/v1/orders/${before.orderUUID}`, { key: shop.live })).toEqual(before)
})

test('a restored product can be ordered again', async () => {
  const id = await product({ active: false })
  const body = { productUUIDs: [id], active: true }
  await data(app, 'PATCH', '/v1/products/bulk/status', { key: shop.live, body })
  expect(await order(id)).toMatchObject({ productUUID: id })
})
