import { expect, test } from 'bun:test'
import type { Invoice } from '../../../src/domain/invoice.ts'
import { invoiceNumber } from '../../../src/domain/invoice.ts'
import type { Tables } from '../../../src/storage/port.ts'
import { madeInvoices } from '../../invoices/made-invoices.ts'
import { newId, type Open, opening } from './given.ts'

export function invoicesContract(open: Open): void {
  const { read, write } = opening(open)
  const [content] = madeInvoices(1, 1)

  const issue = async (tables: Tables, merchantId: string, change: Partial<Invoice> = {}) => {
    const year = change.year ?? 2026
    const ordinal = await tables.invoices.nextOrdinal(merchantId, year)
    const invoice: Invoice = {
      ...{ id: newId(), merchantId, orderId: newId(), cause: 'sale', year, ordinal },
      ...{ number: invoiceNumber(year, ordinal), content: content!, xml: '<ü/>', sha256: 'ab', issuedAt: 1 },
      ...change,
    }
    await tables.invoices.insert(invoice)
    return invoice
  }

  test('each shop and year has its own numbers, starting with 1', async () => {
    const [shop, other] = [newId(), newId()]
    const ordinalOf = async (merchantId: string, year: number) =>
      (await write(tables => issue(tables, merchantId, { year }))).ordinal
    expect(await ordinalOf(shop, 2026)).toBe(1)
    expect(await ordinalOf(shop, 2026)).toBe(2)
    expect(await ordinalOf(shop, 2027)).toBe(1)
    expect(await ordinalOf(other, 2026)).toBe(1)
  })

  test('an invoice is read as it was inserted, by its number and with its order', async () => {
    const shop = newId()
    const sale = await write(tables => issue(tables, shop, { xml: null, sha256: null }))
    const note = await write(tables => issue(tables, shop, { orderId: sale.orderId, cause: 'refund 1' }))
    await write(tables => issue(tables, shop))
    expect(await read(tables => tables.invoices.find(shop, sale))).toEqual(sale)
    expect(await read(tables => tables.invoices.find(newId(), sale))).toBeNull()
    expect(await read(tables => tables.invoices.listOf(sale.orderId))).toEqual([sale, note])
  })

  test('a list begins with the highest number and continues below a given one', async () => {
    const shop = newId()
    const all: Invoice[] = []
    for (const year of [2025, 2026, 2026]) all.unshift(await write(tables => issue(tables, shop, { year })))
    const list = (limit: number, before: Invoice | null) =>
      read(tables =>
        tables.invoices.list(shop, limit, before && { year: before.year, ordinal: before.ordinal }),
      )
    expect(await list(9, null)).toEqual(all)
    expect(await list(1, null)).toEqual(all.slice(0, 1))
    expect(await list(9, all[0]!)).toEqual(all.slice(1))
    expect(await list(9, all[1]!)).toEqual(all.slice(2))
  })

  test('an order has one invoice, and a write that fails uses up no number', async () => {
    const shop = newId()
    const { orderId } = await write(tables => issue(tables, shop))
    const again = write(tables => issue(tables, shop, { orderId }))
    expect(
      await again.then(
        () => 'stored',
        () => 'refused',
      ),
    ).toBe('refused')
    expect((await write(tables => issue(tables, shop))).ordinal).toBe(2)
  })

  test('16 writers at once, a third of which fail, leave no gap and use no number twice', async () => {
    const shop = newId()
    const work = Array.from({ length: 16 }, async (_, at) => {
      for (let round = 0; round < 3; round++) {
        const isFailing = (at + round) % 3 === 0
        const done = write(async tables => {
          await issue(tables, shop)
          if (isFailing) throw new Error('undone')
        })
        expect(
          await done.then(
            () => 'stored',
            () => 'undone',
          ),
        ).toBe(isFailing ? 'undone' : 'stored')
      }
    })
    await Promise.all(work)
    const ordinals = (await read(tables => tables.invoices.list(shop, 100, null))).map(one => one.ordinal)
    expect(ordinals).toEqual(Array.from({ length: 32 }, (_, at) => 32 - at))
  })
}
