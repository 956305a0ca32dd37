import { emailKey } from '../../domain/merchant.ts'
import type { Notification, Recipient } from '../../domain/notification.ts'
import { ownerKinds, salesKinds } from '../../domain/notification-kind.ts'
import type { Role } from '../../domain/user.ts'
import type { Context, Tables } from '../context.ts'
import { userIdOf } from './author.ts'

const BATCH_MAX = 100

type AddressContext = Pick<Context, 'storage' | 'clock' | 'channels'>

/**
 * The recipients of a notification. The merchant's own address and the operator get all notifications except
 * those of sales; each person gets what they chose. Nobody gets two mails: if a person has the merchant's own
 * address, their choice replaces the default.
 */
async function recipientsOf(
  { channels }: AddressContext,
  tables: Tables,
  notification: Notification,
): Promise<Recipient[]> {
  const { merchantId, kind } = notification
  const members = ownerKinds.includes(kind) ? await tables.memberships.listOfMerchant(merchantId) : []
  const roles = new Map(members.map(({ userId, role }) => [userId, role]))
  const people = (await tables.personChannels.listOfMerchant(merchantId)).filter(({ userId }) =>
    isFor(notification, { userId, role: roles.get(userId) ?? null }),
  )
  const merchant = channels.mail && people.length > 0 ? await tables.merchants.find(merchantId) : null
  const isChosen = people.some(
    ({ name, email }) => merchant && name === 'mail' && emailKey(email) === emailKey(merchant.email),
  )
  const chosen = people.filter(({ muted }) => !muted.includes(kind)).map(({ id }) => `channel:${id}` as const)
  if (salesKinds.includes(kind)) return chosen
  return [
    ...(channels.mail && !isChosen ? [`mail:${merchantId}` as const] : []),
    ...(channels.url ? ['url' as const] : []),
    ...chosen,
  ]
}

/**
 * True if a notification is for this person of the shop. Notifications of changes by people are only for the
 * owners who did not make the change.
 */
export function isFor(
  { kind, facts }: Pick<Notification, 'kind' | 'facts'>,
  { userId, role }: { userId: string; role: Role | null },
): boolean {
  if (!ownerKinds.includes(kind)) return true
  const isOwn = 'by' in facts && userIdOf(facts.by) === userId
  if (kind === 'new_login') return isOwn || role === 'owner'
  // Only operators have no role for the shop.
  const isConcerned = role === 'owner' || (kind === 'shop_changed' && role === null)
  return isConcerned && !isOwn
}

/**
 * The lane in which messages to a recipient are sent. Channels have separate lanes, so that a slow endpoint
 * of one person delays nobody else.
 */
const laneOf = (recipient: Recipient): string =>
  recipient.startsWith('mail:') ? 'notify:mail' : `notify:${recipient}`

/**
 * Assigns recipients to new notifications and schedules the messages. This is a job of the server: a command
 * that creates a notification may not know the channels. Returns the time of the next run.
 */
export async function addressNotifications(context: AddressContext): Promise<number | null> {
  return context.storage.write(async tables => {
    const found = await tables.notifications.listNew(BATCH_MAX)
    const now = context.clock()
    const all = new Set<Recipient>()
    for (const notification of found) {
      const recipients = await recipientsOf(context, tables, notification)
      await tables.notifications.address(notification.id, recipients)
      for (const recipient of recipients) all.add(recipient)
    }
    for (const subject of all) {
      const lane = laneOf(subject)
      await tables.jobs.schedule({ kind: 'notification.send', subject, lane, dueAt: now })
    }
    return found.length === BATCH_MAX ? now : null
  })
}
