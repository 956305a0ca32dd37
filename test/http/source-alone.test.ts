import { expect, test } from 'bun:test'
import { fillPool } from '../../src/operations/addresses/fill-pool.ts'
import {
  previewAccount,
  previewViewKey,
  setUpSource,
  stopSource,
} from '../../src/operations/addresses/set-up-source.ts'
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
import { suite } from '../support/suite.ts'
import { wallets } from './payments.ts'
import { data, refused } from './request.ts'

/** The account of BIP84's test vector, and its first address. */
const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs'
const FIRST = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'

const { app } = suite()

const monero = merchantOf('a shop without a payout wallet')

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
  // The API's list of networks never contains Monero.
  const configuredCryptoNetworks = asset === 'xmr' ? [] : [asset]
  const own = { configured: false, cryptoWallets: {}, configuredCryptoNetworks }
  expect(await data(app, 'GET', '/v1/wallet', { key: shop.live })).toMatchObject(own)
  expect(
    await data(app, 'PUT', '/v1/wallet', { key: shop.live, body: { includeCrypto: true } }),
  ).toMatchObject(own)
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

test('a source that is no longer used appears in no list of networks', async () => {
  const shop = await givenMerchant(app)
  await fillPool(app.context, shop.id, 'evm', ['0xde709f2102306220921060314715629080e2fb77'])
  await stopSource(app.context, shop.id, 'evm', 'pool')
  expect(await data(app, 'GET', '/v1/wallet', { key: shop.live })).toMatchObject({
    configuredCryptoNetworks: [],
  })
})

test('an order for every method is refused with the methods of a merchant of Bitcoin alone', async () => {
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
