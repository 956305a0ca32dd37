import type { CoinChoice, MethodChoice } from '../../views/checkout/model.ts'
import type { Locale } from '../../views/locale.ts'
import type { ProductField, ProductMethod, ProductModel } from '../../views/product/model.ts'
import { CRYPTO } from '../domain/payment-methods.ts'
import { imageOf } from '../domain/product.ts'
import type { Offers } from '../operations/payments/list-offers.ts'
import type { ProductCheckout } from '../operations/products/load-checkout.ts'
import { money } from './amounts.ts'
import { type ChoiceContext, networksOf, presentChoices } from './choose.ts'
import { currencyChoices } from './currencies.ts'
import { productCheckoutUrl } from './product-checkout.ts'
import { presentShop } from './shop.ts'

export interface FormState {
  values: Partial<Record<ProductField, string>>
  errors: ProductModel['errors']
  refusal: string | null
}

export const emptyForm: FormState = { values: {}, errors: {}, refusal: null }

const COINS_SHOWN = 3

/** The first coins, as a hint of what "Crypto" includes. */
function cryptoNote(coins: CoinChoice[]): string {
  const tickers = coins.map(({ ticker }) => ticker)
  return `${tickers.slice(0, COINS_SHOWN).join(', ')}${tickers.length > COINS_SHOWN ? ' …' : ''}`
}

export const offeredKeys = ({ methods, assets }: Offers): string[] => [
  ...methods.map(({ method }) => method.key),
  ...(assets.length > 0 ? [CRYPTO] : []),
]

interface ProductPageContext extends ChoiceContext {
  /** public URL of this server */
  checkoutUrl: string
}

/** The page of a product: the product, its payment methods and the entered values. */
export function presentProductPage(
  locale: Locale,
  { product, merchant }: ProductCheckout,
  offers: Offers,
  { values, errors, refusal }: FormState,
  { checkoutUrl, ...context }: ProductPageContext,
): ProductModel {
  const { choices } = presentChoices(locale, offers, [], context)
  const coins = [...choices.coins, ...choices.moreCoins]
  const image = imageOf(product)
  const keys = offeredKeys(offers)
  const last = keys.find(key => key === context.lastChoice) ?? (choices.isCryptoFirst ? CRYPTO : undefined)
  const limits = new Map(offers.methods.map(({ method }) => [method.key, method.currencies ?? []]))
  const withCurrencies = (choice: MethodChoice): ProductMethod => ({
    ...choice,
    currencies: (product.allowPriceOverride && limits.get(choice.key)) || [],
  })
  const chosen = last ?? (keys.length === 1 ? keys[0] : undefined)
  return {
    productId: product.id,
    shop: presentShop(merchant),
    name: product.name,
    description: product.description,
    summary: product.description ?? `${product.name} – ${money(locale, product)} – ${merchant.name}`,
    pageUrl: productCheckoutUrl(product.id, checkoutUrl),
    imageUrl: image && new URL(image, checkoutUrl).href,
    image: image === null ? null : { url: image, width: product.imageDisplaySize },
    price: money(locale, product),
    currencies: product.allowPriceOverride ? currencyChoices(locale, product.currency) : null,
    methods: choices.methods.map(withCurrencies),
    more: choices.more.map(withCurrencies),
    crypto:
      coins.length === 0
        ? null
        : { note: cryptoNote(coins), marks: coins.slice(0, COINS_SHOWN).flatMap(({ mark }) => mark ?? []) },
    providerAway: offers.providerAway,
    networksAway: networksOf(locale, offers.unreadable, context),
    values: {
      email: values.email ?? '',
      fullName: values.fullName ?? '',
      paymentMethodKey: values.paymentMethodKey ?? chosen ?? '',
      amount: values.amount ?? product.amount,
      currency: values.currency ?? product.currency,
    },
    errors,
    refusal,
  }
}
