import { expect, test } from 'bun:test'
import { blockCustomer } from '../../src/operations/customers/block.ts'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { EVM_WALLET, givenMerchant, givenProduct, givenShop } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { orderProblems } from './expected-shapes.ts'
import { getOrder } from './payments.ts'
import { data, MARKER, refused } from './request.ts'

const NOBODY = '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55'

const { app, once, each } = suite()
once(() => app.jobs.settle())
const shop = each(() => givenShop(app))

const pathOf = (id: string) => `/v1/checkout/products/${id}`
const body = (change: object = {}) => ({
  customer: { email: 'buyer@example.com', fullName: ' Sam Buyer ' },
  paymentMethodKey: 'crypto',
  ...change,
})

const hidden: [why: string, change: object][] = [['is archived', { active: false }]]

test.each(hidden)('a product that %s is not found by the public', async (_, change) => {
  const { id } = await givenProduct(app, shop, change)
  await refused(app, { status: 404, code: 'not_found' }, 'GET', pathOf(id))
  await refused(app, { status: 404, code: 'not_found' }, 'POST', `${pathOf(id)}/orders`, { body: body() })
})

test('a product that is unknown or belongs to a suspended merchant is not found by the public', async () => {
  const { id } = await givenProduct(app, shop)
  await changeMerchant(app.context, shop.id, { status: 'suspended' })
  for (const uuid of [NOBODY, id]) {
    await refused(app, { status: 404, code: 'not_found' }, 'GET', pathOf(uuid))
    await refused(app, { status: 404, code: 'not_found' }, 'POST', `${pathOf(uuid)}/orders`, { body: body() })
  }
})

test('a malformed ID of a product is refused', async () => {
  await refused(app, { status: 400, code: 'validation_error' }, 'GET', pathOf('first'))
})

test('only the public fields of a product are shown', async () => {
  const product = await givenProduct(app, shop, {
    imageUrl: 'https://cdn.shop.example/blend.jpg',
    allowPriceOverride: true,
    metadata: { secret: MARKER },
  })
  expect(await data(app, 'GET', pathOf(product.id))).toEqual({
    productUUID: product.id,
    merchantName: 'Corner Coffee',
    name: 'House blend',
    description: 'A bag of 250 g, whole bean',
    imageUrl: 'https://cdn.shop.example/blend.jpg',
    imageDisplaySize: 320,
    allowPriceOverride: true,
    amount: '12.50',
    currency: 'USD',
    paymentMethodsKeys: ['*'],
    checkoutUrl: `http://localhost/checkout/${product.id}`,
  })
  expect(await data(app, 'GET', pathOf(product.id.toUpperCase()))).toMatchObject({ productUUID: product.id })
})

const wrong: [why: string, body: unknown, path?: string][] = [
  ['no body', ''],
  ['no customer', { paymentMethodKey: 'crypto' }, 'customer'],
  ['no method', { customer: body().customer }, 'paymentMethodKey'],
  ['an unknown property', body({ description: MARKER })],
  ['every method at once', body({ paymentMethodKey: '*' }), 'paymentMethodKey'],
  ['"all"', body({ paymentMethodKey: 'all' }), 'paymentMethodKey'],
  ['"hosted"', body({ paymentMethodKey: 'hosted' }), 'paymentMethodKey'],
  ['a malformed method key', body({ paymentMethodKey: `-${MARKER}` }), 'paymentMethodKey'],
  ['several methods', body({ paymentMethodKey: ['crypto'] }), 'paymentMethodKey'],
  ['a customer without an address', body({ customer: { fullName: MARKER } }), 'email'],
  ['a customer with an extra property', body({ customer: { email: 'a@shop.example', id: MARKER } })],
  ['an amount without a currency', body({ amount: '5.00' }), 'currency'],
  ['a currency without an amount', body({ currency: 'EUR' }), 'amount'],
  ['an amount of zero', body({ amount: '0.00', currency: 'EUR' }), 'amount'],
  ['too many decimals', body({ amount: '5.001', currency: 'EUR' }), 'amount'],
  ['an unknown currency', body({ amount: '5.00', currency: 'XXX' }), 'currency'],
]

test.each(wrong)('an order of a product with %s is refused', async (_, wrongBody, ...[path]) => {
  const { id } = await givenProduct(app, shop, { allowPriceOverride: true })
  const expected = { status: 400, code: 'validation_error', path }
  await refused(app, expected, 'POST', `${pathOf(id)}/orders`, { body: wrongBody })
})

test('an order that the product does not allow is refused', async () => {
  const { id } = await givenProduct(app, shop, { methodKeys: ['crypto', 'moonpay'] })
  const path = `${pathOf(id)}/orders`
  const price = { amount: '5.00', currency: 'USD' }
  const override = { status: 422, code: 'price_override_not_allowed' }
  await refused(app, override, 'POST', path, { body: body(price) })
  const method = { status: 422, code: 'method_not_offered' }
  await refused(app, method, 'POST', path, { body: body({ paymentMethodKey: 'banxa' }) })
})

