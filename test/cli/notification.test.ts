import { afterEach, beforeEach, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type App, startApp } from '../support/app.ts'
import { givenMerchant, type Shop } from '../support/given.ts'
import { startReceiver } from '../support/receiver.ts'
import { SmtpServer } from '../support/smtp-server.ts'
import { runInProcess } from './in-process.ts'

const NOBODY = '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55'

let app: App
let shop: Shop
let mail: SmtpServer
let receiver: ReturnType<typeof startReceiver>
let settings: Record<string, string>

beforeEach(async () => {
  mail = await SmtpServer.start()
  receiver = startReceiver()
  app = await startApp()
  shop = await givenMerchant(app)
  const secretFile = join(app.dataDir, 'secret')
  writeFileSync(secretFile, 'a secret')
  settings = {
    FLORIN_DATA_DIR: app.dataDir,
    FLORIN_SMTP_URL: `smtp://${mail.host}`,
    FLORIN_MAIL_FROM: 'florin@pay.example',
    FLORIN_NOTIFY_URL: receiver.url,
    FLORIN_NOTIFY_SECRET_FILE: secretFile,
    FLORIN_OUTBOUND_ALLOW: receiver.host,
  }
})
afterEach(async () => {
  await app.close()
  await mail.stop()
  await receiver.stop()
})

const trial = (environment: Record<string, string>, merchant = shop.id) =>
  runInProcess(environment, 'notification', 'test', '--merchant', merchant, '--json')

test('notification test sends a message by every channel', async () => {
  const { exitCode, stdout, stderr } = await trial(settings)
  expect({ exitCode, stderr, json: JSON.parse(stdout) }).toEqual({
    exitCode: 0,
    stderr: '',
    json: {
      items: [
        { channel: 'mail', outcome: 'sent', reason: null },
        { channel: 'https', outcome: 'sent', reason: null },
      ],
    },
  })
  expect(mail.received[0]?.to).toEqual([shop.email])
  expect(receiver.received[0]?.json).toMatchObject({ type: 'notification', items: [] })
})

test('notification test says which channel failed, and exits with 1', async () => {
  mail.reactions = { rcpt: '550 no such user' }
  const { exitCode, stdout } = await trial(settings)
  expect(exitCode).toBe(1)
  expect(JSON.parse(stdout).items).toEqual([
    { channel: 'mail', outcome: 'failed', reason: expect.stringContaining('550') },
    { channel: 'https', outcome: 'sent', reason: null },
  ])
})

test('notification test refuses an unknown merchant, no channel, and a secret file that is missing', async () => {
  const unknown = await trial(settings, NOBODY)
  expect([unknown.exitCode, unknown.stderr]).toEqual([1, expect.stringMatching(/merchant/)])
  const none = await trial({ FLORIN_DATA_DIR: app.dataDir })
  expect([none.exitCode, none.stderr]).toEqual([1, expect.stringMatching(/No channel.*FLORIN_SMTP_URL/)])
  const missing = await trial({ ...settings, FLORIN_NOTIFY_SECRET_FILE: '/nowhere/secret' })
  expect([missing.exitCode, missing.stderr]).toEqual([1, expect.stringMatching(/Cannot read.*nowhere/)])
})
