import type { PaymentMail } from '../../domain/payment-mail.ts'

export interface PaymentMails {
  find(id: string): Promise<PaymentMail | null>
  /** The mails of an order, in the order in which they were due. */
  listOf(orderId: string): Promise<PaymentMail[]>
  /** How many mails to an address were due after a time; counts up to `limit`. */
  countTo(mailboxHash: string, after: number, limit: number): Promise<number>
  insert(mail: PaymentMail): Promise<void>
  update(id: string, change: Partial<Pick<PaymentMail, 'status' | 'failures' | 'news'>>): Promise<void>
}
