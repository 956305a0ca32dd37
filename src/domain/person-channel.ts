import type { ChannelName } from './notification.ts'
import type { NotificationKind } from './notification-kind.ts'

/** A channel on which a person is notified about a merchant. */
export interface PersonChannel {
  id: string
  userId: string
  merchantId: string
  name: ChannelName
  /** the endpoint, for Telegram without a token; empty for mail, which goes to the person's address */
  url: string
  /** topic of ntfy, or chat of Telegram */
  topic: string
  /** signing secret of `https`, access token of the other services */
  secret: string | null
  /** kinds of notifications that the person does not want here */
  muted: NotificationKind[]
  /** hour of the digest in the merchant's time zone; null for no digest */
  digestHour: number | null
  /** end of the time that the last digest covered */
  digestedUntil: number | null
  /** when the person entered the code that was sent to the channel; until then nothing else is sent */
  verifiedAt: number | null
  /** SHA-256 hash of the code; null once it was used */
  codeHash: string | null
  codeSentAt: number | null
  /** number of wrong codes entered */
  codeTries: number
  createdAt: number
  updatedAt: number
}

/** Max channels of a person at one merchant. */
export const PERSON_CHANNELS_MAX = 10

const MINUTE_MS = 60_000

/** Lifetime of a code. */
export const CODE_MS = 60 * MINUTE_MS
/** Least time between two codes. */
export const CODE_PAUSE_MS = MINUTE_MS
export const CODE_TRIES_MAX = 5
