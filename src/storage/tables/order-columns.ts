import { and, eq, getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { merchants, orders } from '../schema/index.ts'
import type { Db } from './db.ts'

const { merchantNumber: _, sessionStatus, sessionUpdatedAt, ...order } = getTableColumns(orders)

export const orderColumns = order

/** What a query of orders selects. The row of an order holds its session too. */
export const orderWithSession = { order, session: { status: sessionStatus, updatedAt: sessionUpdatedAt } }

/** The number of a merchant, which stands for the merchant in the indexes of orders. */
export const numberOfMerchant = (merchantId: SQLWrapper | string): SQL<number> =>
  sql`(SELECT ${merchants.number} FROM ${merchants} WHERE ${merchants.id} = ${merchantId})`

/** The index has the external ID in lower case, so that people find it in any case. */
export const isExternalId = ({ dialect }: Db, value: SQL): SQL | undefined =>
  and(sql`lower(${orders.externalId}) = ${dialect.lower(value)}`, eq(orders.externalId, value))
