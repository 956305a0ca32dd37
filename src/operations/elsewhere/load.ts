import type { Attempt } from '../../domain/attempt.ts'
import { type Elsewhere, isElsewhere, lookAt, noLooks } from '../../domain/elsewhere.ts'
import type { Started } from '../../domain/opening.ts'
import type { OrderView } from '../../domain/order-view.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import { mayGetMore } from '../../domain/watch.ts'
import type { Tables } from '../../storage/port.ts'
import { otherChains } from '../addresses/steps/other-chains.ts'
import type { Context } from '../context.ts'

/** State of the chains on which an order's payments are not expected. */
export interface LooksElsewhere {
  /** when the buyer last asked; null if never */
  askedAt: number | null
  chains: LookedAt[]
  /** payments found on these chains, oldest first */
  found: IncomingPayment[]
}

interface LookedAt {
  chain: string
  /** time since which all addresses were read at least once; null while one of them was never read */
  readAt: number | null
  /** true if the last check of any of the addresses failed */
  hasFailed: boolean
}

/**
 * Loads what is known about an order's other chains. Returns null if none of its payments can be looked for
 * there.
 */
export async function loadElsewhere(
  context: Pick<Context, 'networks' | 'clock'>,
  tables: Tables,
  { order, attempts, looks }: Pick<OrderView, 'order'> & Pick<Started, 'attempts'> & { looks: Elsewhere[] },
): Promise<LooksElsewhere | null> {
  if (order.status !== 'UNPAID' && order.status !== 'EXPIRED') return null
  const now = context.clock()
  const asked = attempts
    .filter(attempt => mayGetMore(attempt, now))
    .map(attempt => ({ attempt, chains: otherChains(context, attempt) }))
    .filter(({ chains }) => chains.length > 0)
  if (asked.length === 0) return null
  const known = asked.map(({ attempt, chains }) => {
    const look = looks.find(({ attemptId }) => attemptId === attempt.id) ?? noLooks(attempt.id)
    return { attempt, chains, look }
  })
  const chains = [...new Set(asked.flatMap(one => one.chains))].map((chain): LookedAt => {
    const its = known.filter(one => one.chains.includes(chain)).map(({ look }) => lookAt(look, chain))
    const times = its.map(({ readAt }) => readAt)
    const readAt = times.some(at => at === null) ? null : Math.min(...times.map(Number))
    return { chain, readAt, hasFailed: its.some(({ failedAt }) => failedAt !== null) }
  })
  const askedAt = Math.max(0, ...known.map(({ look }) => look.askedAt ?? 0)) || null
  const looked = known.filter(({ look }) => hasFound(look))
  const found = await Promise.all(looked.map(({ attempt }) => foundFor(tables, attempt)))
  return { askedAt, chains, found: found.flat() }
}

const hasFound = ({ chains }: Elsewhere): boolean =>
  Object.values(chains).some(({ cursor }) => cursor !== null)

async function foundFor(tables: Tables, attempt: Attempt): Promise<IncomingPayment[]> {
  const arrived = await tables.incomingPayments.listOf(attempt.id)
  return arrived.filter(({ source, state }) => isElsewhere(attempt, source) && state !== 'gone')
}
