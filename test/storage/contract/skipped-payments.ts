import { expect, test } from 'bun:test'
import type { SkippedPayment } from '../../../src/domain/skipped-payment.ts'
import { failureOf, givenMerchant, LARGE_UNITS, newId, type Open, opening, TEXT } from './given.ts'

export function skippedPaymentsContract(open: Open): void {
  const engine = opening(open)
  const { read, write } = engine

  const row = (merchantId: string, change: Partial<SkippedPayment> = {}): SkippedPayment => ({
    ...{
      id: newId(),
      merchantId,
      network: 'btc',
      position: 7,
      address: newId(),
      assetId: 'btc',
      decimals: 8,
    },
    ...{ amountAtomic: 5n, status: 'open', note: null, decidedBy: null, createdAt: 1, updatedAt: 1 },
    ...change,
  })

  test('money at skipped addresses is one row for each address and asset, newest first', async () => {
    const { id: merchantId } = await givenMerchant(engine)
    const first = row(merchantId)
    const second = row(merchantId, { createdAt: 2, amountAtomic: LARGE_UNITS })
    const other = row((await givenMerchant(engine)).id)
    for (const one of [first, second, other]) await write(tables => tables.skippedPayments.insert(one))
    const { address } = first
    const twice = write(tables => tables.skippedPayments.insert(row(merchantId, { address })))
    expect(await failureOf(twice)).toMatch(/^failed/)
    await write(tables =>
      tables.skippedPayments.insert(row(merchantId, { address, assetId: 'ltc', createdAt: 3 })),
    )
    const list = (limit: number) => read(tables => tables.skippedPayments.list(merchantId, limit))
    expect((await list(9)).slice(1)).toEqual([second, first])
    expect(await list(1)).toMatchObject([{ assetId: 'ltc' }])
    expect(await read(tables => tables.skippedPayments.findAt(address, 'btc'))).toEqual(first)
    expect(await read(tables => tables.skippedPayments.findAt(address, 'eth'))).toBeNull()
    const count = (limit: number) => read(tables => tables.skippedPayments.countOpen(merchantId, limit))
    expect([await count(9), await count(2)]).toEqual([3, 2])
  })

  test('the merchant resolves a row once, and more money opens it again', async () => {
    const { id: merchantId } = await givenMerchant(engine)
    const payment = row(merchantId)
    const other = row(merchantId, { amountAtomic: 7n })
    for (const one of [payment, other]) await write(tables => tables.skippedPayments.insert(one))
    const decision = { note: TEXT, decidedBy: 'user:ann' as const, updatedAt: 2 }
    const resolve = (of: string) => write(tables => tables.skippedPayments.resolve(of, payment.id, decision))
    expect(await resolve(newId())).toBe(false)
    expect(await resolve(merchantId)).toBe(true)
    expect(await resolve(merchantId)).toBe(false)
    const find = () => read(tables => tables.skippedPayments.find(payment.id))
    expect(await find()).toEqual({ ...payment, ...decision, status: 'resolved' })
    await write(tables => tables.skippedPayments.raise(payment.id, 9n, 3))
    expect(await read(tables => tables.skippedPayments.find(other.id))).toEqual(other)
    expect(await find()).toEqual({ ...payment, amountAtomic: 9n, updatedAt: 3 })
  })
}
