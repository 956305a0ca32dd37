import { describe, expect, test } from 'bun:test'
import { startApp } from '../support/app.ts'
import { givenShop, orderBody } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { words } from '../support/words.ts'
import { productBody } from './products.ts'
import { data } from './request.ts'

const { app, once } = suite({ start: () => startApp({ FLORIN_OUTBOUND_ALLOW: 'localhost:8080' }) })
let product: string
const shop = once(() => givenShop(app))
once(async () => {
  product = (await data(app, 'POST', '/v1/products', { key: shop.live, body: productBody() }, 201))
    .productUUID
})

type Send = (url: string) => Promise<{ status: number; code: string | undefined; details: unknown }>

async function call(method: string, path: string, body: object) {
  const { status, json } = await app.call(method, path, { key: shop.live, body })
  return { status, code: json.error?.code, details: json.error?.details }
}

const id = () => crypto.randomUUID()
/** Every request that takes the URL of an image, with its path in the body. */
const requests: [what: string, at: string, send: Send][] = [
  ['POST product', '/imageUrl', imageUrl => call('POST', '/v1/products', productBody({ imageUrl }))],
  ['PATCH product', '/imageUrl', imageUrl => call('PATCH', `/v1/products/${product}`, { imageUrl })],
  [
    'POST bulk',
    '/items/1/imageUrl',
    imageUrl => call('POST', '/v1/products/bulk', { items: [productBody(), productBody({ imageUrl })] }),
  ],
  [
    'PUT bulk',
    '/items/0/imageUrl',
    imageUrl => call('PUT', '/v1/products/bulk', { items: [productBody({ productUUID: id(), imageUrl })] }),
  ],
  [
    'POST order',
    '/productImageUrl',
    productImageUrl => call('POST', '/v1/orders', orderBody({ productImageUrl })),
  ],
]

const malformed = [
  ...['https://user:word@shop.example/x.png', 'https://shop.example/\r\nX: y'],
  ...['https://shop.example\\@127.0.0.1/x.png', 'https://shop.example/x.png#a'],
  ...['https://shop.example/x.png#', 'https://a;sandbox;b.example/x.png', 'https://a,b.example/x.png'],
  "https://a'b.example/x.png",
]
const internal = words(`
  https://127.0.0.1:28499/x.png https://192.168.0.1/x.png https://localhost/x.png https://[::1]/x.png
  https://[::ffff:10.0.0.1]/x.png https://printer.local/x.png https://0x7f.1/x.png
`)

describe.each(requests)('%s', (what, at, send) => {
  test.each(malformed)('refuses the malformed URL %s', async url => {
    const { status, code, details } = await send(url)
    expect([status, code]).toEqual([400, 'validation_error'])
    expect(details).toEqual([{ path: at, rule: expect.any(String) }])
    expect(JSON.stringify(details)).not.toContain(url)
  })

  test.each(internal)('refuses the private or internal host in %s', async url => {
    expect(await send(url)).toMatchObject({ status: 422, code: 'destination_not_allowed' })
  })

  test('accepts a public host, and a private one that the operator allows', async () => {
    for (const url of ['https://cdn.shop.example:8443/a/x.png?v=1', 'https://localhost:8080/x.png']) {
      expect((await send(url)).status).toBeLessThan(202)
    }
  })

  test('accepts plain http for products only', async () => {
    const { status } = await send('http://shop.example/x.png')
    expect(status === 400).toBe(what === 'POST order')
    if (what !== 'POST order') expect(await send('http://192.168.0.1/x.png')).toMatchObject({ status: 422 })
  })
})

test('an imageUrl of null removes the image of a product', async () => {
  expect((await call('PATCH', `/v1/products/${product}`, { imageUrl: null })).status).toBe(200)
})

test('webhook and return URLs have a host that is a name or an address too', async () => {
  const hook = await call('PUT', '/v1/webhook', { url: 'https://a;b.example/hook' })
  expect([hook.status, hook.code]).toEqual([400, 'validation_error'])
  const order = await call('POST', '/v1/orders', orderBody({ returnUrl: 'https://a,b.example/thanks' }))
  expect([order.status, order.code]).toEqual([400, 'validation_error'])
})
