export type ProductField = 'email' | 'fullName' | 'paymentMethodKey' | 'amount' | 'currency'

/** What a product's page shows: plain data, already in words and texts. */
export interface ProductModel {
  productId: string
  merchantName: string
  supportEmail: string | null
  name: string
  description: string | null
  image: { url: string; width: number } | null
  /** as a buyer reads it: "$25.00" */
  price: string
  /** every currency that the buyer may name a price in; null where the price stands */
  currencies: readonly string[] | null
  methods: { key: string; name: string; note: string | null }[]
  /** a provider that should have been asked does not answer */
  providerAway: boolean
  /** what was entered */
  values: Record<ProductField, string>
  /** what is wrong with it, beside each field */
  faults: Partial<Record<ProductField, string>>
  /** what stands against the order as a whole */
  refusal: string | null
}
