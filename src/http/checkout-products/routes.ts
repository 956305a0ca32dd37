import { Elysia } from 'elysia'
import type { Context } from '../../operations/context.ts'
import { createProductOrder } from '../../operations/orders/create-from-product.ts'
import { loadProductCheckout } from '../../operations/products/load-checkout.ts'
import { presentProductCheckout, presentStartedOrder } from '../../present/product-checkout.ts'
import { publicRoute } from '../auth.ts'
import type { RateLimit } from '../rate-limit.ts'
import { respond } from '../respond.ts'
import * as docs from './openapi.ts'
import { CreateProductOrder, ProductParams } from './request.ts'

/** The public routes of a product, which need no API key. */
export const checkoutProducts = (context: Context, limit: RateLimit) =>
  new Elysia()
    .get(
      '/v1/checkout/products/:productUUID',
      async ({ params }) => {
        const checkout = await loadProductCheckout(context, params.productUUID)
        return respond(docs.readCheckoutProduct, presentProductCheckout(checkout, context.policy.checkoutUrl))
      },
      { ...publicRoute(limit, docs.readCheckoutProduct), params: ProductParams },
    )
    .post(
      '/v1/checkout/products/:productUUID/orders',
      async ({ body, params, set }) => {
        const { order } = await createProductOrder(context, params.productUUID, body)
        set.status = 201
        return respond(docs.startProductOrder, presentStartedOrder(order, context.policy.checkoutUrl))
      },
      { ...publicRoute(limit, docs.startProductOrder), params: ProductParams, body: CreateProductOrder },
    )
