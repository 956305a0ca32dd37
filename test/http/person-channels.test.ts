import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ChannelName } from '../../src/domain/notification.ts'
import type { NotificationKind } from '../../src/domain/notification-kind.ts'
import { confirmChannel, sendCode } from '../../src/operations/channels/code.ts'
import {
  addChannel,
  changeChannel,
  listChannels,
  removeChannel,
  testChannel,
} from '../../src/operations/channels/manage.ts'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { getMerchant } from '../../src/operations/merchants/read.ts'
import { notifyOf } from '../../src/operations/notices/notify.ts'
import { saveView } from '../../src/operations/orders/saved-views.ts'
import { readAttention } from '../../src/operations/overview/attention.ts'
import { acceptUnmatched } from '../../src/operations/payments/accept-unmatched.ts'
import { createUser } from '../../src/operations/people/create-user.ts'
import { removeMember } from '../../src/operations/people/members.ts'
import { restoreUser, suspendUser } from '../../src/operations/people/suspend.ts'
import { startWithMail } from '../support/app-with-receiver.ts'
import {
  check,
  givenMerchant,
  givenOrder,
  givenShop,
  openCrypto,
  paidInCash,
  simulate,
} from '../support/given.ts'
import { saying } from '../support/notifications.ts'
import { mailsTo } from '../support/read-mail.ts'
import { isSigned } from '../support/receiver.ts'
import { suite } from '../support/suite.ts'
import { rowOf, rowsOf } from './rows.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const { app, once, each, ownApp } = suite({ start: startWithMail })
const [mail, receiver] = [once(() => app.mail), once(() => app.receiver)]
once(() => writeFileSync(join(app.dataDir, 'florin.backup'), ''))
const shop = each(() => givenShop(app))
const ann = each(() => givenPerson('ann@people.example'))
each(async () => {
  await app.jobs.settle()
  // A message may have been sent before the shop was complete, so the rest follows, and then a pause.
  await app.advance(HOUR_MS)
  await app.advance(HOUR_MS)
  mail.received.length = 0
})

async function givenPerson(email: string, merchantId = shop.id) {
  const { user } = await createUser(app.context, { email, merchantId, role: 'viewer' })
  return { userId: user.id, merchantId }
}

const urls = () => ({
  https: `http://${receiver.host}/hook`,
  ntfy: `http://${receiver.host}/my-topic`,
  telegram: `http://${receiver.host}/-100123`,
  mail: '',
})
const secrets = { https: '', ntfy: 'tk_secret', telegram: '123456:a-bot-token-of-ann', mail: '' }

const add = (name: ChannelName, change: object = {}, owner = ann) =>
  addChannel(app.context, owner, { name, address: urls()[name], secret: secrets[name], ...change })

/** The text of the last message to the receiver. */
const lastText = (): string => JSON.stringify(receiver.received.at(-1)?.json ?? '')
const codeIn = (text: string): string => /here:[\s=]+([0-9]{6})/.exec(text)?.[1] ?? ''

async function verified(name: ChannelName, owner = ann): Promise<string> {
  const { id } = await add(name, {}, owner)
  const body = mail.received.at(-1)?.data.split('\r\n\r\n')[1] ?? ''
  expect(await confirmChannel(app.context, owner, id, codeIn(name === 'mail' ? body : lastText()))).toBe(
    'verified',
  )
  receiver.received.length = 0
  mail.received.length = 0
  return id
}

async function notify(kind: NotificationKind = 'pool_low', merchantId = shop.id): Promise<void> {
  const { ids, clock } = app.context
  const facts = saying(`About ${kind}.`)
  const row = { id: ids.uuid(), merchantId, kind, orderId: null, facts, createdAt: clock() }
  await app.context.storage.write(tables => tables.notifications.insert(row))
  await app.jobs.settle()
}

