import { expect, test } from 'bun:test'
import { fillPool } from '../../src/operations/addresses/fill-pool.ts'
import { previewAccount, setUpSource } from '../../src/operations/addresses/set-up-source.ts'
import { givenMerchant, type Shop } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { publicVersions, withVersion, xpubOf } from '../unit/networks/keys/published.ts'
import { wallets } from './payments.ts'
import { data, refused } from './request.ts'

const { app } = suite()

const shops = async (): Promise<[Shop, Shop]> => [await givenMerchant(app), await givenMerchant(app)]
const fill = ({ id }: Shop, lines: string[]) => fillPool(app.context, id, 'evm', lines)
const setWallet = ({ live }: Shop, evm: string) =>
  data(app, 'PUT', '/v1/wallet', { key: live, body: { cryptoWallets: { evm } } })

const taken = { status: 400, code: 'validation_error' } as const
const [first, second] = ['0xde709f2102306220921060314715629080e2fb77', wallets.evm]

test('the payout wallet of another merchant is refused in a pool, in any spelling', async () => {
  const [shop, other] = await shops()
  await setWallet(other, second.toLowerCase())
  const list = [first, second]
  await expect(fill(shop, list)).rejects.toThrow(
    'line 2: is already in use by an account or another merchant',
  )
  await setWallet(other, '')
  expect(await fill(shop, list)).toMatchObject({ added: 2 })
})

test('an address of another merchant’s pool cannot be a payout wallet, nor that of an order', async () => {
  const [shop, other] = await shops()
  const address = '0x27b1fdb04752bbc536007a920d24acb045561c26'
  await fill(other, [address])
  const body = { cryptoWallets: { evm: address } }
  await refused(app, { ...taken, path: 'evm' }, 'PUT', '/v1/wallet', { key: shop.live, body })
  await data(app, 'PUT', '/v1/wallet', { key: shop.live, body: { orderWalletOverrideEnabled: true } })
  const order = {
    amount: '5.00',
    currency: 'USD',
    paymentMethodsKeys: ['crypto'],
    customer: { email: 'buyer@example.com' },
    receivingWallet: address,
  }
  await refused(app, { ...taken, path: 'receivingWallet' }, 'POST', '/v1/orders', {
    key: shop.live,
    body: order,
  })
  expect(await setWallet(other, address)).toMatchObject({ payoutWallet: address })
})

test('the account key of another merchant is refused with another prefix, too', async () => {
  const [shop, other] = await shops()
  const xpub = xpubOf('btc', 'p2wpkh')
  const zpub = withVersion(xpub, publicVersions.zpub)
  const preview = ({ id }: Shop, key: string) => previewAccount(app.context, id, 'btc', key, null)
  const late = await preview(shop, zpub)
  await setUpSource(app.context, await preview(other, xpub))
  for (const key of [xpub, zpub]) {
    await expect(preview(shop, key)).rejects.toThrow('already belongs to another merchant')
  }
  await expect(setUpSource(app.context, late)).rejects.toThrow('already belongs to another merchant')
  expect(await setUpSource(app.context, await preview(other, zpub))).toMatchObject({ kind: 'xpub' })
})
