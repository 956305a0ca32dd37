import type { BuyerMail } from '../../domain/buyer-mail.ts'
import type { PaymentMail } from '../../domain/payment-mail.ts'

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

export interface PaymentMails {
  find(id: string): Promise<PaymentMail | null>
  /** The mails of an order, in the order in which they were due. */
  listOf(orderId: string): Promise<PaymentMail[]>
  /** How many mails to an address were due after a time; counts up to `limit`. */
  countTo(mailboxHash: string, after: number, limit: number): Promise<number>
  insert(mail: PaymentMail): Promise<void>
  update(id: string, change: Partial<Pick<PaymentMail, 'status' | 'failures' | 'news'>>): Promise<void>
}
