import { createHash } from 'node:crypto'
import { Elysia } from 'elysia'
import { checkoutPage, checkoutPart } from '../../../views/checkout/page.ts'
import type { Attempt } from '../../domain/attempt.ts'
import type { Context } from '../../operations/context.ts'
import { checkNow } from '../../operations/payments/check-now.ts'
import { offerMethods } from '../../operations/payments/list-offers.ts'
import { type Checkout, loadCheckout } from '../../operations/payments/load-checkout.ts'
import { openCryptoAttempt } from '../../operations/payments/open-crypto.ts'
import { presentStatus } from '../../present/attempt.ts'
import { type CheckoutContext, presentCheckout, showsChoice } from '../../present/checkout.ts'
import { formBody } from '../auth.ts'
import { success } from '../envelope.ts'
import { wantsPage } from '../request-state.ts'
import { assetPaths } from './assets.ts'
import { pageHeaders } from './headers.ts'
import { CheckoutQuery, OpenCrypto, OrderParams, StatusQuery } from './request.ts'

/** What the sandbox adds to a page. */
export interface PageExtras {
  notice: string | null
  faucetUrl(attempt: Attempt): string | null
}

type Query = { choose?: string | undefined; qr?: 'uri' | 'address' | undefined }

async function modelOf(context: Context, extras: PageExtras, checkout: Checkout, query: Query) {
  const pageContext: CheckoutContext = {
    now: context.clock(),
    asset: id => context.networks.asset(id),
    faucetUrl: extras.faucetUrl,
    remainingUri(attempt, remaining) {
      const asset = context.networks.asset(attempt.assetId)
      const { name } = checkout.merchant
      return asset
        ? context.networks.uri(asset, attempt.address ?? '', remaining, name)
        : (attempt.paymentUri ?? '')
    },
    choose: query.choose === undefined ? null : Number(query.choose),
    qr: query.qr ?? 'uri',
  }
  const offers = showsChoice(checkout, pageContext)
    ? await offerMethods(context, checkout.order, checkout)
    : null
  const model = presentCheckout(checkout, offers, pageContext)
  const { now: _, ...stable } = model
  const fingerprint = createHash('sha256').update(JSON.stringify(stable)).digest('base64url').slice(0, 16)
  return { model, refresh: { query: queryString(query), fingerprint } }
}

const queryString = ({ choose, qr }: Query): string =>
  new URLSearchParams({
    ...(choose !== undefined && { choose }),
    ...(qr && { qr }),
  }).toString()

/** Checks for payments while the page is open; the page does not wait for it. */
function checkInBackground(context: Context, checkout: Checkout): void {
  checkNow(context, checkout).catch(error =>
    context.log.error({ error: String(error) }, 'payment.check.failed'),
  )
}

export const checkoutPages = (context: Context, extras: PageExtras) =>
  new Elysia()
    .get(
      '/pay/:orderUUID',
      async ({ params, query, set }) => {
        const checkout = await loadCheckout(context, params.orderUUID)
        const { model, refresh } = await modelOf(context, extras, checkout, query)
        Object.assign(set.headers, pageHeaders)
        checkInBackground(context, checkout)
        return checkoutPage(model, refresh, assetPaths, extras.notice)
      },
      { params: OrderParams, query: CheckoutQuery },
    )
    .get(
      '/pay/:orderUUID/status',
      async ({ params, query, request, set, redirect }) => {
        const checkout = await loadCheckout(context, params.orderUUID)
        checkInBackground(context, checkout)
        set.headers['cache-control'] = 'no-store'
        if (!request.headers.has('hx-request')) {
          return wantsPage(request)
            ? redirect(`/pay/${params.orderUUID}`, 303)
            : success(presentStatus(checkout))
        }
        const { model, refresh } = await modelOf(context, extras, checkout, query)
        if (query.seen === refresh.fingerprint) {
          set.status = 204
          return
        }
        Object.assign(set.headers, pageHeaders)
        return checkoutPart(model, refresh).toString()
      },
      { params: OrderParams, query: StatusQuery },
    )
    .post(
      '/pay/:orderUUID/crypto',
      async ({ body, params, redirect }) => {
        await openCryptoAttempt(context, params.orderUUID, body.asset)
        return redirect(`/pay/${params.orderUUID}`, 303)
      },
      { ...formBody, params: OrderParams, body: OpenCrypto },
    )
    .post(
      '/pay/:orderUUID/check',
      async ({ params, redirect }) => {
        await checkNow(context, await loadCheckout(context, params.orderUUID))
        return redirect(`/pay/${params.orderUUID}`, 303)
      },
      { parse: 'none', params: OrderParams },
    )
