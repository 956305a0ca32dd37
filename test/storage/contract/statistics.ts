import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { addSums, DAY_MS, noSums, QUARTER_HOUR_MS, type Sums } from '../../../src/domain/statistics.ts'
import { failureOf, givenMerchant, LARGE_UNITS, newId, type Open, opening } from './given.ts'

/** An addition, at a quarter hour of five days. */
const addition = fc.record({
  quarter: fc.integer({ min: 0, max: 5 * 96 - 1 }),
  /** inside the quarter hour */
  after: fc.integer({ min: 0, max: QUARTER_HOUR_MS - 1 }),
  gross: fc.bigInt({ min: -5n, max: 2n ** 70n }),
  asset: fc.constantFrom('btc', 'ltc', null),
})

const rangeOfQuarters = fc
  .array(fc.integer({ min: 0, max: 5 * 96 }), { minLength: 2, maxLength: 8 })
  .map(quarters => quarters.sort((a, b) => a - b))

export function statisticsContract(open: Open): void {
  const engine = opening(open)
  const { read, write } = engine
  const start = Date.parse('2026-03-01')

  const sumsOf = (merchantId: string, currency: string, ...boundaries: number[]) =>
    read(tables => tables.statistics.listSums(merchantId, currency, boundaries))

  describe('sums', () => {
    test('count in the quarter hour and the currency they are added to', async () => {
      const { id } = await givenMerchant(engine)
      const add = (at: number, currency: string, delta: Partial<Sums>) =>
        write(tables => tables.statistics.add(id, at, currency, delta))
      await add(start, 'USD', { gross: LARGE_UNITS, paidCount: 1 })
      await add(start + QUARTER_HOUR_MS, 'USD', { pending: 5n })
      await add(start + QUARTER_HOUR_MS - 1, 'USD', { gross: 1n, net: -LARGE_UNITS, cancelledCount: -2 })
      await add(start, 'EUR', { forced: 5n })
      const [before, first, second, after] = await sumsOf(
        id,
        'USD',
        ...[-1, 0, 1, 2, 3].map(quarter => start + quarter * QUARTER_HOUR_MS),
      )
      const sums = { gross: LARGE_UNITS + 1n, net: -LARGE_UNITS, paidCount: 1, cancelledCount: -2 }
      expect([before, after]).toEqual([noSums, noSums])
      expect(first).toEqual({ ...noSums, ...sums })
      expect(second).toEqual({ ...noSums, pending: 5n })
      expect(await sumsOf(id, 'EUR', start, start + DAY_MS)).toEqual([{ ...noSums, forced: 5n }])
      expect(await read(tables => tables.statistics.listCurrencies(id))).toEqual(['EUR', 'USD'])
    })

    test('do not change if additions of one commit cancel each other out', async () => {
      const { id } = await givenMerchant(engine)
      const add = (delta: Partial<Sums>) =>
        write(tables =>
          tables.statistics.add(id, start, 'USD', delta, { methodKey: 'crypto', assetId: 'btc' }),
        )
      await add({ gross: 7n, paidCount: 1 })
      await Promise.all([add({ gross: 2n, paidCount: 1 }), add({ gross: -2n, paidCount: -1 })])
      await add({ gross: 0n })
      expect(await sumsOf(id, 'USD', start, start + DAY_MS)).toEqual([{ ...noSums, gross: 7n, paidCount: 1 }])
    })

    test('belong to one merchant', async () => {
      const { id } = await givenMerchant(engine)
      const other = await givenMerchant(engine)
      const paidWith = { methodKey: 'crypto', assetId: 'btc' }
      await write(tables => tables.statistics.add(id, start, 'USD', { gross: 1n, paidCount: 1 }, paidWith))
      expect(await sumsOf(other.id, 'USD', start, start + DAY_MS)).toEqual([noSums])
      await read(async tables => {
        expect(await tables.statistics.listCurrencies(other.id)).toEqual([])
        expect(await tables.statistics.listMethodSums(other.id, 'USD', start, start + DAY_MS)).toEqual([])
      })
    })

    test('of a method are listed also for a period that has nothing but a refund', async () => {
      const { id } = await givenMerchant(engine)
      const paidWith = { methodKey: 'crypto', assetId: 'btc' }
      const delta = { net: -5n, refunded: 5n, refundedCount: 1 }
      await write(tables => tables.statistics.add(id, start, 'USD', delta, paidWith))
      expect(
        await read(tables => tables.statistics.listMethodSums(id, 'USD', start, start + DAY_MS)),
      ).toMatchObject([{ ...paidWith, ...delta, paidCount: 0 }])
    })

    test('need an existing merchant', async () => {
      const adding = write(tables => tables.statistics.add(newId(), start, 'USD', { gross: 1n }))
      expect(await failureOf(adding)).toMatch(/^failed/)
    })

    test('of any range equal a plain sum, in total and by method and asset', async () => {
      const history = fc.array(addition, { maxLength: 40 })
      await fc.assert(
        fc.asyncProperty(history, rangeOfQuarters, async (additions, quarters) => {
          const { id } = await givenMerchant(engine)
          await write(async tables => {
            for (const { quarter, after, gross, asset } of additions) {
              const paidWith = asset === null ? undefined : { methodKey: 'crypto', assetId: asset }
              const at = start + quarter * QUARTER_HOUR_MS + after
              await tables.statistics.add(id, at, 'USD', { gross, paidCount: 1, createdCount: 1 }, paidWith)
            }
          })
          const plain = (from: number, to: number, asset?: string) =>
            additions
              .filter(one => one.quarter >= from && one.quarter < to && (!asset || one.asset === asset))
              .reduce((sums, { gross }) => addSums(sums, { gross, paidCount: 1, createdCount: 1 }), {
                ...noSums,
              })
          const boundaries = quarters.map(quarter => start + quarter * QUARTER_HOUR_MS)
          expect(await sumsOf(id, 'USD', ...boundaries)).toEqual(
            quarters.slice(1).map((to, index) => plain(quarters[index]!, to)),
          )
          const [from, to] = [quarters[0]!, quarters.at(-1)!]
          const found = await read(tables =>
            tables.statistics.listMethodSums(id, 'USD', boundaries[0]!, boundaries.at(-1)!),
          )
          for (const asset of ['btc', 'ltc']) {
            const { gross, paidCount } = plain(from, to, asset)
            const sums = found.find(({ assetId }) => assetId === asset)
            expect([sums?.gross ?? 0n, sums?.paidCount ?? 0]).toEqual([
              paidCount === 0 ? 0n : gross,
              paidCount,
            ])
          }
        }),
        { numRuns: 60 },
      )
    })
  })
}
