import { Elysia } from 'elysia'
import { parseTimestamp } from '../../domain/timestamp.ts'
import type { Context } from '../../operations/context.ts'
import { cancelOrder } from '../../operations/orders/cancel.ts'
import { createOrder } from '../../operations/orders/create.ts'
import { getOrder, listOrders } from '../../operations/orders/read.ts'
import { presentOrder } from '../../present/order.ts'
import { callerOf, requireKey } from '../auth.ts'
import { idempotencyKey } from '../idempotency.ts'
import { requireKeyOrLogin, senderOf } from '../key-or-login.ts'
import { inEither, shopIn } from '../livemode.ts'
import { PAGE_SIZE, parsePageToken, presentPage } from '../page-token.ts'
import { respond } from '../respond.ts'
import * as docs from './openapi.ts'
import { CancelOrder, CreateOrder, ListOrders, OrderParams } from './request.ts'

const timestampOf = (value: string | undefined) =>
  value === undefined ? undefined : (parseTimestamp(value) ?? undefined)

export const orders = (context: Context) =>
  new Elysia()
    .post(
      '/v1/orders',
      async ({ body, request, set }) => {
        const { merchantId } = await callerOf(request)
        const view = await createOrder(context, merchantId, body, idempotencyKey(request))
        set.status = view.created ? 201 : 200
        return respond(docs.createOrder, presentOrder(view, context.policy.checkoutUrl))
      },
      {
        ...requireKey(context, docs.createOrder),
        body: CreateOrder,
      },
    )
    .get(
      '/v1/orders',
      async ({ query, request }) => {
        const { merchantId } = await callerOf(request)
        const { productUUID, livemode, pageSize = PAGE_SIZE, pageToken, ...filters } = query
        const filter = {
          ...filters,
          merchantId: shopIn(merchantId, livemode),
          productId: productUUID,
          createdFrom: timestampOf(query.createdFrom),
          createdTo: timestampOf(query.createdTo),
          updatedFrom: timestampOf(query.updatedFrom),
        }
        const page = await listOrders(context, filter, Number(pageSize), parsePageToken(pageToken))
        return respond(
          docs.listOrders,
          presentPage(page, view => presentOrder(view, context.policy.checkoutUrl)),
        )
      },
      { ...requireKey(context, docs.listOrders), query: ListOrders },
    )
    .get(
      '/v1/orders/:orderUUID',
      async ({ params, request }) => {
        const { merchantId } = await callerOf(request)
        const view = await inEither(merchantId, shop => getOrder(context, shop, params.orderUUID))
        return respond(docs.getOrder, presentOrder(view, context.policy.checkoutUrl))
      },
      { ...requireKey(context, docs.getOrder), params: OrderParams },
    )
    .post(
      '/v1/orders/:orderUUID/cancel',
      async ({ body, params, request }) => {
        const { merchantId, by } = await senderOf(context, request, docs.cancelOrder)
        const view = await inEither(merchantId, shop =>
          cancelOrder(context, shop, params.orderUUID, by, body.reason ?? null),
        )
        return respond(docs.cancelOrder, { order: presentOrder(view, context.policy.checkoutUrl) })
      },
      {
        ...requireKeyOrLogin(context, docs.cancelOrder),
        params: OrderParams,
        body: CancelOrder,
      },
    )
