import { Elysia } from 'elysia'
import type { Context } from '../../operations/context.ts'
import { listMethods } from '../../operations/payments/list-methods.ts'
import { presentMethods } from '../../present/payment-method.ts'
import { callerOf, requireKey } from '../auth.ts'
import { respond } from '../respond.ts'
import * as docs from './openapi.ts'
import { ListMethods } from './request.ts'

export const paymentMethods = (context: Context) =>
  new Elysia().get(
    '/v1/payment-methods',
    async ({ query, request }) => {
      const { merchantId } = await callerOf(request)
      return respond(
        docs.listPaymentMethods,
        presentMethods(await listMethods(context, merchantId, query.forceFetch === 'true')),
      )
    },
    { ...requireKey(context, docs.listPaymentMethods), query: ListMethods },
  )
