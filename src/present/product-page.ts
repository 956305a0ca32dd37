import type { ProductField, ProductModel } from '../../views/product/model.ts'
import { currencies } from '../domain/currency.ts'
import { CRYPTO } from '../domain/payment-methods.ts'
import { imageOf } from '../domain/product.ts'
import type { Offers } from '../operations/payments/list-offers.ts'
import type { ProductCheckout } from '../operations/products/load-checkout.ts'
import { coinsOf, money } from './checkout.ts'

export interface Entered {
  values: Partial<Record<ProductField, string>>
  faults: ProductModel['faults']
  refusal: string | null
}

export const nothingEntered: Entered = { values: {}, faults: {}, refusal: null }

const COINS_NAMED = 3

/** The coins that most buyers look for, so that they know what is behind the word. */
function coinsNote(offers: Offers): string {
  const tickers = coinsOf(offers.assets).map(({ ticker }) => ticker)
  return `${tickers.slice(0, COINS_NAMED).join(', ')}${tickers.length > COINS_NAMED ? ' …' : ''}`
}

function methodsOf(offers: Offers): ProductModel['methods'] {
  const methods = offers.methods.map(({ method }) => ({
    key: method.key,
    name: method.name,
    note: method.minimum && `from ${money(method.minimum)}`,
  }))
  if (offers.assets.length === 0) return methods
  return [...methods, { key: CRYPTO, name: 'Crypto', note: coinsNote(offers) }]
}

export const offeredKeys = (offers: Offers): string[] => methodsOf(offers).map(({ key }) => key)

/** A product's page: the product, what is offered for it now, and what a buyer has entered so far. */
export function presentProductPage(
  { product, merchant }: ProductCheckout,
  offers: Offers,
  { values, faults, refusal }: Entered,
): ProductModel {
  const methods = methodsOf(offers)
  const image = imageOf(product)
  const only = methods.length === 1 ? methods[0]?.key : undefined
  return {
    productId: product.id,
    merchantName: merchant.name,
    supportEmail: merchant.supportEmail,
    name: product.name,
    description: product.description,
    image: image === null ? null : { url: image, width: product.imageDisplaySize },
    price: money(product),
    currencies: product.allowPriceOverride ? currencies : null,
    methods,
    providerAway: offers.providerAway,
    values: {
      email: values.email ?? '',
      fullName: values.fullName ?? '',
      paymentMethodKey: values.paymentMethodKey ?? only ?? '',
      amount: values.amount ?? product.amount,
      currency: values.currency ?? product.currency,
    },
    faults,
    refusal,
  }
}
