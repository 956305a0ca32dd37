/** Something that a merchant should know about and may have to act on. */
export interface Notification {
  id: string
  merchantId: string
  kind:
    | 'unmatched_payment'
    | 'webhook_failing'
    | 'payment_late'
    | 'payment_short'
    | 'payment_over'
    | 'webhook_disabled'
    | 'event_given_up'
    | 'payment_reorganised'
    | 'refund_recorded'
    | 'refund_failed'
    | 'pool_low'
    | 'payout_changed'
    | 'payout_unusable'
    | 'webhook_changed'
    | 'key_created'
  orderId: string | null
  text: string
  createdAt: number
}
