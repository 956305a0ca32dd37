import { expect, test } from 'bun:test'
import { pageOf } from '../support/docs.ts'
import { check, givenProduct, givenShop, openCrypto, simulate } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { eventsOf } from './payments.ts'
import { data } from './request.ts'

const { app } = suite()

test('order.paid has the price that the buyer chose, and the product keeps its own', async () => {
  const shop = await givenShop(app)
  await data(app, 'PUT', '/v1/webhook', { key: shop.live, body: { url: 'https://shop.example/hook' } })
  const product = await givenProduct(app, shop, { allowPriceOverride: true, amount: '500.00' })
  const body = {
    customer: { email: 'buyer@example.com' },
    paymentMethodKey: 'crypto',
    amount: '1.00',
    currency: 'EUR',
  }
  const path = `/v1/checkout/products/${product.id}/orders`
  const { orderUUID } = await data(app, 'POST', path, { body }, 201)
  await openCrypto(app, orderUUID, 'ethereum/usdc')
  await simulate(app, orderUUID, 'paid')
  expect((await check(app, orderUUID)).status).toBe('PAID')
  const [event] = eventsOf(app, orderUUID).filter(({ type }) => type === 'order.paid')
  expect([event.amount, event.currency, product.amount, product.currency]).toEqual([
    ...['1.00', 'EUR', '500.00', 'USD'],
  ])
})

test.each(['README.md', '.github/docs/api.md'])(
  'the document %s asks integrators to compare the amount',
  file => {
    const sentence = /(compare|check that) (the event's )?`amount` and `currency` (with|are)\b/i
    const page = pageOf(file)
    expect(page).toMatch(sentence)
  },
)
