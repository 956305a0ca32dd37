import type { Notification } from '../domain/notification.ts'
import type { NotificationFacts } from '../domain/notification-facts.ts'
import type { PaymentNews } from '../domain/payment-news.ts'
import type { Receipt } from '../domain/receipt.ts'

/** What a mail to a buyer says. */
export interface Letter {
  subject: string
  text: string
  html: string
}

/** What happened to payments of an order. */
export interface PaymentLetter extends Pick<Receipt, 'order' | 'merchant'> {
  news: PaymentNews
}

/** Whether a person of the dashboard reads a notification, who follows a link, or somebody at a shell. */
export type Reader = 'person' | 'shell'

/** For whom a notification is written. */
export interface Audience {
  reader: Reader
  language: string
  /** an IANA name */
  timeZone: string
}

/** What stands around notifications in a message. */
export interface MessageTexts {
  several(values: { count: number }): string
  more(values: { count: number }): string
  order(values: { id: string }): string
  dashboard(values: { url: string }): string
}

/** What a browser is, such as Firefox on Windows; null where that is unknown. */
export interface BrowserNames {
  browser: string | null
  system: string | null
}

/** What happened to the account of a person. */
export type PersonNews =
  | { kind: 'newLogin'; browser: BrowserNames; address: string }
  /** a device counted backwards: there is a copy of it */
  | { kind: 'passkeyCopied'; passkey: string }
  | { kind: 'passkeyAdded'; passkey: string }

/** What happened at a merchant on a day, for a person who wants to know. Amounts have their currency. */
export interface DigestContent {
  shop: string
  timeZone: string
  from: number
  to: number
  created: number
  /** orders that were paid, or marked as paid */
  paid: number
  /** of each currency; null where there was nothing */
  sums: {
    currency: string
    paid: string | null
    forced: string | null
    refunded: string | null
    /** after fees and refunds, if it differs from what was paid */
    net: string | null
  }[]
  openPayments: number
  failedEvents: number
  isWebhookDown: boolean
}

/** Writes mails in a language of the pages: English if there are no pages in it. */
export interface Letters {
  /** A link to an order that can be paid. */
  link(content: Pick<Receipt, 'order' | 'merchant'>, language: string): Letter
  receipt(content: Receipt, language: string): Letter
  payment(content: PaymentLetter, language: string): Letter
  /** What happened to the account of a person of the dashboard, who has this address. */
  toPerson(content: PersonNews & { email: string; at: number }, language: string): Omit<Letter, 'html'>
  notification(facts: NotificationFacts, audience: Audience): { title: string; text: string }
  messageTexts(language: string): MessageTexts
  /** Where people act on a notification; the start of the dashboard for null. */
  notificationUrl(notification: Pick<Notification, 'kind' | 'orderId'> | null): string
  digest(content: DigestContent, language: string): Omit<Letter, 'html'>
  /** The code that shows that a channel reaches the person who added it. */
  channelCode(content: { shop: string; code: string }, language: string): Omit<Letter, 'html'>
  channelTest(content: { shop: string }, language: string): Omit<Letter, 'html'>
}
