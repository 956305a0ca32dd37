import type { Platform } from '../../src/boot/platform.ts'
import { startApp } from './app.ts'
import { startReceiver } from './receiver.ts'
import { SmtpServer } from './smtp-server.ts'

/** An app that may send webhooks and notifications to a receiver, which stops with it. */
export async function startWithReceiver(
  environment: Record<string, string> = {},
  platform: Partial<Platform> = {},
) {
  const receiver = startReceiver()
  const allowed = `${receiver.host},channel:${receiver.host}`
  const app = await startApp({ FLORIN_OUTBOUND_ALLOW: allowed, ...environment }, platform)
  return {
    ...app,
    receiver,
    async close() {
      await app.close()
      await receiver.stop()
    },
  }
}

/** Like `startWithReceiver`, with a mail server, which stops with the app too. */
export async function startWithMail(
  environment: Record<string, string> = {},
  platform: Partial<Platform> = {},
) {
  const mail = await SmtpServer.start()
  const settings = { FLORIN_SMTP_URL: `smtp://${mail.host}`, FLORIN_MAIL_FROM: 'florin@pay.example' }
  const app = await startWithReceiver({ ...settings, ...environment }, platform)
  return {
    ...app,
    mail,
    async close() {
      await app.close()
      await mail.stop()
    },
  }
}
