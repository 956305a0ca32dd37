import { Elysia } from 'elysia'
import type { Context } from '../../operations/context.ts'
import { createTestOrder } from '../../operations/testing/create.ts'
import { presentOrder } from '../../present/order.ts'
import { callerOf, requireKey } from '../auth.ts'
import { idempotencyKey } from '../idempotency.ts'
import { CreateOrder } from '../orders/request.ts'
import { respond } from '../respond.ts'
import * as docs from './openapi.ts'

export const testOrders = (context: Context) =>
  new Elysia().post(
    '/v1/test/orders',
    async ({ body, request, set }) => {
      const { merchantId } = await callerOf(request)
      const view = await createTestOrder(context, merchantId, body, idempotencyKey(request))
      set.status = view.created ? 201 : 200
      return respond(docs.createTestOrder, presentOrder(view, context.policy.checkoutUrl))
    },
    { ...requireKey(context, docs.createTestOrder), body: CreateOrder },
  )
