import type { ProductField, ProductModel } from '../../../views/product/model.ts'
import { Refusal } from '../../domain/errors.ts'
import { parseAmount } from '../../domain/money.ts'
import type { NewProductOrder } from '../../operations/orders/create-from-product.ts'
import type { Offers } from '../../operations/payments/list-offers.ts'
import type { ProductCheckout } from '../../operations/products/load-checkout.ts'
import { offeredKeys } from '../../present/product-page.ts'
import { CreateProductOrder } from '../checkout-products/request.ts'
import { faultyPaths } from '../schema/types.ts'

export type ProductForm = Partial<Record<ProductField, string>>
type Judgement = Pick<ProductModel, 'faults' | 'refusal'>

const sentences: Record<ProductField, string> = {
  email: 'Enter an e-mail address, such as sam@example.com.',
  fullName: 'Enter a name of at most 128 characters.',
  paymentMethodKey: 'Choose how you want to pay.',
  amount: 'Enter an amount above zero, such as 25.00, with no more places than the currency has.',
  currency: 'Choose a currency.',
}
const TOO_LITTLE = 'This method does not take this amount. Choose another method, or another amount.'

const fields = Object.keys(sentences) as ProductField[]
const fieldOf = (path: string) => fields.find(field => path.endsWith(`/${field}`))

const faultsAt = (paths: string[]): ProductModel['faults'] =>
  Object.fromEntries(paths.flatMap(path => fieldOf(path) ?? []).map(field => [field, sentences[field]]))

/** What the form says, as the public operation takes it. */
export function orderOf({ product }: ProductCheckout, form: ProductForm): NewProductOrder {
  const { email = '', fullName = '', paymentMethodKey = '', amount = '', currency = '' } = form
  const price = product.allowPriceOverride && { amount: amount.trim(), currency }
  return { customer: { email: email.trim(), fullName }, paymentMethodKey, ...price }
}

/** What is wrong with the fields, each by itself; throws the refusal of a price that is none. */
export function judgeFields(input: NewProductOrder): void {
  const paths = faultyPaths(CreateProductOrder, input)
  const known = paths.filter(path => fieldOf(path) !== undefined)
  if (known.length > 0) {
    throw new Refusal(
      'validation_error',
      undefined,
      known.map(path => ({ path })),
    )
  }
  if (input.amount !== undefined && input.currency !== undefined) parseAmount(input.amount, input.currency)
}

/** Refuses a method that is not offered for this price. */
export function judgeMethod({ paymentMethodKey }: NewProductOrder, offers: Offers): void {
  if (!offeredKeys(offers).includes(paymentMethodKey)) throw new Refusal('method_not_offered', TOO_LITTLE)
}

/** A refusal that belongs beside a field, or above the form; what is no answer to the form is thrown on. */
export function judgementOf(error: unknown): Judgement {
  if (!(error instanceof Refusal)) throw error
  if (error.code === 'validation_error') {
    const faults = faultsAt((error.details as { path: string }[]).map(({ path }) => path))
    if (Object.keys(faults).length > 0) return { faults, refusal: null }
  }
  if (error.code === 'method_not_offered') return { faults: { paymentMethodKey: TOO_LITTLE }, refusal: null }
  if (error.status >= 500 || error.code === 'not_found') throw error
  return { faults: {}, refusal: publicSentence(error) }
}

/** What is the shop's own to mend is not told to its buyers in the words meant for its server. */
const publicSentence = ({ code }: Refusal): string =>
  code === 'customer_blocked'
    ? 'The shop takes no payment from this address.'
    : 'The shop cannot take this order at the moment.'
