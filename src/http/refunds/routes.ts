import { Elysia } from 'elysia'
import { invalid } from '../../domain/errors.ts'
import type { Context } from '../../operations/context.ts'
import { listRefunds } from '../../operations/refunds/list.ts'
import { recordRefund } from '../../operations/refunds/record.ts'
import { presentOrder } from '../../present/order.ts'
import { presentRefund } from '../../present/refund.ts'
import { presentTransaction } from '../../present/transaction.ts'
import { callerOf, contextOf, requireKey } from '../auth.ts'
import { idempotencyKey } from '../idempotency.ts'
import { inEither } from '../livemode.ts'
import { OrderParams } from '../orders/request.ts'
import { PAGE_SIZE, parsePageToken, presentPage } from '../page-token.ts'
import { respond } from '../respond.ts'
import * as docs from './openapi.ts'
import { ListRefunds, RecordRefund } from './request.ts'

function requiredKey(request: Request): string {
  const key = idempotencyKey(request)
  if (key === null) throw invalid('Idempotency-Key', 'is required')
  return key
}

export const refunds = (context: Context) =>
  new Elysia()
    .post(
      '/v1/orders/:orderUUID/refunds',
      async ({ body, params, request, set }) => {
        const { merchantId, keyId } = await callerOf(request)
        const own = await contextOf(context, request)
        const { orderUUID: orderId } = params
        const given = { orderId, idempotencyKey: requiredKey(request), by: `key:${keyId}`, body }
        const view = await inEither(merchantId, shop => recordRefund(own, { merchantId: shop, ...given }))
        set.status = view.created ? 201 : 200
        return respond(docs.recordRefund, {
          order: presentOrder(view, context.policy.checkoutUrl),
          transaction: presentTransaction(view, context.policy.checkoutUrl),
          refund: presentRefund(view.refund),
        })
      },
      {
        ...requireKey(context, docs.recordRefund),
        params: OrderParams,
        body: RecordRefund,
      },
    )
    .get(
      '/v1/orders/:orderUUID/refunds',
      async ({ params, query, request }) => {
        const { merchantId } = await callerOf(request)
        const { pageSize = PAGE_SIZE, pageToken } = query
        const after = parsePageToken(pageToken)
        const page = await inEither(merchantId, shop =>
          listRefunds(context, shop, params.orderUUID, Number(pageSize), after),
        )
        return respond(docs.listRefunds, presentPage(page, presentRefund))
      },
      {
        ...requireKey(context, docs.listRefunds),
        params: OrderParams,
        query: ListRefunds,
      },
    )
