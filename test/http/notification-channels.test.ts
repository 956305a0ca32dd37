import { afterAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NotificationKind } from '../../src/domain/notification-kind.ts'
import { listNotifications } from '../../src/operations/notices/list.ts'
import { startApp } from '../support/app.ts'
import { givenMerchant } from '../support/given.ts'
import { saying } from '../support/notifications.ts'
import { newFolder } from '../support/process.ts'
import { isSigned, startReceiver } from '../support/receiver.ts'
import { SmtpServer } from '../support/smtp-server.ts'
import { restart, suite } from '../support/suite.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const SECRET = 'a secret of the operator'

const folder = newFolder()
writeFileSync(join(folder, 'secret'), `${SECRET}\n`)
const receiver = startReceiver()
const mail = await SmtpServer.start()
afterAll(() => Promise.all([mail.stop(), receiver.stop()]))

const settings = () => ({
  FLORIN_SMTP_URL: `smtp://${mail.host}`,
  FLORIN_MAIL_FROM: 'florin@pay.example',
  FLORIN_NOTIFY_URL: receiver.url,
  FLORIN_NOTIFY_SECRET_FILE: join(folder, 'secret'),
  FLORIN_OUTBOUND_ALLOW: receiver.host,
})

const start = (environment = {}) => startApp({ ...settings(), ...environment })
const { app, once, each, ownApp } = suite({ start })
// A recent backup, so that nobody is notified of an old one.
once(() => writeFileSync(join(app.dataDir, 'florin.backup'), ''))
const shop = each(() => givenMerchant(app))
each(() => {
  mail.reactions = {}
  return forgetFirstMessages()
})

/** Deletes the messages about the creation of the merchant, and lets the pause after them pass. */
async function forgetFirstMessages(): Promise<void> {
  await app.jobs.settle()
  // A message may have been sent before the merchant had all its keys, so the rest follows, and then a pause.
  await app.advance(HOUR_MS)
  await app.advance(HOUR_MS)
  mail.received.length = 0
  receiver.received.length = 0
}

async function notify(
  text: string,
  kind: NotificationKind = 'pool_low',
  merchantId = shop.id,
): Promise<void> {
  const { ids, clock } = app.context
  const row = { id: ids.uuid(), merchantId, kind, orderId: null, facts: saying(text), createdAt: clock() }
  await app.context.storage.write(tables => tables.notifications.insert(row))
  await app.jobs.settle()
}

const bodies = () => mail.received.map(({ data }) => data.slice(data.indexOf('\r\n\r\n')))
const sentTo = async () => (await listNotifications(app.context, shop.id)).map(({ sentTo: by }) => by)

test('a notification is mailed to its merchant and posted to the operator, signed', async () => {
  const other = await givenMerchant(app)
  await forgetFirstMessages()
  await notify('Only 5 addresses are left.')
  expect(mail.received.map(({ to }) => to)).toEqual([[shop.email]])
  expect(mail.received[0]?.data).toMatch(/^Subject: \[sandbox\] Corner Coffee: Only 5 addresses are left/m)
  expect(bodies()[0]).toContain('Only 5 addresses are left.')
  const [posted, ...more] = receiver.received
  expect(more).toEqual([])
  expect(isSigned(posted!, SECRET)).toBe(true)
  expect(posted!.headers.get('x-service-event')).toBe('notification')
  const item = { kind: 'pool_low', merchantId: shop.id, orderUUID: null, text: 'Only 5 addresses are left.' }
  expect(posted!.json).toMatchObject({ type: 'notification', items: [item], more: 0 })
  expect((await sentTo())[0]).toEqual(['https', 'mail'])
  expect(other.id).not.toBe(shop.id)
})

test('a flood of notifications is sent as a few messages, and hides no rare kind', async () => {
  await notify('The payout wallet was changed.', 'payout_changed')
  const { ids, clock } = app.context
  await app.context.storage.write(async tables => {
    for (let at = 0; at < 300; at++) {
      const facts = saying(`Dust ${at}.`)
      const row = { merchantId: shop.id, kind: 'unmatched_payment', orderId: null, facts } as const
      await tables.notifications.insert({ ...row, id: ids.uuid(), createdAt: clock() })
    }
  })
  await notify('The webhook was changed.', 'webhook_changed')
  for (let minutes = 0; minutes < 120; minutes += 5) await app.advance(5 * MINUTE_MS)
  expect(mail.received.length).toBe(2)
  expect(receiver.received.length).toBe(2)
  expect(bodies()[1]).toContain('The webhook was changed.')
  expect(bodies()[1]).toContain('and 281 more')
  expect(receiver.received[1]!.json.items).toHaveLength(20)
  expect(receiver.received[1]!.json.more).toBe(281)
  expect((await sentTo()).every(by => by.length === 2)).toBe(true)
})

