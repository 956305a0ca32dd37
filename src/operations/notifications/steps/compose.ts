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

/** The page of the only order that the message is about, or of unmatched payments. */
function pageOf(notifications: Notification[]): string {
  const ids = new Set(notifications.flatMap(({ orderId }) => orderId ?? []))
  const [only] = ids
  if (only !== undefined && ids.size === 1) return `/orders/${only}`
  if (notifications.some(({ kind }) => kind === 'unmatched_payment')) return '/unmatched'
  return only === undefined ? '' : '/orders'
}

/** The page where people act, and the commands that say the same on the server. */
function footerOf(notifications: Notification[], dashboardUrl: string): string {
  const isAboutOrders = notifications.some(({ orderId }) => orderId !== null)
  const command = isAboutOrders ? 'florin order show ID says more about an order, and ' : ''
  return [
    `In the dashboard: ${dashboardUrl}/dashboard${pageOf(notifications)}`,
    `On the server, ${command}florin notification list --merchant ID shows all notifications.`,
  ].join('\n')
}

/** One message about all these notifications. `sender` is the name of the shop, or of the server. */
export function composeMessage(
  sender: string,
  dashboardUrl: string,
  notifications: Notification[],
  id: string,
): Message {
  const all = distinct(notifications)
  const shown = rareFirst(all).slice(0, SHOWN_MAX)
  const more = all.length - shown.length
  const [first] = shown
  const what = all.length === 1 && first ? withoutPaths(titleOf(first)) : `${all.length} notifications`
  const rest = more > 0 ? [`… and ${more} more.`] : []
  return {
    id,
    subject: `${sender}: ${what}`,
    text: [...shown.map(textOf), ...rest, footerOf(shown, dashboardUrl)].join('\n\n'),
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
