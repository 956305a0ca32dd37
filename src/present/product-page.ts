import type { MethodChoice } from '../../views/checkout/model.ts'
import type { Locale } from '../../views/locale.ts'
import type { Currency, ProductField, ProductMethod, ProductModel } from '../../views/product/model.ts'
import { currencies } from '../domain/currency.ts'
import { LruCache } from '../domain/lru-cache.ts'
import { CRYPTO } from '../domain/payment-methods.ts'
import { imageOf } from '../domain/product.ts'
import { usualIn } from '../domain/region.ts'
import type { ShopTax } from '../domain/tax.ts'
import type { Offers } from '../operations/payments/list-offers.ts'
import type { ProductCheckout } from '../operations/products/load-checkout.ts'
import { money } from './amounts.ts'
import { type ChoiceContext, markOf, networksOf, presentMethods, rankCoins, wasUsed } from './choose.ts'
import { countryNames } from './countries.ts'
import { productCheckoutUrl } from './product-checkout.ts'
import { presentShop } from './shop.ts'

/** Cached lists of all currencies, for the last languages, regions and currencies of products. */
const choices = new LruCache<readonly Currency[]>(50)

/** The currencies that a buyer can choose from: the product's first, then the buyer's, then all others. */
const currencyChoices = (locale: Locale, ofProduct: string): readonly Currency[] =>
  choices.get(`${locale.tag} ${locale.formats} ${ofProduct}`, () => {
    const names = new Intl.DisplayNames(locale.tag, { type: 'currency' })
    const codes = new Set([ofProduct, usualIn(locale.formats).currency, ...currencies])
    return [...codes].map(code => ({ code, label: `${code} – ${names.of(code) ?? code}` }))
  })

const countries = new LruCache<[string, string][]>(30)

const countryChoices = ({ tag }: Locale): [string, string][] => countries.get(tag, () => countryNames(tag))

export interface FormState {
  values: Partial<Record<ProductField, string>>
  errors: ProductModel['errors']
  refusal: string | null
}

export const emptyForm: FormState = { values: {}, errors: {}, refusal: null }

const COINS_SHOWN = 3

/** The first coins, as a hint of what "Crypto" includes; null without coins. */
function cryptoHint(
  coins: ReturnType<typeof rankCoins>,
  { look }: Pick<ChoiceContext, 'look'>,
): ProductModel['crypto'] {
  if (coins.length === 0) return null
  const first = coins.slice(0, COINS_SHOWN)
  const tickers = first.map(({ offers }) => offers[0].asset.ticker).join(', ')
  return {
    note: coins.length > COINS_SHOWN ? `${tickers} …` : tickers,
    marks: first.flatMap(({ offers }) => markOf(look(offers[0].asset)) ?? []),
  }
}

export const offeredKeys = ({ methods, assets }: Offers): string[] => [
  ...methods.map(({ method }) => method.key),
  ...(assets.length > 0 ? [CRYPTO] : []),
]

interface ProductPageContext extends ChoiceContext {
  /** public URL of this server */
  checkoutUrl: string
}

const taxFields = (locale: Locale, tax: ShopTax | null): ProductModel['tax'] =>
  tax && { countries: countryChoices(locale), isAdded: tax.prices === 'added' }

const taxValues = ({ country = '', vatId = '' }: FormState['values']) => ({ country, vatId })

/** The page of a product: the product, its payment methods and the entered values. */
export function presentProductPage(
  locale: Locale,
  { product, merchant }: ProductCheckout,
  offers: Offers,
  { values, errors, refusal }: FormState,
  { checkoutUrl, ...context }: ProductPageContext,
): ProductModel {
  const { methods, more } = presentMethods(locale, offers, [], context)
  const coins = rankCoins(offers.assets, context.lastChoice)
  const image = imageOf(product)
  const keys = offeredKeys(offers)
  const last = keys.find(key => key === context.lastChoice) ?? (coins.some(wasUsed) ? CRYPTO : undefined)
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
    methods: methods.map(withCurrencies),
    more: more.map(withCurrencies),
    crypto: cryptoHint(coins, context),
    providerAway: offers.providerAway,
    networksAway: networksOf(locale, offers.unreadable, context),
    isForAmount: offers.isForAmount,
    tax: taxFields(locale, merchant.tax),
    values: {
      ...taxValues(values),
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
