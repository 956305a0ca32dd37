import { Elysia } from 'elysia'
import { createProductOrder } from '../operations/create-product-order.ts'
import { loadProductCheckout } from '../operations/load-product-checkout.ts'
import type { World } from '../operations/world.ts'
import * as docs from './docs/checkout-products.ts'
import { success } from './envelope.ts'
import { open } from './gate.ts'
import { nextPath, presentProductCheckout } from './present/product-checkout.ts'
import type { RateLimit } from './rate-limit.ts'
import { CreateProductOrder, ProductParams } from './shapes/checkout-products.ts'

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
