import type { Notification } from '../domain/notification.ts'
import type { NotificationKind } from '../domain/notification-kind.ts'
import type { DashboardAccess } from '../domain/user.ts'

/** A page of the dashboard, and who may open it. */
interface Page {
  /** path below /dashboard */
  path: string
  access: DashboardAccess
}

const webhook: Page = { path: '/webhook', access: 'owner' }
const payouts: Page = { path: '/payouts', access: 'viewer' }
const unmatched: Page = { path: '/unmatched', access: 'viewer' }

const pages: Partial<Record<NotificationKind, Page>> = {
  unmatched_payment: unmatched,
  skipped_payment: unmatched,
  webhook_failing: webhook,
  webhook_disabled: webhook,
  webhook_changed: webhook,
  event_given_up: { path: '/deliveries?status=failed', access: 'staff' },
  unpayable: payouts,
  pool_low: payouts,
  gap_limit_low: payouts,
  payout_changed: payouts,
  payout_unusable: payouts,
  funds_waiting: { path: '/payouts/sweep', access: 'owner' },
  login_attacked: { path: '/people', access: 'owner' },
  people_changed: { path: '/people', access: 'owner' },
  price_changed: { path: '/products', access: 'viewer' },
  new_login: { path: '/audit', access: 'owner' },
  key_created: { path: '/developers', access: 'owner' },
}

/** The page on which people act on a notification; null if there is none. */
export const notificationPage = ({ kind, orderId }: Pick<Notification, 'kind' | 'orderId'>): Page | null =>
  orderId === null ? (pages[kind] ?? null) : { path: `/orders/${orderId}`, access: 'viewer' }

/**
 * URL of the page on which people act on a notification; the URL of the dashboard if there is no page or no
 * notification.
 */
export const notificationUrl = (
  dashboardUrl: string,
  notification: Pick<Notification, 'kind' | 'orderId'> | null,
): string => `${dashboardUrl}/dashboard${(notification && notificationPage(notification)?.path) ?? ''}`
