import { expect, test } from 'bun:test'
import { HDKey } from '@scure/bip32'
import type { WalletNetwork } from '../../src/domain/asset.ts'
import { previewAccount, previewViewKey, setUpSource } from '../../src/operations/addresses/set-up-source.ts'
import { givenMerchant, givenOrder } from '../support/given.ts'
import { merchantOf } from '../support/monero-payment.ts'
import { suite } from '../support/suite.ts'
import { changeRows, rowOf, rowsOf } from './rows.ts'

const monero = merchantOf('a shop whose addresses are derived')

const { app, each } = suite({ isFresh: true })
/** the derived indices, in order */
let derived: number[]
const shop = each(() => givenMerchant(app))
each(async () => {
  derived = []
  const { networks, storage } = app.context
  const { derive } = networks
  networks.derive = (source, index) => {
    // Throws if it is called inside a read or write of the database, which a derivation would hold up.
    storage.assertOutside('A derivation')
    derived.push(index)
    return derive(source, index)
  }
})

async function account(network: WalletNetwork, path: string): Promise<void> {
  const key = HDKey.fromMasterSeed(new Uint8Array(32).fill(9)).derive(path).publicExtendedKey
  await setUpSource(app.context, await previewAccount(app.context, shop.id, network, key, null))
}
const viewKey = async () =>
  setUpSource(app.context, await previewViewKey(app.context, shop.id, monero.payout, monero.viewKey))

const order = async (): Promise<string> =>
  (await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })).orderUUID
const open = async (orderUUID: string, asset: string): Promise<number> =>
  (await app.call('POST', `/pay/${orderUUID}/crypto`, { form: { asset } })).status

/** The indices of the allocated addresses, in order. */
const given = () =>
  rowsOf(app, 'SELECT position FROM source_addresses WHERE attempt_id IS NOT NULL ORDER BY position').map(
    ({ position }) => Number(position),
  )

const sources: [name: string, setUp: () => Promise<unknown>, asset: string, first: number][] = [
  ['a Bitcoin account', () => account('btc', "m/84'/0'/0'"), 'btc', 0],
  ['an Ethereum account', () => account('evm', "m/44'/60'/0'"), 'ethereum/eth', 0],
  ['a Monero view key', viewKey, 'xmr', 1],
]

test.each(sources)(
  'an address of %s is never derived while the database works',
  async (_, setUp, asset, first) => {
    await setUp()
    derived = []
    for (let i = 0; i < 3; i++) expect(await open(await order(), asset)).toBe(303)
    expect([given(), derived]).toEqual([
      [first, first + 1, first + 2],
      [first, first + 1, first + 2],
    ])
  },
)

test('buyers who open payments at the same time get one address each, and none is derived twice', async () => {
  await account('btc', "m/84'/0'/0'")
  derived = []
  const ids = await Promise.all(Array.from({ length: 12 }, order))
  expect(await Promise.all(ids.map(id => open(id, 'btc')))).toEqual(Array(12).fill(303))
  const all = Array.from({ length: 12 }, (_, index) => index)
  expect(given()).toEqual(all)
  expect(derived.toSorted((one, other) => one - other)).toEqual(all)
})

test('an index that another process has moved is used', async () => {
  await account('btc', "m/84'/0'/0'")
  expect(await open(await order(), 'btc')).toBe(303)
  const { storage } = app.context
  const { write } = storage
  storage.write = work => {
    changeRows(app, 'UPDATE address_sources SET next_index = 1001 WHERE next_index = 1')
    return write(work)
  }
  expect(await open(await order(), 'btc')).toBe(303)
  expect(given()).toEqual([0, 1001])
})

test('an address that is free again is recognized without deriving it in a write', async () => {
  await account('btc', "m/84'/0'/0'")
  const { source_id, merchant_id } = rowOf(app, 'SELECT id AS source_id, merchant_id FROM address_sources')
  const { storage, networks } = app.context
  const [source] = await storage.read(tables => tables.sources.listOf(shop.id))
  const free = networks.derive(source!, 7)
  const row = 'INSERT INTO source_addresses VALUES (?, ?, ?, ?, 7, NULL, NULL)'
  changeRows(app, row, 'btc', free, source_id!, merchant_id!)
  expect(await open(await order(), 'btc')).toBe(303)
  expect(given()).toEqual([7])
})
