import { Elysia } from 'elysia'
import type { CheckoutModel } from '../../../views/checkout/model.ts'
import { checkoutPage, checkoutPart } from '../../../views/checkout/page.ts'
import { Refusal } from '../../domain/errors.ts'
import { type AddressReason, addressReasons } from '../../domain/reason.ts'
import { isLive } from '../../domain/test-shop.ts'
import type { Context } from '../../operations/context.ts'
import { askElsewhere } from '../../operations/elsewhere/ask.ts'
import { recordOpening } from '../../operations/orders/record-opening.ts'
import { checkNow, startCheck } from '../../operations/payments/check-now.ts'
import { blindSince } from '../../operations/payments/failed-checks.ts'
import { leaveRefundAddress } from '../../operations/payments/leave-refund-address.ts'
import {
  loadCheckout,
  loadPaymentStatus,
  type PaymentStatus,
  requirePublicOrder,
} from '../../operations/payments/load-checkout.ts'
import { openCryptoAttempt } from '../../operations/payments/open-crypto.ts'
import { presentStatus } from '../../present/attempt.ts'
import { formBody } from '../auth.ts'
import { readAnyForm } from '../body.ts'
import { success } from '../envelope.ts'
import type { PageExtras } from '../extras.ts'
import type { RateLimit } from '../rate-limit.ts'
import { wantsPage, wantsPart } from '../request-state.ts'
import { waitBriefly } from '../wait-briefly.ts'
import { frameOf } from './assets.ts'
import { checkedParameter, chosenBy, modelOf, refusedParameter, statusContext } from './checkout-model.ts'
import { shopHeaders } from './headers.ts'
import { languageCookie, languageHeaders, localeOf } from './language.ts'
import { choiceCookie } from './last-choice.ts'
import {
  CheckNow,
  CheckoutQuery,
  LeaveRefundAddress,
  OpenCrypto,
  OrderParams,
  StatusQuery,
} from './request.ts'
import { UnchangedPages } from './unchanged.ts'
import { choiceWithout } from './unreached.ts'

const headersOf = ({ shop, item }: CheckoutModel): Record<string, string> =>
  shopHeaders({
    style: shop.style,
    imageUrl: item?.imageUrl ?? null,
    embedOrigins: shop.embedOrigins,
  })

/**
 * Extra cost of opening a payment while an account's addresses are scarce: a client can then open two per
 * minute.
 */
const SCARCE_COST = 9
/** The seconds after which a script may repeat a check that was left to a later scan. */
const LATER_SECONDS = 5
/** Time that a status request waits for the check that it starts. */
const CHECK_WAIT_MS = 1500
/** Max time that a check on demand may take. The server closes silent connections after 30 seconds. */
const DEMAND_WAIT_MS = 8000

/** Checks for payments because a page is open. Never throws. Returns null if no check is due. */
const check = (context: Context, payments: PaymentStatus, why: 'page' | 'demand'): Promise<void> | null =>
  startCheck(context, payments, why)?.catch(error => {
    if (!context.stopping.aborted) context.log.error({ error: String(error) }, 'payment.check.failed')
  }) ?? null

/** Returns the state after a check, or before it if no check is due or the check takes too long. */
async function checkBriefly<T extends PaymentStatus>(
  context: Context,
  load: () => Promise<T>,
  why: 'page' | 'demand',
): Promise<T> {
  const payments = await load()
  const checked = check(context, payments, why)
  if (checked === null) return payments
  await waitBriefly(checked, CHECK_WAIT_MS, context.stopping)
  return load()
}

/** Saves a refund address. Returns the reason if it is refused, or null. */
async function refusalOf(
  context: Context,
  orderId: string,
  attemptId: string,
  address: string,
): Promise<AddressReason | null> {
  try {
    await leaveRefundAddress(context, orderId, attemptId, address)
    return null
  } catch (error) {
    const reason =
      error instanceof Refusal ? addressReasons.find(kind => kind === error.reason?.kind) : undefined
    if (reason === undefined) throw error
    return reason
  }
}

