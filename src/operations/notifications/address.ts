import type { Notification, Recipient } from '../../domain/notification.ts'
import type { Context } from '../context.ts'

const BATCH_MAX = 100

type AddressContext = Pick<Context, 'storage' | 'clock' | 'channels'>

const recipientsOf = ({ channels }: AddressContext, { merchantId }: Notification): Recipient[] => [
  ...(channels.mail ? [`mail:${merchantId}` as const] : []),
  ...(channels.url ? ['url' as const] : []),
]

/**
 * Gives new notifications their recipients by the channels of this server, and schedules the messages. A
 * command that creates a notification may not know the channels. Returns when to run again.
 */
export async function addressNotifications(context: AddressContext): Promise<number | null> {
  return context.storage.write(async tables => {
    const found = await tables.notifications.listNew(BATCH_MAX)
    const now = context.clock()
    const all = new Set<Recipient>()
    for (const notification of found) {
      const recipients = recipientsOf(context, notification)
      await tables.notifications.address(notification.id, recipients)
      for (const recipient of recipients) all.add(recipient)
    }
    for (const subject of all) {
      const lane = `notify:${subject === 'url' ? 'url' : 'mail'}`
      await tables.jobs.schedule({ kind: 'notification.send', subject, lane, dueAt: now })
    }
    return found.length === BATCH_MAX ? now : null
  })
}
