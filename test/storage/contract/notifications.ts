import { describe, expect, test } from 'bun:test'
import type { Notification, Recipient } from '../../../src/domain/notification.ts'
import { saying } from '../../support/notifications.ts'
import { failureOf, givenMerchant, newId, type Open, opening } from './given.ts'

export function notificationsContract(open: Open): void {
  const engine = opening(open, 'test')
  const { read, write } = engine

  async function given(count: number): Promise<Notification[]> {
    const { id: merchantId } = await givenMerchant(engine)
    const rows = Array.from({ length: count }, (_, at) => ({
      id: newId(),
      merchantId,
      kind: 'pool_low' as const,
      orderId: null,
      facts: saying(`text ${at}`),
      createdAt: 10 + at,
    }))
    for (const row of rows) await write(tables => tables.notifications.insert(row))
    return rows
  }
  const address = (row: Notification, ...recipients: Recipient[]) =>
    write(tables => tables.notifications.address(row.id, recipients))
  const pending = (recipient: Recipient, limit = 9) =>
    read(tables => tables.sends.listPending(recipient, limit))

  describe('new notifications', () => {
    test('are listed oldest first until they are assigned to people, and schedule one job', async () => {
      const [first, second, third] = await given(3)
      expect(await read(tables => tables.notifications.listNew(9))).toEqual([first!, second!, third!])
      expect(await read(tables => tables.notifications.listNew(1))).toEqual([first!])
      expect(await read(tables => tables.jobs.nextDueAt([]))).toBe(12)
      await address(first!, 'url')
      await address(second!)
      expect(await read(tables => tables.notifications.listNew(9))).toEqual([third!])
    })
  })

  describe('sends', () => {
    test('are pending for each recipient, oldest first, until they are sent', async () => {
      const rows = await given(3)
      const [first, second, third] = rows as [Notification, Notification, Notification]
      const mail = `mail:${first.merchantId}` as const
      await address(third, mail)
      await address(first, 'url', mail)
      await address(second, 'url')
      expect(await pending('url')).toEqual([first, second])
      expect(await pending(mail)).toEqual([first, third])
      expect(await pending(mail, 1)).toEqual([first])
      expect(await pending(`mail:${newId()}`)).toEqual([])
      await write(tables => tables.sends.markSent('url', [first.id, third.id], 'ntfy', 50))
      expect(await pending('url')).toEqual([second])
      expect(await pending(mail)).toEqual([first, third])
      await write(tables => tables.sends.markSent(mail, [first.id], 'mail', 51))
      const list = await read(tables => tables.notifications.list(first.merchantId, 9))
      expect(list.map(({ id, sentTo }) => [id, sentTo])).toEqual([
        [third.id, []],
        [second.id, []],
        [first.id, ['mail', 'ntfy']],
      ])
    })

    test('are given up by age, for one recipient', async () => {
      const rows = await given(3)
      for (const row of rows) await address(row, 'url', `mail:${row.merchantId}`)
      expect(await write(tables => tables.sends.giveUp('url', 12))).toBe(2)
      expect(await write(tables => tables.sends.giveUp('url', 12))).toBe(0)
      expect(await pending('url')).toEqual([rows[2]!])
      expect(await pending(`mail:${rows[0]!.merchantId}`)).toEqual(rows)
    })

    test('need an existing notification, and are unique per recipient', async () => {
      const [row] = await given(1)
      await address(row!, 'url')
      expect(await failureOf(address(row!, 'url'))).toMatch(/^failed/)
    })
  })

  test('outages are listed by ID, replaced and removed', async () => {
    const outage = { id: 'endpoint:b', since: 5, notifiedAt: null }
    const other = { id: 'disk', since: 6, notifiedAt: 7 }
    await write(tables => tables.outages.put(outage))
    await write(tables => tables.outages.put(other))
    await write(tables => tables.outages.put({ ...outage, notifiedAt: 9 }))
    expect(await read(tables => tables.outages.list())).toEqual([other, { ...outage, notifiedAt: 9 }])
    await write(tables => tables.outages.remove('disk'))
    await write(tables => tables.outages.remove('unknown'))
    expect(await read(tables => tables.outages.list())).toEqual([{ ...outage, notifiedAt: 9 }])
  })

  test('the state of a recipient is replaced as a whole', async () => {
    const state = {
      recipient: 'url' as const,
      notBefore: 5,
      lastSentAt: 4,
      failingSince: null,
      failures: 0,
      fault: null,
    }
    const failing = { ...state, notBefore: 9, failingSince: 7, failures: 2, fault: '451 later' }
    expect(await read(tables => tables.sends.findRecipient('url'))).toBe(null)
    await write(tables => tables.sends.putRecipient(state))
    await write(tables => tables.sends.putRecipient(failing))
    const mail = { ...state, recipient: `mail:${newId()}` as const }
    await write(tables => tables.sends.putRecipient(mail))
    expect(await read(tables => tables.sends.findRecipient('url'))).toEqual(failing)
    expect(await read(tables => tables.sends.listRecipients())).toEqual([mail, failing])
  })
}