test('a new channel gets paid orders until its person opts out', async () => {
  const wanted = await verified('ntfy')
  const quiet = await verified('https')
  const mute = (id: string) =>
    changeChannel(app.context, ann, id, { muted: ['order_paid'], digestHour: null })
  await mute(quiet)
  const pay = async (externalId: string) => {
    const { orderUUID } = await givenOrder(app, shop, { amount: '12.50', externalId })
    await openCrypto(app, orderUUID, 'polygon/usdc')
    await simulate(app, orderUUID, 'paid')
    await app.jobs.settle()
  }
  await pay('COFFEE-7')
  await app.advance(HOUR_MS)
  // Only ntfy has a topic.
  expect(receiver.received.map(({ json }) => json.topic)).toEqual(['my-topic'])
  expect(lastText()).toContain('Order COFFEE-7 was paid: 12.50 USD.')
  expect(mail.received).toEqual([])
  const { notifications } = await readAttention(app.context, shop, { userId: '', role: null })
  expect(notifications.map(({ kind }) => kind)).not.toContain('order_paid')

  await mute(wanted)
  await pay('NOBODY-ASKED')
  await app.advance(HOUR_MS)
  expect(receiver.received).toHaveLength(1)
  expect(rowsOf(app, "SELECT * FROM notifications WHERE kind = 'order_paid'")).toHaveLength(1)
  expect(app.audit()).toEqual([])
})

test('an order that a person accepted as paid is not reported to people', async () => {
  await verified('ntfy')
  const { orderUUID } = await givenOrder(app, shop)
  await openCrypto(app, orderUUID, 'polygon/usdc')
  await simulate(app, orderUUID, 'underpaid')
  await check(app, orderUUID)
  await app.advance(3 * HOUR_MS)
  const rows = rowsOf(app, 'SELECT id FROM unmatched_payments WHERE order_id = ?', orderUUID)
  const ids = rows.map(({ id }) => String(id))
  await acceptUnmatched(app.context, shop.id, ids, { by: 'Ann', reason: null })
  expect(rowOf(app, 'SELECT status FROM orders WHERE id = ?', orderUUID).status).toBe('PAID')
  const reported = "SELECT * FROM notifications WHERE kind = 'order_paid' AND order_id = ?"
  expect(rowsOf(app, reported, orderUUID)).toEqual([])
})

describe('a channel of a person', () => {
  test.each(['https', 'ntfy', 'telegram'] as const)(
    '%s is used only after its code was entered',
    async name => {
      const { id, secret, fault } = await add(name)
      expect(fault).toBe(null)
      expect(secret !== null).toBe(name === 'https')
      const code = codeIn(lastText())
      expect(code).toHaveLength(6)
      receiver.received.length = 0
      await notify()
      expect(receiver.received).toEqual([])
      expect(await confirmChannel(app.context, ann, id, `${code.slice(0, 3)} ${code.slice(3)}`)).toBe(
        'verified',
      )
      await app.advance(HOUR_MS)
      await notify('webhook_changed')
      expect(receiver.received).toHaveLength(1)
      expect(lastText()).toContain('About webhook_changed.')
      if (secret) expect(isSigned(receiver.received[0]!, secret)).toBe(true)
      const rows = JSON.stringify(rowsOf(app, 'SELECT code_hash FROM person_channels'))
      expect([rows, JSON.stringify(app.logged)].join()).not.toContain(code)
    },
  )

  test('for mail goes to the address of the person, instead of the same address of the merchant', async () => {
    await notify()
    expect(mail.received.map(({ to }) => to)).toEqual([[shop.email]])
    await app.advance(HOUR_MS)
    await verified('mail')
    await notify()
    expect(mail.received.flatMap(({ to }) => to).sort()).toEqual(['ann@people.example', shop.email].sort())
    await app.advance(HOUR_MS)
    const owner = await givenPerson(shop.email.toUpperCase())
    const id = await verified('mail', owner)
    await changeChannel(app.context, owner, id, { muted: ['disk_low'], digestHour: null })
    mail.received.length = 0
    await notify('disk_low')
    expect(mail.received.flatMap(({ to }) => to)).toEqual(['ann@people.example'])
  })

  test('gets only the kinds that the person chose, and only of its merchant', async () => {
    const id = await verified('ntfy')
    await changeChannel(app.context, ann, id, { muted: ['pool_low'], digestHour: null })
    const other = await givenMerchant(app)
    await notify('pool_low')
    await notify('key_created', other.id)
    expect(receiver.received).toEqual([])
    await notify('payment_over')
    expect(receiver.received).toHaveLength(1)
    expect(receiver.received[0]!.headers.get('authorization')).toBe(`Bearer ${secrets.ntfy}`)
  })

  test('gets nothing more after it is removed or its person has left', async () => {
    const [first, second] = [await verified('ntfy'), await verified('https')]
    await removeChannel(app.context, ann, first)
    await notify()
    expect(receiver.received.map(({ json }) => json.type)).toEqual(['notification'])
    receiver.received.length = 0
    await app.context.storage.write(tables => tables.memberships.remove(ann.userId, shop.id))
    await app.advance(HOUR_MS)
    await notify('payment_over')
    expect(receiver.received).toEqual([])
    expect(await listChannels(app.context, ann)).toEqual([])
    expect(second).not.toBe(first)
  })

  test('that fails is tried again, says why, and stops no other', async () => {
    const id = await verified('ntfy')
    await verified('mail')
    receiver.answerWith(() => new Response('no', { status: 500 }))
    await notify()
    expect(mail.received).toHaveLength(2)
    const [{ state } = { state: null }] = await listChannels(app.context, ann)
    expect(state).toMatchObject({ failures: 1, fault: 'refused (status 500)' })
    expect(await testChannel(app.context, ann, id)).toBe('refused (status 500)')
    receiver.answerWith(() => new Response('ok'))
    expect(await testChannel(app.context, ann, id)).toBe(null)
    receiver.received.length = 0
    await app.advance(5 * MINUTE_MS)
    expect(lastText()).toContain('About pool_low.')
  })

  test('belongs to its person: no one else can see, test, change or remove it', async () => {
    const id = await verified('ntfy')
    const bob = await givenPerson('bob@people.example')
    const elsewhere = { ...ann, merchantId: (await givenMerchant(app)).id }
    for (const stranger of [bob, elsewhere]) {
      expect(await listChannels(app.context, stranger)).toEqual([])
      const tries = [
        () => testChannel(app.context, stranger, id),
        () => sendCode(app.context, stranger, id),
        () => confirmChannel(app.context, stranger, id, '000000'),
        () => changeChannel(app.context, stranger, id, { muted: [], digestHour: null }),
        () => removeChannel(app.context, stranger, id),
      ]
      for (const attempt of tries) await expect(attempt()).rejects.toThrow('You have no such channel.')
    }
    expect(await listChannels(app.context, ann)).toHaveLength(1)
  })
})