/** True for a page that a person opens; false for a page that a browser prefetches. */
const isOpenedBy = ({ method, headers }: Request): boolean =>
  method === 'GET' && !headers.get('sec-purpose')?.startsWith('prefetch')

/**
 * The forms of a checkout page. If an address is refused, it stays in the browser, where it can be corrected.
 */
const checkoutForms = (context: Context, extras: PageExtras, limit: RateLimit) => {
  const admit = async ({ orderUUID }: { orderUUID: string }, request: Request) => {
    limit(request)
    await requirePublicOrder(context, orderUUID)
  }
  return new Elysia()
    .post(
      '/pay/:orderUUID/crypto',
      async ({ body, params, redirect, request, set }) => {
        const { tag } = localeOf(request)
        const onScarce = () => limit(request, SCARCE_COST)
        try {
          await openCryptoAttempt(context, params.orderUUID, body.asset, { language: tag, onScarce })
        } catch (error) {
          if (!wantsPage(request)) throw error
          return redirect(await choiceWithout(context, params.orderUUID, body.asset, error), 303)
        }
        Object.assign(set.headers, choiceCookie(body.asset, context.policy.checkoutUrl))
        return redirect(`/pay/${params.orderUUID}`, 303)
      },
      { ...formBody(OrderParams, admit), body: OpenCrypto },
    )
    .get('/pay/:orderUUID/crypto', ({ params, redirect }) => redirect(`/pay/${params.orderUUID}`, 303), {
      params: OrderParams,
    })
    .post(
      '/pay/:orderUUID/refund-address',
      async ({ body, params, redirect, request, set }) => {
        const locale = localeOf(request)
        const { attempt, address } = body
        const refusal = await refusalOf(context, params.orderUUID, attempt, address)
        if (refusal === null) return redirect(`/pay/${params.orderUUID}`, 303)
        const checkout = await loadCheckout(context, params.orderUUID)
        const query = { ...chosenBy(request), refused: refusedParameter(attempt, refusal) }
        const { model, refresh } = await modelOf(locale, context, extras, checkout, query, true)
        Object.assign(set.headers, headersOf(model), languageHeaders(locale))
        set.status = 400
        return checkoutPage(locale, model, refresh, frameOf(extras))
      },
      { ...formBody(OrderParams, admit), body: LeaveRefundAddress },
    )
}

const withQuery = (url: string, parameters: Record<string, unknown>): string => {
  const given = Object.entries(parameters).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string',
  )
  return given.length === 0 ? url : `${url}?${new URLSearchParams(given)}`
}

const checkedLater = (): Refusal =>
  new Refusal(
    'rate_limited',
    'Too many checks at once, or a slow network. The payment will be checked soon: try again then.',
    { retryAfterSeconds: LATER_SECONDS },
  )

/**
 * Checks for payments on demand. Returns the time up to which they are known; null if the check takes longer.
 */
async function checkOnDemand(
  context: Context,
  payments: PaymentStatus,
  isSandbox: boolean,
): Promise<number | null> {
  let checkedAt: number | null = null
  const checked = checkNow(context, payments, isSandbox ? 'sandbox' : 'demand').then(at => {
    checkedAt = at
  })
  await waitBriefly(checked, DEMAND_WAIT_MS, context.stopping)
  return checkedAt
}

