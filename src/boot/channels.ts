import { readFileSync } from 'node:fs'
import type { UpstreamProblem } from '../domain/upstream-fault.ts'
import type { MailTest } from '../operations/context.ts'
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

/** Marks the messages of a sandbox's channel, so that nobody takes them for real ones. */
const inSandbox = (channel: Channel): Channel => ({
  name: channel.name,
  send: (message, to) => channel.send({ ...message, subject: `[sandbox] ${message.subject}` }, to),
  ...(channel.check && { check: () => channel.check?.() ?? Promise.resolve(null) }),
})

/**
 * Time limit of a step while a mail server is tried. It is short, so that the person who waits is answered in
 * time.
 */
const TRIAL_STEP_MS = 4000

/** Sends a test through a mail server. Returns the problem, or null if the mail was accepted. */
export async function tryMail(
  { smtpUrl: url, mailFrom: from }: Pick<Settings, 'smtpUrl' | 'mailFrom'>,
  platform: Platform,
  storage: Pick<Storage, 'assertOutside'>,
  { message, to }: MailTest,
): Promise<UpstreamProblem | null> {
  if (url === '') return { reason: 'No mail server is configured.', fault: null }
  const assertOutside = (action: string) => storage.assertOutside(action)
  const options = { url, from, ca: platform.ca, stepMs: TRIAL_STEP_MS, assertOutside }
  return makeMail(options).sendTest(message, { email: to })
}

/**
 * The channels of these settings. A mail is sent through the mail server that the settings name at that time.
 * Throws a SettingsError if the file with the secret cannot be read.
 */
export function channelsOf(
  current: () => Settings,
  platform: Platform,
  outbound: OutboundClients,
  storage: Pick<Storage, 'assertOutside'>,
): Channels {
  const { notifyUrl, notifySecretFile, sandbox } = current()
  const marked = (channel: Channel): Channel => (sandbox ? inSandbox(channel) : channel)
  const assertOutside = (action: string) => storage.assertOutside(action)
  let made: { url: string; from: string; channel: Channel } | null = null
  function findMail(): Channel | null {
    const { smtpUrl: url, mailFrom: from } = current()
    if (url === '') return platform.mail ? marked(platform.mail) : null
    if (made?.url !== url || made.from !== from)
      made = { url, from, channel: marked(makeMail({ url, from, ca: platform.ca, assertOutside })) }
    return made.channel
  }
  const secret = secretOf(notifySecretFile)
  const url =
    notifyUrl && makeNotifyUrl({ target: notifyUrl, secret, outbound: outbound.webhook, clock: platform.now })
  return {
    get mail() {
      return findMail()
    },
    url: url ? marked(url) : null,
    ofPerson({ name, url: endpoint, topic, secret: own }) {
      if (name === 'mail') return findMail()
      const target = { name, url: endpoint, topic }
      return marked(
        makeNotifyUrl({ target, secret: own ?? '', outbound: outbound.channel, clock: platform.now }),
      )
    },
  }
}
