import { expect, test } from 'bun:test'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { startApp } from '../support/app.ts'
import { givenMerchant } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { HOUR_MS, outage } from './payments.ts'
import { ask, data, refused } from './request.ts'

let catalogueRequests = 0
const counting = (url: string, init?: RequestInit): Promise<Response> => {
  if (url.includes('/provider-status')) catalogueRequests++
  return app.florin.http.handle(new Request(url, init))
}
const { app, once, each } = suite({ start: () => startApp({}, { fetch: counting }) })
once(async () => {
  await app.jobs.settle()
  // The jobs are stopped, because they would refresh the catalogue too, at times of their own.
  await app.jobs.stop()
})
const shop = each(() => givenMerchant(app))

const list = (query = '', key = shop.live) => data(app, 'GET', `/v1/payment-methods${query}`, { key })

const wrong: [why: string, query: string][] = [
  ['a forceFetch that is not a boolean', '?forceFetch=yes'],
  ['an empty forceFetch', '?forceFetch='],
  ['a repeated forceFetch', '?forceFetch=true&forceFetch=false'],
  ['an unknown parameter', '?amount=5'],
]

test.each(wrong)('a list of payment methods with %s is refused', async (_, query) => {
  await refused(app, { status: 400, code: 'validation_error' }, 'GET', `/v1/payment-methods${query}`, {
    key: shop.live,
  })
})

test('a request without a key, or with one of a suspended merchant, lists no methods', async () => {
  await refused(app, { status: 401, code: 'unauthorized' }, 'GET', '/v1/payment-methods?forceFetch=x')
  await changeMerchant(app.context, shop.id, { status: 'suspended' })
  await refused(app, { status: 403, code: 'merchant_suspended' }, 'GET', '/v1/payment-methods', {
    key: shop.live,
  })
})

test('every method is concrete, available and has its minimum; "all" and "hosted" are not listed', async () => {
  const { paymentMethods, paymentMethodsKeys, ...rest } = await list('', shop.test)
  expect(rest).toEqual({})
  expect(paymentMethodsKeys).toEqual(paymentMethods.map(({ key }: { key: string }) => key))
  expect(paymentMethodsKeys).toContain('moonpay')
  expect(paymentMethodsKeys.at(-1)).toBe('crypto')
  expect(new Set(paymentMethodsKeys).size).toBe(paymentMethodsKeys.length)
  for (const method of paymentMethods) {
    expect(method).toEqual({
      key: expect.stringMatching(/^[a-z0-9][a-z0-9_-]*$/),
      displayName: expect.stringMatching(/./),
      minimumAmount: expect.stringMatching(/^[0-9]{1,18}([.][0-9]{1,3})?$/),
      minimumCurrency: expect.stringMatching(/^[A-Z]{3}$/),
      status: 'AVAILABLE',
    })
    expect(['all', 'hosted']).not.toContain(method.key)
  }
})

test('crypto is listed if the merchant includes it', async () => {
  await data(app, 'PUT', '/v1/wallet', { key: shop.live, body: { includeCrypto: false } })
  expect((await list()).paymentMethodsKeys).not.toContain('crypto')
  await data(app, 'PUT', '/v1/wallet', { key: shop.live, body: { includeCrypto: true } })
  expect((await list()).paymentMethodsKeys).toContain('crypto')
})

test('the catalogue of providers is cached for an hour, and fetched again by forceFetch', async () => {
  await app.advance(HOUR_MS + 1)
  await list()
  const before = catalogueRequests
  app.time.now += HOUR_MS - 1
  await list()
  expect(catalogueRequests).toBe(before)
  await list('?forceFetch=false')
  expect(catalogueRequests).toBe(before)
  await list('?forceFetch=true')
  expect(catalogueRequests).toBe(before + 1)
})

test.each(['', '?forceFetch=true'])(
  '200 requests at once share one request to the provider: %s',
  async query => {
    app.time.now += 2 * HOUR_MS
    const before = catalogueRequests
    const answers = await Promise.all(Array.from({ length: 200 }, () => list(query)))
    expect(catalogueRequests).toBe(before + 1)
    expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1)
  },
)

const force = '/v1/payment-methods?forceFetch=true'

test('an unavailable provider is a 502, unless a usable catalogue is cached and no fetch is forced', async () => {
  await list('?forceFetch=true')
  await outage(app, 'provider', true)
  app.time.now += 2 * HOUR_MS
  expect((await list()).paymentMethodsKeys).toContain('moonpay')
  const unavailable = { status: 502, code: 'provider_unavailable' }
  await refused(app, unavailable, 'GET', force, { key: shop.live })
  expect((await list()).paymentMethodsKeys).toContain('moonpay')
  app.time.now += 24 * HOUR_MS
  await refused(app, unavailable, 'GET', '/v1/payment-methods', { key: shop.live })
  await outage(app, 'provider', false)
  expect((await list('?forceFetch=true')).paymentMethodsKeys).toContain('moonpay')
})

test('requests with forceFetch within 10 seconds repeat the outcome of the first one', async () => {
  for (const [isDown, status] of [
    [false, 200],
    [true, 502],
  ] as const) {
    await outage(app, 'provider', isDown)
    app.time.now += 10_000
    const before = catalogueRequests
    for (const [pauseMs, requests] of [
      [0, 1],
      [9999, 1],
      [1, 2],
      [0, 2],
    ] as const) {
      app.time.now += pauseMs
      const answer = await ask(app, 'GET', force, { key: shop.live })
      expect([answer.status, catalogueRequests - before]).toEqual([status, requests])
    }
  }
  await outage(app, 'provider', false)
  await list('?forceFetch=true')
})

test('without a provider, crypto is the only method', async () => {
  const bare = await startApp({ FLORIN_SANDBOX: 'false' })
  const merchant = await givenMerchant(bare)
  const answer = await data(bare, 'GET', '/v1/payment-methods', { key: merchant.live })
  expect(answer.paymentMethodsKeys).toEqual(['crypto'])
  await bare.close()
})
