import { expect, test } from 'bun:test'
import { chains } from '../../../src/coins/chains.ts'
import { chainName } from '../../../views/dashboard/texts/chain-names.ts'

test('each chain has the same name in notifications as everywhere else', () => {
  expect(chains.map(({ id }) => chainName(id))).toEqual(chains.map(({ name }) => name))
  expect(chainName('another')).toBe('another')
})
