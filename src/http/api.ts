import { Elysia } from 'elysia'
import type { Context } from '../operations/context.ts'
import { checkoutProducts } from './checkout-products/routes.ts'
import { events } from './events/routes.ts'
import { health } from './health/routes.ts'
import { orders } from './orders/routes.ts'
import { paymentMethods } from './payment-methods/routes.ts'
import { products } from './products/routes.ts'
import type { RateLimit } from './rate-limit.ts'
import { refunds } from './refunds/routes.ts'
import { testOrders } from './test-orders/routes.ts'
import { transactions } from './transactions/routes.ts'
import { wallet } from './wallet/routes.ts'
import { webhook } from './webhook/routes.ts'
import { webhooks } from './webhooks/routes.ts'

/** The routes for programs, which the OpenAPI document describes. */
export const api = (context: Context, limit: RateLimit) =>
  new Elysia()
    .use(health(context))
    .use(orders(context))
    .use(testOrders(context))
    .use(refunds(context))
    .use(transactions(context))
    .use(events(context))
    .use(products(context))
    .use(wallet(context))
    .use(webhook(context))
    .use(webhooks(context))
    .use(paymentMethods(context))
    .use(checkoutProducts(context, limit))
