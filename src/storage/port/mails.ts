import type { BuyerMail } from '../../domain/buyer-mail.ts'
import type { PaymentMail } from '../../domain/payment-mail.ts'

export interface BuyerMails {
  find(id: string): Promise<BuyerMail | null>
  /** Oldest first. */
  listOf(orderId: string): Promise<BuyerMail[]>
  /** Number of mails of a kind created for an address after a time, up to `limit`. */
  countTo(mailbox: string, kind: BuyerMail['kind'], after: number, limit: number): Promise<number>
  /** Inserts a mail. Returns false if the order already has one of this kind. */
  insertIfNew(mail: BuyerMail): Promise<boolean>
  update(id: string, change: Pick<BuyerMail, 'status' | 'failures'>): Promise<void>
}

export interface PaymentMails {
  find(id: string): Promise<PaymentMail | null>
  /** By due time. */
  listOf(orderId: string): Promise<PaymentMail[]>
  /** Number of mails to an address that were due after a time, up to `limit`. */
  countTo(mailboxHash: string, after: number, limit: number): Promise<number>
  insert(mail: PaymentMail): Promise<void>
  update(id: string, change: Partial<Pick<PaymentMail, 'status' | 'failures' | 'news'>>): Promise<void>
}
