import type { ChannelName } from '../domain/notification.ts'
import type { OutboundPurpose } from '../domain/outbound-purpose.ts'
import type { UpstreamProblem } from '../domain/upstream-fault.ts'
import type { DeliveryAnswer, DeliveryOutcome } from '../domain/webhook.ts'

export interface PostResult {
  httpStatus: number | null
  outcome: DeliveryOutcome
  durationMs: number
  /** missing if there was no response */
  answer?: DeliveryAnswer
}

/** The clients for each purpose. They differ in the private hosts that they may reach. */
export type OutboundClients = Record<OutboundPurpose, Outbound>

/**
 * Requests to URLs that merchants set. They reach only public addresses, unless the settings allow the host.
 */
export interface Outbound {
  /**
   * Refuses a URL that is malformed or has credentials, a fragment or the wrong scheme (400), or that leads
   * to a private or internal host (422). With `resolve`, checks the addresses of the name too; an unknown
   * name is accepted.
   */
  check(url: string, at: string, resolve: boolean): Promise<void>
  /**
   * Like `check` for the URL of an image, but accepts plain http. Does not resolve the name: only buyers'
   * browsers load the image.
   */
  checkImage(url: string, at: string): void
  /**
   * Sends a body once, to a resolved address that is checked and pinned: without redirects, within ten
   * seconds. Never throws.
   */
  post(url: string, headers: Record<string, string>, body: string): Promise<PostResult>
}

interface MessageItem {
  id: string
  kind: string
  merchantId: string
  orderUUID: string | null
  text: string
  /** page of the dashboard on which to act */
  url?: string
  createdAt: string
}

/** An image inside a mail: loading it from a server would reveal when the mail is read. */
interface MailImage {
  id: string
  type: string
  bytes: Uint8Array
}

/** A message of a channel. Its texts contain no secrets, and only the hosts of URLs. */
export interface Message {
  /** the same in all tries, so that a receiver recognizes a repetition */
  id: string
  subject: string
  text: string
  items: MessageItem[]
  /** number of further notifications */
  more: number
  /** the text as HTML, for mail programs that show it */
  html?: string
  /** images of the HTML, which names them by `cid:` and ID */
  images?: MailImage[]
  /** reply address of a mail, if not its sender */
  replyTo?: string | null
}

/** A way by which notifications leave the server. */
export interface Channel {
  name: ChannelName
  /** Sends a message once. Returns null, or why it failed, without secrets. Never throws. */
  send(message: Message, to: { email: string }): Promise<string | null>
  /** Returns the reason why nothing can be sent now, or null. Missing if only a message could show that. */
  check?(): Promise<UpstreamProblem | null>
}

/** A person's destination. */
interface PersonTarget {
  name: ChannelName
  /** endpoint; unused for mail */
  url: string
  topic: string
  secret: string | null
}

/** The configured channels; null if there is no such channel. */
export interface Channels {
  /** sends to each merchant's email address */
  mail: Channel | null
  /** sends to the operator */
  url: Channel | null
  /** Returns the channel that sends to a person; null if the server cannot send this way. */
  ofPerson(channel: PersonTarget): Channel | null
}
