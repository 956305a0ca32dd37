import { type Page, type PageStart, pageOf } from '../../domain/page.ts'
import type { UnmatchedPayment } from '../../domain/settlement.ts'
import type { Tables, UnmatchedRow } from '../../storage/port.ts'
import type { Context } from '../context.ts'

/** A page of the payments that settled nothing, newest first. */
export async function browseUnmatched(
  { storage }: Pick<Context, 'storage'>,
  query: { merchantId: string; status?: UnmatchedPayment['status'] | undefined },
  size: number,
  after: PageStart | null,
): Promise<Page<UnmatchedRow>> {
  const rows = await storage.read(tables => tables.unmatched.browse(query, size + 1, after))
  return pageOf(rows, size, ({ payment: { createdAt, id } }) => ({ at: createdAt, id }))
}

/** Max open payments that are counted. */
export const OPEN_MAX = 100

/** Counts the payments of a merchant that wait for a decision, up to `OPEN_MAX`. */
export const countUnmatched = ({ storage }: Pick<Context, 'storage'>, merchantId: string): Promise<number> =>
  storage.read(tables => countOpen(tables, merchantId, OPEN_MAX))

/** Counts the payments of a merchant that wait for a decision, up to a limit. */
export async function countOpen(tables: Tables, merchantId: string, limit: number): Promise<number> {
  const unmatched = await tables.unmatched.countOpen(merchantId, limit)
  const skipped = await tables.skippedPayments.countOpen(merchantId, limit)
  return Math.min(limit, unmatched + skipped)
}
