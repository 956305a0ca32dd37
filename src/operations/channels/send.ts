import { formatTimestamp } from '../../domain/timestamp.ts'
import type { ChannelWithEmail } from '../../storage/port.ts'
import type { Context } from '../context.ts'

interface PersonMessage {
  kind: 'channel_code' | 'test' | 'digest'
  subject: string
  text: string
}

/**
 * Tries once to send a message to a person's channel. Returns null if it was sent, otherwise the reason why
 * not, without secrets. `id` is the same in all tries, so that the receiver recognizes a repeated message.
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
