import {
  type GuidePaymentModel,
  guidePaymentBody,
  triedOrder,
} from '../../../../views/dashboard/guide-payment.ts'
import { html } from '../../../../views/html.ts'
import { currencyDecimals } from '../../../domain/currency.ts'
import { NO_EMAIL } from '../../../domain/customer.ts'
import type { Refusal } from '../../../domain/errors.ts'
import { ANY } from '../../../domain/payment-methods.ts'
import { createOrder } from '../../../operations/orders/create.ts'
import { findTriedOrder, TRIED_ORDER } from '../../../operations/overview/setup.ts'
import { listPayLacks } from '../../../operations/payments/can-pay.ts'
import { checkOrder } from '../../../operations/payments/check-order.ts'
import { offerMethods } from '../../../operations/payments/list-offers.ts'
import { loadCheckout } from '../../../operations/payments/load-checkout.ts'
import { openCryptoAttempt } from '../../../operations/payments/open-crypto.ts'
import { provisionAttempt } from '../../../operations/payments/open-provider.ts'
import { CreateOrder } from '../../orders/request.ts'
import { withPoint } from '../../pages/product-form.ts'
import { checkForm, FormFields } from '../fields.ts'
import { form, page, part, type Route } from '../kit.ts'
import type { View } from '../page.ts'
import { lookFor, payableOf } from '../payable.ts'
import { problemText, refusedFields } from '../problem.ts'
import type { ShopVisit } from '../visit.ts'
import { guideOf, stepUrl } from './guide.ts'

const PATH = stepUrl('payment')

const currencyOf = ({ merchant }: ShopVisit): string => merchant.currency ?? 'USD'

/** An amount that is enough to be accepted, and little enough to be spent on a try: "1.00", or "100" yen. */
function smallAmount(currency: string): string {
  const decimals = currencyDecimals(currency) ?? 2
  return decimals === 0 ? '100' : `1.${'0'.repeat(decimals)}`
}

/** Creates an order to try the shop with. Its number distinguishes it from the orders of buyers. */
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

/** Pays an order in the sandbox, with the first method that it offers. */
async function payInSandbox({ context, deps }: ShopVisit, id: string) {
  const checkout = await loadCheckout(context, id)
  const { assets, methods } = await offerMethods(context, checkout.order, checkout)
  const [coin, card] = [assets[0], methods[0]]
  if (coin) await openCryptoAttempt(context, id, coin.asset.id)
  else if (card) await provisionAttempt(context, id, card.method.key)
  else return
  await deps.simulatePayment?.(id)
}

/** The newest order that was created to try the shop, and its state; null if there is no such order. */
async function triedOf({ context, merchant }: ShopVisit): Promise<GuidePaymentModel['order']> {
  const order = await findTriedOrder(context, merchant.id)
  return order && payableOf(context, order)
}

async function showStep(
  visit: ShopVisit,
  refused: { amount: string; refusal: Refusal } | null = null,
): Promise<View> {
  const guide = await guideOf(visit, 'payment')
  const order = await triedOf(visit)
  const isOpen = order !== null && order.state !== 'over'
  const payLacks = isOpen ? [] : await listPayLacks(visit.context, visit.merchant)
  const currency = currencyOf(visit)
  const refusal = refused?.refusal ?? null
  const isWrong = refusal !== null && refusedFields(refusal).some(path => path.endsWith('amount'))
  return locale => ({
    title: locale.texts.setup.payment.title,
    body: guidePaymentBody(locale, guide, {
      isSandbox: visit.deps.isSandbox,
      order,
      amount: refused?.amount ?? smallAmount(currency),
      currency,
      isWrong,
      problem: refusal && !isWrong && payLacks.length === 0 ? problemText(locale, refusal) : null,
      payLacks,
    }),
  })
}

/** The amount of the order that tries the shop. In the sandbox, it is fixed. */
const amountOf = (visit: ShopVisit, entered = ''): string =>
  visit.deps.isSandbox ? smallAmount(currencyOf(visit)) : entered

/**
 * The step in which a person sees how a buyer pays: with play money in the sandbox, or with a small amount.
 */
export const paymentRoutes: readonly Route[] = [
  page({ path: PATH, access: 'owner', show: visit => showStep(visit) }),
  part({
    path: `${PATH}/part`,
    access: 'owner',
    async show(visit) {
      const { context } = visit
      const known = await triedOf(visit)
      if (!known) return () => html``
      await lookFor(context, known.id)
      const { nextUrl } = await guideOf(visit, 'payment')
      return locale => triedOrder(locale, known, nextUrl)
    },
  }),
  form({
    path: PATH,
    access: 'owner',
    fields: FormFields,
    async run(visit) {
      const state = (await triedOf(visit))?.state
      if (state === 'waiting' || state === 'seen') return
      const id = await createTried(visit, withPoint(amountOf(visit, visit.body.amount)))
      if (visit.deps.isSandbox) await payInSandbox(visit, id)
    },
    done: PATH,
    refused: (refusal, visit) => showStep(visit, { amount: amountOf(visit, visit.body.amount), refusal }),
  }),
  form({
    path: `${PATH}/check`,
    access: 'owner',
    async run(visit) {
      const known = await triedOf(visit)
      if (known) await checkOrder(visit.context, known.id)
    },
    done: PATH,
  }),
]
