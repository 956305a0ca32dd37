import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { newShopBody } from '../../../views/dashboard/new-shop.ts'
import { Refusal } from '../../domain/errors.ts'
import { createMerchant } from '../../operations/merchants/create.ts'
import { skipStep } from '../../operations/merchants/setup.ts'
import { createOrder } from '../../operations/orders/create.ts'
import { offerMethods } from '../../operations/payments/list-offers.ts'
import { loadCheckout } from '../../operations/payments/load-checkout.ts'
import { openCryptoAttempt } from '../../operations/payments/open-crypto.ts'
import { provisionAttempt } from '../../operations/payments/open-provider.ts'
import { chooseShop } from '../../operations/people/visit.ts'
import { requestId } from '../request-state.ts'
import { personOf, requirePerson, requireProof, type ShopVisit, shopOf } from './access.ts'
import type { DashboardDeps } from './deps.ts'
import { renderPage, type Settable } from './page.ts'
import { problemText, refusalOf, refusedFields } from './problem.ts'

const text = Type.String({ maxLength: 254 })
const ShopForm = Type.Object({ name: text, email: text })
const StepForm = Type.Object({ step: Type.String({ maxLength: 20 }) })

/** What an order in the sandbox costs; no money moves. */
const testOrder = {
  amount: '1.00',
  currency: 'USD',
  paymentMethodsKeys: ['*'],
  customer: { email: 'test@example.com', fullName: 'Test' },
  description: 'Test',
}

/**
 * Creates an order and pays it, in the sandbox alone. Returns null if the shop has nowhere yet that money can
 * go.
 */
async function payTestOrder(
  { simulatePayment }: DashboardDeps,
  { context, merchant }: ShopVisit,
): Promise<string | null> {
  if (!simulatePayment) throw new Refusal('not_found')
  let paid: string | null = null
  const refusal = await refusalOf(async () => {
    const { order } = await createOrder(context, merchant.id, testOrder)
    const checkout = await loadCheckout(context, order.id)
    const { assets, methods } = await offerMethods(context, order, checkout)
    const [coin, card] = [assets[0], methods[0]]
    if (coin) await openCryptoAttempt(context, order.id, coin.asset.id)
    else if (card) await provisionAttempt(context, order.id, card.method.key)
    else return
    await simulatePayment(order.id)
    paid = order.id
  })
  const isNotSetUp = refusal?.code === 'crypto_not_configured' || refusal?.code === 'payout_wallet_required'
  if (refusal && !isNotSetUp) throw refusal
  return paid
}

/** Creates shops, and sets up a new one. */
export const setupPages = (deps: DashboardDeps) => {
  const { context } = deps
  const show = (
    request: Request,
    set: Settable,
    values: { name: string; email: string },
    refusal: Refusal | null,
  ) =>
    renderPage(deps, request, set, locale => {
      const wrong = refusal ? refusedFields(refusal) : []
      const { newShop } = locale.texts
      const other = refusal?.code === 'conflict' ? newShop.taken : refusal && problemText(locale, refusal)
      return {
        title: newShop.title,
        body: newShopBody(locale, { values, wrong, problem: wrong.length === 0 ? other : null }),
      }
    })
  return new Elysia()
    .get(
      '/dashboard/setup',
      async ({ request, set }) => {
        const { user } = await personOf(context, request)
        return show(request, set, { name: '', email: user.email }, null)
      },
      requirePerson(context, 'operator'),
    )
    .post(
      '/dashboard/setup',
      async ({ body, redirect, request, set }) => {
        const visit = await personOf(context, request)
        const origin = { actor: `user:${visit.user.id}`, requestId: requestId(request) } as const
        let created = ''
        const refusal = await refusalOf(async () => {
          created = (
            await createMerchant({ ...context, origin }, { name: body.name, email: body.email.trim() })
          ).id
        })
        if (refusal) {
          set.status = refusal.status
          return show(request, set, body, refusal)
        }
        await chooseShop(context, visit, created)
        return redirect('/dashboard', 303)
      },
      { ...requireProof(deps, 'operator'), body: ShopForm },
    )
    .post(
      '/dashboard/setup/skip',
      async ({ body, redirect, request }) => {
        const { merchant } = await shopOf(context, request)
        await skipStep(context, merchant.id, body.step, true)
        return redirect('/dashboard', 303)
      },
      { ...requirePerson(context, 'owner'), body: StepForm },
    )
    .post(
      '/dashboard/setup/resume',
      async ({ body, redirect, request }) => {
        const { merchant } = await shopOf(context, request)
        await skipStep(context, merchant.id, body.step, false)
        return redirect('/dashboard', 303)
      },
      { ...requirePerson(context, 'owner'), body: StepForm },
    )
    .post(
      '/dashboard/setup/payment',
      async ({ redirect, request }) => {
        const shop = await shopOf(context, request)
        const id = await payTestOrder(deps, shop)
        return redirect(id === null ? '/dashboard/payouts' : `/dashboard/orders/${id}`, 303)
      },
      requirePerson(context, 'owner'),
    )
}
