import { expect, test } from 'bun:test'
import { chains } from '../../../src/coins/chains.ts'
import { chainName, coinName } from '../../../views/dashboard/texts/chain-names.ts'

test('each chain is called in notifications as everywhere else', () => {
  expect(chains.map(({ id }) => chainName(id))).toEqual(chains.map(({ name }) => name))
  expect(chainName('another')).toBe('another')
})

test('a coin is called by its ticker and its chain', () => {
  const on = (ticker: string, chain: string): string => `${ticker} on ${chain}`
  const names = ['ethereum/usdc', 'btc', 'another/coin'].map(id => coinName(id, on))
  expect(names).toEqual(['USDC on Ethereum', 'Bitcoin', 'COIN on another'])
})
