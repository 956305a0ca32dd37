export type ProductField =
  | 'email'
  | 'fullName'
  | 'country'
  | 'vatId'
  | 'paymentMethodKey'
  | 'amount'
  | 'currency'

import type { MethodChoice } from '../checkout/model.ts'
import type { ShopModel } from '../shop.ts'

export interface Currency {
  code: string
  /** code and name, such as "EUR – Euro" */
  label: string
}

export interface ProductMethod extends MethodChoice {
  /** accepted currencies, if the buyer chooses the currency */
  currencies: string[]
}

/** The content of a product's page, already formatted. */
export interface ProductModel {
  productId: string
  shop: ShopModel
  name: string
  description: string | null
  /** a sentence for search engines and link previews */
  summary: string
  /** absolute URLs, for other servers */
  pageUrl: string
  imageUrl: string | null
  image: { url: string; width: number } | null
  /** formatted price, such as "$25.00" */
  price: string
  /** currencies that the buyer can choose, with their names; null if the price is fixed */
  currencies: readonly Currency[] | null
  methods: ProductMethod[]
  more: ProductMethod[]
  /** some of the accepted coins, and the classes of their icons; null without crypto */
  crypto: { note: string; marks: string[] } | null
  /** true if a payment provider is not responding */
  providerAway: boolean
  /** networks whose coins are not offered because they cannot be reached, such as "A, B, and C" */
  networksAway: string | null
  /** true if nothing can be chosen for this amount, but something for other amounts */
  isForAmount: boolean
  /** null in a shop without tax settings */
  tax: { countries: readonly (readonly [code: string, name: string])[]; isAdded: boolean } | null
  values: Record<ProductField, string>
  /** message for each invalid field */
  errors: Partial<Record<ProductField, string>>
  /** reason why the order as a whole was refused */
  refusal: string | null
}
