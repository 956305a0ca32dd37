import { expect, test } from 'bun:test'
import type { PaymentMail } from '../../../src/domain/payment-mail.ts'
import { givenOrder, newId, type Open, opening } from './given.ts'

export function paymentMailsContract(open: Open): void {
  const engine = opening(open, 'test')
  const { read, write } = engine

  async function given(change: Partial<PaymentMail> = {}): Promise<PaymentMail> {
    const orderId = change.orderId ?? (await givenOrder(engine)).id
    const mail: PaymentMail = {
      id: newId(),
      orderId,
      kind: 'part',
      mailboxHash: 'a'.repeat(64),
      language: 'zh-Hant',
      status: 'pending',
      failures: 0,
      news: 1,
      dueAt: 5,
      ...change,
    }
    await write(tables => tables.paymentMails.insert(mail))
    return mail
  }
  const find = (id: string) => read(tables => tables.paymentMails.find(id))

  test('an order has several mails about payments, even of one kind, in the order in which they are due', async () => {
    const later = await given({ dueAt: 9 })
    const sooner = await given({ orderId: later.orderId, dueAt: 3 })
    const other = await given({ orderId: later.orderId, kind: 'vanished', dueAt: 6 })
    const list = (id: string) => read(tables => tables.paymentMails.listOf(id))
    expect(await list(later.orderId)).toEqual([sooner, other, later])
    expect(await list(newId())).toEqual([])
  })

  test('a mail about a payment is found by its ID and changes', async () => {
    const mail = await given()
    expect(await find(mail.id)).toEqual(mail)
    expect(await find(newId())).toBeNull()
    await write(tables => tables.paymentMails.update(mail.id, { news: 2 }))
    await write(tables => tables.paymentMails.update(mail.id, { status: 'given_up', failures: 6 }))
    expect(await find(mail.id)).toEqual({ ...mail, news: 2, status: 'given_up', failures: 6 })
  })

  test('mails about payments are counted by address, after a time and up to a limit', async () => {
    const mailboxHash = 'b'.repeat(64)
    for (const dueAt of [1, 2, 3]) await given({ mailboxHash, dueAt })
    await given({ dueAt: 3 })
    const count = (after: number, limit: number) =>
      read(tables => tables.paymentMails.countTo(mailboxHash, after, limit))
    expect([await count(0, 9), await count(1, 9), await count(3, 9), await count(0, 2)]).toEqual([3, 2, 0, 2])
  })

  test('a quota is used up to its limit, separately for each subject, until its time ends', async () => {
    const take = (id: string, now: number, max = 2) =>
      write(tables => tables.quotas.take(id, { max, lengthMs: 100 }, now))
    const [id, other] = [newId(), newId()]
    expect([await take(id, 1000), await take(id, 1050), await take(id, 1060)]).toEqual([null, null, 1100])
    expect([await take(other, 1060), await take(id, 1099)]).toEqual([null, 1100])
    expect([await take(id, 1100), await take(id, 1150), await take(id, 1199)]).toEqual([null, null, 1200])
    // The clock was ahead when the row was written.
    expect(await take(id, 50)).toBeNull()
    await write(tables => tables.quotas.removeEnded(149))
    expect([await take(id, 60), await take(id, 70)]).toEqual([null, 150])
    await write(tables => tables.quotas.removeEnded(150))
    expect([await take(id, 70), await take(id, 70)]).toEqual([null, null])
  })

  test('the mails about payments of an order are deleted when its customer is erased', async () => {
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
