import { describe, expect, test } from 'bun:test'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { connectAccount, testAccount } from '../../src/operations/merchants/connect-account.ts'
import { forceOrder } from '../../src/operations/orders/force.ts'
import { paypal } from '../../src/providers/paypal/paypal.ts'
import { signInAs } from '../support/dashboard.ts'
import { givenOrder } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { attemptsOf, eventTypesOf, getOrder, HOUR_MS, incomingPaymentsOf, MINUTE_MS } from './payments.ts'
import {
  accountOf,
  connectPayPal,
  givenPayPalShop,
  keysOf,
  onPayPal,
  openAtPayPal,
  type PayPalApp,
  startPayPalApp,
} from './paypals.ts'
import { altered, openSession, payOnPage } from './stripes.ts'

const { app, each, ownApp } = suite<PayPalApp>({ start: startPayPalApp })
const shop = each(() => givenPayPalShop(app))
each(() => {
  app.wire.requests.length = 0
  app.wire.faults.length = 0
  app.wire.hasLostWebhooks = false
})
const order = async (change: object = {}): Promise<string> =>
  (
    await givenOrder(app, shop, {
      ...{ amount: '25.00', currency: 'EUR', paymentMethodsKeys: ['paypal'] },
      ...change,
    })
  ).orderUUID
const read = (orderUUID: string) => getOrder(app, shop, orderUUID)
const taken = (): number => app.wire.requests.filter(name => name.endsWith('/ID/capture')).length

test('an order is paid on PayPal’s page, into the shop’s own account, and captured once', async () => {
  const orderUUID = await order()
  const id = await openAtPayPal(app, orderUUID)
  expect((await app.call('GET', `/sandbox/paypal/checkoutnow?token=${id}`)).text).toContain('25.00 EUR')
  expect(await openAtPayPal(app, orderUUID)).toBe(id)
  const paid = await onPayPal(app, id, 'balance')
  const back = `http://localhost/pay/${orderUUID}/return`
  expect([paid.status, paid.headers.get('location')]).toEqual([
    303,
    `${back}?token=${id}&PayerID=SANDBOXBUYER1`,
  ])
  expect(await read(orderUUID)).toMatchObject({
    ...{ status: 'PAID', receivedAmount: '25.00', receivedCurrency: 'EUR' },
    ...{ providerPayoutAddress: accountOf(shop), transactionRef: expect.stringMatching(/^[0-9A-F]{16}$/) },
  })
  expect(eventTypesOf(app, orderUUID)).toEqual(['order.paid'])
  expect([incomingPaymentsOf(app, orderUUID).length, taken()]).toEqual([1, 1])
})

describe('an approved payment is captured', () => {
  const approved = async (change: object = {}, afterMs = 0): Promise<string> => {
    const orderUUID = await order(change)
    const id = await openAtPayPal(app, orderUUID)
    app.wire.hasLostWebhooks = true
    await app.advance(afterMs)
    await onPayPal(app, id, 'balance')
    expect([(await read(orderUUID)).status, taken()]).toEqual(['UNPAID', 0])
    return orderUUID
  }

  test('when the buyer returns, even if the webhook is lost', async () => {
    await ownApp()
    const orderUUID = await approved()
    await app.call('GET', `/pay/${orderUUID}/return?token=x&PayerID=y`)
    expect([(await read(orderUUID)).status, taken()]).toEqual(['PAID', 1])
  })

  test('not when its order is marked as paid: the server only asks for its state', async () => {
    await ownApp()
    const orderUUID = await approved()
    const forcing = { merchantId: shop.id, orderId: orderUUID, by: 'Ann', reason: 'paid in cash' }
    const { order: forced } = await forceOrder(app.context, forcing)
    expect([forced.status, forced.forcedProviderStatus]).toEqual(['PAID', 'unpaid'])
    await app.advance(HOUR_MS)
    expect(taken()).toBe(0)
  })

  test('by the next look-up, even if the buyer closed the browser', async () => {
    await ownApp()
    const orderUUID = await approved()
    await app.advance(10 * MINUTE_MS)
    expect([(await read(orderUUID)).status, taken()]).toEqual(['PAID', 1])
  })

  const inMinutes = (count: number) => ({
    expiresAt: new Date(app.time.now + count * MINUTE_MS).toISOString(),
  })

  test('by a look-up just before its order expires', async () => {
    await ownApp()
    const orderUUID = await approved(inMinutes(15), 11 * MINUTE_MS)
    await app.advance(3 * MINUTE_MS)
    expect([(await read(orderUUID)).status, taken()]).toEqual(['PAID', 1])
  })

  test('never while its shop is suspended, but the buyer can approve it again later', async () => {
    await ownApp()
    const orderUUID = await approved()
    await changeMerchant(app.context, shop.id, { status: 'suspended' })
    await app.advance(20 * MINUTE_MS)
    await changeMerchant(app.context, shop.id, { status: 'active' })
    expect([(await read(orderUUID)).status, taken()]).toEqual(['UNPAID', 0])
    await onPayPal(app, await openAtPayPal(app, orderUUID), 'balance')
    await app.call('GET', `/pay/${orderUUID}/return`)
    expect([(await read(orderUUID)).status, taken()]).toEqual(['PAID', 1])
  })

  test('never after its order has ended', async () => {
    await ownApp()
    const orderUUID = await approved(inMinutes(5), 4.5 * MINUTE_MS)
    await app.advance(1.5 * MINUTE_MS)
    expect(attemptsOf(app, orderUUID)).toMatchObject([{ state: 'expired' }])
    await app.call('GET', `/pay/${orderUUID}/return`)
    await app.advance(3 * HOUR_MS)
    expect([(await read(orderUUID)).status, taken()]).toEqual(['EXPIRED', 0])
  })
})

