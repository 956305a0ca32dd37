import type { ChannelName } from './notification.ts'
import type { NotificationKind } from './notification-kind.ts'

/** Where a person is notified of what happens at a merchant. */
export interface PersonChannel {
  id: string
  userId: string
  merchantId: string
  name: ChannelName
  /** the endpoint, for Telegram without a token; empty for mail, which goes to the address of the person */
  url: string
  /** the topic of ntfy, or the chat of Telegram */
  topic: string
  /** signs messages to `https`, and is the access token of the other services */
  secret: string | null
  /** what the person does not want to be notified of here */
  muted: NotificationKind[]
  /** the hour of the merchant's day at which a digest is sent; null for no digest */
  digestHour: number | null
  /** the end of the time that the last digest was about */
  digestedUntil: number | null
  /** when the person entered the code that was sent there. Before, nothing else is sent */
  verifiedAt: number | null
  /** the SHA-256 hash of the code; null once it was used */
  codeHash: string | null
  codeSentAt: number | null
  /** how often a wrong code was entered */
  codeTries: number
  createdAt: number
  updatedAt: number
}

/** How many channels a person may have at one merchant. */
export const PERSON_CHANNELS_MAX = 10

const MINUTE_MS = 60_000

/** How long a code can be entered. */
export const CODE_MS = 60 * MINUTE_MS
/** A new code can be sent after this time. */
export const CODE_PAUSE_MS = MINUTE_MS
export const CODE_TRIES_MAX = 5