describe('the code that confirms a channel', () => {
  test('can be guessed five times, and then a new one has to be sent', async () => {
    const { id } = await add('ntfy')
    const code = codeIn(lastText())
    const wrong = code === '000000' ? '111111' : '000000'
    const enter = (given: string) => confirmChannel(app.context, ann, id, given)
    for (let at = 0; at < 5; at++) expect(await enter(wrong)).toBe('wrong')
    expect(await enter(code)).toBe('expired')
    await expect(sendCode(app.context, ann, id)).rejects.toThrow()
    await app.advance(MINUTE_MS)
    expect(await sendCode(app.context, ann, id)).toBe(null)
    const next = codeIn(lastText())
    expect(await enter(next)).toBe('verified')
  })

  test('is valid for an hour', async () => {
    const { id } = await add('ntfy')
    const code = codeIn(lastText())
    await app.advance(HOUR_MS)
    expect(await confirmChannel(app.context, ann, id, code)).toBe('expired')
  })

  test('that cannot be sent leaves the channel unused, and says why', async () => {
    receiver.answerWith(() => new Response('no', { status: 403 }))
    const { id, fault } = await add('ntfy')
    expect(fault).toBe('refused (status 403)')
    await expect(testChannel(app.context, ann, id)).rejects.toThrow('Enter the code')
  })
})

