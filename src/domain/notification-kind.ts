/** Kinds of notifications that people can choose. */
export const notificationKinds = [
  'order_paid',
  'unmatched_payment',
  'skipped_payment',
  'payment_late',
  'payment_short',
  'payment_over',
  'payment_reorganised',
  'payment_vanished',
  'chain_blind',
  'unpayable',
  'webhook_failing',
  'webhook_disabled',
  'event_given_up',
  'refund_recorded',
  'refund_failed',
  'payment_reversed',
  'pool_low',
  'gap_limit_low',
  'payout_changed',
  'payout_unusable',
  'funds_waiting',
  'webhook_changed',
  'key_created',
  'login_attacked',
  'people_changed',
  'price_changed',
  'invoice_changed',
  'shop_changed',
  'new_login',
  'endpoint_down',
  'disk_low',
  'backup_old',
  'backup_unusable',
  'replica_behind',
  'log_lost',
  'certificate_expiring',
  'security_release',
  'files_low',
] as const

export type NotificationKind = (typeof notificationKinds)[number]

export const isNotificationKind = (text: string): text is NotificationKind =>
  notificationKinds.some(kind => kind === text)

/**
 * Kinds that only owners receive, and not about what they did themselves. The person who logged in is also
 * notified of a new login, and other operators are notified of what an operator changed.
 */
export const ownerKinds: readonly NotificationKind[] = [
  'people_changed',
  'price_changed',
  'invoice_changed',
  'shop_changed',
  'new_login',
]

/**
 * Kinds on which nobody has to act, so only channels of people receive them. The address of the shop, the
 * channel of the operator and the overview do not.
 */
export const salesKinds: readonly NotificationKind[] = ['order_paid']
