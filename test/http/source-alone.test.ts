import { afterAll, afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { fillPool } from '../../src/operations/addresses/fill-pool.ts'
import { previewAccount, previewViewKey, setUpSource } from '../../src/operations/addresses/set-up-source.ts'
import { startApp } from '../support/app.ts'
import {
  BTC_WALLET,
  check,
  givenMerchant,
  givenOrder,
  openCrypto,
  type Shop,
  simulate,
} from '../support/given.ts'
import { merchantOf } from '../support/monero-payment.ts'
import { wallets } from './payments.ts'
import { data, refused } from './request.ts'

setDefaultTimeout(30_000)

/** The account of BIP84's test vector, and its first address. */
const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs'
const FIRST = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'

const app = await startApp()
const monero = merchantOf('a shop without a payout wallet')

afterEach(() => expect(app.audit()).toEqual([]))
afterAll(() => app.close())

const account = async ({ id }: Shop) =>
  setUpSource(app.context, await previewAccount(app.context, id, 'btc', ZPUB, null))
const viewKey = async ({ id }: Shop) =>
  setUpSource(app.context, await previewViewKey(app.context, id, monero.payout, monero.viewKey))
const pool = ({ id }: Shop) => fillPool(app.context, id, 'ltc', [wallets.ltc])

const sources: [name: string, setUp: (shop: Shop) => Promise<unknown>, asset: string, address: string][] = [
  ['an account key', account, 'btc', FIRST],
  ['a Monero view key', viewKey, 'xmr', monero.own(1).address],
  ['a pool', pool, 'ltc', wallets.ltc],
]

test.each(sources)('%s takes payments without a payout wallet', async (_, setUp, asset, address) => {
  const shop = await givenMerchant(app)
  await setUp(shop)
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
  expect((await openCrypto(app, orderUUID, asset)).attempt).toMatchObject({ assetId: asset, address })
  await simulate(app, orderUUID, 'paid')
  expect((await check(app, orderUUID)).status).toBe('PAID')
  const paid = await data(app, 'GET', `/v1/orders/${orderUUID}`, { key: shop.live })
  const transaction = await data(app, 'GET', `/v1/transactions/${paid.paidTransactionUUID}`, {
    key: shop.live,
  })
  expect(transaction).toMatchObject({ receivingWallet: address, status: 'PAID' })
})

test('an order for every method is refused with what a merchant of Bitcoin alone can do', async () => {
  const shop = await givenMerchant(app)
  await data(app, 'PUT', '/v1/wallet', { key: shop.live, body: { cryptoWallets: { btc: BTC_WALLET } } })
  const body = {
    amount: '5.00',
    currency: 'USD',
    paymentMethodsKeys: ['*'],
    customer: { email: 'buyer@example.com' },
  }
  const status = { status: 422, code: 'payout_wallet_required' }
  const { json } = await refused(app, status, 'POST', '/v1/orders', { key: shop.live, body })
  expect(json.error.message).toContain('To take crypto only, send paymentMethodsKeys ["crypto"]')
  await data(
    app,
    'POST',
    '/v1/orders',
    { key: shop.live, body: { ...body, paymentMethodsKeys: ['crypto'] } },
    201,
  )
})

test('a view key of another wallet than the payout wallet is refused', async () => {
  const shop = await givenMerchant(app)
  await data(app, 'PUT', '/v1/wallet', { key: shop.live, body: { cryptoWallets: { xmr: wallets.xmr } } })
  const { payout, viewKey } = merchantOf('another')
  await expect(previewViewKey(app.context, shop.id, payout, viewKey)).rejects.toThrow('florin wallet set')
})
