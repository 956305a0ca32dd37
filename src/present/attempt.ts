import type { Attempt } from '../domain/attempt.ts'
import { fromUnitsShort } from '../domain/money.ts'
import { CRYPTO } from '../domain/payment-methods.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import type { PaymentStatus } from '../operations/payments/load-checkout.ts'

const isCrypto = (attempt: Attempt): boolean => attempt.methodKey === CRYPTO

/**
 * The attempt that pages and scripts show: the settled one, or one whose payment was seen, so that nobody is
 * asked to pay a second time, or else the latest.
 */
export const currentAttempt = (attempts: Attempt[]): Attempt | undefined =>
  attempts.find(attempt => attempt.state === 'settled') ??
  attempts.findLast(attempt => attempt.state === 'confirming') ??
  attempts.at(-1)

const presentAttempt = (attempt: Attempt) => ({
  assetId: attempt.assetId,
  address: attempt.address,
  amount: fromUnitsShort(attempt.dueAtomic, attempt.decimals),
  uri: attempt.paymentUri,
  lockedUntil: formatTimestamp(attempt.lockedUntil),
  state: attempt.state,
  receivedAmount: fromUnitsShort(attempt.receivedAtomic, attempt.decimals),
  confirmations: attempt.confirmations ?? 0,
  requiredConfirmations: attempt.requiredConfirmations,
})

/** The status of an order for scripts that poll it. */
export function presentStatus({ order, session, attempts }: PaymentStatus) {
  const attempt = currentAttempt(attempts.filter(isCrypto))
  return {
    orderUUID: order.id,
    status: order.status,
    provisioningStatus: session.status,
    attempt: attempt ? presentAttempt(attempt) : null,
  }
}