describe('the limits of codes and test messages to strangers', () => {
  /** Adds channels and removes them. Returns the number of messages that were sent. */
  async function flood(times: number, change: (at: number) => [ChannelName, object, typeof ann]) {
    let refused = 0
    for (let at = 0; at < times; at++) {
      const [name, fields, owner] = change(at)
      try {
        await removeChannel(app.context, owner, (await add(name, fields, owner)).id)
      } catch (error) {
        expect(error).toMatchObject({ code: 'rate_limited', retryAfterSeconds: expect.any(Number) })
        refused++
      }
    }
    return { sent: mail.received.length + receiver.received.length, refused }
  }

  test('allow a mailbox three codes an hour, whatever its spelling', async () => {
    await ownApp()
    const people = ['victim@gmail.com', 'v.ic.tim+1@gmail.com', 'Victim@GoogleMail.com']
    const owners = await Promise.all(people.map(email => givenPerson(email)))
    expect(await flood(9, at => ['mail', {}, owners[at % 3]!])).toEqual({ sent: 3, refused: 6 })
    expect(await listChannels(app.context, owners[0]!)).toEqual([])
    await app.advance(HOUR_MS)
    expect(await flood(1, () => ['mail', {}, owners[0]!])).toEqual({ sent: 4, refused: 0 })
  })

  test('allow a chat or URL three codes an hour, from all people together', async () => {
    await ownApp()
    const owners = [ann, await givenPerson('bob@people.example')]
    expect(await flood(5, at => ['ntfy', {}, owners[at % 2]!])).toEqual({ sent: 3, refused: 2 })
  })

  test('allow a person ten codes an hour, and a shop thirty', async () => {
    await ownApp()
    const address = (at: number) => ({ address: `${urls().ntfy}${at}` })
    expect(await flood(12, at => ['ntfy', address(at), ann])).toEqual({ sent: 10, refused: 2 })
    const others = await Promise.all([1, 2, 3].map(at => givenPerson(`other${at}@people.example`)))
    expect(await flood(24, at => ['ntfy', address(100 + at), others[at % 3]!])).toEqual({
      sent: 30,
      refused: 4,
    })
  })

  test('messages with codes have no text that people of the shop wrote', async () => {
    await ownApp()
    await changeMerchant(app.context, shop.id, { name: 'URGENT: go to https://evil.example/unlock' })
    for (const name of ['mail', 'ntfy', 'telegram', 'https'] as const) await add(name)
    const all = [
      ...mail.received.map(({ data }) => data),
      ...receiver.received.map(({ json }) => JSON.stringify(json)),
    ]
    expect([all.length, all.some(text => /evil|URGENT/.test(text))]).toEqual([4, false])
  })

  test('allow a person 20 test messages a day', async () => {
    await ownApp()
    const id = await verified('ntfy')
    for (let at = 0; at < 20; at++) expect(await testChannel(app.context, ann, id)).toBeNull()
    await expect(testChannel(app.context, ann, id)).rejects.toMatchObject({ code: 'rate_limited' })
    expect(receiver.received).toHaveLength(20)
  })
})

test('messages for a person who left are not tried again', async () => {
  await ownApp()
  await verified('ntfy')
  receiver.answerWith(() => new Response('no', { status: 500 }))
  await notify()
  await app.context.storage.write(tables => tables.memberships.remove(ann.userId, shop.id))
  receiver.received.length = 0
  await app.advance(HOUR_MS)
  await app.advance(HOUR_MS)
  expect(receiver.received).toEqual([])
  const sql = "SELECT status FROM notification_sends WHERE recipient LIKE 'channel:%'"
  expect(rowsOf(app, sql)).toEqual([{ status: 'given_up' }])
  expect(rowsOf(app, "SELECT * FROM jobs WHERE subject LIKE 'channel:%'")).toEqual([])
})

test('a suspended person gets no messages, and only new ones after being restored', async () => {
  const id = await verified('ntfy')
  await changeChannel(app.context, ann, id, { muted: [], digestHour: 20 })
  receiver.answerWith(() => new Response('no', { status: 500 }))
  await notify()
  receiver.answerWith(() => new Response('ok'))
  receiver.received.length = 0
  await suspendUser(app.context, 'ann@people.example')
  await notify('payment_over')
  for (let hour = 0; hour < 25; hour++) await app.advance(HOUR_MS)
  expect(receiver.received).toEqual([])
  await restoreUser(app.context, 'ann@people.example')
  await notify('payment_late')
  expect(receiver.received.map(({ json }) => json.message)).toEqual([
    expect.stringContaining('About payment_late.'),
  ])
  for (let hour = 0; hour < 25; hour++) await app.advance(HOUR_MS)
  expect(receiver.received.at(-1)?.json.title).toContain('0 orders paid')
})

test('a person who is removed and invited again has no channels and no saved views', async () => {
  await ownApp()
  await verified('ntfy')
  await createUser(app.context, { email: 'owner@people.example', merchantId: shop.id, role: 'owner' })
  await saveView(app.context, ann, { page: 'orders', name: 'Open', query: 'status=UNPAID' })
  await removeMember(app.context, shop.id, ann.userId)
  expect(rowsOf(app, 'SELECT * FROM person_channels')).toEqual([])
  await givenPerson('ann@people.example')
  expect(await listChannels(app.context, ann)).toEqual([])
  expect(rowsOf(app, 'SELECT * FROM saved_views')).toEqual([])
})

