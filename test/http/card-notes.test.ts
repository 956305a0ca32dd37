import { expect, test } from 'bun:test'
import { locales } from '../../views/locale.ts'
import { check, givenOrder, givenProduct, simulate } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { DAY_MS, givenCoinShop, outage } from './payments.ts'

const { app, each } = suite()
const shop = each(() => givenCoinShop(app))

const plain = (text: string): string => text.replaceAll(/[\u2066-\u2069]/g, '')
const pageOf = async (path: string): Promise<string> => plain((await app.call('GET', path)).text)

const orderFor = async (...paymentMethodsKeys: string[]): Promise<string> =>
  (await givenOrder(app, shop, { paymentMethodsKeys })).orderUUID

async function halfPaidByCard(): Promise<string> {
  const id = await orderFor('*')
  await app.call('GET', `/payment/process/${id}?method=moonpay`)
  expect((await simulate(app, id, 'underpaid')).status).toBe(202)
  await check(app, id)
  return id
}

test.each(locales.map(locale => [locale.tag, locale] as const))(
  'before buyers leave, a page names the company that takes cards, and what it may ask for: %s',
  async (tag, { texts }) => {
    const { choose } = texts
    const choice = await pageOf(`/pay/${await orderFor('*')}?lang=${tag}`)
    expect(choice).toContain(choose.handledByNamed)
    const one = await pageOf(`/pay/${await orderFor('moonpay')}?lang=${tag}`)
    expect(one).toContain(plain(choose.handledBy({ company: 'MoonPay' })))
    const product = await givenProduct(app, shop)
    expect(await pageOf(`/checkout/${product.id}?lang=${tag}`)).toContain(choose.handledByNamed)
  },
)

test('a page where only coins take the payment does not say that a provider may ask for ID', async () => {
  expect(await pageOf(`/pay/${await orderFor('crypto')}`)).not.toContain('ask for ID')
})

test('the page of an order that was half paid by card shows the received amount once, in the order’s currency', async () => {
  const id = await halfPaidByCard()
  const page = await pageOf(`/pay/${id}`)
  expect(page).toContain('Received $12.50 of $25.00 · $12.50 left')
  expect(page).not.toMatch(/received 12\.5 USDC|Payment incomplete|class="state warn">/)
  await app.advance(8 * DAY_MS)
  const expired = await pageOf(`/pay/${id}`)
  expect(expired).toContain('<p>We received $12.50.</p>')
  expect(expired).toContain('Received $12.50 of $25.00')
  expect(expired).toContain('Contact Corner Coffee before you pay again.')
  expect(expired).not.toContain('order again')
  expect(expired).not.toContain('12.5 USDC')
})

test('a card payment that the provider passes on in another coin is not blamed on the buyer', async () => {
  const id = await orderFor('*')
  await app.call('GET', `/payment/process/${id}?method=moonpay`)
  await simulate(app, id, 'wrong_asset')
  await check(app, id)
  const page = await pageOf(`/pay/${id}`)
  expect(page).not.toContain('but this payment asked for')
})

test.each([
  ['the only method', ['moonpay'], 'Please try again in a few minutes.'],
  ['one of several methods', ['*'], 'You were not charged. Choose another method.'],
])('a page says what to do while %s is not available', async (_, methods, advice) => {
  const id = await orderFor(...methods)
  await outage(app, 'provider', true)
  await app.call('GET', `/payment/process/${id}?method=moonpay`)
  const page = await pageOf(`/pay/${id}`)
  await outage(app, 'provider', false)
  const box = page.split('MoonPay.com isn’t available</h2>')[1]?.split('</div>')[0]
  expect(box?.replaceAll(/<[^>]+>/g, '').trim()).toBe(advice)
})
