import type { NotificationFacts } from './notification-facts.ts'
import type { NotificationKind } from './notification-kind.ts'

/** A notification for a merchant, who may have to act on it. */
export interface Notification {
  id: string
  merchantId: string
  kind: NotificationKind
  orderId: string | null
  facts: NotificationFacts
  createdAt: number
}

/** Ways by which notifications leave the server. */
export const channelNames = ['mail', 'https', 'ntfy', 'telegram'] as const
export type ChannelName = (typeof channelNames)[number]

/**
 * Destination of messages: `mail:` and a merchant's ID, `url` for the operator, or `channel:` and the ID of a
 * person's channel. Notifications of one recipient are sent together.
 */
export type Recipient = `mail:${string}` | 'url' | `channel:${string}`

/** State of sending to a recipient. */
export interface RecipientState {
  recipient: Recipient
  /** earliest time of the next message: floods are batched, and failures are not retried at once */
  notBefore: number
  lastSentAt: number | null
  /** the first failure since the last message */
  failingSince: number | null
  failures: number
  /** reason why the last try failed */
  fault: string | null
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** An interrupted try is repeated after this time. */
export const TRY_MS = 2 * MINUTE_MS

/** A notification that could not be sent within this time is dropped. */
export const GIVE_UP_SENDING_MS = 7 * 24 * HOUR_MS

/** A message with more notifications is a flood: the next message waits longer. */
export const SHOWN_MAX = 20

export const pauseAfter = (count: number): number => (count > SHOWN_MAX ? HOUR_MS : 10 * MINUTE_MS)

const retriesMs = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 3 * HOUR_MS]

/** When to retry a failed message. */
export const retryAt = (failures: number, now: number): number =>
  now + (retriesMs[failures - 1] ?? 6 * HOUR_MS)

/** Upper limit of `notBefore`. A later time was written while the clock was ahead, and is ignored. */
export const latestStart = ({ failures }: RecipientState, now: number): number =>
  failures > 0 ? retryAt(failures, now) : now + HOUR_MS
