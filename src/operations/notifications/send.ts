import {
  GIVE_UP_SENDING_MS,
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
import { composeMessage } from './steps/compose.ts'

/** One message is about at most this many notifications. */
const MESSAGE_MAX = 500

type SendContext = Pick<Context, 'storage' | 'clock' | 'channels' | 'log'>

interface Pending {
  notifications: Notification[]
  /** the shop of a mail; null for the operator */
  merchant: { name: string; email: string } | null
}

/**
 * Sends what is pending for a recipient as one message. After a message, the next one waits, so that a flood
 * is not sent one by one. A message that fails is tried again for seven days. Returns when to run again, or
 * null if nothing is pending.
 */
export async function sendNotifications(context: SendContext, recipient: Recipient): Promise<number | null> {
  const pending = await context.storage.write(tables => startTry(tables, recipient, context.clock()))
  if (pending === null) return null
  if ('notBefore' in pending) return pending.notBefore
  const channel = recipient === 'url' ? context.channels.url : context.channels.mail
  const fault = channel ? await sendMessage(channel, pending) : 'the channel is no longer configured'
  if (channel && fault === null) return recordSent(context, recipient, channel, pending)
  return recordFailure(context, recipient, fault ?? '')
}

/** Loads what is pending, unless it is too early. Until this try ends, no other one starts. */
async function startTry(
  tables: Tables,
  recipient: Recipient,
  now: number,
): Promise<Pending | { notBefore: number } | null> {
  const notifications = await tables.sends.listPending(recipient, MESSAGE_MAX)
  if (notifications.length === 0) return null
  const state = (await tables.sends.findRecipient(recipient)) ?? newState(recipient)
  if (now < state.notBefore) return { notBefore: state.notBefore }
  await tables.sends.putRecipient({ ...state, notBefore: now + TRY_MS })
  const merchant = recipient === 'url' ? null : await tables.merchants.find(recipient.slice('mail:'.length))
  return { notifications, merchant }
}

const newState = (recipient: Recipient): RecipientState => ({
  recipient,
  notBefore: 0,
  lastSentAt: null,
  failingSince: null,
  failures: 0,
  fault: null,
})

function sendMessage(channel: Channel, { notifications, merchant }: Pending): Promise<string | null> {
  const id = notifications.at(-1)?.id ?? ''
  const message = composeMessage(merchant?.name ?? 'Florin', notifications, id)
  return channel.send(message, { email: merchant?.email ?? '' })
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
