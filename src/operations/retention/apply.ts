import type { Attempt } from '../../domain/attempt.ts'
import type { PageStart } from '../../domain/page.ts'
import { advance } from '../../domain/retention.ts'
import type { Tables } from '../../storage/port.ts'
import { givenOf } from '../addresses/recovery-export.ts'
import type { Context } from '../context.ts'
import { CREATE_ORDER } from '../orders/create.ts'

type RetentionContext = Pick<Context, 'storage' | 'clock' | 'networks' | 'policy' | 'log'>

/** Max rows per write, so that no other write waits for long. */
const ROWS_AT_ONCE = 200
/** Max writes in a row before other work gets a pause. */
const WRITES_AT_ONCE = 20
const PAUSE_MS = 1000
const EVERY_MS = 3600_000

/** Deletes data older than the operator wants to keep. Returns the time of the next run. */
export async function applyRetention(context: RetentionContext): Promise<number> {
  const { idempotency, tries, abandoned, tests } = context.policy.retention
  const now = await reachTime(context)
  const deleted = {
    idempotencyKeys: await deleteRows(context, now, idempotency, (tables, before) =>
      // Only keys of orders are deleted. Keys of refunds are kept, because a repeated refund must never be
      // recorded twice.
      tables.retention.forgetIdempotencyKeys(CREATE_ORDER, before, ROWS_AT_ONCE),
    ),
    deliveryTries: await deleteRows(context, now, tries, (tables, before) =>
      tables.retention.forgetTries(before, ROWS_AT_ONCE),
    ),
    orders: abandoned === null ? 0 : await deleteAbandonedOrders(context, now - abandoned),
    testOrders: await deleteTestOrders(context, now, tests),
  }
  const counts = Object.values(deleted)
  if (counts.some(count => count > 0)) context.log.info(deleted, 'retention.applied')
  const isMore = counts.some(count => count >= ROWS_AT_ONCE * WRITES_AT_ONCE)
  return context.clock() + (isMore ? PAUSE_MS : EVERY_MS)
}

/**
 * The time that counts as now. It follows the clock slowly, so that a clock that leaps ahead does not delete
 * everything.
 */
const reachTime = ({ storage, clock }: RetentionContext): Promise<number> =>
  storage.write(async tables => {
    const progress = advance(await tables.retention.progress(), clock())
    await tables.retention.noteProgress(progress)
    await tables.quotas.removeEnded(progress.reachedAt)
    return progress.reachedAt
  })

async function deleteRows(
  { storage }: RetentionContext,
  now: number,
  keptMs: number | null,
  deleteSome: (tables: Tables, before: number) => Promise<number>,
): Promise<number> {
  if (keptMs === null) return 0
  const before = now - keptMs
  let deleted = 0
  for (let write = 0; write < WRITES_AT_ONCE; write++) {
    const some = await storage.write(tables => deleteSome(tables, before))
    deleted += some
    if (some < ROWS_AT_ONCE) break
  }
  return deleted
}

async function deleteTestOrders(
  context: RetentionContext,
  now: number,
  keptMs: number | null,
): Promise<number> {
  const shops = await context.storage.read(tables => tables.merchants.listTestShops())
  let deleted = 0
  for (const id of shops) {
    deleted += await deleteRows(context, now, keptMs, (tables, before) =>
      tables.retention.deleteTestOrders(id, before, ROWS_AT_ONCE),
    )
  }
  return deleted
}

/** Pages through all orders that expired before `before`, because some of them stay forever. */
async function deleteAbandonedOrders(context: RetentionContext, before: number): Promise<number> {
  const { storage } = context
  let deleted = 0
  for (let after: PageStart | null | undefined = null; after !== undefined; ) {
    const page = await pageAfter(context, before, after)
    const { orderIds } = page
    if (orderIds.length > 0) {
      deleted += await storage.write(tables => deleteAbandoned(tables, orderIds, before))
    }
    if (deleted >= ROWS_AT_ONCE * WRITES_AT_ONCE) break
    after = page.next
  }
  return deleted
}

async function deleteAbandoned(tables: Tables, orderIds: string[], before: number): Promise<number> {
  const deleted = await tables.retention.deleteAbandoned(orderIds, before)
  for (const { merchantId, createdAt, currency } of deleted) {
    await tables.statistics.add(merchantId, createdAt, currency, { deletedCount: 1 })
  }
  return deleted.length
}

/** The deletable orders of one page, and the start of the next page (undefined after the last). */
const pageAfter = (context: RetentionContext, before: number, after: PageStart | null) =>
  context.storage.read(async tables => {
    const page = await tables.retention.listExpiredWebOrders(before, ROWS_AT_ONCE, after)
    const attempts = await tables.attempts.listOfOrders(page.map(({ id }) => id))
    const needed = new Set(
      attempts.filter(attempt => needsFlorin(context, attempt)).map(({ orderId }) => orderId),
    )
    return {
      orderIds: page.map(({ id }) => id).filter(id => !needed.has(id)),
      next: page.length === ROWS_AT_ONCE ? page.at(-1) : undefined,
    }
  })

/** True if coins that arrive at the address can be moved only with data stored here. */
const needsFlorin = (context: Pick<Context, 'networks'>, attempt: Attempt): boolean =>
  givenOf(context, attempt).some(({ recipe }) => recipe !== null)
