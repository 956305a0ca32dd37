import { readFileSync } from 'node:fs'
import { makeMail } from '../outbound/mail.ts'
import { makeNotifyUrl } from '../outbound/notify-url.ts'
import type { Channel, Channels, OutboundClients } from '../outbound/port.ts'
import { SettingsError } from '../settings/read.ts'
import type { Settings } from '../settings/table.ts'
import type { Storage } from '../storage/port.ts'
import type { Platform } from './platform.ts'

function secretOf(file: string): string {
  if (file === '') return ''
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new SettingsError(`Cannot read FLORIN_NOTIFY_SECRET_FILE ${file} (${(error as Error).message}).`)
  }
}

/** Marks messages of the sandbox, so that nobody takes them for real ones. */
const inSandbox = (channel: Channel): Channel => ({
  name: channel.name,
  send: (message, to) => channel.send({ ...message, subject: `[sandbox] ${message.subject}` }, to),
  ...(channel.check && { check: () => channel.check?.() ?? Promise.resolve(null) }),
})

/** The channels of these settings. Throws a SettingsError if the file with the secret cannot be read. */
export function channelsOf(
  settings: Settings,
  platform: Platform,
  outbound: OutboundClients,
  storage: Pick<Storage, 'assertOutside'>,
): Channels {
  const { smtpUrl, mailFrom, notifyUrl, notifySecretFile, sandbox } = settings
  const marked = (channel: Channel): Channel => (sandbox ? inSandbox(channel) : channel)
  const assertOutside = (action: string) => storage.assertOutside(action)
  const mail = smtpUrl
    ? makeMail({ url: smtpUrl, from: mailFrom, ca: platform.ca, assertOutside })
    : platform.mail
  const secret = secretOf(notifySecretFile)
  const url =
    notifyUrl && makeNotifyUrl({ target: notifyUrl, secret, outbound: outbound.webhook, clock: platform.now })
  return {
    mail: mail ? marked(mail) : null,
    url: url ? marked(url) : null,
    ofPerson({ name, url: endpoint, topic, secret: own }) {
      if (name === 'mail') return mail ? marked(mail) : null
      const target = { name, url: endpoint, topic }
      return marked(
        makeNotifyUrl({ target, secret: own ?? '', outbound: outbound.channel, clock: platform.now }),
      )
    },
  }
}
