import type { DashboardLocale } from '../../../../views/dashboard/locale.ts'
import type { ProductField, ProductFormModel } from '../../../../views/dashboard/product.ts'
import type { Refusal } from '../../../domain/errors.ts'
import { ANY, CRYPTO } from '../../../domain/payment-methods.ts'
import type { Product } from '../../../domain/product.ts'
import { type TaxClass, taxClasses } from '../../../domain/tax.ts'
import type { NewProduct, ProductExtras } from '../../../operations/products/steps/parse-request.ts'
import { withPoint } from '../../pages/product-form.ts'
import { currencyChoices } from '../choices.ts'
import type { UploadForm } from '../multipart.ts'
import type { MethodNames } from '../orders/rows.ts'
import { problemText, refusedFields } from '../problem.ts'

/** The values that a person entered about a product. */
export interface ProductEntry {
  values: Record<ProductField, string>
  methods: string[]
  allowPriceOverride: boolean
  taxClass: TaxClass
}

const fieldsOfProduct = ['name', 'description', 'amount', 'currency'] as const

type Upload = typeof UploadForm.static

const taxClassIn = ({ taxClass }: Upload['fields']): TaxClass | undefined =>
  taxClasses.find(one => one === taxClass)

/** The properties of a product that the API does not have. A form without the field leaves them unchanged. */
export const extrasOf = ({ fields }: Upload): ProductExtras => ({ taxClass: taxClassIn(fields) })

export const entryOf = ({ fields, lists }: Upload): ProductEntry => ({
  values: Object.fromEntries(fieldsOfProduct.map(name => [name, fields[name] ?? ''])) as Record<
    ProductField,
    string
  >,
  methods: (lists.method ?? []).slice(0, 64),
  allowPriceOverride: fields.allowPriceOverride === 'yes',
  taxClass: taxClassIn(fields) ?? 'standard',
})

export const storedEntry = (product: Product): ProductEntry => ({
  values: {
    name: product.name,
    description: product.description ?? '',
    amount: product.amount,
    currency: product.currency,
  },
  methods: product.methodKeys.filter(key => key !== ANY),
  allowPriceOverride: product.allowPriceOverride,
  taxClass: product.taxClass,
})

/**
 * The entered values with the stored price. A person who may not change the price sees the stored one, even
 * if their form has another.
 */
export const withPriceOf = (stored: ProductEntry, entered: ProductEntry): ProductEntry => ({
  ...entered,
  values: { ...entered.values, amount: stored.values.amount, currency: stored.values.currency },
  allowPriceOverride: stored.allowPriceOverride,
  taxClass: stored.taxClass,
})

/** The input of the API for a form. Values that the form does not have stay as they are. */
export function inputOf(upload: Upload, known: Product | null): NewProduct {
  const { values, methods, allowPriceOverride } = entryOf(upload)
  const { file, fields } = upload
  return {
    name: values.name.trim(),
    description: values.description.trim() || null,
    allowPriceOverride,
    ...(file && { imageBase64: file.toBase64() }),
    ...(!file && fields.removeImage === 'yes' && { imageUrl: null }),
    orderTemplate: {
      amount: withPoint(values.amount),
      currency: values.currency.trim().toUpperCase(),
      paymentMethodsKeys: methods.length > 0 ? methods : [ANY],
      ...(known && { metadata: known.metadata }),
    },
  }
}

const fieldNames: Record<string, ProductFormModel['wrong'][number]> = {
  paymentMethodsKeys: 'methods',
  imageBase64: 'image',
  imageUrl: 'image',
}

const isField = (name: string): name is ProductFormModel['wrong'][number] =>
  ['name', 'description', 'amount', 'currency', 'methods', 'image'].includes(name)

function problemsOf(locale: DashboardLocale, refusal: Refusal) {
  const last = refusedFields(refusal).map(path => path.split('/').at(-1) ?? '')
  const wrong = last.map(name => fieldNames[name] ?? name).filter(isField)
  return { wrong, problem: problemText(locale, refusal) }
}

interface ProductForm {
  action: string
  token: string
  entry: ProductEntry
  names: MethodNames
  /** the stored values; left out for a new product */
  known?: { imageUrl: string | null; version: string }
  /** true if the price is only shown */
  isPriceFixed?: boolean
  /** true if the shop uses tax settings */
  isTaxed: boolean
  refusal: Refusal | null
}

export function formModel(locale: DashboardLocale, form: ProductForm): ProductFormModel {
  const { action, token, entry, names, known, isPriceFixed = false, refusal } = form
  const all: [string, string][] = [[CRYPTO, locale.texts.orders.crypto], ...names]
  return {
    action,
    token,
    values: entry.values,
    currencies: currencyChoices(locale),
    allowPriceOverride: entry.allowPriceOverride,
    taxClass: form.isTaxed ? entry.taxClass : null,
    methods: all.map(([key, name]) => ({ key, name, isChosen: entry.methods.includes(key) })),
    imageUrl: known?.imageUrl ?? null,
    isNew: known === undefined,
    isPriceFixed,
    version: known?.version ?? null,
    stale: null,
    ...(refusal ? problemsOf(locale, refusal) : { wrong: [], problem: null }),
  }
}
