import type { Merchant } from '../../domain/merchant.ts'
import type { Notification } from '../../domain/notification.ts'
import { notificationKinds, salesKinds } from '../../domain/notification-kind.ts'
import { RELEASE_ID } from '../../domain/outage.ts'
import type { PayLack } from '../../domain/payment-methods.ts'
import type { Role } from '../../domain/user.ts'
import type { Tables } from '../context.ts'
import { isFor } from '../notices/address.ts'
import { countOpen } from '../payments/browse-unmatched.ts'
import { listPayLacks } from '../payments/can-pay.ts'
import type { PayoutsContext } from '../payments/read-payouts.ts'
import { isDown, readWebhookHealth, type WebhookHealth } from '../webhooks/health.ts'

/** A newer version of Florin that repairs a security problem of this one. */
interface SecurityRelease {
  /** null if the shop is newer than the notification of this version, and therefore was not notified */
  version: string | null
}

interface Attention {
  /** reasons why buyers cannot pay at all; empty if they can */
  payLacks: PayLack[]
  /** unmatched payments that wait for a decision */
  unmatchedCount: number
  /** webhooks that fail, are disabled or did not get all of their events */
  webhooks: WebhookHealth[]
  /** null if there is none, or if the operator does not have the server look for new versions */
  securityRelease: SecurityRelease | null
  notifications: Notification[]
}

/** Max counted unmatched payments. */
const COUNTED_MAX = 100
const NOTIFICATIONS_MAX = 3
/** Number of notifications that are read, because some of them are not for this reader. */
const LOOKED_AT = 20

const otherKinds = notificationKinds.filter(kind => kind !== 'security_release')

async function findSecurityRelease(tables: Tables, merchantId: string): Promise<SecurityRelease | null> {
  const outages = await tables.outages.list()
  if (!outages.some(({ id }) => id === RELEASE_ID)) return null
  const [newest] = await tables.notifications.list(merchantId, 1, otherKinds)
  return { version: newest?.facts.about === 'release_security' ? newest.facts.version : null }
}

/** Matters that need the merchant's attention, on one page. */
export async function readAttention(
  context: PayoutsContext,
  merchant: Merchant,
  reader: { userId: string; role: Role | null },
): Promise<Attention> {
  const payLacks = await listPayLacks(context, merchant)
  const { id: merchantId } = merchant
  return context.storage.read(async tables => {
    const latest = await tables.notifications.list(merchantId, LOOKED_AT, salesKinds)
    const webhooks = await readWebhookHealth(tables, merchantId)
    return {
      payLacks,
      unmatchedCount: await countOpen(tables, merchantId, COUNTED_MAX),
      webhooks: webhooks.filter(({ webhook, givenUp }) => isDown(webhook) || givenUp > 0),
      securityRelease: await findSecurityRelease(tables, merchantId),
      notifications: latest.filter(one => isFor(one, reader)).slice(0, NOTIFICATIONS_MAX),
    }
  })
}
