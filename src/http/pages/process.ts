import { Elysia } from 'elysia'
import { Refusal } from '../../domain/errors.ts'
import { ANY, CRYPTO, offersMethod, soleProvider } from '../../domain/payment-methods.ts'
import type { Context } from '../../operations/context.ts'
import { loadCheckout } from '../../operations/payments/load-checkout.ts'
import { provisionAttempt } from '../../operations/payments/open-provider.ts'
import { OrderParams, ProcessQuery } from './request.ts'

/**
 * Sends the buyer on to a provider's page. The one place where its URL is ever told, and only in the
 * redirect.
 */
export const processPages = (context: Context) =>
  new Elysia().get(
    '/payment/process/:orderUUID',
    async ({ params, query, redirect, request, set }) => {
      const { order } = await loadCheckout(context, params.orderUUID)
      const method = query.method ?? soleProvider(order.methodKeys)
      // A preview of the link asks by HEAD, and nobody pays by it.
      const isHere = method === null || method === CRYPTO || order.status !== 'UNPAID'
      if (isHere || request.method === 'HEAD') return redirect(`/pay/${order.id}`, 303)
      if (method === ANY || !offersMethod(order.methodKeys, method)) throw new Refusal('method_not_offered')
      const url = await provisionAttempt(context, order.id, method)
      set.headers['referrer-policy'] = 'no-referrer'
      set.headers['cache-control'] = 'no-store'
      return redirect(url, 303)
    },
    { params: OrderParams, query: ProcessQuery },
  )
