import type { Receipt } from '../payments/load-receipt.ts'

/** What a mail to a buyer says. */
export interface Letter {
  subject: string
  text: string
  html: string
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

/** Writes mails in a language of the pages: English if there are no pages in it. */
export interface Letters {
  /** A link to an order that can be paid. */
  link(content: Pick<Receipt, 'order' | 'merchant'>, language: string): Letter
  receipt(content: Receipt, language: string): Letter
  /** What happened to the account of a person of the dashboard, who has this address. */
  toPerson(content: PersonNews & { email: string; at: number }, language: string): Omit<Letter, 'html'>
}
