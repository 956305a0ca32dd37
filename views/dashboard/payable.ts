import type { Money } from './locale.ts'

/** An order that is about to be paid, with its link as a QR code. */
export interface PayableOrder {
  id: string
  sum: Money
  state: 'waiting' | 'seen' | 'paid' | 'over'
  /** what is missing if only a part arrived; null otherwise */
  left: Money | null
  paidAt: number | null
  url: string
  qr: string
}
