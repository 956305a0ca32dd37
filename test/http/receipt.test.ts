import { describe, expect, test } from 'bun:test'
import { invoicesOf } from '../../src/operations/invoices/read.ts'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { acceptUnmatched } from '../../src/operations/payments/accept-unmatched.ts'
import { check, givenOrder, givenShop, openCrypto, simulate } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { attemptsOf, HOUR_MS, MINUTE_MS, sendCoins } from './payments.ts'
import { data } from './request.ts'
import { rowOf } from './rows.ts'

const { app, each, ownApp } = suite()
const shop = each(() => givenShop(app))

const order = { description: 'Two bags <b>of</b> house blend', externalId: 'ORDER-7' }

const given = async (): Promise<string> => (await givenOrder(app, shop, order)).orderUUID

const receipt = (id: string, headers: Record<string, string> = {}) =>
  app.call('GET', `/pay/${id}/receipt`, { headers: { accept: 'text/html', ...headers } })

const textOf = ({ text }: { text: string }): string =>
  text
    .replace(/<(style|script|nav)[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

/** An order that was paid in USDC on Polygon. */
async function paid(): Promise<string> {
  const id = await given()
  await openCrypto(app, id, 'polygon/usdc')
  await simulate(app, id, 'paid')
  expect((await check(app, id)).status).toBe('PAID')
  return id
}

/** Pays half of an order in another coin, then the rest in USDC on Polygon. */
async function paidInParts(first: string, outcome: string): Promise<string> {
  const id = await given()
  await openCrypto(app, id, first)
  await simulate(app, id, outcome)
  expect((await check(app, id)).status).toBe('UNPAID')
  await openCrypto(app, id, 'polygon/usdc')
  await simulate(app, id, 'paid')
  await app.advance(6000)
  expect((await check(app, id)).status).toBe('PAID')
  return id
}

/** The sum of the values in a receipt, in cents. */
const valuesIn = (text: string): number =>
  [...text.matchAll(/Value \$(\d+)\.(\d\d)/g)].reduce(
    (sum, [, units, cents]) => sum + Number(`${units}${cents}`),
    0,
  )

test.each([
  ['after the time to pay', 3, 'late'],
  ['in time, but confirmed hours later', 7, 'pending'],
])('receipt and invoice name no rate for a payment that was sent %s', async (_, hours, outcome) => {
  await ownApp()
  const place = { street: 'Hauptstr. 1', postcode: '10115', town: 'Berlin', country: 'DE' }
  const seller = { name: 'Shop GmbH', ...place, vatId: 'DE 123 456 788' }
  await changeMerchant(app.context, shop.id, { invoices: 'paid', seller })
  const id = await given()
  await openCrypto(app, id, 'btc')
  if (outcome === 'pending') await simulate(app, id, outcome)
  await check(app, id)
  await app.advance(hours * HOUR_MS)
  const rates = { assetId: 'btc', currency: 'USD', rate: '66000' }
  await data(app, 'POST', '/sandbox/rates', { body: rates })
  await app.advance(2 * MINUTE_MS)
  await simulate(app, id, outcome === 'pending' ? 'mined' : outcome)
  expect((await check(app, id)).status).toBe('PAID')
  expect(textOf(await receipt(id))).not.toContain('Exchange rate')
  const [invoice] = await invoicesOf(app.context, id)
  expect(invoice?.content.payments).toMatchObject([{ received: '0.00041667 BTC', rate: null }])
})

describe('the receipt of an order', () => {
  test('shows what was paid, to whom, how and when, with the transaction', async () => {
    const id = await paid()
    const [attempt] = await app.context.storage.read(tables => tables.attempts.listOf(id))
    const [payment] = await app.context.storage.read(tables =>
      tables.incomingPayments.listOf(attempt?.id ?? ''),
    )
    const answer = await receipt(id)
    expect(answer.status).toBe(200)
    const text = textOf(answer)
    for (const part of [
      'Corner Coffee',
      'ORDER-7',
      'Two bags &lt;b&gt;of&lt;/b&gt; house blend',
      '$25.00',
      'USDC on Polygon',
      '25 USDC',
      '1 USDC = $1',
      'UTC',
      payment?.txIn ?? payment?.txId ?? 'a payment',
    ]) {
      expect(text).toContain(part)
    }
  })

  test('has no personal data of the buyer', async () => {
    const answer = await receipt(await paid())
    expect(answer.text).not.toContain('buyer@example.com')
  })

  test('lists refunds and the remaining amount', async () => {
    const id = await paid()
    const refund = (amount: string) =>
      app.call('POST', `/v1/orders/${id}/refunds`, {
        key: shop.live,
        headers: { 'idempotency-key': `refund-${amount}` },
        body: { amount, reason: 'returned' },
      })
    expect((await refund('10.00')).status).toBe(201)
    expect(textOf(await receipt(id))).toMatch(/Refunded on .* −\$10\.00 Total after refunds \$15\.00/)
    await app.advance(1000)
    await refund('15.00')
    expect(textOf(await receipt(id))).toMatch(/−\$15\.00 Total after refunds \$0\.00/)
  })

  test('redirects to the page where the buyer pays until the order is paid', async () => {
    const id = await given()
    const answer = await receipt(id)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/pay/${id}`])
  })

  test('does not exist for an unknown order', async () => {
    expect((await receipt('01a201ec-3cd7-72da-adc7-99c3fe1997c5')).status).toBe(404)
  })

  test('is linked from the page of a paid order', async () => {
    const id = await paid()
    const page = await app.call('GET', `/pay/${id}`, { headers: { accept: 'text/html' } })
    expect(page.text).toContain(`href="/pay/${id}/receipt"`)
  })

  test('is stored neither by caches nor by search engines', async () => {
    const answer = await receipt(await paid())
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.text).toContain('<meta name="robots" content="noindex, nofollow">')
  })

  test('is in the language of the buyer', async () => {
    const answer = await receipt(await paid(), { 'accept-language': 'de' })
    expect(textOf(answer)).toContain('Beleg')
    expect(textOf(answer)).toContain('25,00')
  })

  test('of a payment in another coin that was accepted names this coin and its amount', async () => {
    const id = await given()
    await openCrypto(app, id, 'polygon/usdc')
    const [attempt] = attemptsOf(app, id)
    await sendCoins(app, { ...attempt, asset_id: 'polygon/pol', decimals: 18 }, 10n ** 19n)
    await check(app, id)
    await app.advance(3 * 3600_000)
    const { id: unmatchedId } = rowOf(app, 'SELECT id FROM unmatched_payments WHERE order_id = ?', id)
    await acceptUnmatched(app.context, shop.id, [String(unmatchedId)], { by: 'Ann', reason: null })
    const text = textOf(await receipt(id))
    expect(text).toContain('10 POL')
    expect(text).not.toContain('USDC')
    expect(textOf(await app.call('GET', `/pay/${id}`, { headers: { accept: 'text/html' } }))).not.toContain(
      'USDC',
    )
  })

  test('of an order that was paid in two coins lists each part with its amount, coin and value', async () => {
    const id = await paidInParts('btc', 'underpaid')
    const text = textOf(await receipt(id))
    expect(text).toMatch(/Paid with Bitcoin Received 0\.0002\d* BTC Value \$12\.\d\d Exchange rate 1 BTC = /)
    expect(text).toMatch(/Paid with USDC on Polygon Received 12\.\d* USDC Value \$12\.\d\d Exchange rate /)
    expect(valuesIn(text)).toBe(2500)
    expect(textOf(await receipt(id, { 'accept-language': 'de' }))).toMatch(/Wert 12,\d\d\s\$/)
  })

  test('of an order that was partly paid by card shows the card payment in money', async () => {
    const { orderUUID: id } = await givenOrder(app, shop, { ...order, paymentMethodsKeys: ['*'] })
    await app.call('GET', `/payment/process/${id}?method=moonpay`)
    await simulate(app, id, 'underpaid')
    await app.jobs.settle()
    await openCrypto(app, id, 'polygon/usdc')
    await simulate(app, id, 'paid')
    await app.advance(6000)
    expect((await check(app, id)).status).toBe('PAID')
    expect(textOf(await receipt(id))).toMatch(
      /Paid with MoonPay\S* Received \$12\.\d\d .*Received 12\.\d* USDC Value \$12\.\d\d/,
    )
  })

  test('of an order that was paid at once does not repeat its total as a value', async () => {
    expect(textOf(await receipt(await paid()))).not.toContain('Value')
  })

  test('of a card payment names the provider', async () => {
    const { orderUUID: id } = await givenOrder(app, shop, { ...order, paymentMethodsKeys: ['*'] })
    await app.call('GET', `/payment/process/${id}?method=moonpay`)
    await simulate(app, id, 'paid')
    await app.jobs.settle()
    expect(textOf(await receipt(id))).toMatch(/Paid with MoonPay/)
  })
})
