import { Elysia } from 'elysia'
import { receiptPage } from '../../../views/receipt/page.ts'
import { isLive } from '../../domain/test-shop.ts'
import type { Context } from '../../operations/context.ts'
import { loadReceipt } from '../../operations/orders/load-receipt.ts'
import { presentReceipt } from '../../present/receipt.ts'
import type { PageExtras } from '../extras.ts'
import { frameOf } from './assets.ts'
import { shopHeaders } from './headers.ts'
import { languageCookie, languageHeaders, localeOf } from './language.ts'
import { OrderParams } from './request.ts'

/** The receipt of an order. Redirects to the payment page until the order is paid, and for test orders. */
export const receiptPages = (context: Context, extras: PageExtras) =>
  new Elysia().get(
    '/pay/:orderUUID/receipt',
    async ({ params, redirect, request, set }) => {
      const locale = localeOf(request)
      const receipt = await loadReceipt(context, params.orderUUID)
      if (receipt === null || !isLive(receipt.order)) return redirect(`/pay/${params.orderUUID}`, 303)
      const { checkoutUrl } = context.policy
      const asset = (id: string) => context.networks.asset(id)
      const model = presentReceipt(locale, receipt, { ...extras, asset, checkoutUrl })
      const cookie = languageCookie(request, context.policy.checkoutUrl)
      const headers = shopHeaders({
        style: model.shop.style,
        imageUrl: null,
        embedOrigins: model.shop.embedOrigins,
      })
      Object.assign(set.headers, headers, languageHeaders(locale), cookie)
      return receiptPage(locale, model, frameOf(extras))
    },
    { params: OrderParams },
  )
