import { getTableColumns } from 'drizzle-orm'
import { orders } from '../schema/index.ts'

const { sessionStatus, sessionUpdatedAt, ...order } = getTableColumns(orders)

export const orderColumns = order

/** What a query of orders selects. The row of an order holds its session too. */
export const orderWithSession = { order, session: { status: sessionStatus, updatedAt: sessionUpdatedAt } }
