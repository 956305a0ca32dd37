import type { ChannelName } from '../domain/notification.ts'
import type { UpstreamProblem } from '../domain/upstream-fault.ts'
import type { DeliveryAnswer, DeliveryOutcome } from '../domain/webhook.ts'

export interface PostResult {
  httpStatus: number | null
  outcome: DeliveryOutcome
  durationMs: number
  /** missing if the server said nothing */
  answer?: DeliveryAnswer
}

/** Requests to URLs that merchants set. They never reach a private network. */
export interface Outbound {
  /**
   * Refuses a URL that is malformed or has credentials, a fragment or the wrong scheme (400), or that leads
   * to a private or internal host (422). With `resolve` the name is resolved too; an unknown one is accepted.
   */
  check(url: string, at: string, resolve: boolean): Promise<void>
  /**
   * Refuses the URL of an image in the same way, but accepts plain http. The name is not resolved:
   * only buyers' browsers load the image.
   */
  checkImage(url: string, at: string): void
  /**
   * Sends a body once: without redirects, within ten seconds, to a resolved address that is checked and
   * pinned. Never throws.
   */
  post(url: string, headers: Record<string, string>, body: string): Promise<PostResult>
}

/** One notification in a message. */
interface MessageItem {
  id: string
  kind: string
  merchantId: string
  orderUUID: string | null
  text: string
  /** the page of the dashboard where people act, of a notification */
  url?: string
  createdAt: string
}

/** An image that a mail carries, so that nobody learns when the mail is read. */
interface MailImage {
  id: string
  type: string
  bytes: Uint8Array
}

/** What a channel sends at once. Texts contain no secrets, and URLs only by their host. */
export interface Message {
  /** the same for every try, so that a receiver recognizes a repetition */
  id: string
  subject: string
  text: string
  items: MessageItem[]
  /** how many more notifications there are */
  more: number
  /** the same as the text, for mail programs that show it */
  html?: string
  /** what the HTML shows: it names an image by `cid:` and its ID */
  images?: MailImage[]
  /** where answers to a mail go, if not to its sender */
  replyTo?: string | null
}

/** A way by which notifications leave the server. */
export interface Channel {
  name: ChannelName
  /** Sends a message once. Returns null, or why it failed, without secrets. Never throws. */
  send(message: Message, to: { email: string }): Promise<string | null>
  /** Returns why nothing can be sent now, or null. Missing where that cannot be known without a message. */
  check?(): Promise<UpstreamProblem | null>
}

/** Where a person wants to be notified. */
interface PersonTarget {
  name: ChannelName
  /** the endpoint; not used for mail */
  url: string
  topic: string
  secret: string | null
}

/** The configured channels; null if there is no such channel. */
export interface Channels {
  /** to the email address of each merchant */
  mail: Channel | null
  /** to the operator */
  url: Channel | null
  /** to a person; null if the server cannot send this way */
  ofPerson(channel: PersonTarget): Channel | null
}
