import { expect, test } from 'bun:test'
import { type ChainFunds, costOfFunds, valueOfFunds } from '../../../src/domain/waiting-funds.ts'

const funds = (...values: (string | null)[]): ChainFunds => ({
  ...{ chain: 'ethereum', lookedAt: 0, addresses: 1, fee: null },
  sums: values.map(value => ({ assetId: 'ethereum/eth', amount: '1', value })),
})

test.each<[value: string, isPartial: boolean, chains: ChainFunds[]]>([
  ['3.75', false, [funds('1.00'), funds('2.50', '0.25')]],
  ['1.00', true, [funds('1.00', null)]],
  ['0.00', true, [funds(null, null)]],
  ['0.00', false, []],
])('funds are worth %s, and some of them have no rate: %p', (value, isPartial, chains) => {
  expect(valueOfFunds(chains, 'EUR')).toEqual({ value, isPartial })
})

test.each<[sentence: string, chain: ChainFunds, share: bigint | null]>([
  ['a part of their value, rounded up', funds('3.00'), 3334n],
  ['no known part of a value that lacks a rate', funds('3.00', null), null],
  ['no part of a value of zero', funds('0.00'), null],
])('a fee for moving funds is %s', (_, chain, share) => {
  const fee = { assetId: 'ethereum/eth', amount: '1', value: '1.00' }
  expect(costOfFunds({ ...chain, fee }, 'EUR')).toEqual({ fee: '1.00', share, worthFrom: '100.00' })
})
