import { Refusal } from '../../domain/errors.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { PageStart } from '../../domain/page.ts'
import { type Page, pageOf } from '../../domain/page.ts'
import type { TransactionFilter, TransactionWithOrder } from '../../storage/port.ts'
import type { Context } from '../context.ts'

export interface TransactionView extends TransactionWithOrder {
  merchant: Merchant
}

/** Returns a transaction of this merchant. Throws not_found for any other. */
export const getTransaction = (
  context: Pick<Context, 'storage'>,
  merchantId: string,
  id: string,
): Promise<TransactionView> =>
  context.storage.read(async tables => {
    const found = await tables.transactions.find(id)
    const merchant = await tables.merchants.find(merchantId)
    if (!found || !merchant || found.transaction.merchantId !== merchantId) {
      throw new Refusal('not_found', 'No transaction has this ID.')
    }
    return { ...found, merchant }
  })

export const listTransactions = (
  context: Pick<Context, 'storage'>,
  filter: TransactionFilter,
  size: number,
  after: PageStart | null,
): Promise<Page<TransactionView>> =>
  context.storage.read(async tables => {
    const merchant = await tables.merchants.find(filter.merchantId)
    if (!merchant) throw new Refusal('not_found')
    const rows = await tables.transactions.list(filter, size + 1, after)
    return pageOf(
      rows.map(row => ({ ...row, merchant })),
      size,
      ({ transaction }) => ({ at: transaction.createdAt, id: transaction.id }),
    )
  })