test('a channel that fails is tried again, and stops neither the other one nor later notifications', async () => {
  mail.reactions = { rcpt: '451 try again' }
  await notify('First.')
  expect([mail.received.length, receiver.received.length]).toEqual([0, 1])
  expect((await sentTo())[0]).toEqual(['https'])
  await notify('Second.')
  const tried = mail.connections
  await app.advance(30_000)
  expect(mail.connections).toBe(tried)
  mail.reactions = {}
  await app.advance(MINUTE_MS)
  expect(mail.received.length).toBe(1)
  expect(bodies()[0]).toMatch(/First[\s\S]*Second/)
  await app.advance(HOUR_MS)
  expect(receiver.received.length).toBe(2)
  expect(mail.received.length).toBe(1)
  expect((await sentTo()).slice(0, 2)).toEqual([
    ['https', 'mail'],
    ['https', 'mail'],
  ])
})

test('messages that were not sent survive a restart, and use the settings of the new server', async () => {
  await ownApp({ FLORIN_NOTIFY_URL: '', FLORIN_NOTIFY_SECRET_FILE: '' })
  mail.reactions = { greeting: 'close' }
  await notify('Before the restart.')
  mail.reactions = {}
  await restart(app, settings())
  await app.advance(HOUR_MS)
  expect(bodies().join()).toContain('Before the restart.')
  expect(receiver.received).toEqual([])
})

test('messages that cannot be sent for a week are given up and logged', async () => {
  mail.reactions = { rcpt: '550 no such user' }
  await notify('Nobody reads this.')
  for (let day = 0; day < 8; day++) for (let six = 0; six < 4; six++) await app.advance(6 * HOUR_MS)
  expect(app.logged.map(({ sentence }) => sentence)).toContain('notification.given_up')
  const tried = app.logged.filter(({ sentence }) => sentence === 'notification.send.failed').length
  const sends = () =>
    app
      .read()
      .query(
        `SELECT status FROM notification_sends JOIN notifications ON id = notification_id
         WHERE recipient LIKE 'mail:%' AND facts LIKE '%Nobody reads this.%'`,
      )
      .values()
  expect(sends()).toEqual([['given_up']])
  await app.advance(48 * HOUR_MS)
  expect(sends()).toEqual([['given_up']])
  expect(tried).toBeLessThan(45)
})

test('without a channel no message waits, so a channel that is added later sends no old news', async () => {
  const none = {
    FLORIN_SMTP_URL: '',
    FLORIN_MAIL_FROM: '',
    FLORIN_NOTIFY_URL: '',
    FLORIN_NOTIFY_SECRET_FILE: '',
  }
  await ownApp(none)
  await notify('Old news.')
  await restart(app, settings())
  await app.advance(HOUR_MS)
  expect([mail.received.length, receiver.received.length]).toEqual([0, 0])
})

test('a message has only the host of a URL', async () => {
  await notify('The webhook was changed to https://shop.example/hook?token=t0ps3cret now.')
  expect(bodies()[0]).toContain('https://shop.example now')
  expect(JSON.stringify([bodies(), receiver.received[0]!.json])).not.toContain('t0ps3cret')
})

test('ntfy gets a topic, a title and the text, with its token', async () => {
  await ownApp({ FLORIN_NOTIFY_URL: `ntfy+http://${receiver.host}/florin-shop` })
  await notify('Only 5 addresses are left.')
  const [posted] = receiver.received
  expect(posted!.json).toEqual({
    topic: 'florin-shop',
    title: '[sandbox] Florin: Only 5 addresses are left',
    message: expect.stringContaining('Only 5 addresses are left.'),
  })
  expect(posted!.headers.get('authorization')).toBe(`Bearer ${SECRET}`)
  expect((await sentTo())[0]).toEqual(['mail', 'ntfy'])
})

test('Telegram gets a message for a chat', async () => {
  const FLORIN_NOTIFY_SECRET_FILE = join(folder, 'token')
  writeFileSync(FLORIN_NOTIFY_SECRET_FILE, '123:bot-token')
  const FLORIN_NOTIFY_URL = `telegram+http://${receiver.host}/-100123`
  await ownApp({ FLORIN_NOTIFY_URL, FLORIN_NOTIFY_SECRET_FILE })
  await notify('Only 5 addresses are left.')
  const [posted] = receiver.received
  expect(posted!.json).toEqual({
    chat_id: '-100123',
    text: expect.stringMatching(/^\[sandbox\] Florin: .*\n\nOnly 5 addresses are left\./),
  })
  expect(JSON.stringify(app.logged)).not.toContain('bot-token')
  // Telegram refuses half of a character, so a long text must not be cut inside one.
  receiver.received.length = 0
  for (const length of [3000, 3001]) {
    await notify(`${'a'.repeat(length)}${'🙂'.repeat(1000)}`)
    await app.advance(HOUR_MS)
  }
  const texts = receiver.received.map(({ json }) => String((json as { text: string }).text))
  expect(texts.map(text => [text.length > 3500, text.isWellFormed()])).toEqual(Array(2).fill([true, true]))
})
