import type { Receipt } from '../payments/load-receipt.ts'

/** What a mail to a buyer says. */
export interface Letter {
  subject: string
  text: string
  html: string
}

/** Writes the mails to buyers, in a language of the pages: English if there are no pages in it. */
export interface Letters {
  /** A link to an order that can be paid. */
  link(content: Pick<Receipt, 'order' | 'merchant'>, language: string): Letter
  receipt(content: Receipt, language: string): Letter
}
