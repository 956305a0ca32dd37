import { expect, test } from 'bun:test'
import { HDKey } from '@scure/bip32'
import { previewAccount, setUpSource } from '../../src/operations/addresses/set-up-source.ts'
import {
  check,
  givenMerchant,
  givenOrder,
  givenShop,
  openCrypto,
  orderBody,
  type Shop,
  simulate,
} from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { getOrder, HOUR_MS } from './payments.ts'
import { refused } from './request.ts'

/** A new merchant with an account for Bitcoin and no other wallet. */
async function givenBitcoinShop(): Promise<Shop> {
  const merchant = await givenMerchant(app)
  const seed = new Uint8Array(32).fill(++accounts)
  const key = HDKey.fromMasterSeed(seed).derive("m/84'/0'/0'").publicExtendedKey
  await setUpSource(app.context, await previewAccount(app.context, merchant.id, 'btc', key, null))
  return merchant
}

const { app, once, each } = suite()
let accounts = 0
once(() => app.jobs.settle())
const shop = each(() => givenShop(app))
each(async () => {
  // A reason is logged again after an hour.
  app.time.now += HOUR_MS
  // Jobs are due every hour, and some tests compare all rows, so the jobs run before.
  await app.jobs.settle()
  app.logged.length = 0
})

const html = { accept: 'text/html' }
const choiceOf = async (id: string) => (await app.call('GET', `/pay/${id}`, { headers: html })).text
const hiddenMethods = () =>
  app.logged
    .filter(({ sentence }) => sentence === 'method.hidden')
    .map(({ fields }) => (fields as { methodKey: string }).methodKey)

const tooLittle: [amount: string, currency: string, hidden: string[], offered: string[]][] = [
  // In the sandbox, MoonPay takes 20 USD or more, Simplex 50 USD, and Revolut 6 EUR.
  ['2500', 'JPY', ['moonpay', 'simplex'], ['revolut']],
  ['0.01', 'USD', ['revolut', 'moonpay'], []],
  ['8000', 'JPY', [], ['moonpay', 'simplex', 'revolut']],
  ['5.60', 'EUR', ['revolut'], []],
]

test.each(tooLittle)(
  '%s %s: methods whose minimum is higher, in any currency, are not offered (%p)',
  async (amount, currency, hidden, offered) => {
    const paymentMethodsKeys = ['*']
    const { orderUUID } = await givenOrder(app, shop, { amount, currency, paymentMethodsKeys })
    const page = await choiceOf(orderUUID)
    const isLinked = (key: string) => page.includes(`method=${key}"`)
    expect(hidden.filter(isLinked)).toEqual([])
    expect(offered.filter(key => !isLinked(key))).toEqual([])
    expect(hiddenMethods()).toEqual(expect.arrayContaining(hidden))
    for (const key of hidden) {
      const entered = await app.call('GET', `/payment/process/${orderUUID}?method=${key}`, { headers: html })
      expect([key, entered.status]).toEqual([key, 422])
    }
  },
)

test('a method that is left out is logged with the reason', async () => {
  const { orderUUID } = await givenOrder(app, shop, { amount: '25.00', currency: 'USD' })
  await choiceOf(orderUUID)
  const reasons = app.logged
    .filter(({ sentence }) => sentence === 'method.hidden')
    .map(({ fields }) => fields as { methodKey: string; reason: string })
  expect(reasons).toContainEqual({ methodKey: 'upi', reason: 'it does not take USD' })
  expect(reasons).toContainEqual({
    methodKey: 'simplex',
    reason: 'the amount is below the minimum of 50.00 USD',
  })
  const lines = app.logged.length
  await choiceOf(orderUUID)
  expect(app.logged.slice(lines).filter(({ sentence }) => sentence === 'method.hidden')).toEqual([])
})

test('a merchant with Bitcoin alone gets an error for ["*"] that names ["crypto"]', async () => {
  const merchant = await givenBitcoinShop()
  const answer = await refused(app, { status: 422, code: 'payout_wallet_required' }, 'POST', '/v1/orders', {
    key: merchant.live,
    body: orderBody({ paymentMethodsKeys: ['*'] }),
  })
  expect(answer.json.error.message).toMatch(/paymentMethodsKeys \["crypto"\]/)
})

test('an account key is enough for Bitcoin, without a payout wallet', async () => {
  const merchant = await givenBitcoinShop()
  const { orderUUID } = await givenOrder(app, merchant, { paymentMethodsKeys: ['crypto'] })
  expect(await choiceOf(orderUUID)).toContain('value="btc"')
  const { attempt } = await openCrypto(app, orderUUID, 'btc')
  expect(attempt).toMatchObject({ assetId: 'btc', address: expect.stringMatching(/^bc1q/) })
  await simulate(app, orderUUID, 'paid')
  await check(app, orderUUID)
  expect((await getOrder(app, merchant, orderUUID)).status).toBe('PAID')
})
