import { formatTimestamp } from '../../domain/timestamp.ts'
import type { ChannelWithEmail } from '../../storage/port.ts'
import type { Context } from '../context.ts'

interface PersonMessage {
  kind: 'channel_code' | 'test' | 'digest'
  subject: string
  text: string
}

/**
 * Sends a message to a person's channel once. Returns null, or why it failed, without secrets. `id` is equal
 * in all tries, so that a receiver recognizes a repetition.
 */
export async function sendToPerson(
  { channels, ids, clock, log }: Pick<Context, 'channels' | 'ids' | 'clock' | 'log'>,
  channel: ChannelWithEmail,
  { kind, subject, text }: PersonMessage,
  id: string = ids.uuid(),
): Promise<string | null> {
  const item = {
    id,
    kind,
    merchantId: channel.merchantId,
    orderUUID: null,
    text,
    createdAt: formatTimestamp(clock()),
  }
  const sender = channels.ofPerson(channel)
  const message = { id, subject, text, items: [item], more: 0 }
  const fault = sender ? await sender.send(message, channel) : 'the channel is no longer configured'
  if (fault !== null) log.warn({ channelId: channel.id, kind, reason: fault }, 'channel.send.failed')
  return fault
}
