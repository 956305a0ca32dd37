import type { Context } from '../context.ts'
import { type CheckContext, checkAttempts } from './check-attempts.ts'

/** The log events that report attempts that could not be checked. */
const failures = ['upstream.unavailable', 'upstream.incomplete']

/**
 * Asks the upstreams of all attempts of an order now, whatever their state, and records what they report.
 * Returns a sentence for each upstream that could not be asked.
 */
export async function checkOrder(context: CheckContext, orderId: string): Promise<string[]> {
  const problems: string[] = []
  const attempts = await context.storage.read(tables => tables.attempts.listOf(orderId))
  const next = await checkAttempts(
    { ...context, log: collecting(context.log, problems) },
    attempts.map(({ id }) => id),
    { elsewhere: true },
  )
  await context.storage.write(async tables => {
    for (const [id, at] of next) if (at !== null) await tables.jobs.bringForward('attempt.check', id, at)
  })
  return problems
}

/** A log that also collects why attempts could not be checked. */
const collecting = (log: Context['log'], problems: string[]): Context['log'] => ({
  debug: (fields, event) => log.debug(fields, event),
  info: (fields, event) => log.info(fields, event),
  error: (fields, event) => log.error(fields, event),
  warn(fields, event) {
    log.warn(fields, event)
    if (!failures.includes(event)) return
    const { source, reason } = fields as { source: string; reason?: string }
    problems.push(`${source}: ${reason ?? 'not every payment could be looked up'}.`)
  },
})
