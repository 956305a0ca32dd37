import { describe, expect, test } from 'bun:test'
import { LostRace, Refusal } from '../../../src/domain/errors.ts'
import type { Tables } from '../../../src/storage/port.ts'
import {
  customerRow,
  failureOf,
  givenMerchant,
  givenOrder,
  merchantRow,
  newId,
  type Open,
  opening,
} from './given.ts'

const turn = () => new Promise(setImmediate)

/** A promise and the function that resolves it. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { open, opened }
}

export function isolationContract(open: Open): void {
  const engine = opening(open, 'test')
  const { read, write } = engine
  const namesOf = () => read(async tables => (await tables.merchants.list()).map(({ name }) => name).sort())
  const addPayment = (tables: Tables, merchantId: string) =>
    tables.statistics.add(merchantId, 5, 'USD', { gross: 1n, paidCount: 1 })
  const sumsOf = async (merchantId: string) => {
    const [sums] = await read(tables => tables.statistics.listSums(merchantId, 'USD', [0, 86_400_000]))
    return sums
  }
  const put = (tables: Tables, name: string) => tables.merchants.insert(merchantRow({ name }))

  describe('a write', () => {
    test('returns the result of its work, and is visible to the next read', async () => {
      const answer = await write(async tables => {
        await put(tables, 'a')
        return 42
      })
      expect([answer, await namesOf()]).toEqual([42, ['a']])
    })

    test('sees its own changes', async () => {
      const merchant = merchantRow()
      const seen = await write(async tables => {
        await tables.merchants.insert(merchant)
        return tables.merchants.find(merchant.id)
      })
      expect(seen).toMatchObject(merchant)
    })

    test('that throws is rolled back completely, without other writes', async () => {
      const error = new Error('changed my mind')
      const results = await Promise.allSettled([
        write(tables => put(tables, 'before')),
        write(async tables => {
          await put(tables, 'undone')
          await turn()
          await put(tables, 'undone too')
          throw error
        }),
        write(tables => put(tables, 'after')),
      ])
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect(results[1]).toMatchObject({ reason: error })
      expect(await namesOf()).toEqual(['after', 'before'])
    })

    test('with a failed statement is rolled back completely', async () => {
      const merchant = await givenMerchant(engine, { name: 'known' })
      const twice = write(async tables => {
        await put(tables, 'undone')
        await tables.merchants.insert(merchant)
      })
      expect(await failureOf(twice)).toMatch(/^failed: /)
      expect(await namesOf()).toEqual(['known'])
    })

    test('is not affected by an earlier failed write', async () => {
      const merchant = await givenMerchant(engine, { name: 'known' })
      await failureOf(write(tables => tables.merchants.insert(merchant)))
      await write(tables => put(tables, 'later'))
      expect(await namesOf()).toEqual(['known', 'later'])
    })

    test('is not visible before it is committed', async () => {
      const { open: release, opened } = gate()
      const writing = write(async tables => {
        await put(tables, 'a')
        await opened
      })
      await turn()
      expect(await namesOf()).toEqual([])
      release()
      await writing
      expect(await namesOf()).toEqual(['a'])
    })

    test('runs again if it lost a race, up to five times', async () => {
      let runs = 0
      const losing = (times: number) =>
        write(async tables => {
          await put(tables, `run ${++runs}`)
          if (runs <= times) throw new LostRace()
          return runs
        })
      expect(await losing(2)).toBe(3)
      expect(await namesOf()).toEqual(['run 3'])
      runs = 0
      const error = await losing(99).catch(reason => reason)
      expect([runs, error instanceof Refusal && error.code]).toEqual([5, 'conflict'])
      expect(await namesOf()).toEqual(['run 3'])
    })
  })

  describe('races', () => {
    test('between find-then-insert writes insert one row', async () => {
      const { id: merchantId } = await givenMerchant(engine)
      const email = 'sam@buyer.example'
      const ids = await Promise.all(
        Array.from({ length: 20 }, () =>
          write(async tables => {
            const known = await tables.customers.findByEmail(merchantId, email)
            await Promise.resolve()
            if (known) return known.id
            const customer = customerRow(merchantId, { email })
            await tables.customers.insert(customer)
            return customer.id
          }),
        ),
      )
      expect(new Set(ids).size).toBe(1)
    })

    test('between moves from the same state have one winner', async () => {
      const order = await givenOrder(engine)
      const moves = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          write(async tables => {
            await Promise.resolve()
            return tables.orders.move(order.id, 'UNPAID', { status: 'EXPIRED', updatedAt: at })
          }),
        ),
      )
      expect(moves.filter(Boolean).length).toBe(1)
      const found = await read(tables => tables.orders.find(order.id))
      expect(found?.order.updatedAt).toBe(moves.indexOf(true))
    })

    test('between additions lose nothing', async () => {
      const { id } = await givenMerchant(engine)
      await Promise.all(Array.from({ length: 50 }, () => write(tables => addPayment(tables, id))))
      expect(await sumsOf(id)).toMatchObject({ gross: 50n, paidCount: 50 })
    })
  })

  describe('a write that fails', () => {
    test('takes back its additions to statistics, and no others', async () => {
      const { id } = await givenMerchant(engine)
      const add = (fails: boolean) =>
        write(async tables => {
          await addPayment(tables, id)
          if (fails) throw new Error('no')
        })
      const results = await Promise.allSettled([add(false), add(true), add(false), add(true), add(false)])
      expect(results.filter(({ status }) => status === 'fulfilled').length).toBe(3)
      expect(await sumsOf(id)).toMatchObject({ gross: 3n, paidCount: 3 })
    })

    test('does not change what later writes of the same commit see', async () => {
      const { id } = await givenMerchant(engine)
      const nameIn = (fails: boolean, name: string) =>
        write(async tables => {
          const seen = (await tables.merchants.find(id))?.name
          await tables.merchants.update(id, { name })
          const after = (await tables.merchants.find(id))?.name
          if (fails) throw new Error(`${seen} ${after}`)
          return [seen, after]
        })
      const before = (await read(tables => tables.merchants.find(id)))?.name
      const [first, failed, last] = await Promise.allSettled([
        nameIn(false, 'one'),
        nameIn(true, 'two'),
        nameIn(false, 'three'),
      ])
      expect(first).toMatchObject({ value: [before, 'one'] })
      expect(failed).toMatchObject({ reason: new Error('one two') })
      expect(last).toMatchObject({ value: ['one', 'three'] })
    })
  })

  describe('a read', () => {
    test('returns the result of its work, and throws its errors', async () => {
      expect(await read(async () => 'answer')).toBe('answer')
      expect(await failureOf(read(() => Promise.reject(new Error('no'))))).toBe('failed: Error: no')
      expect(await namesOf()).toEqual([])
    })

    test('sees the same snapshot in all its queries', async () => {
      await write(tables => put(tables, 'a'))
      const first = gate()
      const committed = gate()
      const reading = read(async tables => {
        const before = (await tables.merchants.list()).length
        first.open()
        await committed.opened
        const after = (await tables.merchants.list()).length
        return [before, after]
      })
      await first.opened
      await write(tables => put(tables, 'b'))
      committed.open()
      expect(await reading).toEqual([1, 1])
      expect(await namesOf()).toEqual(['a', 'b'])
    })

    test('sees every completed write, even while another read runs', async () => {
      const { open: release, opened } = gate()
      const begun = gate()
      const old = read(async tables => {
        const before = (await tables.merchants.list()).length
        begun.open()
        await opened
        return [before, (await tables.merchants.list()).length]
      })
      await begun.opened
      await write(tables => put(tables, 'a'))
      const fresh = namesOf()
      release()
      expect([await old, await fresh]).toEqual([[0, 0], ['a']])
    })

    test('can run at the same time as others', async () => {
      const merchant = await givenMerchant(engine)
      const found = await Promise.all(
        Array.from({ length: 200 }, () => read(tables => tables.merchants.find(merchant.id))),
      )
      expect(found.every(one => one?.id === merchant.id)).toBe(true)
    })
  })

  describe('work', () => {
    test('cannot be nested', async () => {
      const { storage } = engine
      for (const outer of ['read', 'write'] as const) {
        for (const inner of ['read', 'write'] as const) {
          const nested = storage[outer](async () => storage[inner](async () => 1))
          expect(await failureOf(nested)).toContain(`inside a storage ${outer}`)
        }
        const calling = storage[outer](async () => storage.assertOutside('A call'))
        expect(await failureOf(calling)).toContain(`A call inside a storage ${outer}`)
      }
      expect(await namesOf()).toEqual([])
      storage.assertOutside('A call')
    })

    test('cannot use its tables once it has ended', async () => {
      for (const access of ['read', 'write'] as const) {
        let leaked: Tables | undefined
        await engine.storage[access](async tables => {
          leaked = tables
        })
        expect(() => leaked!.merchants.find(newId())).toThrow('were used after it ended')
      }
    })
  })

  describe('the storage', () => {
    test('reports that it works and is not damaged', async () => {
      await engine.storage.check()
      expect(await engine.storage.inspect()).toBe(null)
    })
  })
}
