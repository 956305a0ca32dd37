import { expect, test } from 'bun:test'
import { givenMerchant } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { BTC_WALLET, EVM_WALLET } from './commands.ts'
import { expectRefusals, runInProcess } from './in-process.ts'

const { app } = suite()

const run = (...args: string[]) => runInProcess({ FLORIN_DATA_DIR: app.dataDir }, ...args)
const set = (merchant: string, network: string, address: string) => [
  ...['wallet', 'set', '--merchant', merchant, '--network', network, address],
]

test('wallet set sets and removes a payout wallet, and prints what GET /v1/wallet answers', async () => {
  const shop = await givenMerchant(app)
  const read = async () => (await app.call('GET', '/v1/wallet', { key: shop.live })).json.data
  await run(...set(shop.id, 'evm', EVM_WALLET))
  const both = JSON.parse((await run(...set(shop.id, 'btc', BTC_WALLET), '--json')).stdout)
  expect(both).toMatchObject({ configured: true, cryptoWallets: { evm: EVM_WALLET, btc: BTC_WALLET } })
  expect(both).toEqual(await read())
  const removed = await run(...set(shop.id, 'btc', ''), '--json')
  expect(JSON.parse(removed.stdout).cryptoWallets).toEqual({ evm: EVM_WALLET })
  expect(JSON.parse(removed.stdout)).toEqual(await read())
  expect((await run(...set(shop.id, 'evm', EVM_WALLET))).stdout).toContain(EVM_WALLET)
})

test('wallet set refuses a wrong address, network or merchant', async () => {
  const { id } = await givenMerchant(app)
  await expectRefusals(app.dataDir, [
    ['an address of another network', set(id, 'btc', EVM_WALLET), /is an address of evm/],
    ['a mistyped address', set(id, 'btc', `${BTC_WALLET.slice(0, -1)}5`), /mainnet address/],
    ['a dead address', set(id, 'evm', '0x000000000000000000000000000000000000dEaD'), /without an owner/],
    ['a mint', set(id, 'solana', 'So11111111111111111111111111111111111111112'), /reserved by the network/],
    ['an unknown network', set(id, 'bitcoin', BTC_WALLET), /must be one of evm, btc/],
    ['an unknown merchant', set('01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55', 'btc', BTC_WALLET), /merchant/],
  ])
})
