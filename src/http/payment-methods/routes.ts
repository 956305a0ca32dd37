import { Elysia } from 'elysia'
import type { World } from '../../operations/context.ts'
import { listMethods } from '../../operations/payments/list-methods.ts'
import { presentMethods } from '../../present/payment-method.ts'
import { callerOf, keyed } from '../auth.ts'
import { success } from '../envelope.ts'
import * as docs from './openapi.ts'
import { ListMethods } from './request.ts'

export const paymentMethods = (world: World) =>
  new Elysia().get(
    '/v1/payment-methods',
    async ({ query, request }) => {
      const { merchantId } = await callerOf(request)
      return success(presentMethods(await listMethods(world, merchantId, query.forceFetch === 'true')))
    },
    { ...keyed(world, {}), query: ListMethods, ...docs.listPaymentMethods },
  )
