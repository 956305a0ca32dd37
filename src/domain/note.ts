import type { Actor } from './audit.ts'

/** A note that a person of the shop wrote about an order. Buyers never see it. */
export interface OrderNote {
  id: string
  merchantId: string
  orderId: string
  actor: Actor
  text: string
  createdAt: number
}
