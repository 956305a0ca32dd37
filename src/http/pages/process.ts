import { Elysia } from 'elysia'
import { Refusal } from '../../domain/errors.ts'
import { ANY, CRYPTO, offersMethod, soleProvider } from '../../domain/payment-methods.ts'
import { isLive } from '../../domain/test-shop.ts'
import type { Context } from '../../operations/context.ts'
import { loadCheckout } from '../../operations/payments/load-checkout.ts'
import { provisionAttempt } from '../../operations/payments/open-provider.ts'
import type { RateLimit } from '../rate-limit.ts'
import { localeOf } from './language.ts'
import { choiceCookie } from './last-choice.ts'
import { OrderParams, ProcessQuery } from './request.ts'

/** Redirects the buyer to a provider's page. The URL of that page is never shown anywhere else. */
export const processPages = (context: Context, limit: RateLimit) =>
  new Elysia().get(
    '/payment/process/:orderUUID',
    async ({ params, query, redirect, request, set }) => {
      const { order } = await loadCheckout(context, params.orderUUID)
      const method = query.method ?? soleProvider(order.methodKeys)
      // Link previews send HEAD requests, which must not start a payment: they are redirected to the order's
      // page.
      const staysHere = !isLive(order) || method === null || method === CRYPTO || order.status !== 'UNPAID'
      if (staysHere || request.method === 'HEAD') return redirect(`/pay/${order.id}`, 303)
      if (method === ANY || !offersMethod(order.methodKeys, method)) throw new Refusal('method_not_offered')
      limit(request)
      const url = await provisionAttempt(context, order.id, method, localeOf(request).tag)
      if (url === null) return redirect(`/pay/${order.id}`, 303)
      set.headers['referrer-policy'] = 'no-referrer'
      set.headers['cache-control'] = 'no-store'
      Object.assign(set.headers, choiceCookie(method, context.policy.checkoutUrl))
      return redirect(url, 303)
    },
    { params: OrderParams, query: ProcessQuery },
  )
