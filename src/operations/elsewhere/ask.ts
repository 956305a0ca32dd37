import type { Attempt } from '../../domain/attempt.ts'
import { isWithin } from '../../domain/clock.ts'
import { ASK_PAUSE_MS, type Elsewhere, firstLookAt, lookAt, noLooks } from '../../domain/elsewhere.ts'
import type { Started } from '../../domain/opening.ts'
import type { OrderView } from '../../domain/order-view.ts'
import { mayGetMore } from '../../domain/watch.ts'
import type { Tables } from '../../storage/port.ts'
import { otherChains } from '../addresses/steps/other-chains.ts'
import type { Context } from '../context.ts'

/**
 * The job that checks the other chains of an attempt. All these jobs share a lane, so that one run can
 * combine their requests.
 */
const job = (attemptId: string, dueAt: number) =>
  ({ kind: 'elsewhere.look', subject: attemptId, lane: 'elsewhere', dueAt }) as const

/** Schedules the first check of the other chains of a new attempt. */
export async function scheduleLooks(
  context: Pick<Context, 'networks'>,
  tables: Tables,
  attempt: Attempt,
): Promise<void> {
  if (otherChains(context, attempt).length === 0) return
  await tables.jobs.schedule(job(attempt.id, firstLookAt(attempt)))
}

/** Minimum time between two answers to buyers: each answer serves all buyers who asked since the last one. */
const ANSWERS_PAUSE_MS = 2000
/** Time that a request waits for its answer, and the interval of its checks. */
const WAIT_MS = 1500
const WAIT_STEP_MS = 50

/** The time of the next answer to buyers, for each storage. */
const nextAnswers = new WeakMap<Context['storage'], number>()

function answerAt({ storage, clock }: Pick<Context, 'storage' | 'clock'>): number {
  const now = clock()
  const last = nextAnswers.get(storage) ?? 0
  const isRecent = isWithin(ANSWERS_PAUSE_MS, last, now)
  const at = !isRecent ? now : last > now ? last : last + ANSWERS_PAUSE_MS
  nextAnswers.set(storage, at)
  return at
}

/**
 * Schedules a check of the other chains of an order's payments, because the buyer says that they paid on
 * another network, and waits briefly for the answer. The chains are asked at most once a minute per order: a
 * buyer who asks again sooner gets the stored answer.
 */
export async function askElsewhere(
  context: Pick<Context, 'networks' | 'storage' | 'clock'>,
  { order, attempts }: Pick<OrderView, 'order'> & Pick<Started, 'attempts'>,
): Promise<void> {
  if (order.status !== 'UNPAID' && order.status !== 'EXPIRED') return
  const now = context.clock()
  const asked = attempts.flatMap(attempt => {
    const chains = mayGetMore(attempt, now) ? otherChains(context, attempt) : []
    return chains.length > 0 ? [{ id: attempt.id, chains }] : []
  })
  if (asked.length === 0) return
  const dueAt = await storeQuestion(
    context,
    asked.map(({ id }) => id),
    now,
  )
  if (dueAt !== now) return
  const endsAt = performance.now() + WAIT_MS
  while (performance.now() < endsAt && !(await isAnswered(context, asked, now))) await Bun.sleep(WAIT_STEP_MS)
}

/** Stores that the buyer asked. Returns the time of the answer; null if this buyer asked a short time ago. */
function storeQuestion(
  context: Pick<Context, 'storage' | 'clock'>,
  ids: string[],
  now: number,
): Promise<number | null> {
  return context.storage.write(async tables => {
    const known: Elsewhere[] = []
    for (const id of ids) known.push((await tables.elsewhere.find(id)) ?? noLooks(id))
    if (known.some(({ askedAt }) => askedAt !== null && isWithin(ASK_PAUSE_MS, askedAt, now))) return null
    const dueAt = answerAt(context)
    for (const one of known) {
      await tables.elsewhere.put({ ...one, askedAt: now })
      await tables.jobs.schedule(job(one.attemptId, dueAt))
    }
    return dueAt
  })
}

/** True if since that time each chain was read, or could not be read. */
const isAnswered = (
  { storage }: Pick<Context, 'storage'>,
  asked: { id: string; chains: string[] }[],
  since: number,
): Promise<boolean> =>
  storage.read(async tables => {
    const known = await Promise.all(asked.map(({ id }) => tables.elsewhere.find(id)))
    return asked.every(({ chains }, index) =>
      chains.every(chain => {
        const { readAt, failedAt } = lookAt(known[index] ?? noLooks(''), chain)
        return Math.max(readAt ?? 0, failedAt ?? 0) >= since
      }),
    )
  })
