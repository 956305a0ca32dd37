import { expect, test } from 'bun:test'
import { chainOf } from '../../../src/domain/asset.ts'
import { assets } from '../../../src/networks/assets.ts'
import { isAddress } from '../../support/known-coins.ts'
import { words } from '../../support/words.ts'

const find = (id: string) => assets.find(asset => asset.id === id)!

test('every asset is in the table, once', () => {
  expect(assets.map(({ id }) => id)).toEqual(
    words(`
    btc lightning ltc doge bitcoincash zec xmr trc20/trx trc20/usdt solana/sol solana/usdc solana/usdt
    ethereum/eth ethereum/usdc ethereum/usdt polygon/pol polygon/usdc polygon/usdt base/eth base/usdc base/usdt bsc/bnb
    bsc/usdc bsc/usdt arbitrum/eth arbitrum/usdc arbitrum/usdt optimism/eth optimism/usdc optimism/usdt
  `),
  )
})

test.each(assets.map(asset => [asset.id, asset] as const))('the row %s is consistent', (id, asset) => {
  expect(asset.chain).toBe(chainOf(id))
  expect(asset.quoteDecimals).toBeLessThanOrEqual(asset.decimals)
  expect(asset.minimum).toBeGreaterThan(0n)
  expect(asset.confirmations).toBeGreaterThan(0)
  expect(asset.chainId === null).toBe(asset.network !== 'evm')
  expect(asset.name).toMatch(/^[A-Z]/)
})

test('every token has a contract with its checksum, and every chain has at most one coin', () => {
  const tokens = assets.filter(({ contract }) => contract !== null)
  for (const { network, contract } of tokens) expect(isAddress(network, contract!)).toBe(true)
  expect(new Set(tokens.map(({ chain, contract }) => `${chain} ${contract}`)).size).toBe(tokens.length)
  const coins = assets.filter(({ contract }) => contract === null)
  expect(new Set(coins.map(({ chain }) => chain)).size).toBe(coins.length)
})

test('the dollars of BNB Smart Chain have 18 decimals, all others 6', () => {
  const dollars = assets.filter(({ ticker }) => ticker.startsWith('USD'))
  for (const { chain, decimals } of dollars) expect(decimals).toBe(chain === 'bsc' ? 18 : 6)
})

test('assets have names for buyers', () => {
  expect(['btc', 'polygon/usdc', 'ethereum/eth', 'trc20/usdt'].map(id => find(id).name)).toEqual([
    ...['Bitcoin', 'USDC on Polygon', 'ETH on Ethereum', 'USDT on TRON'],
  ])
})

test('the EVM chains have their chain ids', () => {
  const ids = Object.fromEntries(
    assets.filter(({ network }) => network === 'evm').map(a => [a.chain, a.chainId]),
  )
  expect(ids).toEqual({ ethereum: 1, polygon: 137, base: 8453, bsc: 56, arbitrum: 42161, optimism: 10 })
})
