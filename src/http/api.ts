import { Elysia } from 'elysia'
import type { World } from '../operations/context.ts'
import { checkoutProducts } from './checkout-products/routes.ts'
import { events } from './events/routes.ts'
import { health } from './health/routes.ts'
import { orders } from './orders/routes.ts'
import { paymentMethods } from './payment-methods/routes.ts'
import { products } from './products/routes.ts'
import type { RateLimit } from './rate-limit.ts'
import { refunds } from './refunds/routes.ts'
import { transactions } from './transactions/routes.ts'
import { wallet } from './wallet/routes.ts'
import { webhook } from './webhook/routes.ts'

/** What programs ask: the routes that the OpenAPI document describes. */
export const api = (world: World, limit: RateLimit) =>
  new Elysia()
    .use(health(world))
    .use(orders(world))
    .use(refunds(world))
    .use(transactions(world))
    .use(events(world))
    .use(products(world))
    .use(wallet(world))
    .use(webhook(world))
    .use(paymentMethods(world))
    .use(checkoutProducts(world, limit))
