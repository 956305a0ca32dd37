import { isOpen } from '../../domain/attempt.ts'
import { invalid, Refusal } from '../../domain/errors.ts'
import { minorOf } from '../../domain/money.ts'
import type { Context } from '../context.ts'
import { recordOrderPaid } from '../webhooks/steps/record-event.ts'
import { canTransition, transitionOrder } from './steps/transition.ts'
import type { OrderView } from './view.ts'

const REASON_MIN = 3
const REASON_MAX = 500

interface Forcing {
  merchantId: string
  orderId: string
  by: string
  reason: string
}

/** The forced reconciliation: an unpaid order becomes PAID by the merchant's word, without a transaction. */
export async function forceOrder(
  context: Context,
  { merchantId, orderId, by, reason }: Forcing,
): Promise<OrderView> {
  const length = [...reason.trim()].length
  if (length < REASON_MIN || length > REASON_MAX) {
    throw invalid('reason', `must have ${REASON_MIN} to ${REASON_MAX} characters`)
  }
  if (by.trim() === '' || by.length > 128) throw invalid('by', 'must have 1 to 128 characters')
  const providerStatus = await observe(context, orderId)
  return context.storage.write(async tables => {
    const found = await tables.orders.find(orderId)
    const merchant = await tables.merchants.find(merchantId)
    if (!merchant) throw new Refusal('not_found', 'There is no merchant with this id.')
    if (found?.order.merchantId !== merchantId)
      throw new Refusal('not_found', 'There is no order with this id.')
    if (!canTransition(found, 'force')) {
      throw new Refusal(
        'order_not_forcible',
        `Only an unpaid order can be forced; this one is ${found.order.status}.`,
      )
    }
    const now = context.clock()
    const forced = minorOf(found.order.amount, found.order.currency)
    const change = {
      paidAt: now,
      forcedAt: now,
      forcedBy: by.trim(),
      forceReason: reason.trim(),
      forcedProviderStatus: providerStatus,
    }
    const view = await transitionOrder(tables, { ...found, merchant }, 'force', change, now, {
      forced,
      forcedCount: 1,
    })
    await recordOrderPaid(context, tables, view.order)
    return view
  })
}

/** What the provider says just before; "none" where no provider was asked for this order. */
async function observe(context: Context, orderId: string): Promise<string> {
  const attempts = await context.storage.read(tables => tables.attempts.listOf(orderId))
  const attempt = attempts.filter(isOpen).findLast(({ provider, providerRef }) => provider && providerRef)
  const provider = attempt?.provider ? context.providers.find(attempt.provider) : undefined
  if (!attempt || !provider) return 'none'
  try {
    const facts = await provider.lookup({
      callbackUrl: attempt.callbackUrl ?? '',
      ref: attempt.providerRef ?? '',
      address: attempt.address,
      assetId: attempt.assetId,
    })
    return facts.some(fact => fact.status === 'settled') ? 'paid' : (facts[0]?.status ?? 'unpaid')
  } catch {
    return 'unavailable'
  }
}
