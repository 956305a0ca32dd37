import { Elysia } from 'elysia'
import { listMethods } from '../operations/list-methods.ts'
import type { World } from '../operations/world.ts'
import * as docs from './docs/payment-methods.ts'
import { success } from './envelope.ts'
import { callerOf, keyed } from './gate.ts'
import { presentMethods } from './present/payment-method.ts'
import { ListMethods } from './shapes/payment-methods.ts'

export const paymentMethods = (world: World) =>
  new Elysia().get(
    '/v1/payment-methods',
    async ({ query, request }) => {
      const { merchantId } = await callerOf(request)
      return success(presentMethods(await listMethods(world, merchantId, query.forceFetch === 'true')))
    },
    { ...keyed(world, {}), query: ListMethods, ...docs.listPaymentMethods },
  )
