import { expect, test } from 'bun:test'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import type { Answer } from '../support/app.ts'
import { givenOrder, givenProduct, givenShop } from '../support/given.ts'
import { pngOf } from '../support/make-png.ts'
import { suite } from '../support/suite.ts'

const { app, each } = suite()
const shop = each(() => givenShop(app))

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

test('every error page of a shop links to its help', async () => {
  await changeMerchant(app.context, shop.id, { supportEmail: 'help@shop.example' })
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['moonpay'] })
  const product = await givenProduct(app, shop, { methodKeys: ['crypto'] })
  const post = (path: string, form: Record<string, string>) =>
    app.call('POST', path, { headers: { accept: 'text/html' }, form })
  const outage = (isDown: boolean) =>
    app.call('POST', '/sandbox/outage', { body: { upstream: 'provider', down: isDown } })
  const expectHelp = async (errors: Record<string, () => Promise<Answer>>): Promise<void> => {
    for (const [name, open] of Object.entries(errors)) {
      const { status, text } = await open()
      expect([name, status >= 400, text.includes('href="mailto:help@shop.example"')]).toEqual([
        name,
        true,
        true,
      ])
    }
  }
  await outage(true)
  await expectHelp({
    'a method that is away': () => pageAt(`/payment/process/${orderUUID}?method=moonpay`),
  })
  await outage(false)
  await expectHelp({
    'a method that is not offered': () => pageAt(`/payment/process/${orderUUID}?method=wert`),
    'a coin that is not offered': () => post(`/pay/${orderUUID}/crypto`, { asset: 'btc' }),
    'a form without its field': () => post(`/pay/${orderUUID}/crypto`, {}),
    'a wrong question': () => pageAt(`/pay/${orderUUID}?choose=no`),
    'a path of the order that leads nowhere': () => pageAt(`/pay/${orderUUID}/nothing`),
    'a path of the product that leads nowhere': () => pageAt(`/checkout/${product.id}/nothing`),
    'a product page that is posted wrongly': () => post(`/checkout/${product.id}`, { unknown: 'x' }),
  })
  await changeMerchant(app.context, shop.id, { status: 'suspended' })
  await expectHelp({
    'an order of a suspended shop': () => pageAt(`/pay/${orderUUID}`),
    'a receipt of a suspended shop': () => pageAt(`/pay/${orderUUID}/receipt`),
    'a card payment at a suspended shop': () => pageAt(`/payment/process/${orderUUID}?method=moonpay`),
    'a product of a suspended shop': () => pageAt(`/checkout/${product.id}`),
  })
})

test('a suspended shop is announced to buyers who have the link of an order or a product', async () => {
  const { orderUUID } = await givenOrder(app, shop)
  await changeMerchant(app.context, shop.id, { status: 'suspended' })
  const { status, text } = await pageAt(`/pay/${orderUUID}`)
  expect(status).toBe(404)
  expect(text).toContain('This shop isn’t accepting payments right now.')
  expect(text).not.toMatch(/[Nn]o such order|Check the link/)
})

test('a suspended shop with a logo has its letter, because its images are not served', async () => {
  await changeMerchant(app.context, shop.id, { logo: pngOf(64, 64) })
  const { orderUUID } = await givenOrder(app, shop)
  const { logo } = await changeMerchant(app.context, shop.id, { status: 'suspended' })
  expect((await app.call('GET', `/images/${logo!.id}`)).status).toBe(404)
  const { text } = await pageAt(`/pay/${orderUUID}`)
  expect(text).toContain('class="logo letter"')
  expect(text).not.toContain('<img')
})

test('the page of an unknown order, product or path names no shop', async () => {
  const unknown = '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55'
  for (const path of [`/pay/${unknown}`, `/checkout/${unknown}`, '/pay', `/pay/${unknown}/nothing`]) {
    const { status, text } = await pageAt(path)
    expect([path, status]).toEqual([path, 404])
    expect(text).not.toContain('class="shop"')
    expect(text).not.toContain('<style>')
  }
})
