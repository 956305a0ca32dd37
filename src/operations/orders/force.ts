import { type Attempt, isOpen } from '../../domain/attempt.ts'
import { invalid, Refusal } from '../../domain/errors.ts'
import { minorOf } from '../../domain/money.ts'
import { BY_MAX, checkNameOf } from '../../domain/name.ts'
import type { Order } from '../../domain/order.ts'
import type { OrderView } from '../../domain/order-view.ts'
import type { Tables } from '../../storage/port.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { invoicePaidOrder } from '../invoices/issue.ts'
import { toProviderAttempt } from '../merchants/steps/provider-attempt.ts'
import { reviewOrder } from '../settlement/record.ts'
import { closePages } from '../states/close-pages.ts'
import { canTransition, transitionOrder } from '../states/transition.ts'
import { recordOrderPaid } from '../webhooks/steps/record-event.ts'

const REASON_MIN = 3
const REASON_MAX = 500

interface Forcing {
  merchantId: string
  orderId: string
  by: string
  reason: string
  /** true to force the order even while a payment of it is being confirmed */
  anyway?: boolean | undefined
}

/** Marks an unpaid order as PAID without a transaction, because the merchant says so. */
export async function forceOrder(
  context: Context,
  { merchantId, orderId, by, reason, anyway = false }: Forcing,
): Promise<OrderView> {
  const length = [...reason.trim()].length
  if (length < REASON_MIN || length > REASON_MAX) {
    throw invalid('reason', `must have ${REASON_MIN} to ${REASON_MAX} characters`)
  }
  const forcedBy = checkNameOf(by, BY_MAX, 'by')
  const providerStatus = await observe(context, merchantId, orderId)
  return context.storage.write(async tables => {
    const found = await tables.orders.find(orderId)
    const merchant = await tables.merchants.find(merchantId)
    if (!merchant) throw new Refusal('not_found', 'No merchant has this ID.')
    if (found?.order.merchantId !== merchantId) throw new Refusal('not_found', 'No order has this ID.')
    if (!canTransition(found, 'force')) {
      throw new Refusal(
        'order_not_forcible',
        `Only an unpaid order can be marked as paid. This one is ${found.order.status}.`,
      )
    }
    if (!anyway) await checkNotConfirming(tables, orderId)
    const now = context.clock()
    const forced = minorOf(found.order.amount, found.order.currency)
    const change = {
      paidAt: now,
      forcedAt: now,
      forcedBy,
      forceReason: reason.trim(),
      forcedProviderStatus: providerStatus,
    }
    const sums = { forced, forcedCount: 1 }
    const view = await transitionOrder(
      tables,
      { ...found, merchant },
      { trigger: 'force', change, sums },
      now,
    )
    await recordOrderPaid(context, tables, view.order)
    await invoicePaidOrder(context, tables, view.order)
    await reviewOrder(context, tables, orderId)
    await closePages(tables, await tables.attempts.listOf(orderId), now)
    await recordAudit(context, tables, {
      merchantId,
      action: 'order.forced',
      subject: `order:${view.order.id}`,
      before: auditFields(found.order),
      after: auditFields(view.order),
    })
    return view
  })
}

/**
 * Refuses to force an order while a payment of it is being confirmed, also one that has waited too long to
 * count: that payment would settle nothing afterwards, and would have to be returned.
 */
async function checkNotConfirming(tables: Tables, orderId: string): Promise<void> {
  const attempts = await tables.attempts.listOf(orderId)
  const isUnconfirmed = ({ state, receivedAtomic, confirmedAtomic }: Attempt) =>
    state === 'confirming' || receivedAtomic > confirmedAtomic
  if (!attempts.some(isUnconfirmed)) return
  throw new Refusal(
    'order_not_forcible',
    'A payment of this order is being confirmed and may pay it. To mark it as paid now, add --anyway.',
  )
}

const auditFields = ({ status, forcedBy, forceReason, forcedProviderStatus }: Order) => ({
  status,
  forcedBy,
  forceReason,
  forcedProviderStatus,
})

/**
 * The provider's status of the payment just before the order is forced; "none" without a provider payment.
 */
async function observe(
  context: Pick<Context, 'storage' | 'clock' | 'providers' | 'secrets'>,
  merchantId: string,
  orderId: string,
): Promise<string> {
  const attempts = await context.storage.read(tables => tables.attempts.listOf(orderId))
  const attempt = attempts
    .filter(one => one.merchantId === merchantId && isOpen(one))
    .findLast(one => one.provider !== null)
  const provider = attempt && context.providers.find(attempt.provider)
  if (!attempt || !provider) return 'none'
  try {
    const { charge, ...target } = await toProviderAttempt(context, attempt)
    // Only look the payment up, and do not capture it even if the buyer has approved it, since the order is
    // about to be marked as paid.
    const untaken = charge && { charge: { ...charge, isWanted: async () => false } }
    const payments = await provider.lookup({ ...target, ...untaken })
    return payments.some(({ status }) => status === 'settled') ? 'paid' : (payments[0]?.status ?? 'unpaid')
  } catch {
    return 'unavailable'
  }
}
