import { type AttemptAtProvider, askedMinor, isOpen } from '../../../domain/attempt.ts'
import { minorOf } from '../../../domain/money.ts'
import type { ProviderAttempt } from '../../../providers/port.ts'
import type { Context } from '../../context.ts'
import { getProviderAccount } from '../provider-account.ts'

type AttemptContext = Pick<Context, 'storage' | 'clock' | 'providers' | 'secrets'>

/** An attempt as its provider's adapter gets it. */
export async function toProviderAttempt(
  context: AttemptContext,
  attempt: AttemptAtProvider,
): Promise<ProviderAttempt> {
  const { id, merchantId, provider, callbackUrl, providerRef, address, assetId, payoutAddress } = attempt
  const takesCharges = context.providers.find(provider)?.charge !== undefined
  const account = takesCharges ? await getProviderAccount(context, merchantId, provider) : null
  const charge = {
    ...{ attemptId: id, account: payoutAddress },
    isWanted: () => isWanted(context, id),
    paymentId: () => paymentIdOf(context, id),
  }
  return {
    callbackUrl,
    reference: providerRef,
    address,
    assetId,
    ...(takesCharges && { charge }),
    credentials: account?.credentials ?? null,
  }
}

/**
 * True if the order of an open attempt still waits for at least the attempt's amount. A suspended shop takes
 * no payments.
 */
const isWanted = ({ storage, clock }: AttemptContext, id: string): Promise<boolean> =>
  storage.read(async tables => {
    const attempt = await tables.attempts.find(id)
    if (attempt === null || !isOpen(attempt) || clock() >= attempt.lockedUntil) return false
    const found = await tables.orders.find(attempt.orderId)
    if (found?.order.status !== 'UNPAID') return false
    if ((await tables.merchants.find(attempt.merchantId))?.status === 'suspended') return false
    const asked = askedMinor(found.order, await tables.attempts.listOf(attempt.orderId))
    return minorOf(attempt.priced, found.order.currency) <= asked
  })

const paymentIdOf = ({ storage }: AttemptContext, id: string): Promise<string | null> =>
  storage.read(async tables => {
    const payments = await tables.incomingPayments.listOf(id)
    return payments.find(({ txIn }) => txIn !== null)?.txIn ?? null
  })
