import { expect, test } from 'bun:test'
import type { SweepTransaction } from '../../../src/domain/waiting-funds.ts'
import { newId, type Open, opening } from './given.ts'

const sweep = (change: Partial<SweepTransaction> = {}): SweepTransaction => ({
  ...{ id: newId(), merchantId: newId(), chain: 'ethereum', txId: `0x${newId()}`, status: 'sent' },
  ...{ moved: [], feeAssetId: null, feeAmount: null, feeValue: null, currency: 'EUR' },
  ...{ createdAt: 5, minedAt: null, updatedAt: 5 },
  ...change,
})

export function fundsContract(open: Open): void {
  const { read, write } = opening(open)

  test('waiting funds are replaced by each reading of the chain, and read as they were stored', async () => {
    const merchantId = newId()
    const sums = [{ assetId: 'ethereum/eth', amount: '0.5', value: null }]
    const fee = { assetId: 'ethereum/eth', amount: '0.001', value: '2.50' }
    const chains = [{ chain: 'ethereum', lookedAt: 7, addresses: 2, sums, fee }]
    const waiting = { merchantId, currency: 'EUR', chains, reminded: null }
    expect(await read(tables => tables.funds.find(merchantId))).toBeNull()
    await write(tables => tables.funds.put(waiting))
    expect(await read(tables => tables.funds.find(merchantId))).toEqual(waiting)
    const later = { ...waiting, chains: [], reminded: { amount: '20.00', currency: 'EUR' } }
    await write(tables => tables.funds.put(later))
    expect(await read(tables => tables.funds.find(merchantId))).toEqual(later)
    expect(await read(tables => tables.funds.list())).toContainEqual(later)
  })

  test('an address has its balance on each chain as last read', async () => {
    const [attemptId, merchantId] = [newId(), newId()]
    const held = (chain: string, holdings: { assetId: string; atomic: string }[], lookedAt: number) => ({
      ...{ attemptId, chain, merchantId, holdings, lookedAt },
    })
    const first = held('base', [{ assetId: 'base/usdc', atomic: `${10n ** 30n}` }], 1)
    const other = held('ethereum', [], 2)
    await write(async tables => {
      await tables.funds.putHeld(first)
      await tables.funds.putHeld(other)
      await tables.funds.putHeld({ ...other, lookedAt: 3 })
    })
    const found = await read(tables => tables.funds.listHeld([attemptId, newId()]))
    expect(found.toSorted((a, b) => a.lookedAt - b.lookedAt)).toEqual([first, { ...other, lookedAt: 3 }])
    expect(await read(tables => tables.funds.listHeld([]))).toEqual([])
  })

  test('a transaction is recorded once for each shop, and settled once', async () => {
    const one = sweep()
    const elsewhere = sweep({ txId: one.txId })
    expect(await write(tables => tables.sweepTransactions.insert(one))).toBe(true)
    const again = { ...sweep(), merchantId: one.merchantId, txId: one.txId }
    expect(await write(tables => tables.sweepTransactions.insert(again))).toBe(false)
    expect(await write(tables => tables.sweepTransactions.insert(elsewhere))).toBe(true)
    const known = await read(tables => tables.sweepTransactions.listKnown([one.txId, 'none']))
    expect(known.map(({ merchantId }) => merchantId).toSorted()).toEqual(
      [one.merchantId, elsewhere.merchantId].toSorted(),
    )
    const change = { status: 'done', feeAmount: '0.1', feeValue: '2.50', minedAt: 9, updatedAt: 9 } as const
    expect(await write(tables => tables.sweepTransactions.settle(one.id, change))).toBe(true)
    expect(await write(tables => tables.sweepTransactions.settle(one.id, change))).toBe(false)
    const counts = [one, elsewhere].map(({ merchantId }) =>
      read(tables => tables.sweepTransactions.countSent(merchantId)),
    )
    expect(await Promise.all(counts)).toEqual([0, 1])
    const sent = await read(tables => tables.sweepTransactions.listSent(99))
    const ids = sent.map(({ id }) => id)
    expect([ids.includes(one.id), ids.includes(elsewhere.id)]).toEqual([false, true])
  })

  test('transactions are listed with the newest first, and their fees with the oldest block first', async () => {
    const merchantId = newId()
    const all = [3, 2, 1].map(createdAt => sweep({ merchantId, createdAt, minedAt: 10 - createdAt }))
    await write(async tables => {
      for (const one of all) await tables.sweepTransactions.insert(one)
      await tables.sweepTransactions.insert(sweep({ merchantId, createdAt: 0 }))
    })
    const list = (limit: number, after: SweepTransaction | null) =>
      read(tables =>
        tables.sweepTransactions.list(merchantId, limit, after && { at: after.createdAt, id: after.id }),
      )
    expect(await list(2, null)).toEqual(all.slice(0, 2))
    expect(await list(1, all[0]!)).toEqual(all.slice(1, 2))
    const fees = (from: number, to: number, after: { at: number; id: string } | null = null) =>
      read(tables => tables.movements.listNetworkFees({ merchantId, from, to }, 9, after))
    expect(await fees(7, 9)).toEqual([all[0]!, all[1]!] as never)
    expect(await fees(7, 10, { at: 7, id: all[0]!.id })).toEqual([all[1]!, all[2]!] as never)
    const pair = [sweep({ merchantId, minedAt: 20 }), sweep({ merchantId, minedAt: 20 })]
    for (const one of pair) await write(tables => tables.sweepTransactions.insert(one))
    expect(await fees(20, 21)).toEqual(pair as never)
    expect(await fees(20, 21, { at: 20, id: pair[0]!.id })).toEqual([pair[1]!] as never)
  })
}
