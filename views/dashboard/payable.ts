import type { Money } from './locale.ts'

/** An order that a buyer is about to pay, with its link as a QR code. */
export interface PayableOrder {
  id: string
  sum: Money
  state: 'waiting' | 'seen' | 'paid' | 'over'
  /** remaining amount; null if nothing has arrived */
  left: Money | null
  paidAt: number | null
  url: string
  qr: string
}