describe('a buyer who chooses a card after PayPal', () => {
  const both = async (): Promise<string> => {
    const key = `rk_test_${shop.id.replaceAll('-', '').slice(-12)}_1`
    const stripe = { merchantId: shop.id, providerId: 'stripe', key, webhookSecret: null }
    await connectAccount(app.context, stripe)
    return order({ paymentMethodsKeys: ['paypal', 'stripe'] })
  }

  test('pays by card alone: a later approval at PayPal is not captured', async () => {
    await ownApp()
    const orderUUID = await both()
    const id = await openAtPayPal(app, orderUUID)
    const session = await openSession(app, orderUUID)
    await onPayPal(app, id, 'balance')
    await app.call('GET', `/pay/${orderUUID}/return`)
    await app.advance(HOUR_MS)
    expect([(await read(orderUUID)).status, taken()]).toEqual(['UNPAID', 0])
    await payOnPage(app, session)
    expect(await read(orderUUID)).toMatchObject({
      status: 'PAID',
      transactionRef: expect.stringMatching(/^pi_/),
    })
  })

  test('has already paid, if they approved it before: no page for cards is opened', async () => {
    await ownApp()
    const orderUUID = await both()
    const id = await openAtPayPal(app, orderUUID)
    app.wire.hasLostWebhooks = true
    await onPayPal(app, id, 'balance')
    const answer = await app.call('GET', `/payment/process/${orderUUID}?method=stripe`)
    expect((await read(orderUUID)).status).toBe('PAID')
    expect([answer.status, taken(), attemptsOf(app, orderUUID).length]).toEqual([409, 1, 1])
  })
})

test('a transfer that takes days pays when it arrives', async () => {
  await ownApp()
  const orderUUID = await order()
  const id = await openAtPayPal(app, orderUUID)
  await onPayPal(app, id, 'echeck')
  expect(attemptsOf(app, orderUUID)).toMatchObject([{ state: 'confirming' }])
  await app.advance(48 * HOUR_MS)
  expect((await read(orderUUID)).status).toBe('UNPAID')
  await onPayPal(app, id, 'COMPLETED')
  expect((await read(orderUUID)).status).toBe('PAID')
})

test.each([
  ['that does not arrive', ['echeck', 'DECLINED']],
  ['with a card that the bank refuses', ['declined']],
])('a payment %s can be made again', async (_, steps) => {
  const orderUUID = await order()
  const first = await openAtPayPal(app, orderUUID)
  for (const step of steps) await onPayPal(app, first, step)
  expect(attemptsOf(app, orderUUID)).toMatchObject([{ state: 'expired' }])
  const second = await openAtPayPal(app, orderUUID)
  expect(second).not.toBe(first)
  await onPayPal(app, second, 'balance')
  expect((await read(orderUUID)).status).toBe('PAID')
})

test.each([
  ['paid', 202, 'PAID'],
  ['pending', 202, 'UNPAID'],
  ['failed', 202, 'UNPAID'],
  ['underpaid', 409, 'UNPAID'],
])('a script that simulates %s gets %i, and the order is %s', async (outcome, answer, state) => {
  const orderUUID = await order({ paymentMethodsKeys: ['paypal', 'crypto'] })
  await openAtPayPal(app, orderUUID)
  const simulated = await app.call('POST', '/sandbox/simulate', { body: { orderUUID, outcome } })
  expect([simulated.status, (await read(orderUUID)).status]).toEqual([answer, state])
})

test('an order that PayPal has forgotten is opened again', async () => {
  await ownApp()
  const orderUUID = await order()
  const first = await openAtPayPal(app, orderUUID)
  await app.advance(7 * HOUR_MS)
  const second = await openAtPayPal(app, orderUUID)
  expect(second).not.toBe(first)
  await onPayPal(app, second, 'balance')
  expect((await read(orderUUID)).status).toBe('PAID')
})

test.each([
  ['HUF', '1000.00', '1000 HUF'],
  ['JPY', '1000', '1000 JPY'],
  ['TWD', '300.00', '300 TWD'],
])('%s is charged without decimals', async (currency, amount, shown) => {
  const orderUUID = await order({ amount, currency })
  const id = await openAtPayPal(app, orderUUID)
  expect((await app.call('GET', `/sandbox/paypal/checkoutnow?token=${id}`)).text).toContain(shown)
  await onPayPal(app, id, 'balance')
  expect(await read(orderUUID)).toMatchObject({ status: 'PAID', receivedAmount: amount })
})

