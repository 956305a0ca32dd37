import { Elysia } from 'elysia'
import {
  type GuidePaymentModel,
  guidePaymentBody,
  triedOrder,
} from '../../../../views/dashboard/guide-payment.ts'
import { currencyDecimals } from '../../../domain/currency.ts'
import { NO_EMAIL } from '../../../domain/customer.ts'
import type { Refusal } from '../../../domain/errors.ts'
import { ANY } from '../../../domain/payment-methods.ts'
import { createOrder } from '../../../operations/orders/create.ts'
import { findTriedOrder, TRIED_ORDER } from '../../../operations/overview/setup.ts'
import { startCheck } from '../../../operations/payments/check-now.ts'
import { checkOrder } from '../../../operations/payments/check-order.ts'
import { offerMethods } from '../../../operations/payments/list-offers.ts'
import { loadCheckout, loadPaymentStatus } from '../../../operations/payments/load-checkout.ts'
import { openCryptoAttempt } from '../../../operations/payments/open-crypto.ts'
import { provisionAttempt } from '../../../operations/payments/open-provider.ts'
import { readPayouts } from '../../../operations/payments/read-payouts.ts'
import { qrSvg } from '../../../present/qr.ts'
import { CreateOrder } from '../../orders/request.ts'
import { withPoint } from '../../pages/product-form.ts'
import { requirePerson, type ShopVisit, shopOf } from '../access.ts'
import type { DashboardDeps } from '../deps.ts'
import { checkForm, FormFields } from '../fields.ts'
import { dashboardHeaders } from '../headers.ts'
import { methodNamesOf } from '../orders/rows.ts'
import { dashboardLocaleOf, renderPage, type Settable } from '../page.ts'
import { problemText, refusalOf, refusedFields } from '../problem.ts'
import { guideOf, stepUrl } from './guide.ts'

const PATH = stepUrl('payment')

const currencyOf = ({ merchant }: ShopVisit): string => merchant.currency ?? 'USD'

/** Enough to be accepted, and little enough to be spent on a try: "1.00", or "100" yen. */
function smallAmount(currency: string): string {
  const decimals = currencyDecimals(currency) ?? 2
  return decimals === 0 ? '100' : `1.${'0'.repeat(decimals)}`
}

/** An order to try the shop with. Its number keeps it apart from those of buyers. */
async function createTried(shop: ShopVisit, amount: string): Promise<string> {
  const { context, merchant } = shop
  const input = {
    amount,
    currency: currencyOf(shop),
    paymentMethodsKeys: [ANY],
    customer: { email: NO_EMAIL },
    externalId: TRIED_ORDER,
  }
  checkForm(CreateOrder, input)
  const { order } = await createOrder(context, merchant.id, input)
  return order.id
}

/** Pays an order in the sandbox, in the first way that it offers. */
async function payInSandbox({ simulatePayment }: DashboardDeps, { context }: ShopVisit, id: string) {
  const checkout = await loadCheckout(context, id)
  const { assets, methods } = await offerMethods(context, checkout.order, checkout)
  const [coin, card] = [assets[0], methods[0]]
  if (coin) await openCryptoAttempt(context, id, coin.asset.id)
  else if (card) await provisionAttempt(context, id, card.method.key)
  else return
  await simulatePayment?.(id)
}

type Tried = NonNullable<GuidePaymentModel['order']>

/** How the newest order to try stands; null if there is none. */
async function triedOf({ context, merchant }: ShopVisit): Promise<Tried | null> {
  const order = await findTriedOrder(context, merchant.id)
  if (!order) return null
  const { attempts } = await loadPaymentStatus(context, order.id)
  const isSeen = attempts.some(({ state }) => state === 'confirming' || state === 'underpaid')
  const url = `${context.policy.checkoutUrl}/pay/${order.id}`
  const open = isSeen ? 'seen' : 'waiting'
  return {
    id: order.id,
    sum: { amount: order.amount, currency: order.currency },
    state: order.status === 'PAID' ? 'paid' : order.status === 'UNPAID' ? open : 'over',
    paidAt: order.paidAt,
    url,
    qr: qrSvg(url),
  }
}

