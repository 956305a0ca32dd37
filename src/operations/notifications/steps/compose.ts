import { type Notification, SHOWN_MAX, titleOf } from '../../../domain/notification.ts'
import { formatTimestamp } from '../../../domain/timestamp.ts'
import type { Message } from '../../../outbound/port.ts'

/** A path or a query of a URL may hold a secret, and the message may pass through other services. */
const withoutPaths = (text: string): string =>
  text.replace(/\bhttps?:\/\/[^\s,;)]+/g, url => (URL.canParse(url) ? new URL(url).origin : 'a URL'))

/** Rare kinds first, so that a flood of one kind hides no other. */
function rareFirst(notifications: Notification[]): Notification[] {
  const count = new Map<string, number>()
  for (const { kind } of notifications) count.set(kind, (count.get(kind) ?? 0) + 1)
  return notifications.toSorted((a, b) => (count.get(a.kind) ?? 0) - (count.get(b.kind) ?? 0))
}

/** The notifications of several merchants about the same thing, such as the disk, are one. */
function distinct(notifications: Notification[]): Notification[] {
  const seen = new Map(notifications.map(one => [`${one.kind} ${one.orderId} ${one.text}`, one]))
  return [...seen.values()]
}

const textOf = ({ text, orderId }: Notification): string =>
  orderId === null ? withoutPaths(text) : `${withoutPaths(text)}\n  Order ${orderId}`

/** A command for the order that the message is about, or for each of several. */
function aboutOrders(notifications: Notification[]): string {
  const ids = new Set(notifications.flatMap(({ orderId }) => orderId ?? []))
  const [only] = ids
  if (only === undefined) return 'On the server, '
  return `On the server, florin order show ${ids.size === 1 ? only : 'ID'} says more about an order, and `
}

/** One message about all these notifications. `sender` is the name of the shop, or of the server. */
export function composeMessage(sender: string, notifications: Notification[], id: string): Message {
  const all = distinct(notifications)
  const shown = rareFirst(all).slice(0, SHOWN_MAX)
  const more = all.length - shown.length
  const [first] = shown
  const what = all.length === 1 && first ? withoutPaths(titleOf(first)) : `${all.length} notifications`
  const rest = more > 0 ? [`… and ${more} more.`] : []
  const footer = `${aboutOrders(shown)}florin notification list --merchant ID shows all notifications.`
  return {
    id,
    subject: `${sender}: ${what}`,
    text: [...shown.map(textOf), ...rest, footer].join('\n\n'),
    items: shown.map(notification => ({
      id: notification.id,
      kind: notification.kind,
      merchantId: notification.merchantId,
      orderUUID: notification.orderId,
      text: withoutPaths(notification.text),
      createdAt: formatTimestamp(notification.createdAt),
    })),
    more,
  }
}
