export type ProductField = 'email' | 'fullName' | 'paymentMethodKey' | 'amount' | 'currency'

import type { MethodChoice } from '../checkout/model.ts'
import type { MarkModel } from '../icons/sprite.ts'
import type { ShopModel } from '../shop.ts'

export interface Currency {
  code: string
  /** such as "EUR – Euro" */
  label: string
}

export interface ProductMethod extends MethodChoice {
  /** the only currencies that it takes, where the buyer chooses the currency */
  currencies: string[]
}

/** What a product's page shows, already formatted. */
export interface ProductModel {
  productId: string
  shop: ShopModel
  name: string
  description: string | null
  /** a sentence for search engines and previews of links */
  summary: string
  /** URLs for other servers, which are absolute */
  pageUrl: string
  imageUrl: string | null
  image: { url: string; width: number } | null
  /** formatted, such as "$25.00" */
  price: string
  /** the currencies that the buyer can choose from, with their names; null when the price is fixed */
  currencies: readonly Currency[] | null
  methods: ProductMethod[]
  more: ProductMethod[]
  /** some of the coins that can be paid with; null without crypto */
  crypto: { note: string; marks: MarkModel[] } | null
  /** whether a payment provider is not responding */
  providerAway: boolean
  /** the networks whose coins are not offered because they cannot be reached, such as "A, B, and C" */
  networksAway: string | null
  /** what the buyer has entered */
  values: Record<ProductField, string>
  /** the message for each invalid field */
  errors: Partial<Record<ProductField, string>>
  /** why the order as a whole was refused */
  refusal: string | null
}