test('a blocked customer cannot start a payment', async () => {
  const { id } = await givenProduct(app, shop)
  await blockCustomer(app.context, shop.id, 'Thief@buyer.example', true)
  await refused(app, { status: 403, code: 'customer_blocked' }, 'POST', `${pathOf(id)}/orders`, {
    body: body({ customer: { email: 'thief@buyer.example' } }),
  })
})

test('a merchant that cannot be paid gets no order', async () => {
  const poor = await givenMerchant(app)
  const { id } = await givenProduct(app, poor)
  const path = `${pathOf(id)}/orders`
  await refused(app, { status: 422, code: 'crypto_not_configured' }, 'POST', path, { body: body() })
  await refused(app, { status: 422, code: 'payout_wallet_required' }, 'POST', path, {
    body: body({ paymentMethodKey: 'moonpay' }),
  })
})

const made: [method: string, provisioning: string][] = [
  ['crypto', 'READY'],
  ['moonpay', 'CREATED'],
]

test.each(made)(
  'an order for %s sends the buyer to its own page, which stays open during the payment',
  async (paymentMethodKey, provisioningStatus) => {
    const product = await givenProduct(app, shop, {
      imageUrl: 'https://cdn.shop.example/blend.jpg',
      metadata: { sku: 'HB-250' },
    })
    const answer = await data(
      app,
      'POST',
      `${pathOf(product.id)}/orders`,
      { body: body({ paymentMethodKey }) },
      201,
    )
    expect(answer).toEqual({
      orderUUID: answer.orderUUID,
      status: 'UNPAID',
      redirectUrl: `http://localhost/pay/${answer.orderUUID}`,
    })
    const order = await getOrder(app, shop, answer.orderUUID)
    expect(orderProblems(order)).toEqual([])
    expect(order).toMatchObject({
      source: 'web',
      productUUID: product.id,
      productName: product.name,
      productImageUrl: product.imageUrl,
      description: product.description,
      amount: '12.50',
      currency: 'USD',
      customerEmail: 'buyer@example.com',
      customerFullName: 'Sam Buyer',
      paymentMethodsKeys: [paymentMethodKey],
      provisioningStatus,
      receivingWallet: EVM_WALLET,
      metadata: { sku: 'HB-250' },
      externalId: null,
    })
  },
)

test('a buyer can set another price when the product allows it', async () => {
  const { id } = await givenProduct(app, shop, { allowPriceOverride: true })
  const price = { amount: '7', currency: 'EUR' }
  const { orderUUID } = await data(app, 'POST', `${pathOf(id)}/orders`, { body: body(price) }, 201)
  expect(await getOrder(app, shop, orderUUID)).toMatchObject({ amount: '7.00', currency: 'EUR' })
})

test('a page of another origin may read a product and order it, and nothing else', async () => {
  const path = `/v1/checkout/products/${crypto.randomUUID()}`
  const headers = { origin: 'https://shop.example' }
  const allowed = (answer: { headers: Headers }) => answer.headers.get('access-control-allow-origin')
  const asked = { ...headers, 'access-control-request-method': 'POST' }
  const preflight = await app.call('OPTIONS', `${path}/orders`, { headers: asked })
  expect([preflight.status, preflight.text, allowed(preflight)]).toEqual([204, '', '*'])
  expect(preflight.headers.get('access-control-allow-headers')).toBe('Content-Type')
  expect(preflight.headers.get('x-request-id')).not.toBeNull()
  expect((await app.call('OPTIONS', `${path}/orders`, { headers })).status).toBe(405)
  const answers = [
    await app.call('GET', path, { headers }),
    await app.call('POST', `${path}/orders`, { headers, body: {} }),
    await app.call('POST', `${path}/orders`, { headers, body: '{' }),
  ]
  expect(answers.map(answer => [answer.status, allowed(answer)])).toEqual([
    [404, '*'],
    [400, '*'],
    [400, '*'],
  ])
  for (const other of ['/v1/orders?x=/v1/checkout/', '/v1/payment-methods', '/healthz']) {
    expect(allowed(await app.call('GET', other, { headers }))).toBeNull()
  }
})

test('a product of all methods does not offer a method that no provider has', async () => {
  const { id } = await givenProduct(app, shop, { methodKeys: ['*'] })
  const order = (paymentMethodKey: string) =>
    app.call('POST', `${pathOf(id)}/orders`, { body: body({ paymentMethodKey }) })
  const { paymentMethods } = await data(app, 'GET', '/v1/payment-methods', { key: shop.live })
  expect((await order('no-such-method')).json.error?.code).toBe('method_not_offered')
  expect((await order(paymentMethods[0].key)).status).toBe(201)
  expect((await order('crypto')).status).toBe(201)
})
