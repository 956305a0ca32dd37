export type ProductField = 'email' | 'fullName' | 'paymentMethodKey' | 'amount' | 'currency'

/** What a product's page shows, already formatted. */
export interface ProductModel {
  productId: string
  merchantName: string
  supportEmail: string | null
  name: string
  description: string | null
  image: { url: string; width: number } | null
  /** formatted, such as "$25.00" */
  price: string
  /** the currencies that the buyer can choose from; null when the price is fixed */
  currencies: readonly string[] | null
  methods: { key: string; name: string; note: string | null }[]
  /** whether a payment provider is not responding */
  providerAway: boolean
  /** what the buyer has entered */
  values: Record<ProductField, string>
  /** the message for each invalid field */
  errors: Partial<Record<ProductField, string>>
  /** why the order as a whole was refused */
  refusal: string | null
}
