import { Elysia } from 'elysia'
import type { World } from '../operations/world.ts'
import { checkoutProducts } from './checkout-products.ts'
import { events } from './events.ts'
import { health } from './health.ts'
import { orders } from './orders.ts'
import { paymentMethods } from './payment-methods.ts'
import { products } from './products.ts'
import type { RateLimit } from './rate-limit.ts'
import { refunds } from './refunds.ts'
import { transactions } from './transactions.ts'
import { wallet } from './wallet.ts'
import { webhook } from './webhook.ts'

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
