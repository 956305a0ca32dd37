import { Elysia } from 'elysia'
import { testOrderPage } from '../../../views/test-order/page.ts'
import type { Context } from '../../operations/context.ts'
import { loadTestCheckout, playTestPayment } from '../../operations/testing/play.ts'
import { presentTestOrder } from '../../present/test-order.ts'
import { formBody } from '../auth.ts'
import type { PageExtras } from '../extras.ts'
import type { RateLimit } from '../rate-limit.ts'
import { frameOf } from './assets.ts'
import { shopHeaders } from './headers.ts'
import { languageCookie, languageHeaders, localeOf } from './language.ts'
import { OrderParams, PlayTestPayment } from './request.ts'

/** The page on which test orders are paid. A live order has no such page. */
export const testOrderPages = (context: Context, extras: PageExtras, limit: RateLimit) =>
  new Elysia()
    .get(
      '/pay/:orderUUID/test',
      async ({ params, request, set }) => {
        const locale = localeOf(request)
        const checkout = await loadTestCheckout(context, params.orderUUID)
        const model = presentTestOrder(locale, checkout, context.policy.checkoutUrl)
        const { style, embedOrigins } = model.shop
        const cookie = languageCookie(request, context.policy.checkoutUrl)
        const headers = shopHeaders({ style, imageUrl: null, embedOrigins })
        Object.assign(set.headers, headers, languageHeaders(locale), cookie)
        return testOrderPage(locale, model, frameOf(extras))
      },
      { params: OrderParams },
    )
    .post(
      '/pay/:orderUUID/test',
      async ({ body, params, redirect, request }) => {
        await playTestPayment(context, params.orderUUID, body.outcome, localeOf(request).tag)
        return redirect(`/pay/${params.orderUUID}/test`, 303)
      },
      {
        ...formBody(OrderParams, async ({ orderUUID }, request) => {
          limit(request)
          await loadTestCheckout(context, orderUUID)
        }),
        body: PlayTestPayment,
      },
    )
