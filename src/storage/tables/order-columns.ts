import { and, eq, getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { merchants, orders } from '../schema/index.ts'
import type { Db } from './db.ts'

const { merchantNumber: _, sessionStatus, sessionUpdatedAt, ...order } = getTableColumns(orders)

export const orderColumns = order

/** The columns that queries for orders select. The row of an order contains its session. */
export const orderWithSession = { order, session: { status: sessionStatus, updatedAt: sessionUpdatedAt } }

/** Returns the number of a merchant, which the indexes of orders contain instead of the ID. */
export const numberOfMerchant = (merchantId: SQLWrapper | string): SQL<number> =>
  sql`(SELECT ${merchants.number} FROM ${merchants} WHERE ${merchants.id} = ${merchantId})`

/**
 * True if an order has this external ID. The index contains external IDs in lower case, because people may
 * search for them in any case.
 */
export const isExternalId = ({ dialect }: Db, value: SQL): SQL | undefined =>
  and(sql`lower(${orders.externalId}) = ${dialect.lower(value)}`, eq(orders.externalId, value))

/**
 * Returns the spellings of a transaction's ID. It is stored as its chain writes it: in lower case, except on
 * Solana.
 */
export const txSpellings = (tx: string): string[] => [...new Set([tx, tx.toLowerCase(), tx.toUpperCase()])]
