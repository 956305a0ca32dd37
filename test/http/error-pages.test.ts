import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { type App, startApp } from '../support/app.ts'
import { givenOrder, givenShop, type Shop } from '../support/given.ts'

const app: App = await startApp()
let shop: Shop

beforeEach(async () => {
  shop = await givenShop(app)
})
afterEach(() => expect(app.audit()).toEqual([]))
afterAll(() => app.close())

const pageAt = (path: string) => app.call('GET', path, { headers: { accept: 'text/html' } })

test('an error on the page of an order has the looks, the name and the help of its shop', async () => {
  const brand = { color: '#ffd400', supportUrl: 'https://shop.example/help', name: 'Corner & Sons' }
  await changeMerchant(app.context, shop.id, brand)
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['moonpay'] })
  const { status, text, headers } = await pageAt(`/payment/process/${orderUUID}?method=wert`)
  expect(status).toBe(422)
  expect(text).toContain('Corner &amp; Sons')
  expect(text).toContain('href="https://shop.example/help"')
  const [, style = ''] = /<style>(.*?)<\/style>/.exec(text) ?? []
  expect(style).toContain('--button:#ffd400')
  const hash = new Bun.CryptoHasher('sha256').update(style).digest('base64')
  expect(headers.get('content-security-policy')).toContain(`style-src 'self' 'sha256-${hash}'`)
})

test('a suspended shop says so to buyers who hold the link of an order or a product', async () => {
  const { orderUUID } = await givenOrder(app, shop)
  await changeMerchant(app.context, shop.id, { status: 'suspended' })
  const { status, text } = await pageAt(`/pay/${orderUUID}`)
  expect(status).toBe(404)
  expect(text).toContain('This shop doesn’t take payments at the moment.')
  expect(text).not.toMatch(/[Nn]o such order|Check the link/)
})

test('an unknown order, product or path belongs to nobody', async () => {
  const unknown = '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55'
  for (const path of [`/pay/${unknown}`, `/checkout/${unknown}`, '/pay', `/pay/${unknown}/nothing`]) {
    const { status, text } = await pageAt(path)
    expect([path, status]).toEqual([path, 404])
    expect(text).not.toContain('class="shop"')
    expect(text).not.toContain('<style>')
  }
})
