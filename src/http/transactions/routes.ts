import { Elysia } from 'elysia'
import type { World } from '../../operations/context.ts'
import { listTransactions, readTransaction } from '../../operations/orders/read-transactions.ts'
import { presentTransaction } from '../../present/transaction.ts'
import { callerOf, keyed } from '../auth.ts'
import { success } from '../envelope.ts'
import { PAGE_SIZE, presentPage, readPageToken } from '../page-token.ts'
import * as docs from './openapi.ts'
import { ListTransactions, TransactionParams } from './request.ts'

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