/** The route of the button that checks for a payment now, and on other networks of the same address. */
const checkForm = (context: Context, extras: PageExtras) =>
  new Elysia().post(
    '/pay/:orderUUID/check',
    async ({ body, params, query, redirect, request, set }) => {
      const locale = localeOf(request)
      const payments = await loadCheckout(context, params.orderUUID)
      if (body.elsewhere === '1') await askElsewhere(context, payments)
      const checkedAt = await checkOnDemand(context, payments, extras.isSandbox)
      const checked = checkedParameter(checkedAt, context.clock())
      if (!wantsPart(request)) {
        const url = `/pay/${params.orderUUID}`
        // Only pages show when the payment was checked; scripts get the plain URL.
        if (wantsPage(request)) return redirect(withQuery(url, { checked, first: query.first }), 303)
        if (checkedAt === null) throw checkedLater()
        return redirect(url, 303)
      }
      const checkout = await loadCheckout(context, params.orderUUID)
      const { model, refresh } = await modelOf(locale, context, extras, checkout, {
        ...query,
        ...chosenBy(request),
        checked,
      })
      Object.assign(set.headers, headersOf(model), languageHeaders(locale))
      return checkoutPart(locale, model, refresh).toString()
    },
    {
      parse: ({ request }) => readAnyForm(request),
      params: OrderParams,
      query: CheckoutQuery,
      body: CheckNow,
    },
  )

export const checkoutPages = (context: Context, extras: PageExtras, limit: RateLimit) => {
  const unchanged = new UnchangedPages(attempt => blindSince(context, attempt, context.clock()))
  return new Elysia()
    .use(checkoutForms(context, extras, limit))
    .use(checkForm(context, extras))
    .get(
      '/pay/:orderUUID',
      async ({ params, query, redirect, request, set }) => {
        const locale = localeOf(request)
        const checkout = await loadCheckout(context, params.orderUUID)
        if (!isLive(checkout.order)) return redirect(`/pay/${checkout.order.id}/test`, 303)
        const { model, refresh } = await modelOf(locale, context, extras, checkout, {
          ...query,
          ...chosenBy(request),
        })
        const cookie = languageCookie(request, context.policy.checkoutUrl)
        Object.assign(set.headers, headersOf(model), languageHeaders(locale), cookie)
        void check(context, checkout, 'page')
        if (isOpenedBy(request)) void recordOpening(context, checkout.order)
        return checkoutPage(locale, model, refresh, frameOf(extras))
      },
      { params: OrderParams, query: CheckoutQuery },
    )
    .get(
      // The page to which a provider sends a buyer who has paid. The callback may be late, so the provider is
      // asked.
      '/pay/:orderUUID/return',
      async ({ params, redirect, set }) => {
        set.headers['cache-control'] = 'no-store'
        const checked = check(context, await loadPaymentStatus(context, params.orderUUID), 'demand')
        if (checked !== null) await waitBriefly(checked, DEMAND_WAIT_MS, context.stopping)
        return redirect(`/pay/${params.orderUUID}`, 303)
      },
      { params: OrderParams },
    )
    .get(
      '/pay/:orderUUID/status',
      async ({ params, query, request, set, redirect }) => {
        const { orderUUID } = params
        set.headers['cache-control'] = 'no-store'
        if (!wantsPart(request) && !wantsPage(request)) {
          const load = () => loadPaymentStatus(context, orderUUID)
          const status = await checkBriefly(context, load, 'demand')
          return success(presentStatus(status, statusContext(context, status)))
        }
        const payments = await checkBriefly(context, () => loadPaymentStatus(context, orderUUID), 'page')
        if (!wantsPart(request)) return redirect(`/pay/${orderUUID}`, 303)
        const { seen, checked } = query
        if (seen !== undefined && unchanged.has(seen, payments, context.clock())) {
          set.status = 204
          return
        }
        const checkout = await loadCheckout(context, orderUUID)
        const locale = localeOf(request)
        const { model, refresh } = await modelOf(locale, context, extras, checkout, {
          ...query,
          ...chosenBy(request),
        })
        if (seen === refresh.fingerprint) {
          // A page with `checked` shows when it was checked, so it changes with every check.
          if (checked === undefined) unchanged.note(seen, checkout, context.clock())
          set.status = 204
          return
        }
        Object.assign(set.headers, headersOf(model), languageHeaders(locale))
        return checkoutPart(locale, model, refresh).toString()
      },
      { params: OrderParams, query: StatusQuery },
    )
}
