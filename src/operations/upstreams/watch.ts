import type { ServiceFacts } from '../../domain/notification-facts.ts'
import { isOfShop, type Outage, type Service } from '../../domain/outage.ts'
import { problemOf as problemFrom, type UpstreamProblem } from '../../domain/upstream-fault.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { notifyOf } from '../notices/notify.ts'

const EVERY_MS = 10 * 60_000
const CHECK_MS = 30_000

const forLog = { reader: 'shell', language: 'en', timeZone: 'UTC' } as const

type WatchContext = Pick<Context, 'storage' | 'clock' | 'ids' | 'log' | 'services' | 'letters'>

/** A service, and its current problem if there is one. */
interface ServiceState {
  service: Service
  problem: ServiceFacts | null
}

/**
 * Checks everything that Florin needs. Merchants are notified once when a service has failed for long enough,
 * and once when it works again. Returns the time of the next check.
 */
export async function watchServices(context: WatchContext): Promise<number> {
  const services = context.services()
  const checked = await Promise.all(
    services.map(async service => ({ service, problem: await problemOf(service) })),
  )
  await context.storage.write(async tables => {
    const known = new Map((await tables.outages.list()).map(outage => [outage.id, outage]))
    for (const one of checked) await recordCheck(context, tables, one, known.get(one.service.id) ?? null)
    const ids = new Set(services.map(({ id }) => id))
    // A service that the settings no longer name is not checked any more, so its outage is removed.
    for (const [id, outage] of known) if (!ids.has(id) && !isOfShop(outage)) await tables.outages.remove(id)
  })
  for (const { service, problem } of checked) {
    if (problem === null) continue
    // The notification names a duration that may not have passed yet, so the log contains only the reason.
    const reason =
      problem.about === 'upstream_down' ? problem.reason : context.letters.notification(problem, forLog).text
    context.log.warn({ service: service.id, reason }, 'service.unusable')
  }
  return context.clock() + EVERY_MS
}

const silent: UpstreamProblem = { reason: 'It does not answer.', fault: 'silent' }

/** A check that throws or does not end counts as a problem. */
async function problemOf(service: Service): Promise<ServiceFacts | null> {
  const unknown = (problem: UpstreamProblem) =>
    ({ about: 'service_unknown', kind: service.kind, ...problem }) as const
  const late = Promise.withResolvers<ServiceFacts>()
  const timer = setTimeout(() => late.resolve(unknown(silent)), CHECK_MS)
  try {
    return await Promise.race([service.check(), late.promise])
  } catch (error) {
    return unknown(problemFrom(error))
  } finally {
    clearTimeout(timer)
  }
}

async function recordCheck(
  context: WatchContext,
  tables: Tables,
  { service, problem }: ServiceState,
  known: Outage | null,
): Promise<void> {
  const now = context.clock()
  if (problem === null) {
    if (known === null) return
    await tables.outages.remove(service.id)
    const { recovered } = service
    if (known.notifiedAt !== null && recovered !== null) await notifyAll(context, tables, recovered)
    return
  }
  const outage = known ?? { id: service.id, since: now, notifiedAt: null }
  // An outage never begins in the future, even if the clock was ahead and was set back.
  const since = Math.min(outage.since, now)
  const isDue = outage.notifiedAt === null && now - since >= service.afterMs
  if (isDue) await notifyAll(context, tables, problem)
  if (isDue || known === null || since !== known.since) {
    await tables.outages.put({ ...outage, since, notifiedAt: isDue ? now : outage.notifiedAt })
  }
}

/** Notifies all active merchants, because a problem of the server concerns all of them. */
async function notifyAll(context: WatchContext, tables: Tables, facts: ServiceFacts): Promise<void> {
  for (const { id, status } of await tables.merchants.list()) {
    if (status === 'active') await notifyOf(context, tables, id, facts)
  }
}