test('a channel is refused if its address is private or wrong, or there are too many', async () => {
  const refused: [name: string, change: object, reason: RegExp][] = [
    ['https', { address: 'https://10.0.0.1/hook' }, /must lead to a public address/],
    ['https', { address: 'http://shop.example/hook' }, /https:/],
    ['https', { address: 'nonsense' }, /address/],
    ['ntfy', { address: 'https://192.168.1.1/topic' }, /must lead to a public address/],
    ['ntfy', { address: 'https://ntfy.example/' }, /address/],
    ['ntfy', { secret: 'a b' }, /secret/],
    ['telegram', { address: 'a chat' }, /address/],
    ['telegram', { secret: '' }, /secret/],
    ['telegram', { address: 'https://169.254.169.254/1' }, /must lead to a public address/],
    ['sms', {}, /name/],
  ]
  for (const [name, change, reason] of refused) {
    const full = {
      name: name as ChannelName,
      address: urls()[name as ChannelName] ?? '',
      secret: '',
      ...change,
    }
    await expect(addChannel(app.context, ann, full)).rejects.toThrow(reason)
  }
  expect(receiver.received).toEqual([])
  await add('ntfy')
  await expect(add('ntfy')).rejects.toThrow('You have this channel already.')
  for (let at = 1; at < 10; at++) await add('ntfy', { address: `${urls().ntfy}${at}` })
  await expect(add('https')).rejects.toThrow('You have 10 channels.')
})

test('a notification is in the language of its reader, with times of the shop', async () => {
  await ownApp()
  await changeMerchant(app.context, shop.id, { timeZone: 'Asia/Kathmandu' })
  await verified('ntfy')
  await app.context.storage.write(tables => tables.users.update(ann.userId, { language: 'de' }))
  const [host, since] = ['shop.example', Date.parse('2026-03-01T10:00:00Z')]
  await app.context.storage.write(tables =>
    notifyOf(app.context, tables, shop.id, { about: 'webhook_failing', host, since, failures: 3 }),
  )
  await app.advance(HOUR_MS)
  expect(lastText()).toMatch(/01\.03\.2026, 15:45 \(Asia\/Kathmandu\)/)
  const { email } = await getMerchant(app.context, shop.id)
  expect(mailsTo(mail, email).at(-1)?.text).toMatch(/Mar 1, 2026, 15:45 \(Asia\/Kathmandu\)/)
})

test('a digest is sent once a day at the hour of the shop, and tried again if it fails', async () => {
  await ownApp()
  await changeMerchant(app.context, shop.id, { timeZone: 'Asia/Kathmandu' })
  const id = await verified('ntfy')
  await givenOrder(app, shop)
  await paidInCash(app, shop, (await givenOrder(app, shop)).orderUUID)
  await changeChannel(app.context, ann, id, { muted: ['order_paid'], digestHour: 20 })
  const messages = () => receiver.received.map(({ json }) => json.message)
  receiver.answerWith(() => new Response('no', { status: 500 }))
  for (let hour = 0; hour < 24 && receiver.received.length === 0; hour++) await app.advance(HOUR_MS)
  const local = new Intl.DateTimeFormat('en', {
    hour: 'numeric',
    hourCycle: 'h23',
    timeZone: 'Asia/Kathmandu',
  })
  expect(local.format(app.time.now)).toBe('20')
  receiver.answerWith(() => new Response('ok'))
  receiver.received.length = 0
  await app.advance(HOUR_MS)
  expect(messages()).toHaveLength(1)
  expect(messages()[0]).toContain('2 orders were created, and 1 order paid.')
  expect(messages()[0]).toContain('Asia/Kathmandu')
  expect(messages()[0]).toContain('Nothing needs attention.')
  for (let hour = 0; hour < 24; hour++) await app.advance(HOUR_MS)
  expect(messages()).toHaveLength(2)
  expect(messages()[1]).toContain('0 orders were created')
  await app.context.storage.write(tables => tables.users.update(ann.userId, { language: 'de' }))
  for (let hour = 0; hour < 24; hour++) await app.advance(HOUR_MS)
  expect(messages()[2]).toContain('0 Bestellungen angelegt, 0 Bestellungen bezahlt.')
  expect(messages()[2]).toContain('Nichts braucht Ihre Aufmerksamkeit.')
  await changeChannel(app.context, ann, id, { muted: [], digestHour: null })
  for (let hour = 0; hour < 25; hour++) await app.advance(HOUR_MS)
  expect(messages()).toHaveLength(3)
})
