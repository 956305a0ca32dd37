import { newProductBody, productBody } from '../../../../views/dashboard/product.ts'
import type { Refusal } from '../../../domain/errors.ts'
import { imageOf } from '../../../domain/product.ts'
import { changeProduct } from '../../../operations/products/change.ts'
import { createProductOnce } from '../../../operations/products/create-once.ts'
import { getProduct } from '../../../operations/products/read.ts'
import { productCheckoutUrl } from '../../../present/product-checkout.ts'
import { qrSvg } from '../../../present/qr.ts'
import { ChangeProduct, UpsertProducts } from '../../products/request.ts'
import { checkForm, tokenAfter } from '../fields.ts'
import { form, page, type Route } from '../kit.ts'
import { lookOf } from '../look.ts'
import { readUpload, UploadForm } from '../multipart.ts'
import { methodNamesOf } from '../orders/rows.ts'
import type { View } from '../page.ts'
import { staleText, versionIn } from '../stale.ts'
import { usualCurrency } from '../usual-currency.ts'
import type { ShopVisit } from '../visit.ts'
import { entryOf, extrasOf, formModel, inputOf, type ProductEntry, storedEntry, withPriceOf } from './form.ts'
import { productListRoutes } from './list.ts'

const PATH = '/dashboard/products'

const maySetPrice = ({ merchant, may }: ShopVisit): boolean => merchant.staffPrices || may('owner')

const outcomes = ['created', 'saved'] as const

async function showNew(
  { context, merchant }: ShopVisit,
  token: string,
  entry: ProductEntry,
  refusal: Refusal | null = null,
): Promise<View> {
  const names = await methodNamesOf(context, merchant.id)
  const form = { action: `${PATH}/new`, token, entry, names, isTaxed: merchant.tax !== null }
  return locale => ({
    title: locale.texts.products.create,
    body: newProductBody(locale, formModel(locale, { ...form, refusal })),
  })
}

async function showProduct(
  visit: ShopVisit,
  id: string,
  entered: ProductEntry | null = null,
  refusal: Refusal | null = null,
): Promise<View> {
  const { context, merchant, request, may } = visit
  const { product } = await getProduct(context, merchant.id, id)
  const names = await methodNamesOf(context, merchant.id)
  const given = new URL(request.url).searchParams.get('done')
  const checkoutUrl = productCheckoutUrl(product.id, context.policy.checkoutUrl)
  const imageUrl = imageOf(product)
  const isPriceFixed = !maySetPrice(visit)
  const stored = storedEntry(product)
  const entry = entered && (isPriceFixed ? withPriceOf(stored, entered) : entered)
  const stale = await staleText(visit, `product:${product.id}`, refusal)
  const known = { imageUrl, version: String(product.updatedAt) }
  const form = {
    action: `${PATH}/${product.id}`,
    token: '',
    entry: entry ?? stored,
    names,
    known,
    isPriceFixed,
    isTaxed: merchant.tax !== null,
  }
  const { color, ink } = lookOf(merchant)
  return locale => ({
    title: product.name,
    images: [imageUrl],
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
      form: may('staff')
        ? {
            ...formModel(locale, { ...form, refusal: stale ? null : refusal }),
            stale: stale?.(locale) ?? null,
          }
        : null,
      done: outcomes.find(one => one === given) ?? null,
    }),
  })
}

/**
 * The token of a form, which becomes the product's ID, so that the same form sent twice makes one product.
 */
const tokenIn = ({ fields }: typeof UploadForm.static): string => fields.token ?? ''

/** The pages of products. */
export const productRoutes: readonly Route[] = [
  ...productListRoutes,
  page({
    path: `${PATH}/new`,
    access: 'staff',
    async show(visit) {
      const currency = await usualCurrency(visit, 'products')
      const values = { name: '', description: '', amount: '', currency }
      const entry = { values, methods: [], allowPriceOverride: false, taxClass: 'standard' as const }
      return showNew(visit, visit.context.ids.uuid(), entry)
    },
  }),
  form({
    path: `${PATH}/new`,
    access: 'staff',
    read: readUpload,
    fields: UploadForm,
    async run({ context, merchant, body }) {
      const product = { productUUID: tokenIn(body), ...inputOf(body, null) }
      checkForm(UpsertProducts, { items: [product] })
      await createProductOnce(context, merchant.id, { ...product, ...extrasOf(body) })
    },
    done: (_, { body }) => `${PATH}/${tokenIn(body)}?done=created`,
    refused: (refusal, visit) =>
      showNew(visit, tokenAfter(visit.context, refusal, tokenIn(visit.body)), entryOf(visit.body), refusal),
  }),
  page({
    path: `${PATH}/:product`,
    access: 'viewer',
    show: visit => showProduct(visit, visit.params.product),
  }),
  form({
    path: `${PATH}/:product`,
    access: 'staff',
    read: readUpload,
    fields: UploadForm,
    async run(visit) {
      const { context, merchant, params, body } = visit
      const { product } = await getProduct(context, merchant.id, params.product)
      const input = inputOf(body, product)
      checkForm(ChangeProduct, input)
      const options = { seenUpdatedAt: versionIn(body.fields), maySetPrice: maySetPrice(visit) }
      await changeProduct(context, merchant.id, product.id, { ...input, ...extrasOf(body) }, options)
    },
    done: (_, { params }) => `${PATH}/${params.product}?done=saved`,
    refused: (refusal, visit) => showProduct(visit, visit.params.product, entryOf(visit.body), refusal),
  }),
]
