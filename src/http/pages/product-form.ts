import type { Locale } from '../../../views/locale.ts'
import type { ProductField, ProductModel } from '../../../views/product/model.ts'
import { currencyDecimals } from '../../domain/currency.ts'
import { Refusal } from '../../domain/errors.ts'
import { parseAmount } from '../../domain/money.ts'
import type { NewProductOrder, ProductOrderInput } from '../../operations/orders/create-from-product.ts'
import { parseTaxPayer } from '../../operations/orders/steps/tax-payer.ts'
import type { Offers } from '../../operations/payments/list-offers.ts'
import type { ProductCheckout } from '../../operations/products/load-checkout.ts'
import { offeredKeys } from '../../present/product-page.ts'
import { CreateProductOrder } from '../checkout-products/request.ts'
import { invalidFields } from '../schema/violations.ts'
import { buyerMessage } from './buyer-message.ts'

export type ProductForm = Partial<Record<ProductField, string>>
type FormProblem = Pick<ProductModel, 'errors' | 'refusal'>

const fields: readonly ProductField[] = [
  ...(['email', 'fullName', 'country', 'vatId', 'paymentMethodKey', 'amount', 'currency'] as const),
]
const fieldOf = (path: string) => fields.find(field => path.endsWith(`/${field}`))

/**
 * The message for a wrong amount, such as "Enter an amount in JPY above zero in digits, such as 2500, without
 * decimals."
 */
function amountMessage(locale: Locale, currency: string): string {
  const { product } = locale.texts
  const decimals = currencyDecimals(currency)
  const example = (places: number) =>
    (25)
      .toLocaleString(locale.formats, { minimumFractionDigits: places })
      .replace(',', places > 2 ? '.' : ',')
  if (decimals === undefined) return product.errors.amount({ example: example(2) })
  return decimals === 0
    ? product.errors.amountWithoutDecimals({ currency, example: '2500' })
    : product.errors.amountIn({ currency, example: example(decimals) })
}

function errorsAt(locale: Locale, paths: string[], { currency = '' }: ProductForm): ProductModel['errors'] {
  const { errors } = locale.texts.product
  const messageOf = (field: ProductField): string =>
    field === 'amount' ? amountMessage(locale, currency) : errors[field]
  return Object.fromEntries(
    paths.flatMap(path => fieldOf(path) ?? []).map(field => [field, messageOf(field)]),
  )
}

/** The zero digits of Arabic, Persian, Hindi and the wide forms of Chinese and Japanese keyboards. */
const zeros = ['\u0660', '\u06f0', '\u0966', '\uff10'].map(zero => zero.charCodeAt(0))

function latinDigit(digit: string): string {
  const code = digit.charCodeAt(0)
  return String(code - zeros.findLast(zero => zero <= code)!)
}

/**
 * The pattern of digits in groups of three. Decimals may follow, after another sign than the one between the
 * groups.
 */
const grouped = /^(\d{1,3}([.,' \u00a0\u202f\u2019])\d{3}(?:\2\d{3})*)(?:(?!\2)[.,](\d{1,3}))?$/

/** Removes the signs between thousands where they can be nothing else: in "1.234,50", but not in "1.234". */
function withoutGroups(amount: string): string {
  const [, whole = '', separator = '', decimals] = grouped.exec(amount) ?? []
  const isPlain = separator === '.' || separator === ','
  const isAmbiguous = isPlain && decimals === undefined && whole.split(separator).length < 3
  if (whole === '' || isAmbiguous) return amount
  const digits = whole.replaceAll(separator, '')
  return decimals === undefined ? digits : `${digits}.${decimals}`
}

/**
 * Reads "12,50", "١٢٫٥٠" and "1.234,50" as numbers. A single point or comma before three digits may separate
 * thousands or decimals: the comma is refused, and the point counts as a decimal point.
 */
export const withPoint = (amount: string): string =>
  withoutGroups(
    amount
      .trim()
      .replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\uff10-\uff19]/g, latinDigit)
      .replace(/[\u066b\uff0e]/, '.')
      .replace(/^([0-9]+)[,\uff0c]([0-9]{1,2})$/, '$1.$2'),
  )

/** Converts a form to the input of the operation. */
export function orderFromForm({ product, merchant }: ProductCheckout, form: ProductForm): ProductOrderInput {
  const { country = '', vatId = '' } = form
  const { email = '', fullName = '', paymentMethodKey = '', amount = '', currency = '' } = form
  const price = product.allowPriceOverride && { amount: withPoint(amount), currency }
  return {
    customer: { email: email.trim(), fullName },
    paymentMethodKey,
    ...price,
    ...(merchant.tax && { taxPayer: { country, vatId } }),
  }
}

/** Throws if a field is invalid. */
export function checkFields({ taxPayer, ...input }: ProductOrderInput): void {
  const details = invalidFields(CreateProductOrder, input).filter(({ path }) => fieldOf(path) !== undefined)
  if (details.length > 0) throw new Refusal('validation_error', undefined, { details })
  if (input.amount !== undefined && input.currency !== undefined) parseAmount(input.amount, input.currency)
  if (taxPayer) parseTaxPayer(taxPayer)
}

/** Throws if the method is not available for this price. */
export function checkMethod({ paymentMethodKey }: NewProductOrder, offers: Offers): void {
  if (!offeredKeys(offers).includes(paymentMethodKey)) throw new Refusal('method_not_offered')
}

/** The messages to show beside fields or above the form. Rethrows errors that the buyer cannot fix. */
export function problemOf(locale: Locale, error: unknown, form: ProductForm): FormProblem {
  if (!(error instanceof Refusal)) throw error
  if (error.code === 'validation_error') {
    const errors = errorsAt(
      locale,
      (error.details ?? []).map(({ path }) => path),
      form,
    )
    if (Object.keys(errors).length > 0) return { errors, refusal: null }
  }
  if (error.code === 'method_not_offered') {
    return { errors: { paymentMethodKey: locale.texts.product.errors.tooLittle }, refusal: null }
  }
  if (error.status >= 500 || error.code === 'not_found') throw error
  return { errors: {}, refusal: buyerMessage(locale, error) }
}