test('an amount that PayPal cannot charge exactly is not rounded', async () => {
  const orderUUID = await order({ amount: '1000.50', currency: 'HUF' })
  const answer = await app.call('GET', `/payment/process/${orderUUID}?method=paypal`)
  expect([answer.status, app.wire.requests]).toEqual([502, []])
})

describe('an account at PayPal', () => {
  test('that connects is shown with its owner, and gets one webhook at PayPal', async () => {
    expect(await connectPayPal(app, shop, keysOf(accountOf(shop), 'F'))).toEqual({
      ...{ id: accountOf(shop), name: `${accountOf(shop).toLowerCase()}@business.example`, mode: 'test' },
      ...{ keyEnd: 'yyyy', webhook: 'made' },
    })
    expect(await testAccount(app.context, shop.id, 'paypal')).toMatchObject({ webhook: 'made' })
    expect(app.wire.requests.filter(name => name === 'POST 1/notifications/webhooks')).toEqual([])
  })

  test.each([
    ['a key of Stripe', { clientId: '', key: 'rk_test_corner_12345678' }, 'not_a_key'],
    ['a secret twice', { clientId: 'x'.repeat(40), key: 'x'.repeat(40) }, 'not_a_key'],
    ['a key that was deleted', keysOf('A123456789012', 'revoked'), 'key_refused'],
    ['a key of another account', keysOf('B123456789012'), 'other_account'],
  ])('is not connected with %s', async (_, keys, problem) => {
    await expect(connectPayPal(app, shop, keys)).rejects.toMatchObject({
      reason: { kind: 'account', problem },
    })
  })

  const pageAt = (host: string) =>
    altered(() => ({ links: [{ rel: 'payer-action', href: `https://${host}/checkoutnow?token=1` }] }))

  test('of real money is not connected to a sandbox, nor used in one', async () => {
    app.wire.faults.push(['POST 2/checkout/orders', pageAt('www.paypal.com')])
    await expect(connectPayPal(app, shop)).rejects.toMatchObject({ reason: { problem: 'live_key' } })
    app.wire.faults.push(['POST 2/checkout/orders', pageAt('www.paypal.com')])
    const opened = await app.call('GET', `/payment/process/${await order()}?method=paypal`)
    expect(opened.status).toBe(502)
  })

  test('of PayPal’s sandbox is not connected to a server for real money', async () => {
    const { context } = app
    const request = { ...keysOf('A123456789012'), webhookSecret: null, callbackUrl: '', former: null }
    const accountsAt = (mode: 'test' | 'live') =>
      paypal({
        ...{ apiUrl: 'http://localhost/sandbox/paypal', timeoutMs: 1000, clock: context.clock, mode },
        async fetch(url, init) {
          const answer = await app.florin.http.handle(new Request(url, init))
          const text = (await answer.text()).replaceAll('http://localhost', 'https://www.sandbox.paypal.com')
          return new Response(text, { status: answer.status })
        },
      }).charge?.accounts
    expect(await accountsAt('test')?.try(request)).toMatchObject({ mode: 'test', id: 'A123456789012' })
    await expect(accountsAt('live')?.try(request)).rejects.toMatchObject({ kind: 'test_key' })
  })

  test('gets one access token, and another one when that has expired', async () => {
    await ownApp()
    const tokens = () => app.wire.requests.filter(name => name === 'POST 1/oauth2/token').length
    const orderUUID = await order()
    await openAtPayPal(app, orderUUID)
    expect(tokens()).toBe(0)
    await app.advance(9 * HOUR_MS)
    await Promise.all([openAtPayPal(app, await order()), openAtPayPal(app, await order())])
    expect(tokens()).toBe(1)
  })
})

test('a PayPal account is tested and saved on its page, which never contains its secret', async () => {
  const owner = await signInAs(app, 'owner', shop.id)
  const { clientId, key } = keysOf(accountOf(shop), 'G')
  expect((await owner.get('/dashboard/cards/paypal')).text).toContain('Client ID')
  const tried = await owner.post('/dashboard/cards/paypal/try', { clientId: ` ${clientId} `, key })
  expect(tried.text).toContain(`${accountOf(shop).toLowerCase()}@business.example`)
  expect(tried.text).not.toContain(key)
  const draft = /name="draft" value="([^"]+)"/.exec(tried.text)?.[1] ?? ''
  const saved = await owner.post('/dashboard/cards/paypal/save', { draft })
  expect([saved.status, saved.headers.get('location')]).toEqual([303, '/dashboard/cards/paypal?done=saved'])
  const refused = await owner.post('/dashboard/cards/paypal/try', { key })
  expect([refused.status, refused.text.includes('not a secret key')]).toEqual([400, true])
})
