import { nextAlertAt, type Webhook } from '../../../domain/webhook.ts'
import type { Tables } from '../../../storage/port.ts'

/** Schedules the next notification about a failing webhook, or the next probe of a disabled one. */
export async function scheduleWatch(
  tables: Tables,
  webhook: Webhook,
  dueAt = nextAlertAt(webhook),
): Promise<void> {
  if (dueAt === null) return
  const { merchantId } = webhook
  await tables.jobs.schedule({
    kind: 'webhook.watch',
    subject: merchantId,
    lane: `watch:${merchantId}`,
    dueAt,
  })
}
