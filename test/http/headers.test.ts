import { expect, test } from 'bun:test'
import { type CallOptions, startApp } from '../support/app.ts'
import { givenOrder, givenShop } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { until } from '../support/until.ts'
import { base64, png, productBody } from './products.ts'
import { data } from './request.ts'

const { app, once } = suite({ start: () => startApp({ FLORIN_CHECKOUT_URL: 'https://pay.example' }) })
let order: string
let product: string
const shop = once(() => givenShop(app))
once(async () => {
  await app.jobs.settle()
  order = (await givenOrder(app, shop)).orderUUID
  const body = productBody({ imageBase64: base64(png()) })
  product = (await data(app, 'POST', '/v1/products', { key: shop.live, body }, 201)).productUUID
})

const headersOf = async (method: string, path: string, options: CallOptions = {}) => {
  const { status, headers } = await app.call(method, path, options)
  const names = ['cache-control', 'x-content-type-options', 'strict-transport-security']
  return [status, ...names.map(name => headers.get(name))]
}

const HSTS = 'max-age=31536000'
const html = { accept: 'text/html' }

const answers: [
  what: string,
  status: number,
  method: string,
  path: () => string,
  options: () => CallOptions,
][] = [
  ['a list', 200, 'GET', () => '/v1/orders', () => ({ key: shop.live })],
  [
    'a webhook',
    200,
    'PUT',
    () => '/v1/webhook',
    () => ({ key: shop.live, body: { url: 'https://shop.example/h' } }),
  ],
  ['a public product', 200, 'GET', () => `/v1/checkout/products/${product}`, () => ({})],
  ['an error of a key', 401, 'GET', () => '/v1/orders', () => ({})],
  ['an error of a body', 400, 'POST', () => '/v1/orders', () => ({ key: shop.live, body: '{' })],
  ['an unknown route', 404, 'GET', () => '/nope', () => ({})],
  ['an unknown page', 404, 'GET', () => '/nope', () => ({ headers: html })],
  ['a checkout page', 200, 'GET', () => `/pay/${order}`, () => ({ headers: html })],
  ['a status', 200, 'GET', () => `/pay/${order}/status`, () => ({})],
  ['a check', 303, 'POST', () => `/pay/${order}/check`, () => ({})],
  ['an opened payment', 303, 'POST', () => `/pay/${order}/crypto`, () => ({ form: { asset: 'btc' } })],
  ['a product page', 200, 'GET', () => `/checkout/${product}`, () => ({})],
  ['a refused callback', 403, 'GET', () => '/callback/gateway?x=1', () => ({})],
  ['a liveness check', 200, 'GET', () => '/healthz', () => ({})],
  ['the document', 200, 'GET', () => '/swagger/json', () => ({})],
  ['the sandbox', 200, 'GET', () => '/sandbox/rates', () => ({})],
]

test.each(answers)(
  '%s is neither stored nor sniffed, and asks for HTTPS',
  async (_, status, method, path, options) => {
    expect(await headersOf(method, path(), options())).toEqual([status, 'no-store', 'nosniff', HSTS])
  },
)

test.each(answers)(
  '%s is not shared with pages of other sites',
  async (_, _status, method, path, options) => {
    const { headers } = await app.call(method, path(), options())
    const names = ['cross-origin-opener-policy', 'cross-origin-resource-policy']
    expect(names.map(name => headers.get(name))).toEqual(['same-origin', 'same-origin'])
  },
)

test('a cookie is set once, and the log has the status that was sent', async () => {
  const { headers } = await app.call('GET', `/pay/${order}?lang=de`)
  expect(headers.getSetCookie()).toEqual([expect.stringMatching(/^florin_lang=de; /)])
  const statusOf = (route: string | undefined) =>
    app.logged
      .filter(({ sentence }) => sentence === 'request')
      .map(({ fields }) => fields as { route?: string; status: number })
      .find(fields => fields.route === route)?.status
  await givenOrder(app, shop)
  await app.call('GET', '/nope')
  await until(() => statusOf(undefined) !== undefined, 'logging a request', 10_000)
  expect([statusOf('/v1/orders'), statusOf('/pay/:orderUUID'), statusOf(undefined)]).toEqual([201, 200, 404])
})

test('an uploaded image may be shown on the pages of the shop', async () => {
  const { imageUrl } = (await app.call('GET', `/v1/checkout/products/${product}`)).json.data
  const { headers } = await app.call('GET', new URL(imageUrl).pathname)
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
})

test('no page may use the camera, the microphone, the place or the payment dialog of the browser', async () => {
  const faucet = '/sandbox/gateway/checkout/process-payment.php'
  for (const path of [`/pay/${order}`, `/checkout/${product}`, '/swagger', '/nope', faucet]) {
    const { headers } = await app.call('GET', path, { headers: html })
    const policy = headers.get('permissions-policy')
    expect([path, policy]).toEqual([path, 'camera=(), geolocation=(), microphone=(), payment=()'])
  }
})

test('browsers may store files that never change', async () => {
  const page = await app.call('GET', '/swagger')
  const { imageUrl } = (await app.call('GET', `/v1/checkout/products/${product}`)).json.data
  const { text } = await app.call('GET', `/pay/${order}`)
  const paths = [
    /src="([^"]+)"/.exec(page.text)![1]!,
    /src="([^"]+)"/.exec(text)![1]!,
    new URL(imageUrl).pathname,
  ]
  for (const path of paths) {
    const expected = [200, 'public, max-age=31536000, immutable', 'nosniff', HSTS]
    expect(await headersOf('GET', path)).toEqual(expected)
  }
})

test('without an HTTPS checkout URL no response asks for HTTPS', async () => {
  const plain = await startApp()
  const { headers } = await plain.call('GET', '/healthz')
  expect(headers.get('strict-transport-security')).toBeNull()
  await plain.close()
})

test('the pages of the sandbox load nothing from other servers and cannot be framed', async () => {
  const faucet = `/sandbox/chain/bitcoin/send?address=a&asset=btc&amount=1&decimals=8&back=%2Fpay%2F01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55`
  for (const path of [faucet, '/sandbox/gateway/checkout/process-payment.php']) {
    const { headers } = await app.call('GET', path)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining(["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"]),
    )
    expect(policy).not.toContain('unsafe')
  }
})

test('the URL of an image adds its origin to the policy of the page, and no directive', async () => {
  for (const [imageUrl, origin] of [
    ['https://a;sandbox;b/x.png', ''],
    ['https://a,b.example/x.png', ''],
    ['https://img.example:8443/x.png', ' https://img.example:8443'],
  ]) {
    const body = productBody({ imageUrl: 'https://img.example/x.png' })
    const { productUUID } = await data(app, 'POST', '/v1/products', { key: shop.live, body }, 201)
    // The API refuses such hosts, so the test writes one to the database, to test the second line of defense.
    app.change('UPDATE products SET image_url = ? WHERE id = ?', imageUrl!, productUUID)
    const { headers } = await app.call('GET', `/checkout/${productUUID}`)
    const policy = (headers.get('content-security-policy') ?? '').split('; ')
    expect(policy).toContain(`img-src 'self' data:${origin}`)
    expect(policy).toHaveLength(8)
  }
})
