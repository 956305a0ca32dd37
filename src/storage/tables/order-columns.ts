import { getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { merchants, orders } from '../schema/index.ts'

const { merchantNumber: _, sessionStatus, sessionUpdatedAt, ...order } = getTableColumns(orders)

export const orderColumns = order

/** What a query of orders selects. The row of an order holds its session too. */
export const orderWithSession = { order, session: { status: sessionStatus, updatedAt: sessionUpdatedAt } }

/** The number of a merchant, which stands for the merchant in the indexes of orders. */
export const numberOfMerchant = (merchantId: SQLWrapper | string): SQL<number> =>
  sql`(SELECT ${merchants.number} FROM ${merchants} WHERE ${merchants.id} = ${merchantId})`
