import {
  GIVE_UP_SENDING_MS,
  latestStart,
  type Notification,
  pauseAfter,
  type Recipient,
  type RecipientState,
  retryAt,
  TRY_MS,
} from '../../domain/notification.ts'
import type { Channel } from '../../outbound/port.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import type { Audience } from '../letters.ts'
import { composeMessage } from './steps/compose.ts'

/** Max notifications in one message. */
const MESSAGE_MAX = 500

type SendContext = Pick<Context, 'storage' | 'clock' | 'channels' | 'letters' | 'log'>

interface Pending {
  notifications: Notification[]
  /** null if the channel is no longer configured */
  channel: Channel | null
  /** name of the shop, or of the server */
  sender: string
  audience: Audience
  /** email address of the recipient; empty for channels other than mail */
  email: string
}

/**
 * Sends all pending notifications of a recipient as one message. The next message waits, so that a flood is
 * batched. A failed message is retried for seven days. Returns the time of the next run, or null if nothing
 * is pending.
 */
export async function sendNotifications(context: SendContext, recipient: Recipient): Promise<number | null> {
  const pending = await context.storage.write(tables => startTry(context, tables, recipient))
  if (pending === null) return null
  if ('notBefore' in pending) return pending.notBefore
  const { channel } = pending
  const fault = channel ? await sendMessage(context, channel, pending) : 'the channel is no longer configured'
  if (channel && fault === null) return recordSent(context, recipient, channel, pending)
  return recordFailure(context, recipient, fault ?? '')
}

/**
 * Loads the pending notifications, or returns the time to try again if it is too early. Also moves that time,
 * so that no other try starts before this one ends.
 */
async function startTry(
  context: SendContext,
  tables: Tables,
  recipient: Recipient,
): Promise<Pending | { notBefore: number } | null> {
  const now = context.clock()
  const notifications = await tables.sends.listPending(recipient, MESSAGE_MAX)
  if (notifications.length === 0) return null
  const target = await targetOf(context, tables, recipient)
  if (target === null) {
    await tables.sends.giveUp(recipient, now + 1)
    return null
  }
  const state = (await tables.sends.findRecipient(recipient)) ?? newState(recipient)
  if (now < state.notBefore && state.notBefore <= latestStart(state, now))
    return { notBefore: state.notBefore }
  await tables.sends.putRecipient({ ...state, notBefore: now + TRY_MS })
  return { notifications, ...target }
}

/** The channel of a recipient; null if it was removed, or its person left the merchant or is suspended. */
async function targetOf(
  { channels }: SendContext,
  tables: Tables,
  recipient: Recipient,
): Promise<Omit<Pending, 'notifications'> | null> {
  if (recipient === 'url') return { channel: channels.url, sender: 'Florin', audience: operator, email: '' }
  const id = recipient.slice(recipient.indexOf(':') + 1)
  if (recipient.startsWith('mail:')) {
    const merchant = await tables.merchants.find(id)
    return (
      merchant && {
        channel: channels.mail,
        sender: merchant.name,
        audience: { reader: 'person', language: merchant.language, timeZone: merchant.timeZone },
        email: merchant.email,
      }
    )
  }
  const person = await tables.personChannels.find(id)
  if (!person || person.suspendedAt !== null) return null
  const shop = await tables.merchants.find(person.merchantId)
  return (
    shop && {
      channel: channels.ofPerson(person),
      sender: shop.name,
      audience: { reader: 'person', language: person.language ?? shop.language, timeZone: shop.timeZone },
      email: person.email,
    }
  )
}

/** The audience of messages to the operator, who has a shell and may have no login. */
const operator: Audience = { reader: 'shell', language: 'en', timeZone: 'UTC' }

const newState = (recipient: Recipient): RecipientState => ({
  recipient,
  notBefore: 0,
  lastSentAt: null,
  failingSince: null,
  failures: 0,
  fault: null,
})

function sendMessage(
  { letters }: SendContext,
  channel: Channel,
  { notifications, sender, audience, email }: Pending,
): Promise<string | null> {
  const id = notifications.at(-1)?.id ?? ''
  return channel.send(composeMessage(letters, { sender, audience }, notifications, id), { email })
}

function recordSent(
  context: SendContext,
  recipient: Recipient,
  { name }: Channel,
  { notifications }: Pending,
): Promise<number> {
  const ids = notifications.map(({ id }) => id)
  context.log.info({ channel: name, recipient, notifications: ids.length }, 'notification.sent')
  return context.storage.write(async tables => {
    const now = context.clock()
    await tables.sends.markSent(recipient, ids, name, now)
    const notBefore = now + pauseAfter(ids.length)
    await tables.sends.putRecipient({ ...newState(recipient), lastSentAt: now, notBefore })
    return notBefore
  })
}

async function recordFailure(context: SendContext, recipient: Recipient, fault: string): Promise<number> {
  const now = context.clock()
  const { givenUp, failures, notBefore } = await context.storage.write(async tables => {
    const state = (await tables.sends.findRecipient(recipient)) ?? newState(recipient)
    const failed = {
      ...state,
      failures: state.failures + 1,
      failingSince: state.failingSince ?? now,
      notBefore: retryAt(state.failures + 1, now),
      fault,
    }
    await tables.sends.putRecipient(failed)
    return { ...failed, givenUp: await tables.sends.giveUp(recipient, now - GIVE_UP_SENDING_MS) }
  })
  context.log.warn({ recipient, failures, reason: fault, nextAt: notBefore }, 'notification.send.failed')
  if (givenUp > 0) context.log.error({ recipient, notifications: givenUp }, 'notification.given_up')
  return notBefore
}
