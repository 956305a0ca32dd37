import { Elysia } from 'elysia'
import { productPage } from '../../../views/product/page.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Context } from '../../operations/context.ts'
import { createProductOrder } from '../../operations/orders/create-from-product.ts'
import { offerMethods, type Payable } from '../../operations/payments/list-offers.ts'
import { loadProductCheckout, type ProductCheckout } from '../../operations/products/load-checkout.ts'
import { emptyForm, type FormState, presentProductPage } from '../../present/product-page.ts'
import { presentShop } from '../../present/shop.ts'
import { formBody } from '../auth.ts'
import { ProductParams } from '../checkout-products/request.ts'
import type { PageExtras } from '../extras.ts'
import type { RateLimit } from '../rate-limit.ts'
import { requestState, wantsPage } from '../request-state.ts'
import { frameOf } from './assets.ts'
import { shopHeaders } from './headers.ts'
import { languageCookie, languageHeaders, localeOf } from './language.ts'
import { lastChoiceOf } from './last-choice.ts'
import { checkFields, checkMethod, orderFromForm, type ProductForm, problemOf } from './product-form.ts'

type Price = Pick<Payable, 'amount' | 'currency' | 'isPriceOpen'>

const offersFor = (context: Context, checkout: ProductCheckout, price: Price) => {
  const { product, wallet } = checkout
  const receivingWallet = wallet.addresses.evm ?? null
  return offerMethods(context, { ...price, methodKeys: product.methodKeys, receivingWallet }, checkout)
}

/** Creates the order of a submitted form and returns the path where its buyer pays. */
async function submit(context: Context, checkout: ProductCheckout, form: ProductForm): Promise<string> {
  const input = orderFromForm(checkout, form)
  checkFields(input)
  const { amount = checkout.product.amount, currency = checkout.product.currency } = input
  checkMethod(input, await offersFor(context, checkout, { amount, currency }))
  const { order } = await createProductOrder(context, checkout.product.id, input)
  return `/pay/${order.id}`
}

/** The refusal that a check throws; null if it passes. */
function refusalOf(run: () => void): Refusal | null {
  try {
    run()
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/**
 * The headers of a product's page. Its form may lead to a provider, and "form-action" applies to redirects
 * too.
 */
const headersOf = ({ product, merchant }: ProductCheckout): Record<string, string> =>
  shopHeaders({ style: presentShop(merchant).style, imageUrl: product.imageUrl }, ' https:')

export const productPages = (context: Context, extras: PageExtras, limit: RateLimit) => {
  const render = async (request: Request, checkout: ProductCheckout, formState: FormState) => {
    const { amount, currency, allowPriceOverride: isPriceOpen } = checkout.product
    const offers = await offersFor(context, checkout, { amount, currency, isPriceOpen })
    const { checkoutUrl } = context.policy
    const locale = localeOf(request)
    const pageContext = { checkoutUrl, look: extras.look, lastChoice: lastChoiceOf(request) }
    const model = presentProductPage(locale, checkout, offers, formState, pageContext)
    return productPage(locale, model, frameOf(extras))
  }
  /** Admits a form. Above the limit, a browser's form is still read, so that the buyer can send it again. */
  const admit = async ({ productUUID }: { productUUID: string }, request: Request) => {
    const limited = refusalOf(() => limit(request))
    if (limited && !wantsPage(request)) throw limited
    requestState(request).limited = limited
    await loadProductCheckout(context, productUUID)
  }
  return new Elysia()
    .get(
      '/checkout/:productUUID',
      async ({ params, request, set }) => {
        const checkout = await loadProductCheckout(context, params.productUUID)
        const headers = headersOf(checkout)
        const cookie = languageCookie(request, context.policy.checkoutUrl)
        const locale = localeOf(request)
        Object.assign(set.headers, headers, languageHeaders(locale), cookie)
        requestState(request).isPageShared = true
        return render(request, checkout, emptyForm)
      },
      { params: ProductParams },
    )
    .post(
      '/checkout/:productUUID',
      async ({ body, params, redirect, request, set }) => {
        const values = body as ProductForm
        const { limited } = requestState(request)
        const checkout = await loadProductCheckout(context, params.productUUID)
        try {
          if (limited) throw limited
          return redirect(await submit(context, checkout, values), 303)
        } catch (error) {
          const locale = localeOf(request)
          const problem = problemOf(locale, error, values)
          set.status = limited?.status ?? 400
          if (limited) set.headers['retry-after'] = String(limited.retryAfterSeconds)
          const headers = headersOf(checkout)
          Object.assign(set.headers, headers, languageHeaders(locale))
          return render(request, checkout, { values, ...problem })
        }
      },
      formBody(ProductParams, admit),
    )
}
