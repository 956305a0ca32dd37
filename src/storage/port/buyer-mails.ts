import type { BuyerMail } from '../../domain/buyer-mail.ts'

export interface BuyerMails {
  find(id: string): Promise<BuyerMail | null>
  /** The mails of an order, oldest first. */
  listOf(orderId: string): Promise<BuyerMail[]>
  /** How many mails of a kind were created for an address after a time; counts up to `limit`. */
  countTo(mailbox: string, kind: BuyerMail['kind'], after: number, limit: number): Promise<number>
  /** Inserts a mail. Returns false if the order already has one of this kind. */
  insertIfNew(mail: BuyerMail): Promise<boolean>
  update(id: string, change: Pick<BuyerMail, 'status' | 'failures'>): Promise<void>
}
