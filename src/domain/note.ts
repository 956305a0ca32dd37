import type { Actor } from './audit.ts'

/** What a person wrote about an order, for the people of the shop. */
export interface OrderNote {
  id: string
  merchantId: string
  orderId: string
  actor: Actor
  text: string
  createdAt: number
}
