import type { Tables } from '../../../storage/port.ts'

/** How many payments of a merchant wait for a decision, counted up to a limit. */
export async function countOpen(tables: Tables, merchantId: string, limit: number): Promise<number> {
  const unmatched = await tables.unmatched.countOpen(merchantId, limit)
  const skipped = await tables.skippedPayments.countOpen(merchantId, limit)
  return Math.min(limit, unmatched + skipped)
}
