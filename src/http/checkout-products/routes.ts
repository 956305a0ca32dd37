import { Elysia } from 'elysia'
import type { World } from '../../operations/context.ts'
import { createProductOrder } from '../../operations/orders/create-from-product.ts'
import { loadProductCheckout } from '../../operations/products/load-checkout.ts'
import { nextPath, presentProductCheckout } from '../../present/product-checkout.ts'
import { open } from '../auth.ts'
import { success } from '../envelope.ts'
import type { RateLimit } from '../rate-limit.ts'
import * as docs from './openapi.ts'
import { CreateProductOrder, ProductParams } from './request.ts'

/** What anybody may ask, without a key. */
export const checkoutProducts = (world: World, limit: RateLimit) =>
  new Elysia()
    .get(
      '/v1/checkout/products/:productUUID',
      async ({ params }) => {
        const checkout = await loadProductCheckout(world, params.productUUID)
        return success(presentProductCheckout(checkout, world.policy.checkoutUrl))
      },
      { ...open(limit), params: ProductParams, ...docs.readCheckoutProduct },
    )
    .post(
      '/v1/checkout/products/:productUUID/orders',
      async ({ body, params, set }) => {
        const { order } = await createProductOrder(world, params.productUUID, body)
        set.status = 201
        const redirectUrl = `${world.policy.checkoutUrl}${nextPath(order)}`
        return success({ orderUUID: order.id, status: order.status, redirectUrl })
      },
      { ...open(limit), params: ProductParams, body: CreateProductOrder, ...docs.startProductOrder },
    )
