import { Elysia } from 'elysia'
import type { Context } from '../../operations/context.ts'
import { getTransaction, listTransactions } from '../../operations/transactions/read.ts'
import { presentTransaction } from '../../present/transaction.ts'
import { callerOf, requireKey } from '../auth.ts'
import { inEither, shopIn } from '../livemode.ts'
import { PAGE_SIZE, parsePageToken, presentPage } from '../page-token.ts'
import { respond } from '../respond.ts'
import * as docs from './openapi.ts'
import { ListTransactions, TransactionParams } from './request.ts'

export const transactions = (context: Context) =>
  new Elysia()
    .get(
      '/v1/transactions',
      async ({ query, request }) => {
        const { merchantId } = await callerOf(request)
        const { status, orderUUID: orderId, livemode, pageSize = PAGE_SIZE, pageToken } = query
        const filter = { merchantId: shopIn(merchantId, livemode), status, orderId }
        const page = await listTransactions(context, filter, Number(pageSize), parsePageToken(pageToken))
        return respond(
          docs.listTransactions,
          presentPage(page, view => presentTransaction(view, context.policy.checkoutUrl)),
        )
      },
      { ...requireKey(context, docs.listTransactions), query: ListTransactions },
    )
    .get(
      '/v1/transactions/:transactionId',
      async ({ params, request }) => {
        const { merchantId } = await callerOf(request)
        const view = await inEither(merchantId, shop => getTransaction(context, shop, params.transactionId))
        return respond(docs.getTransaction, presentTransaction(view, context.policy.checkoutUrl))
      },
      { ...requireKey(context, docs.getTransaction), params: TransactionParams },
    )
