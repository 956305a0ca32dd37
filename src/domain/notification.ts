/** Every kind of notification, with the subject of a message about it; null if its text begins with one. */
const notificationTitles = {
  unmatched_payment: 'A payment did not pay its order',
  skipped_payment: 'Money arrived for a lost order',
  payment_late: 'An order was paid late',
  payment_short: 'An order was settled short',
  payment_over: 'A buyer paid too much',
  payment_reorganised: null,
  webhook_failing: null,
  webhook_disabled: 'Your webhook was disabled',
  event_given_up: 'An event could not be delivered',
  refund_recorded: 'A refund was recorded',
  refund_failed: 'A refund failed',
  pool_low: null,
  gap_limit_low: null,
  payout_changed: 'A payout wallet was changed',
  payout_unusable: null,
  webhook_changed: 'The webhook was changed',
  key_created: 'An API key was created',
  endpoint_down: null,
  disk_low: null,
  backup_old: null,
  backup_unusable: null,
  replica_behind: null,
  log_lost: null,
  files_low: null,
} as const

export type NotificationKind = keyof typeof notificationTitles

export const notificationKinds = Object.keys(notificationTitles) as NotificationKind[]

export const isNotificationKind = (text: string): text is NotificationKind =>
  Object.hasOwn(notificationTitles, text)

/** Something that a merchant should know about and may have to act on. */
export interface Notification {
  id: string
  merchantId: string
  kind: NotificationKind
  orderId: string | null
  text: string
  createdAt: number
}

/** The subject of a message about one notification. */
export const titleOf = ({ kind, text }: Notification): string =>
  notificationTitles[kind] ?? text.replace(/(: |[.]( |$)).*/s, '')

/** How notifications leave the server. */
export const channelNames = ['mail', 'https', 'ntfy', 'telegram'] as const
export type ChannelName = (typeof channelNames)[number]

/**
 * Where messages go: `mail:` and the ID of a merchant, `url`, which is the operator, or `channel:` and the ID
 * of a person's channel. Notifications of one recipient are sent together.
 */
export type Recipient = `mail:${string}` | 'url' | `channel:${string}`

/** What is known about sending to a recipient. */
export interface RecipientState {
  recipient: Recipient
  /** no message is sent before: a flood is not sent one by one, and a failure is not repeated at once */
  notBefore: number
  lastSentAt: number | null
  /** the first failure since the last message */
  failingSince: number | null
  failures: number
  /** why the last try failed */
  fault: string | null
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** A try that was interrupted is repeated after this time. */
export const TRY_MS = 2 * MINUTE_MS

/** What is not sent by then is no longer news. */
export const GIVE_UP_SENDING_MS = 7 * 24 * HOUR_MS

/** A message with more notifications than this is a flood, and the next one waits longer. */
export const SHOWN_MAX = 20

export const pauseAfter = (count: number): number => (count > SHOWN_MAX ? HOUR_MS : 10 * MINUTE_MS)

const retriesMs = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 3 * HOUR_MS]

/** When a message that failed is tried again. */
export const retryAt = (failures: number, now: number): number =>
  now + (retriesMs[failures - 1] ?? 6 * HOUR_MS)

/** The next message never waits longer. A clock that was ahead and set back may have asked for more. */
export const latestStart = ({ failures }: RecipientState, now: number): number =>
  failures > 0 ? retryAt(failures, now) : now + HOUR_MS
