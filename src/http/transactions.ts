import { Elysia } from 'elysia'
import { listTransactions, readTransaction } from '../operations/read-transactions.ts'
import type { World } from '../operations/world.ts'
import * as docs from './docs/transactions.ts'
import { success } from './envelope.ts'
import { callerOf, keyed } from './gate.ts'
import { PAGE_SIZE, presentPage, readPageToken } from './page-token.ts'
import { presentTransaction } from './present/transaction.ts'
import { ListTransactions, TransactionParams } from './shapes/transactions.ts'

export const transactions = (world: World) =>
  new Elysia()
    .get(
      '/v1/transactions',
      async ({ query, request }) => {
        const { merchantId } = await callerOf(request)
        const { status, orderUUID: orderId, pageSize = PAGE_SIZE, pageToken } = query
        const filter = { merchantId, status, orderId }
        const page = await listTransactions(world, filter, Number(pageSize), readPageToken(pageToken))
        return success(presentPage(page, view => presentTransaction(view, world.policy.checkoutUrl)))
      },
      { ...keyed(world, { scope: 'api:read' }), query: ListTransactions, ...docs.listTransactions },
    )
    .get(
      '/v1/transactions/:transactionId',
      async ({ params, request }) => {
        const { merchantId } = await callerOf(request)
        const view = await readTransaction(world, merchantId, params.transactionId)
        return success(presentTransaction(view, world.policy.checkoutUrl))
      },
      { ...keyed(world, { scope: 'api:read' }), params: TransactionParams, ...docs.readTransaction },
    )
