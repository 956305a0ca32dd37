import { asserted } from '../../domain/errors.ts'
import type { Context } from '../context.ts'
import { type Forwarder, givenOf } from './recovery-export.ts'
import { findHoldings, type OrderHolding } from './sweep.ts'
import type { UnpaidAttempt } from './unpaid-attempts.ts'

/** The money on the forwarders and seed addresses of these attempts, on chains that answer. */
export async function findUnpaidMoney(
  context: Pick<Context, 'networks'>,
  unpaid: UnpaidAttempt[],
): Promise<OrderHolding[]> {
  const statuses = new Map(unpaid.map(({ attempt, orderStatus }) => [attempt.id, orderStatus]))
  const forwarders = unpaid
    .flatMap(({ attempt }) => givenOf(context, attempt))
    .filter((given): given is Forwarder => given.recipe !== null)
  const holdings = await findHoldings(context, forwarders)
  return holdings.map(held => ({
    ...held,
    orderStatus: asserted(statuses.get(held.attemptId), 'each attempt has an order'),
  }))
}
