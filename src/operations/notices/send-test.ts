import { Refusal } from '../../domain/errors.ts'
import type { ChannelName } from '../../domain/notification.ts'
import type { Context } from '../context.ts'
import { getMerchant } from '../merchants/read.ts'

interface ChannelTest {
  channel: ChannelName
  /** null if the message was accepted */
  fault: string | null
}

/** Sends a test message by every channel and reports which ones accepted it. Stores nothing. */
export async function testChannels(
  context: Pick<Context, 'storage' | 'clock' | 'ids' | 'channels'>,
  merchantId: string,
): Promise<ChannelTest[]> {
  const { name, email } = await getMerchant(context, merchantId)
  const { mail, url } = context.channels
  const channels = [mail, url].filter(channel => channel !== null)
  if (channels.length === 0) {
    const message =
      'No channel is configured. Set FLORIN_SMTP_URL and FLORIN_MAIL_FROM, or FLORIN_NOTIFY_URL.'
    throw new Refusal('conflict', message)
  }
  const id = context.ids.uuid()
  const text = 'This is a test. Notifications from Florin reach you here.'
  const message = { id, subject: `${name}: Test notification`, text, items: [], more: 0 }
  return Promise.all(
    channels.map(async channel => ({ channel: channel.name, fault: await channel.send(message, { email }) })),
  )
}
