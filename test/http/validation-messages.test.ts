import { expect, test } from 'bun:test'
import { givenShop, orderBody } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { productBody } from './products.ts'

const { app, once } = suite()
const shop = once(() => givenShop(app))

const messageOf = async (method: string, path: string, body?: unknown): Promise<string> =>
  (await app.call(method, path, { key: shop.live, body })).json.error.message

const orders: [body: unknown, message: string][] = [
  ['{', 'The request must be valid JSON'],
  ['', 'The request must have a JSON body'],
  [[], 'body: must be an object'],
  [orderBody({ colour: 'red' }), '/colour: is not a known field'],
  [orderBody({ customer: undefined }), '/customer: is required'],
  [orderBody({ amount: 25 }), '/amount: must be a string'],
  [
    orderBody({ amount: '25,00' }),
    '/amount: must be a decimal number with at most 3 decimal places, such as 25.00',
  ],
  [orderBody({ currency: 'usd' }), '/currency: must be an ISO 4217 currency code, such as USD'],
  [orderBody({ externalId: '' }), '/externalId: must have 1 to 128 characters, or be null'],
  [orderBody({ paymentMethodsKeys: 'crypto' }), '/paymentMethodsKeys: must be an array'],
  [orderBody({ paymentMethodsKeys: [] }), '/paymentMethodsKeys: must have 1 to 64 items'],
  [orderBody({ paymentMethodsKeys: ['*', '*'] }), '/paymentMethodsKeys: must not contain duplicates'],
  [orderBody({ metadata: [] }), '/metadata: must be an object'],
  [
    orderBody({ expiresAt: 'tomorrow' }),
    '/expiresAt: must be a valid date-time, such as 2026-11-21T12:00:00.000Z',
  ],
  [
    orderBody({ returnUrl: 'http://localhost:3000/thanks' }),
    '/returnUrl: must be a URL that begins with https://; only hosts that FLORIN_OUTBOUND_ALLOW names, such as ' +
      'localhost:8080, may use http://',
  ],
  [
    orderBody({ returnUrl: 'https://localhost:3000/thanks' }),
    '/returnUrl: must lead to a public address, or to a host and port that FLORIN_OUTBOUND_ALLOW names',
  ],
]

test.each(orders)('an order of %j is refused with a plain message', async (body, message) => {
  expect(await messageOf('POST', '/v1/orders', body)).toBe(message)
})

const queries: [query: string, message: string][] = [
  ['pageSize=many', '/pageSize: must be an integer from 1 to 100'],
  ['status=paid', '/status: must be one of "UNPAID", "PAID", "FAILED", "EXPIRED", "CANCELLED"'],
  ['pageToken=abc', '/pageToken: must be a nextPageToken from an earlier response'],
  ['pageSize=1&pageSize=2', 'The request repeats a query parameter; send each one once'],
]

test.each(queries)('a list of orders with %s is refused with a plain message', async (query, message) => {
  expect(await messageOf('GET', `/v1/orders?${query}`)).toBe(message)
})

const products: [change: object, message: string][] = [
  [{ active: 'yes' }, '/active: must be true or false'],
  [{ imageDisplaySize: 100 }, '/imageDisplaySize: must be an integer from 160 to 512'],
]

test.each(products)('a product with %j is refused with a plain message', async (change, message) => {
  expect(await messageOf('POST', '/v1/products', productBody(change))).toBe(message)
})

test('an empty change is refused with a plain message', async () => {
  expect(await messageOf('PUT', '/v1/wallet', {})).toBe('body: must have at least 1 field')
})

const ORDER = '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55'
const script: [path: string, body: object, message: RegExp][] = [
  [
    'simulate',
    { orderUUID: ORDER, outcome: 'payed' },
    /^\/outcome: must be one of "paid", "pending", .*"vanished"$/,
  ],
  ['simulate', { orderUUID: 7, outcome: 'paid' }, /^\/orderUUID: must be a string$/],
  ['rates', { assetId: 'btc', currency: 'USD', rate: 45_000 }, /^\/rate: must be a string$/],
  ['clock', { advanceSeconds: '60' }, /^\/advanceSeconds: must be an integer from 0 to 315360000$/],
  ['clock', { advanceSeconds: -1 }, /^\/advanceSeconds: must be an integer from 0 to 315360000$/],
  ['outage', { upstream: 'chains', down: true }, /^\/upstream: must be one of "provider", "rates", "chain"$/],
  ['outage', { upstream: 'chain', down: 'yes' }, /^\/down: must be true or false$/],
]

test.each(script)('the sandbox refuses %s with %j and says what it expects', async (path, body, message) => {
  expect(await messageOf('POST', `/sandbox/${path}`, body)).toMatch(message)
})

test('an extended public key is not a wallet, and the refusal names the command for it', async () => {
  const key =
    'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs'
  const message = await messageOf('PUT', '/v1/wallet', { cryptoWallets: { btc: key } })
  expect(message).toContain('florin wallet xpub')
  expect(message).not.toContain(key)
})
