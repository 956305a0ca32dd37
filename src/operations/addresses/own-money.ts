import { type Attempt, type OwnAttempt, sourceKindOf } from '../../domain/attempt.ts'
import { asserted } from '../../domain/errors.ts'
import type { OrderStatus } from '../../domain/order.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import type { Tables } from '../../storage/port.ts'
import type { UnpaidAttempt } from './unpaid-attempts.ts'

/** Max unmatched payments that are read: enough to say that there are more. */
const UNMATCHED_MAX = 500

/** Kinds of sources whose addresses are in the merchant's own wallet, so that nothing has to be moved. */
const ownKinds: readonly unknown[] = ['xpub', 'viewkey', 'pool', 'shared']

/** Money that arrived in a merchant's own wallet for an order and did not pay it. */
export interface OwnMoney {
  attemptId: string
  orderId: string
  orderStatus: OrderStatus
  address: string
  assetId: string
  amountAtomic: bigint
  /** decimals of the asset; null if another asset arrived than the order asked for */
  decimals: number | null
}

const isOwn = (attempt: Attempt): attempt is OwnAttempt =>
  attempt.provider === null && ownKinds.includes(sourceKindOf(attempt))

/**
 * The money at addresses of accounts, view keys and pools whose orders are not paid: open unmatched payments,
 * and what arrived for the `unpaid` attempts. Reads what was recorded: the money may have been spent since.
 */
export async function listOwnMoney(
  tables: Tables,
  merchantId: string,
  unpaid: UnpaidAttempt[],
): Promise<OwnMoney[]> {
  const unmatched = await tables.unmatched.list(merchantId, UNMATCHED_MAX)
  const open = unmatched.filter(({ payment }) => payment.status === 'open').map(({ incoming }) => incoming)
  const waiting: IncomingPayment[] = []
  // Only the asset of the attempt is in `receivedAtomic`. Other assets become unmatched payments once they
  // are final.
  for (const { attempt } of unpaid.filter(one => isOwn(one.attempt) && one.attempt.receivedAtomic > 0n)) {
    const decided = await tables.unmatched.knownPayments(attempt.id)
    const own = await tables.incomingPayments.listOf(attempt.id)
    waiting.push(...own.filter(({ id, state, settles }) => isLying(state, settles) && !decided.includes(id)))
  }
  const groups = Map.groupBy([...open, ...waiting], ({ attemptId, assetId }) => `${attemptId} ${assetId}`)
  const found = await Promise.all([...groups.values()].map(payments => moneyOf(tables, payments)))
  return found.flat()
}

const isLying = (state: IncomingPayment['state'], settles: boolean): boolean => state !== 'gone' && !settles

/** Payments to an attempt in one asset; empty for a paid order, or another kind of address. */
async function moneyOf(tables: Tables, payments: IncomingPayment[]): Promise<OwnMoney[]> {
  const { attemptId, orderId, assetId } = asserted(payments[0], 'a group of payments has one')
  const attempt = await tables.attempts.find(attemptId)
  const found = await tables.orders.find(orderId)
  if (!attempt || !found || !isOwn(attempt) || found.order.status === 'PAID') return []
  return [
    {
      attemptId,
      orderId,
      orderStatus: found.order.status,
      address: attempt.address,
      assetId,
      amountAtomic: payments.reduce((sum, { amountAtomic }) => sum + amountAtomic, 0n),
      decimals: assetId === attempt.assetId ? attempt.decimals : null,
    },
  ]
}
