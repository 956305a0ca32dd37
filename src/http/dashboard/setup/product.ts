import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { guideProductBody, type SaleKind } from '../../../../views/dashboard/guide-product.ts'
import type { DashboardLocale } from '../../../../views/dashboard/locale.ts'
import { NO_EMAIL } from '../../../domain/customer.ts'
import { invalid, type Refusal } from '../../../domain/errors.ts'
import { ANY } from '../../../domain/payment-methods.ts'
import { createOrder } from '../../../operations/orders/create.ts'
import { findFirstSale } from '../../../operations/overview/setup.ts'
import { createProductOnce } from '../../../operations/products/create-once.ts'
import { productCheckoutUrl } from '../../../present/product-checkout.ts'
import { qrSvg } from '../../../present/qr.ts'
import { CreateOrder } from '../../orders/request.ts'
import { withPoint } from '../../pages/product-form.ts'
import { UpsertProducts } from '../../products/request.ts'
import { requirePerson, type ShopVisit, shopOf } from '../access.ts'
import { currencyChoices } from '../choices.ts'
import type { DashboardDeps } from '../deps.ts'
import { checkForm, tokenAfter } from '../fields.ts'
import { dashboardLocaleOf, renderPage, type Settable } from '../page.ts'
import { problemText, refusalOf, refusedFields } from '../problem.ts'
import { usualCurrency } from '../usual-currency.ts'
import { guideOf, stepUrl } from './guide.ts'

const PATH = stepUrl('product')
const text = Type.String({ maxLength: 2048 })
const Form = Type.Object({ kind: text, what: text, amount: text, currency: text, token: text })
type Entered = (typeof Form)['static']

const WHAT_MAX = 120

/** A payment link is an order without a product. */
async function makeLink({ context, merchant }: ShopVisit, entered: Entered, terms: object): Promise<void> {
  const order = { ...terms, description: entered.what.trim(), customer: { email: NO_EMAIL } }
  checkForm(CreateOrder, order)
  await createOrder(
    context,
    merchant.id,
    order as Parameters<typeof createOrder>[2],
    `dashboard:${entered.token}`,
  )
}

async function make(shop: ShopVisit, entered: Entered): Promise<void> {
  const what = entered.what.trim()
  if (what === '' || [...what].length > WHAT_MAX)
    throw invalid('what', `must have 1 to ${WHAT_MAX} characters`)
  const amount = withPoint(entered.amount)
  const terms = { amount, currency: entered.currency.trim().toUpperCase(), paymentMethodsKeys: [ANY] }
  if (entered.kind === 'link') return makeLink(shop, entered, terms)
  const product = {
    productUUID: entered.token,
    name: what,
    allowPriceOverride: false,
    orderTemplate: terms,
  }
  checkForm(UpsertProducts, { items: [product] })
  await createProductOnce(shop.context, shop.merchant.id, product)
}

/** What there is to sell already. */
async function madeBy({ context, merchant }: ShopVisit, { money }: DashboardLocale) {
  const { product, order } = await findFirstSale(context, merchant.id)
  const { checkoutUrl } = context.policy
  if (product) {
    const url = productCheckoutUrl(product.id, checkoutUrl)
    return { kind: 'product' as const, name: product.name, url, qr: qrSvg(url) }
  }
  if (!order) return null
  const url = `${checkoutUrl}/pay/${order.id}`
  const name = order.description ?? money(order)
  return { kind: 'link' as const, name, url, qr: qrSvg(url) }
}

const noWallet = ['crypto_not_configured', 'payout_wallet_required']

/** The step that makes the first product or payment link. */
export const productStep = (deps: DashboardDeps) => {
  const { context } = deps
  async function show(request: Request, set: Settable, entered: Entered | null, refusal: Refusal | null) {
    const shop = await shopOf(context, request)
    const guide = await guideOf(shop, 'product')
    const made = await madeBy(shop, dashboardLocaleOf(request, shop))
    const currency = entered?.currency ?? (await usualCurrency(shop, 'products'))
    const kind: SaleKind = entered?.kind === 'link' ? 'link' : 'product'
    const wrong = refusal ? refusedFields(refusal).map(path => path.split('/').at(-1) ?? '') : []
    const needsWallet = refusal !== null && noWallet.includes(refusal.code)
    if (refusal) set.status = refusal.status
    return renderPage(deps, request, set, locale => ({
      title: locale.texts.setup.product.title,
      body: guideProductBody(locale, guide, {
        values: { kind, what: entered?.what ?? '', amount: entered?.amount ?? '', currency },
        currencies: currencyChoices(locale),
        token: entered ? tokenAfter(context, refusal, entered.token) : context.ids.uuid(),
        wrong,
        problem: refusal && wrong.length === 0 && !needsWallet ? problemText(locale, refusal) : null,
        needsWallet,
        // A person who went back to the form sees it again, although there is something to sell.
        made: refusal?.code === 'idempotency_key_reused' ? null : made,
      }),
    }))
  }
  return new Elysia()
    .get(PATH, ({ request, set }) => show(request, set, null, null), requirePerson(context, 'owner'))
    .post(
      PATH,
      async ({ body, redirect, request, set }) => {
        const shop = await shopOf(context, request)
        const refusal = await refusalOf(() => make(shop, body))
        return refusal ? show(request, set, body, refusal) : redirect(PATH, 303)
      },
      { ...requirePerson(context, 'owner'), body: Form },
    )
}
