import { expect, test } from 'bun:test'
import type { BuyerMail } from '../../../src/domain/buyer-mail.ts'
import { givenOrder, newId, type Open, opening } from './given.ts'

export function buyerMailsContract(open: Open): void {
  const engine = opening(open, 'test')
  const { read, write } = engine

  async function given(change: Partial<BuyerMail> = {}): Promise<BuyerMail> {
    const { id: orderId } = await givenOrder(engine)
    const kind = 'link' as const
    const row = { id: newId(), orderId, kind, mailbox: 'sam@buyer.example', language: 'pt-BR', createdAt: 5 }
    const mail: BuyerMail = { ...row, status: 'pending', failures: 0, ...change }
    expect(await write(tables => tables.buyerMails.insertIfNew(mail))).toBe(true)
    return mail
  }
  const find = (id: string) => read(tables => tables.buyerMails.find(id))

  test('an order has one mail of each kind', async () => {
    const mail = await given()
    const insert = (change: Partial<BuyerMail>) =>
      write(tables => tables.buyerMails.insertIfNew({ ...mail, id: newId(), ...change }))
    expect(await insert({ mailbox: 'other@buyer.example' })).toBe(false)
    expect(await insert({ kind: 'receipt', createdAt: 6 })).toBe(true)
    expect(await insert({ kind: 'receipt' })).toBe(false)
    const list = await read(tables => tables.buyerMails.listOf(mail.orderId))
    expect(list.map(({ kind }) => kind)).toEqual(['link', 'receipt'])
    expect(list[0]).toEqual(mail)
    expect(await read(tables => tables.buyerMails.listOf(newId()))).toEqual([])
  })

  test('a mail is found by its ID and changes its status', async () => {
    const mail = await given()
    expect(await find(mail.id)).toEqual(mail)
    expect(await find(newId())).toBeNull()
    const change = { status: 'sent', failures: 2 } as const
    await write(tables => tables.buyerMails.update(mail.id, change))
    expect(await find(mail.id)).toEqual({ ...mail, ...change })
  })

  test('mails to an address are counted by kind, after a time and up to a limit', async () => {
    for (const createdAt of [1, 2, 3]) await given({ createdAt })
    await given({ kind: 'receipt', createdAt: 3 })
    await given({ mailbox: 'other@buyer.example', createdAt: 3 })
    const count = (after: number, limit: number) =>
      read(tables => tables.buyerMails.countTo('sam@buyer.example', 'link', after, limit))
    expect([await count(0, 9), await count(1, 9), await count(3, 9), await count(0, 2)]).toEqual([3, 2, 0, 2])
  })

  test('the mails of an order are deleted when its customer is erased', async () => {
    const mail = await given()
    const other = await given()
    await write(async tables => {
      const found = await tables.orders.find(mail.orderId)
      await tables.personalData.eraseOrders(found!.order.customerId, 'erased-1@erased.invalid', 9)
    })
    expect(await find(mail.id)).toBeNull()
    expect(await find(other.id)).toEqual(other)
  })
}
