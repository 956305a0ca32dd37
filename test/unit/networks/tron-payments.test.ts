import { expect, test } from 'bun:test'
import type { Asset } from '../../../src/domain/asset.ts'
import { type Deposit, toDetectedPayments } from '../../../src/networks/tron/payments.ts'
import { MAINNET_ID, requireChainId } from '../../../src/networks/tron/verify-chain.ts'

test('payments of one transaction to one address are numbered', () => {
  const asset = { id: 'tron/trx', contract: null, finality: true, confirmations: 20 } as Asset
  const deposit: Deposit = {
    ...{ asset, amount: 1n, txId: 'transaction', to: `0x${'11'.repeat(20)}`, height: 5, at: 0 },
    ...{ isSolid: true, evidence: {} },
  }
  const block = (height: number) => ({ height, hash: 'hash', at: 0 })
  const tip = { head: block(30), finalized: block(10) }
  const paid = toDetectedPayments([deposit, deposit, deposit, { ...deposit, txId: 'other' }], MAINNET_ID, tip)
  expect(paid.map(({ txIndex }) => txIndex.split(':').at(-1))).toEqual(['0', '1', '2', '0'])
})

test('the chain is TRON, or a private one on this machine', () => {
  expect(() => requireChainId(MAINNET_ID, false)).not.toThrow()
  expect(() => requireChainId(12_345, true)).not.toThrow()
  for (const [chainId, isLocal] of [[12_345, false] as const, [1, true] as const])
    expect(() => requireChainId(chainId, isLocal)).toThrow('which is not TRON')
})
