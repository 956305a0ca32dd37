import type { Locale } from '../../views/locale.ts'
import type { ProductField, ProductModel } from '../../views/product/model.ts'
import { currencies } from '../domain/currency.ts'
import { CRYPTO } from '../domain/payment-methods.ts'
import { imageOf } from '../domain/product.ts'
import type { Offers } from '../operations/payments/list-offers.ts'
import type { ProductCheckout } from '../operations/products/load-checkout.ts'
import { money } from './amounts.ts'
import { coinChoices } from './checkout.ts'

export interface FormState {
  values: Partial<Record<ProductField, string>>
  errors: ProductModel['errors']
  refusal: string | null
}

export const emptyForm: FormState = { values: {}, errors: {}, refusal: null }

const COINS_SHOWN = 3

/** The first coins, as a hint of what "Crypto" includes. */
function cryptoNote(locale: Locale, offers: Offers): string {
  const tickers = coinChoices(locale, offers.assets).map(({ ticker }) => ticker)
  return `${tickers.slice(0, COINS_SHOWN).join(', ')}${tickers.length > COINS_SHOWN ? ' …' : ''}`
}

function methodsOf(locale: Locale, offers: Offers): ProductModel['methods'] {
  const methods = offers.methods.map(({ method }) => ({
    key: method.key,
    name: method.name,
    note: method.minimum && locale.texts.choose.minimum(money(locale, method.minimum)),
  }))
  if (offers.assets.length === 0) return methods
  return [...methods, { key: CRYPTO, name: locale.texts.choose.crypto, note: cryptoNote(locale, offers) }]
}

export const offeredKeys = ({ methods, assets }: Offers): string[] => [
  ...methods.map(({ method }) => method.key),
  ...(assets.length > 0 ? [CRYPTO] : []),
]

/** The page of a product: the product, its payment methods and what the buyer has entered. */
export function presentProductPage(
  locale: Locale,
  { product, merchant }: ProductCheckout,
  offers: Offers,
  { values, errors, refusal }: FormState,
): ProductModel {
  const methods = methodsOf(locale, offers)
  const image = imageOf(product)
  const only = methods.length === 1 ? methods[0]?.key : undefined
  return {
    productId: product.id,
    merchantName: merchant.name,
    supportEmail: merchant.supportEmail,
    name: product.name,
    description: product.description,
    image: image === null ? null : { url: image, width: product.imageDisplaySize },
    price: money(locale, product),
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
    errors,
    refusal,
  }
}
