import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { newProductBody, productBody } from '../../../../views/dashboard/product.ts'
import type { Refusal } from '../../../domain/errors.ts'
import { imageOf } from '../../../domain/product.ts'
import { isAllowed } from '../../../domain/user.ts'
import { changeProduct } from '../../../operations/products/change.ts'
import { createProductOnce } from '../../../operations/products/create-once.ts'
import { getProduct } from '../../../operations/products/read.ts'
import { productCheckoutUrl } from '../../../present/product-checkout.ts'
import { qrSvg } from '../../../present/qr.ts'
import { ChangeProduct, UpsertProducts } from '../../products/request.ts'
import { requirePerson, shopOf } from '../access.ts'
import type { DashboardDeps } from '../deps.ts'
import { checkForm, tokenAfter } from '../fields.ts'
import { lookOf } from '../look.ts'
import { readUpload, UploadForm } from '../multipart.ts'
import { methodNamesOf } from '../orders/rows.ts'
import { renderPage, type Settable } from '../page.ts'
import { refusalOf } from '../problem.ts'
import { staleText, versionIn } from '../stale.ts'
import { usualCurrency } from '../usual-currency.ts'
import { entryOf, formModel, inputOf, type ProductEntry, storedEntry } from './form.ts'
import { productListPages } from './list.ts'

const PATH = '/dashboard/products'
const Params = Type.Object({ product: Type.String({ maxLength: 64 }) })
const dones = ['created', 'saved'] as const

interface Entered {
  entry: ProductEntry
  refusal: Refusal | null
}

async function showNew(
  deps: DashboardDeps,
  request: Request,
  set: Settable,
  token: string,
  { entry, refusal }: Entered,
): Promise<string> {
  const { context, merchant } = await shopOf(deps.context, request)
  const names = await methodNamesOf(context, merchant.id)
  if (refusal) set.status = refusal.status
  return renderPage(deps, request, set, locale => ({
    title: locale.texts.products.create,
    body: newProductBody(locale, formModel(locale, `${PATH}/new`, token, entry, names, null, refusal)),
  }))
}

async function showProduct(
  deps: DashboardDeps,
  request: Request,
  set: Settable,
  id: string,
  entered: Entered | null,
): Promise<string> {
  const shop = await shopOf(deps.context, request)
  const { context, merchant, role, user } = shop
  const { product } = await getProduct(context, merchant.id, id)
  const names = await methodNamesOf(context, merchant.id)
  const done = new URL(request.url).searchParams.get('done')
  const checkoutUrl = productCheckoutUrl(product.id, context.policy.checkoutUrl)
  const imageUrl = imageOf(product)
  const entry = entered?.entry ?? storedEntry(product)
  const refusal = entered?.refusal ?? null
  if (refusal) set.status = refusal.status
  const stale = await staleText(shop, `product:${product.id}`, refusal)
  const known = { imageUrl, version: String(product.updatedAt) }
  const { color, ink } = lookOf(merchant)
  return renderPage(deps, request, set, locale => ({
    title: product.name,
    body: productBody(locale, {
      id: product.id,
      name: product.name,
      description: product.description,
      price: { amount: product.amount, currency: product.currency },
      isActive: product.active,
      allowsOtherPrices: product.allowPriceOverride,
      imageUrl,
      checkoutUrl,
      qr: qrSvg(checkoutUrl),
      color,
      ink,
      form: isAllowed('staff', role, user.isOperator)
        ? {
            ...formModel(locale, `${PATH}/${product.id}`, '', entry, names, known, stale ? null : refusal),
            stale: stale?.(locale) ?? null,
          }
        : null,
      done: dones.find(one => one === done) ?? null,
    }),
  }))
}

const newPages = (deps: DashboardDeps) => {
  const { context } = deps
  return new Elysia()
    .get(
      `${PATH}/new`,
      async ({ request, set }) => {
        const shop = await shopOf(context, request)
        const values = {
          name: '',
          description: '',
          amount: '',
          currency: await usualCurrency(shop, 'products'),
        }
        const entry = { values, methods: [], allowPriceOverride: false }
        return showNew(deps, request, set, context.ids.uuid(), { entry, refusal: null })
      },
      requirePerson(context, 'staff'),
    )
    .post(
      `${PATH}/new`,
      async ({ body, redirect, request, set }) => {
        const shop = await shopOf(context, request)
        // The form chooses the ID, so that the same form sent twice makes one product.
        const productUUID = body.fields.token ?? ''
        const refusal = await refusalOf(async () => {
          const product = { productUUID, ...inputOf(body, null) }
          checkForm(UpsertProducts, { items: [product] })
          await createProductOnce(shop.context, shop.merchant.id, product)
        })
        if (!refusal) return redirect(`${PATH}/${productUUID}?done=created`, 303)
        const token = tokenAfter(context, refusal, productUUID)
        return showNew(deps, request, set, token, { entry: entryOf(body), refusal })
      },
      { ...requirePerson(context, 'staff', readUpload), body: UploadForm },
    )
}

/** The pages of products. */
export const productPages = (deps: DashboardDeps) => {
  const { context } = deps
  return new Elysia()
    .use(productListPages(deps))
    .use(newPages(deps))
    .get(
      `${PATH}/:product`,
      ({ params, request, set }) => showProduct(deps, request, set, params.product, null),
      { ...requirePerson(context, 'viewer'), params: Params },
    )
    .post(
      `${PATH}/:product`,
      async ({ body, params, redirect, request, set }) => {
        const shop = await shopOf(context, request)
        const { product } = await getProduct(context, shop.merchant.id, params.product)
        const refusal = await refusalOf(async () => {
          const input = inputOf(body, product)
          checkForm(ChangeProduct, input)
          await changeProduct(shop.context, shop.merchant.id, product.id, input, versionIn(body.fields))
        })
        if (!refusal) return redirect(`${PATH}/${product.id}?done=saved`, 303)
        return showProduct(deps, request, set, product.id, { entry: entryOf(body), refusal })
      },
      { ...requirePerson(context, 'staff', readUpload), params: Params, body: UploadForm },
    )
}
