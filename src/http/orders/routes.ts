import { Elysia } from 'elysia'
import { readInstant } from '../../domain/timestamp.ts'
import type { World } from '../../operations/context.ts'
import { cancelOrder } from '../../operations/orders/cancel.ts'
import { createOrder } from '../../operations/orders/create.ts'
import { listOrders, readOrder } from '../../operations/orders/read.ts'
import { presentOrder } from '../../present/order.ts'
import { callerOf, keyed } from '../auth.ts'
import { success } from '../envelope.ts'
import { idempotencyKey } from '../idempotency.ts'
import { PAGE_SIZE, presentPage, readPageToken } from '../page-token.ts'
import * as docs from './openapi.ts'
import { CancelOrder, CreateOrder, ListOrders, OrderParams } from './request.ts'

const instantOf = (text: string | undefined) =>
  text === undefined ? undefined : (readInstant(text) ?? undefined)

export const orders = (world: World) =>
  new Elysia()
    .post(
      '/v1/orders',
      async ({ body, request, set }) => {
        const { merchantId } = await callerOf(request)
        const view = await createOrder(world, merchantId, body, idempotencyKey(request))
        set.status = view.created ? 201 : 200
        return success(presentOrder(view, world.policy.checkoutUrl))
      },
      { ...keyed(world, { live: true, scope: 'orders:create' }), body: CreateOrder, ...docs.createOrder },
    )
    .get(
      '/v1/orders',
      async ({ query, request }) => {
        const { merchantId } = await callerOf(request)
        const { status, externalId, createdFrom, createdTo, pageSize = PAGE_SIZE, pageToken } = query
        const filter = {
          merchantId,
          status,
          externalId,
          createdFrom: instantOf(createdFrom),
          createdTo: instantOf(createdTo),
        }
        const page = await listOrders(world, filter, Number(pageSize), readPageToken(pageToken))
        return success(presentPage(page, view => presentOrder(view, world.policy.checkoutUrl)))
      },
      { ...keyed(world, { scope: 'api:read' }), query: ListOrders, ...docs.listOrders },
    )
    .get(
      '/v1/orders/:orderUUID',
      async ({ params, request }) => {
        const { merchantId } = await callerOf(request)
        const view = await readOrder(world, merchantId, params.orderUUID)
        return success(presentOrder(view, world.policy.checkoutUrl))
      },
      { ...keyed(world, { scope: 'api:read' }), params: OrderParams, ...docs.readOrder },
    )
    .post(
      '/v1/orders/:orderUUID/cancel',
      async ({ body, params, request }) => {
        const { merchantId, keyId } = await callerOf(request)
        const view = await cancelOrder(
          world,
          merchantId,
          params.orderUUID,
          `key:${keyId}`,
          body.reason ?? null,
        )
        return success({ order: presentOrder(view, world.policy.checkoutUrl) })
      },
      {
        ...keyed(world, { live: true, scope: 'orders:manage' }),
        params: OrderParams,
        body: CancelOrder,
        ...docs.cancelOrder,
      },
    )