/** Why nobody could pay an order now. */
async function lackOf({ context, merchant }: ShopVisit): Promise<GuidePaymentModel['lacks']> {
  const states = await readPayouts(context, merchant)
  if (states.some(({ coins }) => coins.some(({ lacks }) => lacks.length === 0))) return null
  const hasCards = (await methodNamesOf(context, merchant.id)).size > 0
  if (hasCards && states.some(({ network, payoutAddress }) => network === 'evm' && payoutAddress)) return null
  return states.some(({ payoutAddress, sources }) => payoutAddress !== null || sources.length > 0)
    ? 'coins'
    : 'wallet'
}

interface Refused {
  amount: string
  refusal: Refusal
}

async function show(deps: DashboardDeps, request: Request, set: Settable, refused: Refused | null) {
  const shop = await shopOf(deps.context, request)
  const guide = await guideOf(shop, 'payment')
  const order = await triedOf(shop)
  const isOpen = order !== null && order.state !== 'over'
  const lacks = isOpen ? null : await lackOf(shop)
  const currency = currencyOf(shop)
  const refusal = refused?.refusal ?? null
  const isWrong = refusal !== null && refusedFields(refusal).some(path => path.endsWith('amount'))
  if (refusal) set.status = refusal.status
  return renderPage(deps, request, set, locale => ({
    title: locale.texts.setup.payment.title,
    body: guidePaymentBody(locale, guide, {
      isSandbox: deps.isSandbox,
      order,
      amount: refused?.amount ?? smallAmount(currency),
      currency,
      isWrong,
      problem: refusal && !isWrong && lacks === null ? problemText(locale, refusal) : null,
      lacks,
    }),
  }))
}

/** The step in which a person sees how a buyer pays: with play money in the sandbox, or with little. */
export const paymentStep = (deps: DashboardDeps) => {
  const { context } = deps
  const isOwner = requirePerson(context, 'owner')
  return new Elysia()
    .get(PATH, ({ request, set }) => show(deps, request, set, null), isOwner)
    .get(
      `${PATH}/part`,
      async ({ request, set }) => {
        const shop = await shopOf(context, request)
        const known = await triedOf(shop)
        const locale = dashboardLocaleOf(request, shop)
        Object.assign(set.headers, dashboardHeaders(request, context.policy.checkoutUrl, locale.tag))
        if (!known) return ''
        // As on the page of a buyer: a payment that somebody waits for is looked for.
        startCheck(context, await loadPaymentStatus(context, known.id), 'page')?.catch(error =>
          context.log.warn({ reason: String(error) }, 'dashboard.check.failed'),
        )
        const guide = await guideOf(shop, 'payment')
        return triedOrder(locale, known, guide.nextUrl).toString()
      },
      isOwner,
    )
    .post(
      PATH,
      async ({ body, redirect, request, set }) => {
        const shop = await shopOf(context, request)
        const isOpen = (await triedOf(shop))?.state
        if (isOpen === 'waiting' || isOpen === 'seen') return redirect(PATH, 303)
        const amount = deps.isSandbox ? smallAmount(currencyOf(shop)) : (body.amount ?? '')
        const refusal = await refusalOf(async () => {
          const id = await createTried(shop, withPoint(amount))
          if (deps.isSandbox) await payInSandbox(deps, shop, id)
        })
        return refusal ? show(deps, request, set, { amount, refusal }) : redirect(PATH, 303)
      },
      { ...isOwner, body: FormFields },
    )
    .post(
      `${PATH}/check`,
      async ({ redirect, request }) => {
        const shop = await shopOf(context, request)
        const known = await triedOf(shop)
        if (known) await checkOrder(context, known.id)
        return redirect(PATH, 303)
      },
      isOwner,
    )
}
