import { fiatCurrency } from '../../domain/fiat.ts'
import { type Page, type PageStart, pageOf } from '../../domain/page.ts'
import type { UnmatchedPayment } from '../../domain/settlement.ts'
import { leftOf } from '../../domain/taken-back.ts'
import type { Tables, UnmatchedRow } from '../../storage/port.ts'
import type { Context } from '../context.ts'

/** An unmatched payment, and what is left of it after refunds and disputes, in units of its asset. */
export interface BrowsedPayment extends UnmatchedRow {
  left: bigint
}

/** A page of the payments that settled nothing, newest first. */
export async function browseUnmatched(
  { storage }: Pick<Context, 'storage'>,
  query: { merchantId: string; status?: UnmatchedPayment['status'] | undefined },
  size: number,
  after: PageStart | null,
): Promise<Page<BrowsedPayment>> {
  const rows = await storage.read(async tables => {
    const found = await tables.unmatched.browse(query, size + 1, after)
    return Promise.all(found.map(row => withLeft(tables, row)))
  })
  return pageOf(rows, size, ({ payment: { createdAt, id } }) => ({ at: createdAt, id }))
}

/** Only payments in a currency can be taken back by a provider. */
async function withLeft(tables: Tables, row: UnmatchedRow): Promise<BrowsedPayment> {
  const { payment, incoming } = row
  const isCharge = fiatCurrency(incoming.assetId) !== null
  const reversals = isCharge ? await tables.reversals.listOf(payment.orderId) : []
  return { ...row, left: leftOf(payment, incoming, reversals) }
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
