import { expect, test } from 'bun:test'
import type { Watch } from '../../../src/networks/port.ts'
import type { ChainConfig } from '../../../src/networks/solana/chain-config.ts'
import { isSettled, outflowsOf } from '../../../src/networks/solana/payments.ts'
import type { BalanceChange, Transaction } from '../../../src/networks/solana/transactions.ts'

const config = {
  assets: [
    { id: 'solana/sol', contract: null, finality: true, confirmations: 1 },
    { id: 'solana/usdc', contract: 'mint', finality: false, confirmations: 40 },
  ],
} as unknown as ChainConfig
const listed = { signature: 'signature', slot: 100, hasFailed: false, isFinalized: null }
const final = { confirmed: 200, finalized: 150 }

const outflow = (change: Partial<BalanceChange>, tip = final) => {
  const spent = { owner: 'own', mint: null, before: 7n, after: 5n, ...change }
  const transaction = { changes: [spent] } as unknown as Transaction
  return outflowsOf(config, { address: 'own' } as Watch, listed, transaction, tip)
}

test('SOL that left an address in a final transaction was moved', () => {
  expect(outflow({})).toEqual([{ txId: 'signature', assetId: 'solana/sol', height: 100 }])
})

test.each<[sentence: string, change: Partial<BalanceChange>]>([
  ['SOL that arrived', { after: 9n }],
  ['SOL of another address', { owner: 'other' }],
  ['a token', { mint: 'mint' }],
])('%s was not moved', (_, change) => {
  expect(outflow(change)).toEqual([])
})

test('a transaction is settled once it is final, and confirmed as often as every asset needs', () => {
  const tips = [final, { confirmed: 120, finalized: 110 }, { confirmed: 200, finalized: 99 }]
  expect(tips.map(tip => isSettled(config, listed, tip))).toEqual([true, false, false])
  expect(outflow({}, tips[1])).toEqual([])
})
