import { type Attempt, isWatched } from '../../domain/attempt.ts'
import { type Elsewhere, isElsewhere, lookAt, noLooks } from '../../domain/elsewhere.ts'
import { asserted } from '../../domain/errors.ts'
import type { Started } from '../../domain/opening.ts'
import type { OrderView } from '../../domain/order-view.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import type { Tables } from '../../storage/port.ts'
import { otherChains } from '../addresses/steps/other-chains.ts'
import type { Context } from '../context.ts'

/** State of the chains on which an order's payments are not expected. */
export interface LooksElsewhere {
  /** when the buyer last asked; null if never */
  askedAt: number | null
  chains: LookedAt[]
  /** payments found there, oldest first */
  found: IncomingPayment[]
}

interface LookedAt {
  chain: string
  /** since when all addresses are read; null while one was never read */
  readAt: number | null
  /** true if the last look failed for any of them */
  hasFailed: boolean
}

/** Null if no payment on another chain can be looked for. */
export async function loadElsewhere(
  context: Pick<Context, 'networks' | 'clock'>,
  tables: Tables,
  { order, attempts }: Pick<OrderView, 'order'> & Pick<Started, 'attempts'>,
): Promise<LooksElsewhere | null> {
  if (order.status !== 'UNPAID' && order.status !== 'EXPIRED') return null
  const now = context.clock()
  const asked = attempts
    .filter(attempt => isWatched(attempt, now))
    .map(attempt => ({ attempt, chains: otherChains(context, attempt) }))
    .filter(({ chains }) => chains.length > 0)
  if (asked.length === 0) return null
  const known = new Map<string, Elsewhere>()
  for (const { attempt } of asked) {
    known.set(attempt.id, (await tables.elsewhere.find(attempt.id)) ?? noLooks(attempt.id))
  }
  const chains = [...new Set(asked.flatMap(one => one.chains))].map((chain): LookedAt => {
    const looks = asked
      .filter(one => one.chains.includes(chain))
      .map(({ attempt }) => lookAt(asserted(known.get(attempt.id), 'each attempt was looked up'), chain))
    const times = looks.map(({ readAt }) => readAt)
    const readAt = times.some(at => at === null) ? null : Math.min(...times.map(Number))
    return { chain, readAt, hasFailed: looks.some(({ failedAt }) => failedAt !== null) }
  })
  const askedAt = Math.max(0, ...[...known.values()].map(one => one.askedAt ?? 0)) || null
  const looked = asked
    .map(({ attempt }) => attempt)
    .filter(({ id }) => hasFound(asserted(known.get(id), 'each attempt was looked up')))
  const found = await Promise.all(looked.map(attempt => foundFor(tables, attempt)))
  return { askedAt, chains, found: found.flat() }
}

const hasFound = ({ chains }: Elsewhere): boolean =>
  Object.values(chains).some(({ cursor }) => cursor !== null)

async function foundFor(tables: Tables, attempt: Attempt): Promise<IncomingPayment[]> {
  const arrived = await tables.incomingPayments.listOf(attempt.id)
  return arrived.filter(({ source, state }) => isElsewhere(attempt, source) && state !== 'gone')
}
