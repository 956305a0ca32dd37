import type { Platform } from '../boot/platform.ts'
import type { Running } from '../boot/serve.ts'
import { assert } from '../domain/errors.ts'
import { notificationKinds } from '../domain/notification-kind.ts'
import { confirmChannel } from '../operations/channels/code.ts'
import { addChannel, changeChannel, listChannels, removeChannel } from '../operations/channels/manage.ts'
import type { Owner } from '../operations/channels/steps/require-channel.ts'
import type { Context } from '../operations/context.ts'

type Mail = NonNullable<Platform['mail']>

/** Accepts all mail and sends none. */
const quietMail: Mail = { name: 'mail', send: async () => null }

/** Control characters except line breaks. A name may contain some, and a terminal would obey them. */
const unprintable = /[^\P{Cc}\n]/gu

/**
 * Prints mail instead of sending it, once `print` is set: some has links that the dashboard does not show.
 */
export const printedMail: Mail & { print: (text: string) => void } = {
  name: 'mail',
  print() {},
  async send({ subject, text }, { email }) {
    const lines = `${subject}\n\n${text}`.replace(unprintable, ' ').trim().split('\n')
    const indented = lines.map(line => `  ${line}`).join('\n')
    printedMail.print(`\nMail to ${email}, which the demo does not send:\n\n${indented}`)
    return null
  },
}

const TOPIC = 'corner-coffee'
const DIGEST_HOUR = 8
/** Notifications that the owner wants on their phone at once. */
const urgent = ['unmatched_payment', 'payment_over', 'webhook_disabled', 'pool_low']
const notUrgent = notificationKinds.filter(kind => !urgent.includes(kind))

/** Adds a channel and confirms it; the code is never sent. */
async function addVerified(
  context: Context,
  owner: Owner,
  channel: Pick<Parameters<typeof addChannel>[2], 'name' | 'address'>,
): Promise<string> {
  const { channels, letters } = context
  let sent = ''
  const reading: Context = {
    ...context,
    channels: { ...channels, ofPerson: () => quietMail },
    letters: {
      ...letters,
      channelCode(content, language) {
        sent = content.code
        return letters.channelCode(content, language)
      },
    },
  }
  const { id } = await addChannel(reading, owner, { ...channel, secret: '' })
  assert((await confirmChannel(context, owner, id, sent)) === 'verified', 'the code is the one that was sent')
  return id
}

async function addPhone({ florin, url }: Running, owner: Owner): Promise<void> {
  const { context } = florin
  const id = await addVerified(context, owner, { name: 'ntfy', address: `${url}/sandbox/ntfy/${TOPIC}` })
  await changeChannel(context, owner, id, { muted: notUrgent, digestHour: null })
}

/** Adds channels for the owner of the demo's shop: mail, and ntfy if merchants may name this server. */
export async function addDemoChannels(running: Running, owner: Owner, hasReceiver: boolean): Promise<void> {
  await addVerified(running.florin.context, owner, { name: 'mail', address: '' })
  if (hasReceiver) await addPhone(running, owner)
}

/**
 * Adds a daily digest by mail. Call it once the demo's past is over: during the past it would only cost time.
 */
export async function addDemoDigest({ florin: { context } }: Running, owner: Owner): Promise<void> {
  for (const { channel } of await listChannels(context, owner)) {
    if (channel.name !== 'mail') continue
    await changeChannel(context, owner, channel.id, { muted: [], digestHour: DIGEST_HOUR })
  }
}

/** Updates the URLs of channels: the port may change at each start. */
export async function moveDemoChannels(running: Running, owner: Owner): Promise<void> {
  const { context } = running.florin
  const receiver = `${running.url}/sandbox/ntfy`
  for (const { channel } of await listChannels(context, owner)) {
    if (channel.topic !== TOPIC || !channel.url.endsWith('/sandbox/ntfy') || channel.url === receiver)
      continue
    await removeChannel(context, owner, channel.id)
    await addPhone(running, owner)
  }
}
