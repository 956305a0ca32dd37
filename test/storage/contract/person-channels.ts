import { describe, expect, test } from 'bun:test'
import type { PersonChannel } from '../../../src/domain/person-channel.ts'
import type { User } from '../../../src/domain/user.ts'
import { saying } from '../../support/notifications.ts'
import { failureOf, givenMerchant, LATEST, newId, type Open, opening, TEXT, userRow } from './given.ts'

export function personChannelsContract(open: Open): void {
  const engine = opening(open)
  const { read, write } = engine

  async function givenPerson(merchantId: string | null, change: Partial<User> = {}): Promise<User> {
    const user = userRow(change)
    await write(tables => tables.users.insert(user))
    if (merchantId) {
      const membership = { userId: user.id, merchantId, role: 'viewer', createdAt: 1 } as const
      await write(tables => tables.memberships.put(membership))
    }
    return user
  }

  const row = (userId: string, merchantId: string, change: Partial<PersonChannel> = {}): PersonChannel => ({
    id: newId(),
    userId,
    merchantId,
    name: 'ntfy',
    url: 'https://ntfy.example',
    topic: 'shop',
    secret: null,
    muted: [],
    digestHour: null,
    digestedUntil: null,
    verifiedAt: 5,
    codeHash: null,
    codeSentAt: null,
    codeTries: 0,
    createdAt: 1,
    updatedAt: 1,
    ...change,
  })
  const insert = (channel: PersonChannel) => write(tables => tables.personChannels.insert(channel))
  const find = (id: string) => read(tables => tables.personChannels.find(id))
  const idsOf = (channels: { id: string }[]) => channels.map(({ id }) => id)

  describe('channels of people', () => {
    test('are read as they were inserted, with the address of the person', async () => {
      const { id: merchantId } = await givenMerchant(engine)
      const { id, email } = await givenPerson(merchantId, { language: 'de' })
      const channel = row(id, merchantId, {
        topic: TEXT,
        secret: TEXT,
        muted: ['pool_low', 'disk_low'],
        digestHour: 23,
        digestedUntil: LATEST,
        codeHash: TEXT,
        codeSentAt: LATEST,
        codeTries: 5,
        createdAt: 0,
      })
      await insert(channel)
      const person = { email, language: 'de', suspendedAt: null }
      expect(await find(channel.id)).toEqual({ ...channel, ...person })
      expect(await find(newId())).toBe(null)
      const change = { verifiedAt: null, digestHour: 0, muted: [] }
      await write(tables => tables.personChannels.update(channel.id, change))
      expect(await find(channel.id)).toEqual({ ...channel, ...change, ...person })
    })

    test('are listed by person, and the verified ones by merchant, oldest first', async () => {
      const [mine, other] = [await givenMerchant(engine), await givenMerchant(engine)]
      const [ann, bob] = [await givenPerson(mine.id), await givenPerson(mine.id)]
      const rows = [
        row(ann.id, mine.id, { createdAt: 3 }),
        row(ann.id, mine.id, { createdAt: 2, verifiedAt: null, topic: 'b' }),
        row(bob.id, mine.id, { createdAt: 1 }),
        row(bob.id, other.id),
      ] as const
      for (const one of rows) await insert(one)
      const ofUser = await read(tables => tables.personChannels.listOfUser(ann.id, mine.id))
      expect(idsOf(ofUser)).toEqual([rows[1].id, rows[0].id])
      const ofMerchant = await read(tables => tables.personChannels.listOfMerchant(mine.id))
      expect(idsOf(ofMerchant)).toEqual([rows[2].id, rows[0].id])
    })

    test('belong to people who may see the merchant: members and operators', async () => {
      const { id: merchantId } = await givenMerchant(engine)
      const [member, operator] = [
        await givenPerson(merchantId),
        await givenPerson(null, { isOperator: true }),
      ]
      const [first, second] = [row(member.id, merchantId), row(operator.id, merchantId, { createdAt: 2 })]
      for (const one of [first, second]) await insert(one)
      const list = async () => idsOf(await read(tables => tables.personChannels.listOfMerchant(merchantId)))
      expect(await list()).toEqual([first.id, second.id])
      await write(tables => tables.memberships.remove(member.id, merchantId))
      expect(await list()).toEqual([second.id])
      expect(await find(first.id)).toBe(null)
      expect(await read(tables => tables.personChannels.listOfUser(member.id, merchantId))).toEqual([])
      await write(tables => tables.users.update(operator.id, { suspendedAt: 5 }))
      expect(await list()).toEqual([])
      expect((await find(second.id))?.suspendedAt).toBe(5)
      await write(tables => tables.users.update(operator.id, { suspendedAt: null }))
      expect(await list()).toEqual([second.id])
      await write(tables => tables.users.update(operator.id, { isOperator: false }))
      expect(await list()).toEqual([])
    })

    test('are removed together with messages that wait for them', async () => {
      const { id: merchantId } = await givenMerchant(engine)
      const { id } = await givenPerson(merchantId)
      const [gone, stays] = [row(id, merchantId), row(id, merchantId, { topic: 'b' })]
      for (const one of [gone, stays]) await insert(one)
      const recipients = [`channel:${gone.id}`, `channel:${stays.id}`] as const
      const notification = {
        id: newId(),
        merchantId,
        kind: 'pool_low',
        orderId: null,
        facts: saying(''),
        createdAt: 1,
      } as const
      await write(async tables => {
        await tables.notifications.insert(notification)
        await tables.notifications.address(notification.id, [...recipients])
        for (const recipient of recipients) {
          await tables.sends.putRecipient({
            recipient,
            notBefore: 0,
            lastSentAt: null,
            failingSince: null,
            failures: 0,
            fault: null,
          })
        }
      })
      await write(tables => tables.personChannels.remove(gone.id))
      expect(await find(gone.id)).toBe(null)
      const pending = await read(tables =>
        Promise.all(recipients.map(recipient => tables.sends.listPending(recipient, 9))),
      )
      expect(pending.map(({ length }) => length)).toEqual([0, 1])
      const states = await read(tables =>
        Promise.all(recipients.map(recipient => tables.sends.findRecipient(recipient))),
      )
      expect(states.map(state => state !== null)).toEqual([false, true])
    })

    test('need an existing person and merchant, and an address unless they are mail', async () => {
      const { id: merchantId } = await givenMerchant(engine)
      const { id } = await givenPerson(merchantId)
      const wrong = [
        row(newId(), merchantId),
        row(id, newId()),
        row(id, merchantId, { url: '' }),
        row(id, merchantId, { name: 'mail' }),
        row(id, merchantId, { digestHour: 24 }),
      ]
      for (const one of wrong) expect(await failureOf(insert(one))).toMatch(/^failed/)
      expect(await failureOf(insert(row(id, merchantId, { name: 'mail', url: '' })))).toBe('nothing failed')
    })
  })
}
