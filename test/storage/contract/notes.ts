import { describe, expect, test } from 'bun:test'
import type { Customers } from '../../../src/storage/port.ts'
import { customerRow, givenCustomer, givenMerchant, givenOrder, newId, type Open, opening } from './given.ts'

type CustomerTurn = NonNullable<Parameters<Customers['list']>[2]>

export function notesContract(open: Open): void {
  const engine = opening(open)
  const { read, write } = engine

  test('the notes of an order are listed newest first, up to the limit', async () => {
    const { id: orderId, merchantId } = await givenOrder(engine)
    const other = await givenOrder(engine)
    const note = (of: string, createdAt: number) => ({
      id: newId(),
      merchantId,
      orderId: of,
      actor: 'user:ann' as const,
      text: 'They called.',
      createdAt,
    })
    const notes = [note(orderId, 1), note(orderId, 2)]
    for (const one of [...notes, note(other.id, 3)]) await write(tables => tables.orderNotes.insert(one))
    const list = (limit: number) => read(tables => tables.orderNotes.listOf(orderId, limit))
    expect(await list(9)).toEqual(notes.toReversed())
    expect(await list(1)).toEqual([notes[1]!])
  })

  test('saved views belong to one person, and their names are unique', async () => {
    const { id: merchantId } = await givenMerchant(engine)
    const view = (name: string, query: string, change = {}) => ({
      ...{ id: newId(), merchantId, userId: 'ann', page: 'orders', name, query, createdAt: 1 },
      ...change,
    })
    const [b, a] = [view('B', 'status=PAID'), view('A', 'q=x')]
    const [ben, other] = [view('C', 'q=ben', { userId: 'ben' }), view('D', 'q=other', { page: 'products' })]
    for (const one of [b, a, ben, other]) await write(tables => tables.savedViews.put(one))
    const list = (userId: string, page = 'orders', owner = merchantId) =>
      read(tables => tables.savedViews.list(userId, owner, page))
    expect(await list('ann')).toEqual([a, b])
    expect(await list('ben')).toEqual([ben])
    expect(await list('ann', 'orders', newId())).toEqual([])
    await write(tables => tables.savedViews.put(view('B', 'status=FAILED')))
    expect(await list('ann')).toEqual([a, { ...b, query: 'status=FAILED' }])
    const remove = (userId: string, owner: string) =>
      write(tables => tables.savedViews.remove(userId, owner, b.id))
    expect([await remove('ben', merchantId), await remove('ann', newId())]).toEqual([false, false])
    expect([await remove('ann', merchantId), await remove('ann', merchantId)]).toEqual([true, false])
    expect(await list('ann')).toEqual([a])
  })

  describe('a list of customers', () => {
    test('is sorted by address, in pages of both directions', async () => {
      const merchant = await givenMerchant(engine)
      const names = ['Ann', 'anna', 'ben', 'Cleo', 'dan']
      const rows = names.map((name, at) =>
        customerRow(merchant.id, { email: `${name}@buyer.example`, blockedAt: at % 2 ? 5 : null }),
      )
      await write(async tables => {
        for (const row of rows.toReversed()) await tables.customers.insert(row)
      })
      await givenCustomer(engine)
      const list = async (filter: object, limit = 9, turn: CustomerTurn | null = null) => {
        const found = await read(tables =>
          tables.customers.list({ merchantId: merchant.id, ...filter }, limit, turn),
        )
        for (const one of found) expect(rows).toContainEqual(one)
        return found.map(({ email }) => email.slice(0, email.indexOf('@')))
      }
      const at = (name: string, direction: CustomerTurn['direction']) =>
        ({ email: `${name}@buyer.example`, direction }) as const
      expect(await list({})).toEqual(names)
      expect(await list({}, 2, at('ANNA', 'next'))).toEqual(['ben', 'Cleo'])
      expect(await list({}, 2, at('Cleo', 'previous'))).toEqual(['anna', 'ben'])
      expect(await list({ prefix: 'aNN' })).toEqual(['Ann', 'anna'])
      expect(await list({ prefix: '%' })).toEqual([])
      expect(await list({ isBlocked: true })).toEqual(['anna', 'Cleo'])
      expect(await list({ isBlocked: true, prefix: 'c' })).toEqual(['Cleo'])
      expect(await read(tables => tables.customers.find(rows[1]!.id))).toEqual(rows[1]!)
      expect(await read(tables => tables.customers.find(newId()))).toBeNull()
    })

    test('has the amounts of the orders of each, newest first', async () => {
      const ann = await givenCustomer(engine)
      for (const createdAt of [1, 3, 2]) {
        await givenOrder(engine, { createdAt, amount: `${createdAt}.00`, refundedAmount: '0.50' }, ann)
      }
      await givenOrder(engine, { createdAt: 4 })
      const amounts = await read(tables => tables.orders.listAmounts(ann.id, 2))
      const same = { status: 'UNPAID', currency: 'USD', refundedAmount: '0.50' } as const
      expect(amounts).toEqual([
        { ...same, createdAt: 3, amount: '3.00' },
        { ...same, createdAt: 2, amount: '2.00' },
      ])
    })
  })
}
