/** What a merchant should know of and may have to act upon. */
export interface Notification {
  id: string
  merchantId: string
  kind:
    | 'unmatched_payment'
    | 'webhook_disabled'
    | 'payment_reorganised'
    | 'refund_recorded'
    | 'refund_failed'
    | 'pool_low'
  orderId: string | null
  text: string
  createdAt: number
}
