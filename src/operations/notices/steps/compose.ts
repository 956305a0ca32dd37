import { type Notification, SHOWN_MAX } from '../../../domain/notification.ts'
import { formatTimestamp } from '../../../domain/timestamp.ts'
import type { Message } from '../../../outbound/port.ts'
import type { Audience, Letters, MessageTexts } from '../../letters.ts'

/**
 * Removes paths and queries of URLs, which may contain a secret: the message may pass through other services.
 */
const withoutPaths = (text: string): string =>
  text.replace(/\bhttps?:\/\/[^\s,;)]+/g, url => (URL.canParse(url) ? new URL(url).origin : 'a URL'))

/**
 * Sorts the notifications by how rare their kind is, rarest first, so that a flood of one kind hides no
 * other.
 */
function rareFirst(notifications: Notification[]): Notification[] {
  const count = new Map<string, number>()
  for (const { kind } of notifications) count.set(kind, (count.get(kind) ?? 0) + 1)
  return notifications.toSorted((a, b) => (count.get(a.kind) ?? 0) - (count.get(b.kind) ?? 0))
}

/** Merges notifications of several merchants about the same thing, such as the disk. */
function distinct(notifications: Notification[]): Notification[] {
  const seen = new Map(notifications.map(one => [`${one.orderId} ${JSON.stringify(one.facts)}`, one]))
  return [...seen.values()]
}

/** The recipient of a message. */
interface Addressee {
  /** name of the shop, or of the server */
  sender: string
  audience: Audience
}

interface NotificationText {
  notification: Notification
  title: string
  text: string
  url: string
}

/** The end of a message: the page on which to act, and for a shell also the commands that show the same. */
function footerOf(written: NotificationText[], page: string, reader: Audience['reader']): string {
  if (reader === 'person') return page
  const isAboutOrders = written.some(({ notification }) => notification.orderId !== null)
  const command = isAboutOrders ? 'florin order show ID says more about an order, and ' : ''
  return `${page}\nOn the server, ${command}florin notification list --merchant ID shows all notifications.`
}

/**
 * The text of a notification. A shell gets it with its order, a person with its link if the message has
 * several.
 */
function paragraphOf(
  { notification: { orderId }, text, url }: NotificationText,
  texts: MessageTexts,
  reader: Audience['reader'],
  isAlone: boolean,
): string {
  if (reader === 'shell') return orderId === null ? text : `${text}\n  ${texts.order({ id: orderId })}`
  return isAlone ? text : `${text}\n  ${url}`
}

/** Composes one message of all these notifications. */
export function composeMessage(
  letters: Pick<Letters, 'notification' | 'messageTexts' | 'notificationUrl'>,
  to: Addressee,
  notifications: Notification[],
  id: string,
): Message {
  const { sender, audience } = to
  const texts = letters.messageTexts(audience.language)
  const all = distinct(notifications)
  const shown = rareFirst(all).slice(0, SHOWN_MAX)
  const more = all.length - shown.length
  const written = shown.map((notification): NotificationText => {
    const { title, text } = letters.notification(notification.facts, audience)
    const url = letters.notificationUrl(notification)
    return { notification, title: withoutPaths(title), text: withoutPaths(text), url }
  })
  const [url, ...otherUrls] = new Set(written.map(one => one.url))
  const isAlone = url !== undefined && otherUrls.length === 0
  const page = texts.dashboard({ url: isAlone ? url : letters.notificationUrl(null) })
  const [first] = written
  const what = all.length === 1 && first ? first.title : texts.several({ count: all.length })
  const paragraphs = written.map(one => paragraphOf(one, texts, audience.reader, isAlone))
  const rest = more > 0 ? [texts.more({ count: more })] : []
  return {
    id,
    subject: `${sender}: ${what}`,
    text: [...paragraphs, ...rest, footerOf(written, page, audience.reader)].join('\n\n'),
    items: written.map(({ notification, text, url }) => ({
      id: notification.id,
      kind: notification.kind,
      merchantId: notification.merchantId,
      orderUUID: notification.orderId,
      text,
      url,
      createdAt: formatTimestamp(notification.createdAt),
    })),
    more,
  }
}
