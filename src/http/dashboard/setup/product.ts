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
import { currencyChoices } from '../choices.ts'
import { checkForm, text, tokenAfter } from '../fields.ts'
import { form, page, type Route } from '../kit.ts'
import type { View } from '../page.ts'
import { problemText, refusedFields } from '../problem.ts'
import { usualCurrency } from '../usual-currency.ts'
import type { ShopVisit } from '../visit.ts'
import { guideOf, stepUrl } from './guide.ts'

const PATH = stepUrl('product')
const entry = text(2048)
const fields = { kind: entry, what: entry, amount: entry, currency: entry, token: entry }
type SaleForm = Record<keyof typeof fields, string>

const WHAT_MAX = 120

/** Creates a payment link, which is an order without a product. */
async function makeLink({ context, merchant }: ShopVisit, entered: SaleForm, terms: object): Promise<void> {
  const order = { ...terms, description: entered.what.trim(), customer: { email: NO_EMAIL } }
  checkForm(CreateOrder, order)
  await createOrder(
    context,
    merchant.id,
    order as Parameters<typeof createOrder>[2],
    `dashboard:${entered.token}`,
  )
}

async function make(shop: ShopVisit, entered: SaleForm): Promise<void> {
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

/** The product or payment link that the shop already has for sale. */
async function madeBy({ context, merchant }: ShopVisit) {
  const { product, order } = await findFirstSale(context, merchant.id)
  const { checkoutUrl } = context.policy
  return ({ money }: DashboardLocale) => {
    if (product) {
      const url = productCheckoutUrl(product.id, checkoutUrl)
      return { kind: 'product' as const, name: product.name, url, qr: qrSvg(url) }
    }
    if (!order) return null
    const url = `${checkoutUrl}/pay/${order.id}`
    return { kind: 'link' as const, name: order.description ?? money(order), url, qr: qrSvg(url) }
  }
}

const noWallet = ['crypto_not_configured', 'payout_wallet_required']

async function showStep(
  visit: ShopVisit,
  entered: SaleForm | null = null,
  refusal: Refusal | null = null,
): Promise<View> {
  const { context } = visit
  const guide = await guideOf(visit, 'product')
  const made = await madeBy(visit)
  const currency = entered?.currency ?? (await usualCurrency(visit, 'products'))
  const kind: SaleKind = entered?.kind === 'link' ? 'link' : 'product'
  const wrong = refusal ? refusedFields(refusal).map(path => path.split('/').at(-1) ?? '') : []
  const needsWallet = refusal !== null && noWallet.includes(refusal.code)
  return locale => ({
    title: locale.texts.setup.product.title,
    body: guideProductBody(locale, guide, {
      values: { kind, what: entered?.what ?? '', amount: entered?.amount ?? '', currency },
      currencies: currencyChoices(locale),
      token: entered ? tokenAfter(context, refusal, entered.token) : context.ids.uuid(),
      wrong,
      problem: refusal && wrong.length === 0 && !needsWallet ? problemText(locale, refusal) : null,
      needsWallet,
      // A person who went back to the form sees it again, although there is something to sell.
      made: refusal?.code === 'idempotency_key_reused' ? null : made(locale),
    }),
  })
}

/** The step that creates the first product or payment link. */
export const productRoutes: readonly Route[] = [
  page({ path: PATH, access: 'owner', show: visit => showStep(visit) }),
  form({
    path: PATH,
    access: 'owner',
    fields,
    run: visit => make(visit, visit.body),
    done: PATH,
    refused: (refusal, visit) => showStep(visit, visit.body, refusal),
  }),
]
