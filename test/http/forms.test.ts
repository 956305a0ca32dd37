import { describe, expect, test } from 'bun:test'
import { OWN_URL, startApp } from '../support/app.ts'
import { givenOrder, givenShop } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { productBody } from './products.ts'
import { data } from './request.ts'

const NOBODY = '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55'
const FORM_MAX = 16 * 1024

const { app, once } = suite({ start: () => startApp({ FLORIN_PUBLIC_RATE_LIMIT: '5' }) })
let order: string
let product: string
const shop = once(() => givenShop(app))
once(async () => {
  await app.jobs.settle()
  order = (await givenOrder(app, shop)).orderUUID
  const options = { key: shop.live, body: productBody() }
  product = (await data(app, 'POST', '/v1/products', options, 201)).productUUID
})

/** Sends a form whose body is generated as it is read. Returns the answer and the number of chunks read. */
async function send(path: string, chunks = 1, accept = 'application/json', by = app) {
  let read = 0
  const body = new ReadableStream(
    {
      pull(controller) {
        if (read === chunks) return controller.close()
        read++
        controller.enqueue(new TextEncoder().encode(read === 1 ? 'asset=btc&x=' : 'y'.repeat(1024)))
      },
    },
    { highWaterMark: 0 },
  )
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept }
  const request = new Request(`${OWN_URL}${path}`, { method: 'POST', headers, body })
  const response = await by.florin.http.handle(request)
  return { status: response.status, read, text: await response.text() }
}

describe('the form of a page', () => {
  test.each([`/pay/${NOBODY}/crypto`, `/checkout/${NOBODY}`])(
    'is not read if there is nothing at %s',
    async path => {
      expect(await send(path, 4)).toMatchObject({ status: 404, read: 0 })
    },
  )

  test.each(['/pay/first/crypto', '/checkout/first'])('is not read at the malformed path %s', async path => {
    expect(await send(path, 4)).toMatchObject({ status: 400, read: 0 })
  })

  test('may have 16 KB, and no more of it is read', async () => {
    for (const path of [`/pay/${order}/crypto`, `/checkout/${product}`]) {
      const { status, read, text } = await send(path, 1000)
      expect([status, JSON.parse(text).error.code]).toEqual([413, 'body_too_large'])
      expect(read).toBeLessThan(20)
      expect((await send(path, 15)).status).toBe(400)
      const form = { x: 'y'.repeat(FORM_MAX) }
      expect((await app.call('POST', path, { form })).status).toBe(413)
    }
    expect((await send(`/pay/${order}/crypto`, 1000, 'text/html')).text).toContain('<!doctype html>')
  })

  test('is not read above the limit of opened payments', async () => {
    const limited = await startApp({ FLORIN_SANDBOX: 'public', FLORIN_PUBLIC_RATE_LIMIT: '60' })
    const { orderUUID } = await givenOrder(limited, await givenShop(limited))
    const path = `/pay/${orderUUID}/crypto`
    for (let i = 0; i < 20; i++) await limited.call('POST', path, { form: { asset: 'nothing' } })
    expect(await send(path, 4, 'application/json', limited)).toMatchObject({ status: 429, read: 0 })
    await limited.close()
  })

  test('is not read above the rate limit, except to show it again in a browser', async () => {
    const path = `/checkout/${product}`
    for (let i = 0; i < 5; i++) await send(path)
    expect(await send(path, 4)).toMatchObject({ status: 429, read: 0 })
    const form = { email: 'buyer@example.com' }
    const page = await app.call('POST', path, { form, headers: { accept: 'text/html' } })
    expect([page.status, page.text.includes('buyer@example.com')]).toEqual([429, true])
  })
})
