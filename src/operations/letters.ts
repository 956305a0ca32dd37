import type { Invoice } from '../domain/invoice.ts'
import type { InvoiceDocument } from '../domain/invoice-document.ts'
import type { Merchant } from '../domain/merchant.ts'
import type { Notification } from '../domain/notification.ts'
import type { NotificationFacts } from '../domain/notification-facts.ts'
import type { PaymentNews } from '../domain/payment-news.ts'
import type { Receipt } from '../domain/receipt.ts'

/** A mail to a buyer. */
export interface Letter {
  subject: string
  text: string
  html: string
}

/** Content of a mail about payments of an order. */
export interface PaymentLetter extends Pick<Receipt, 'order' | 'merchant'> {
  news: PaymentNews
}

/** An invoice or credit note, with all invoices and credit notes of its order. */
export interface InvoiceView {
  invoice: Invoice
  merchant: Merchant
  all: readonly Invoice[]
}

/** Content of a mail with the link to an invoice. */
export interface InvoiceLetter extends Pick<Receipt, 'order' | 'merchant'> {
  invoice: Invoice
}

/** The reader of a notification: a user of the dashboard, who follows links, or an operator at a shell. */
export type Reader = 'person' | 'shell'

/** The reader of a notification, and how to write for them. */
export interface Audience {
  reader: Reader
  language: string
  /** IANA name */
  timeZone: string
}

/** The text around the notifications of a message. */
export interface MessageTexts {
  several(values: { count: number }): string
  more(values: { count: number }): string
  order(values: { id: string }): string
  dashboard(values: { url: string }): string
}

/** Description of a browser, such as Firefox on Windows; null for unknown parts. */
export interface BrowserNames {
  browser: string | null
  system: string | null
}

/** An event of a person's account. */
export type PersonNews =
  | { kind: 'newLogin'; browser: BrowserNames; address: string }
  /** a device's counter went back: the passkey was copied */
  | { kind: 'passkeyCopied'; passkey: string }
  | { kind: 'passkeyAdded' | 'passkeyRemoved'; passkey: string }
  | { kind: 'passwordChanged' | 'secondFactorOn' | 'secondFactorOff' | 'recoveryCodesRenewed' }
  | { kind: 'recoveryCodeUsed'; left: number }
  | { kind: 'reset'; withSecondFactor: boolean }
  | { kind: 'suspended' | 'restored' }
  /** another operator did something that a thief would do too; `address` is empty if it is not known */
  | {
      kind: 'serverChanged'
      what: 'backupDownloaded' | 'mailServerSet' | 'mailServerRemoved' | 'operatorAdded'
      by: string
      address: string
      /** email address of the operator who was added; empty otherwise */
      person: string
    }
  /** repeated wrong passwords or codes for an account, which may be that of another person */
  | { kind: 'attacked'; step: 'password' | 'code'; failures: number; address: string; account: string }

/** A merchant's day, for a digest. Amounts have their currency. */
export interface DigestContent {
  shop: string
  timeZone: string
  from: number
  to: number
  created: number
  /** number of orders that were paid, or marked as paid */
  paid: number
  /** the day's sums by currency; a sum is null if nothing happened */
  sums: {
    currency: string
    paid: string | null
    forced: string | null
    refunded: string | null
    /** the paid sum after fees and refunds; null if it is the same */
    net: string | null
  }[]
  openPayments: number
  failedEvents: number
  isWebhookDown: boolean
}

/** Writes mails in a language of the pages, or English if there are no pages in it. */
export interface Letters {
  link(content: Pick<Receipt, 'order' | 'merchant'>, language: string): Letter
  receipt(content: Receipt, language: string): Letter
  /** The mail with the link to an invoice. */
  invoice(content: InvoiceLetter, language: string): Letter
  /** An invoice as a page that needs no other file. */
  invoicePage(content: InvoiceView, language: string): string
  /** The texts of an invoice, from which a printable file is made. */
  invoiceDocument(content: InvoiceView, language: string): InvoiceDocument
  payment(content: PaymentLetter, language: string): Letter
  /** The mail about an event of a dashboard user's account, to the user's address. */
  toPerson(content: PersonNews & { email: string; at: number }, language: string): Omit<Letter, 'html'>
  notification(facts: NotificationFacts, audience: Audience): { title: string; text: string }
  messageTexts(language: string): MessageTexts
  /** The URL of the page on which people act on a notification; the start of the dashboard for null. */
  notificationUrl(notification: Pick<Notification, 'kind' | 'orderId'> | null): string
  digest(content: DigestContent, language: string): Omit<Letter, 'html'>
  /**
   * The mail with the code that proves that a channel reaches the person who added it. No text in it comes
   * from a user, since it may reach a stranger.
   */
  channelCode(content: { code: string }, language: string): Omit<Letter, 'html'>
  /**
   * The mail with the link for a person whom an owner invites. Apart from the inviter's address it has no
   * text from a user, since it may reach a stranger.
   */
  invitation(content: { inviter: string; url: string }, language: string): Omit<Letter, 'html'>
  /** The mail with the link to choose a new password, for a person who asked for it. */
  passwordLink(content: { email: string; url: string }, language: string): Omit<Letter, 'html'>
  channelTest(content: { shop: string }, language: string): Omit<Letter, 'html'>
}
