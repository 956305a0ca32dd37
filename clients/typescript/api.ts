// Made from the API of Florin 1.0.0 by `npm run clients`. Do not edit.

export type Failure = {
  success: false
  error: {
    /** Stable: use this in code. Later versions may add codes: treat an unknown one by the HTTP status. */
    code: "validation_error" | "unauthorized" | "invalid_api_key" | "insufficient_scope" | "live_key_required" | "test_key_required" | "wallet_override_disabled" | "customer_blocked" | "merchant_suspended" | "forbidden" | "not_found" | "method_not_allowed" | "order_not_cancellable" | "order_not_forcible" | "order_not_endable" | "order_not_payable" | "idempotency_key_reused" | "conflict" | "body_too_large" | "payout_wallet_required" | "crypto_not_configured" | "method_not_offered" | "order_not_refundable" | "refund_exceeds_remaining" | "price_override_not_allowed" | "product_not_available" | "destination_not_allowed" | "rate_limited" | "internal_error" | "storage_unavailable" | "provider_unavailable"
    /** For people. The wording may change. */
    message: string
    /** The same ID as in the X-Request-Id header and in the server’s log. */
    requestId: string
    /** For validation_error and destination_not_allowed: each field to correct, and its rule. */
    details?: Array<{
      /** JSON pointer of the field; empty for the whole request. */
      path: string
      /** For people: what the field must be. */
      rule: string
    }>
  }
}

/** A decimal string, never a float, with at most the decimal places of its ISO 4217 currency. */
export type Amount = string

/** An ISO 4217 code. */
export type Currency = string

/** ["*"] for every available method, or 1 to 64 unique method keys; "crypto" is hosted crypto checkout. */
export type PaymentMethodsKeys = Array<string>

export type CustomerInput = {
  email: string
  fullName?: string | null
}

/** A JSON object, nested at most 3 levels deep. */
export type Metadata = Record<string, unknown>

export type CreateOrderOfAmount = {
  amount: Amount
  currency: Currency
  paymentMethodsKeys: PaymentMethodsKeys
  customer: CustomerInput
  externalId?: string | null
  receivingWallet?: string
  /** A product’s description takes precedence. */
  description?: string
  productImageUrl?: string
  /** The public HTTPS URL that the buyer returns to. */
  returnUrl?: string
  expiresAt?: string
  metadata?: Metadata
}

export type CreateOrderOfProduct = {
  productUUID: string
  amount?: Amount
  currency?: Currency
  paymentMethodsKeys?: PaymentMethodsKeys
  customer: CustomerInput
  externalId?: string | null
  receivingWallet?: string
  /** A product’s description takes precedence. */
  description?: string
  productImageUrl?: string
  /** The public HTTPS URL that the buyer returns to. */
  returnUrl?: string
  expiresAt?: string
  metadata?: Metadata
}

export type CreateOrder = CreateOrderOfAmount | CreateOrderOfProduct

/** The tax that the amount contains. Missing if the shop had no tax settings. */
export type OrderTax = {
  /** The country that the buyer stated. */
  country: string | null
  /** The VAT number that the buyer stated. */
  vatId: string | null
  /** One for each category of EN 16931 and rate. They add up to the amount. */
  lines: Array<{
    category: "S" | "Z" | "E" | "AE" | "K" | "G" | "O"
    /** In percent. */
    rate: string
    net: Amount
    tax: Amount
  }>
}

/** Method keys, or only "*" when every available method is offered. */
export type OfferedKeys = Array<string>

export type Order = {
  merchantId: string
  merchantEmail?: string
  merchantName?: string
  orderUUID: string
  productUUID?: string
  /** The product’s name when the order was created. */
  productName?: string
  /** The provider’s reference, from a verified callback. */
  transactionRef: string | null
  externalId: string | null
  amount: Amount
  currency: Currency
  feePercent: string
  platformFeeAmount: Amount
  netAmount: Amount
  feeCollectionStatus: "PROVIDER_SPLIT" | "ACCOUNTED_NOT_COLLECTED"
  receivingWallet?: string
  tax?: OrderTax
  status: "UNPAID" | "PAID" | "FAILED" | "EXPIRED" | "CANCELLED"
  provisioningStatus?: "CREATED" | "PROVISIONING" | "READY" | "FAILED" | "SETTLED" | "EXPIRED" | "ABANDONED"
  expiresAt?: string
  customerId: string
  customerEmail: string
  customerFullName: string
  paymentMethodsKeys: OfferedKeys
  source?: "api" | "web"
  /** The URL to send the buyer to. */
  checkoutUrl: string
  /** Present only when the order offers exactly one provider. */
  directPaymentLink?: string
  providerAddressIn?: string
  providerPayoutAddress?: string
  providerTxIn?: string
  providerTxOut?: string
  /** The amount that arrived, in receivedCurrency. */
  receivedAmount?: string
  /** The ID of the coin that arrived, such as "ethereum/usdc". An ISO 4217 code, such as "USD", for a payment through a provider that reports money. */
  receivedCurrency?: string
  paidTransactionUUID?: string
  paidAt?: string
  /** True when the merchant marked the order as paid. */
  forced?: boolean
  forcedAt?: string
  forcedBy?: string
  forceReason?: string
  forcedProviderStatus?: string
  cancelledAt?: string
  cancelledBy?: string
  cancelReason?: string
  refundStatus?: "PARTIAL" | "FULL"
  refundedAmount?: Amount
  refundCount?: string
  lastRefundedAt?: string
  refundedAt?: string
  description?: string
  productImageUrl?: string
  returnUrl?: string
  metadata?: Metadata
  /** False for test orders. Live data does not have it. */
  livemode?: boolean
  createdAt: string
  updatedAt: string
}

export type CancelOrder = {
  reason?: string
}

export type RecordRefund = {
  amount?: Amount
  reason: string
}

export type Payment = {
  merchantId: string
  tenantId: string
  orderUUID: string
  productUUID?: string
  productName?: string
  transactionRef: string | null
  transactionId: string
  /** The same as transactionId. */
  transactionUUID: string
  externalId: string | null
  amount: Amount
  currency: Currency
  feePercent: string
  platformFeeAmount: Amount
  netAmount: Amount
  feeCollectionStatus: "PROVIDER_SPLIT" | "ACCOUNTED_NOT_COLLECTED"
  paymentMethodsKeys: OfferedKeys
  source: "api" | "web"
  customerId: string
  customerEmail: string
  customerFullName: string
  description?: string
  productImageUrl?: string
  returnUrl?: string
  metadata?: Metadata
  /** The payout address of the payment. */
  receivingWallet: string
  status: "PAID" | "PARTIALLY_REFUNDED" | "REFUNDED"
  refundStatus?: "PARTIAL" | "FULL"
  refundedAmount?: Amount
  refundCount?: string
  lastRefundedAt?: string
  refundedAt?: string
  providerTxIn?: string
  providerTxOut?: string
  /** The amount that arrived, in receivedCurrency. */
  receivedAmount?: string
  /** The ID of the coin that arrived, such as "ethereum/usdc". An ISO 4217 code, such as "USD", for a payment through a provider that reports money. */
  receivedCurrency?: string
  /** False for test orders. Live data does not have it. */
  livemode?: boolean
  createdAt: string
  updatedAt: string
  expiresAt: string
  paidAt?: string
}

export type Refund = {
  merchantId: string
  /** A hash of the merchant and the Idempotency-Key. */
  refundId: string
  orderUUID: string
  transactionId: string
  amount: Amount
  /** The amount in minor units. */
  amountMinor: string
  currency: Currency
  paymentMethodKey: string
  reason: string
  /** A bookkeeping record. It does not mean that Florin moved money. */
  status: "RECORDED"
  createdBy: string
  createdAt: string
  updatedAt: string
}

export type WebhookEvent = {
  id: string
  type: "order.paid" | "payment.created" | "payment.processing" | "payment.paid" | "payment.failed" | "payment.expired" | "order.expired" | "order.cancelled" | "order.failed" | "refund.recorded" | "payment.unmatched"
  orderUUID: string
  createdAt: string
  /** False for test orders. Live data does not have it. */
  livemode?: boolean
  status: "pending" | "delivered" | "failed"
  nextAttemptAt: string | null
  attempts: Array<{
    at: string
    httpStatus: number | null
    outcome: "delivered" | "refused" | "timed_out" | "unreachable" | "destination_not_allowed" | "bad_answer"
    durationMs: number
  }>
}

export type ProductOrderTemplate = {
  amount: Amount
  currency: Currency
  paymentMethodsKeys: PaymentMethodsKeys
  metadata?: Metadata
}

export type CreateProduct = {
  name: string
  description?: string | null
  /** The URL of an image; null removes the image. Not together with imageBase64. */
  imageUrl?: string | null
  /** A PNG, JPEG or WebP image of exactly 800x800 pixels and at most 300 KB, as Base64 or as a data URI. */
  imageBase64?: string
  imageDisplaySize?: number
  active?: boolean
  allowPriceOverride?: boolean
  orderTemplate: ProductOrderTemplate
}

export type Product = {
  productUUID: string
  merchantId: string
  checkoutUrl: string
  name: string
  description: string | null
  /** A URL, or a data URI for an uploaded image. */
  imageUrl: string | null
  imageDisplaySize: number
  /** False for an archived product. */
  active: boolean
  allowPriceOverride: boolean
  orderTemplate: {
    amount: Amount
    currency: Currency
    paymentMethodsKeys: OfferedKeys
    metadata?: Metadata
  }
  createdAt: string
  updatedAt: string
}

export type ChangeProduct = {
  name?: string
  description?: string | null
  /** The URL of an image; null removes the image. Not together with imageBase64. */
  imageUrl?: string | null
  /** A PNG, JPEG or WebP image of exactly 800x800 pixels and at most 300 KB, as Base64 or as a data URI. */
  imageBase64?: string
  imageDisplaySize?: number
  active?: boolean
  allowPriceOverride?: boolean
  orderTemplate?: ProductOrderTemplate
}

export type UpsertProduct = {
  productUUID: string
  name: string
  description?: string | null
  /** The URL of an image; null removes the image. Not together with imageBase64. */
  imageUrl?: string | null
  /** A PNG, JPEG or WebP image of exactly 800x800 pixels and at most 300 KB, as Base64 or as a data URI. */
  imageBase64?: string
  imageDisplaySize?: number
  active?: boolean
  allowPriceOverride?: boolean
  orderTemplate: ProductOrderTemplate
}

export type ApiWallet = {
  /** True when an EVM wallet is set for provider payouts. */
  configured: boolean
  /** The EVM wallet; an empty string when none is set. */
  payoutWallet: string
  cryptoWallets: {
    evm?: string
    btc?: string
    bitcoincash?: string
    ltc?: string
    doge?: string
    solana?: string
    trc20?: string
    zec?: string
    xmr?: string
  }
  configuredCryptoNetworks: Array<"evm" | "btc" | "bitcoincash" | "ltc" | "doge" | "solana" | "trc20">
  walletType: "custom" | "custodial"
  orderWalletOverrideEnabled: boolean
  includeCrypto: boolean
  createdAt: string
  updatedAt: string
}

export type ChangeWallet = {
  payoutWallet?: string
  cryptoWallets?: {
    /** A mainnet address. An empty string removes it. */
    evm?: string
    /** A mainnet address. An empty string removes it. */
    btc?: string
    /** A mainnet address. An empty string removes it. */
    bitcoincash?: string
    /** A mainnet address. An empty string removes it. */
    ltc?: string
    /** A mainnet address. An empty string removes it. */
    doge?: string
    /** A mainnet address. An empty string removes it. */
    solana?: string
    /** A mainnet address. An empty string removes it. */
    trc20?: string
    /** A mainnet address. An empty string removes it. */
    zec?: string
    /** A mainnet address. An empty string removes it. */
    xmr?: string
  }
  orderWalletOverrideEnabled?: boolean
  includeCrypto?: boolean
}

export type ApiWebhook = {
  configured: boolean
  endpointId: string | null
  url: string | null
  events: Array<"order.paid" | "payment.created" | "payment.processing" | "payment.paid" | "payment.failed" | "payment.expired" | "order.expired" | "order.cancelled" | "order.failed" | "refund.recorded" | "payment.unmatched">
  status: "not_configured" | "active" | "disabled"
  createdAt: string | null
  updatedAt: string | null
}

export type ChangeWebhook = {
  /** A public HTTPS URL. Plain http is for hosts that FLORIN_OUTBOUND_ALLOW names. */
  url: string
}

export type CreatedApiWebhook = {
  configured: true
  endpointId: string
  url: string
  events: Array<"order.paid" | "payment.created" | "payment.processing" | "payment.paid" | "payment.failed" | "payment.expired" | "order.expired" | "order.cancelled" | "order.failed" | "refund.recorded" | "payment.unmatched">
  status: "active" | "disabled"
  createdAt: string | null
  updatedAt: string | null
  /** Shown only once. */
  signingSecret: string
}

export type ShopWebhook = {
  endpointId: string
  /** True for the webhook that PUT /v1/webhook sets. */
  isFirst: boolean
  /** Who defines the requests: `florin`, or `greenfield` for those of BTCPay Server’s API. */
  format: "florin" | "greenfield"
  url: string
  events: Array<"order.paid" | "payment.created" | "payment.processing" | "payment.paid" | "payment.failed" | "payment.expired" | "order.expired" | "order.cancelled" | "order.failed" | "refund.recorded" | "payment.unmatched" | "InvoiceCreated" | "InvoiceReceivedPayment" | "InvoicePaymentSettled" | "InvoiceProcessing" | "InvoiceExpired" | "InvoiceSettled" | "InvoiceInvalid" | "ipn.paid" | "ipn.complete" | "ipn.expired" | "ipn.invalid">
  /** Whether it gets events of live orders, of test orders, or of both. */
  mode: "live" | "test" | "both"
  status: "active" | "disabled"
  failingSince: string | null
  /** Failed tries since the last success. */
  failures: number
  createdAt: string
  updatedAt: string
}

export type ShopWebhooks = {
  items: Array<ShopWebhook>
}

export type AddWebhook = {
  /** A public HTTPS URL. Plain http is for hosts that FLORIN_OUTBOUND_ALLOW names. */
  url: string
  /** The events to send; `order.paid` if you leave it out. */
  events?: Array<"order.paid" | "payment.created" | "payment.processing" | "payment.paid" | "payment.failed" | "payment.expired" | "order.expired" | "order.cancelled" | "order.failed" | "refund.recorded" | "payment.unmatched">
  /** Whether it gets events of `live` orders (the default), of `test` orders, or of `both`. */
  mode?: "live" | "test" | "both"
  /** Also sends subscribed events from this time on. Otherwise nothing is sent that happened before. */
  eventsSince?: string
}

export type AddedWebhook = {
  endpointId: string
  /** True for the webhook that PUT /v1/webhook sets. */
  isFirst: boolean
  /** Who defines the requests: `florin`, or `greenfield` for those of BTCPay Server’s API. */
  format: "florin" | "greenfield"
  url: string
  events: Array<"order.paid" | "payment.created" | "payment.processing" | "payment.paid" | "payment.failed" | "payment.expired" | "order.expired" | "order.cancelled" | "order.failed" | "refund.recorded" | "payment.unmatched" | "InvoiceCreated" | "InvoiceReceivedPayment" | "InvoicePaymentSettled" | "InvoiceProcessing" | "InvoiceExpired" | "InvoiceSettled" | "InvoiceInvalid" | "ipn.paid" | "ipn.complete" | "ipn.expired" | "ipn.invalid">
  /** Whether it gets events of live orders, of test orders, or of both. */
  mode: "live" | "test" | "both"
  status: "active" | "disabled"
  failingSince: string | null
  /** Failed tries since the last success. */
  failures: number
  createdAt: string
  updatedAt: string
  /** Shown only once. */
  signingSecret: string
}

export type EditWebhook = {
  /** A new URL reactivates a disabled webhook and sends what waits. */
  url?: string
  /** The events to send from now on. */
  events?: Array<"order.paid" | "payment.created" | "payment.processing" | "payment.paid" | "payment.failed" | "payment.expired" | "order.expired" | "order.cancelled" | "order.failed" | "refund.recorded" | "payment.unmatched">
  /** Whether it gets events of `live` orders (the default), of `test` orders, or of `both`. */
  mode?: "live" | "test" | "both"
}

export type WebhookTest = {
  outcome: "delivered" | "refused" | "timed_out" | "unreachable" | "destination_not_allowed" | "bad_answer"
  httpStatus: number | null
  durationMs: number
}

export type RotateSecret = {
  /** How long deliveries also carry X-Service-Signature-Previous, made with the former secret; 24 if you leave it out. */
  overlapHours?: number
}

export type NewSigningSecret = {
  /** Shown only once. */
  signingSecret: string
}

export type PaymentMethod = {
  key: string
  displayName: string
  minimumAmount: Amount
  minimumCurrency: Currency
  status: "AVAILABLE"
}

export type CheckoutProduct = {
  productUUID: string
  merchantName: string
  name: string
  description: string | null
  /** A URL, or a data URI for an uploaded image. */
  imageUrl: string | null
  imageDisplaySize: number
  allowPriceOverride: boolean
  amount: Amount
  currency: Currency
  paymentMethodsKeys: OfferedKeys
  checkoutUrl: string
}

export type CreateProductOrder = {
  customer: CustomerInput
  /** The key of one payment method that the product offers; "all" and "hosted" are not keys. */
  paymentMethodKey: string
  amount?: Amount
  currency?: Currency
}

export type OrderPaid = {
  id: string
  type: "order.paid"
  createdAt: string
  orderUUID: string
  transactionUUID?: string
  /** Left out when the order was marked as paid manually. */
  transactionRef?: string | null
  status: "PAID"
  amount: Amount
  currency: Currency
  externalId: string | null
  metadata: Metadata
  customerEmail: string
  paidAt: string
}

export type PaymentChanged = {
  id: string
  type: "payment.created" | "payment.processing" | "payment.paid" | "payment.failed" | "payment.expired"
  createdAt: string
  orderUUID: string
  attemptId: string
  methodKey: string
  /** The asset, when the method is "crypto". */
  assetId?: string
  status: "created" | "processing" | "paid" | "failed" | "expired"
  amount: Amount
  currency: Currency
  externalId: string | null
  metadata: Metadata
  /** False for a test order. */
  livemode: boolean
  /** Only payment.paid: whether it was paid after the quoted amount expired. */
  late?: boolean
  /** Only payment.paid: what is missing, in the currency of the order; null if nothing is. */
  shortfall?: string | null
  /** What each payment contributed to the order. */
  parts?: Array<{
    attemptId: string
    methodKey: string
    assetId: string
    amount: string
    credited: string
  }>
  /** Only payment.paid: who accepted a payment that did not settle the order by itself. */
  acceptedBy?: string | null
}

export type OrderEnded = {
  id: string
  type: "order.expired" | "order.cancelled" | "order.failed"
  createdAt: string
  orderUUID: string
  status: "EXPIRED" | "CANCELLED" | "FAILED"
  amount: Amount
  currency: Currency
  externalId: string | null
  metadata: Metadata
  /** False for a test order. */
  livemode: boolean
  /** Only order.expired: money that arrived and may still complete the order; null if none did. */
  paymentState?: "CONFIRMING" | "PART_PAID" | null
  /** Only order.cancelled: the reason that was given. */
  cancelReason?: string | null
}

/** `amount` is that of this refund, and `refundedAmount` the sum of all refunds of the order. */
export type RefundRecorded = {
  id: string
  type: "refund.recorded"
  createdAt: string
  orderUUID: string
  /** As in the list of the refunds of the order. */
  refundId: string
  transactionId: string
  amount: Amount
  currency: Currency
  externalId: string | null
  metadata: Metadata
  reason: string
  refundStatus: "PARTIAL" | "FULL"
  refundedAmount: Amount
  /** False for a test order. */
  livemode: boolean
}

export type PaymentUnmatched = {
  id: string
  type: "payment.unmatched"
  createdAt: string
  orderUUID: string
  unmatchedId: string
  attemptId: string
  methodKey: string
  reason: "wrong_asset" | "underpaid" | "late" | "second_payment" | "order_closed" | "too_late"
  /** What arrived, in receivedCurrency; null if its decimals are unknown. */
  receivedAmount: string | null
  /** The asset that arrived, or a currency. */
  receivedCurrency: string
  /** Its value in the currency of the order; null if unknown. */
  value: string | null
  /** What the order would lack if the payment counted; null if nothing, or if it is paid or closed. */
  shortfall: string | null
  /** Null for small payments that were joined into one. */
  txId: string | null
  amount: Amount
  currency: Currency
  externalId: string | null
  metadata: Metadata
  /** False for a test order. */
  livemode: boolean
}

/** The body of a webhook. Later versions may add types: ignore those that you do not know. */
export type FlorinEvent =
  | (OrderPaid & { type: 'order.paid' })
  | (PaymentChanged & { type: 'payment.created' })
  | (PaymentChanged & { type: 'payment.processing' })
  | (PaymentChanged & { type: 'payment.paid' })
  | (PaymentChanged & { type: 'payment.failed' })
  | (PaymentChanged & { type: 'payment.expired' })
  | (OrderEnded & { type: 'order.expired' })
  | (OrderEnded & { type: 'order.cancelled' })
  | (OrderEnded & { type: 'order.failed' })
  | (RefundRecorded & { type: 'refund.recorded' })
  | (PaymentUnmatched & { type: 'payment.unmatched' })

/** What each operation takes and returns. */
export interface Operations {
  /** Check that the process is running */
  isAlive: {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    data: {
      status: "alive"
    }
  }
  /** Check that the server is ready */
  isReady: {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    data: {
      status: "ready"
    }
  }
  /** Create an order */
  createOrder: {
    path: Record<never, never>
    query: Record<never, never>
    body: CreateOrder
    data: Order
  }
  /** List orders */
  listOrders: {
    path: Record<never, never>
    query: {
      /** Only orders with this status. */
      status?: "UNPAID" | "PAID" | "FAILED" | "EXPIRED" | "CANCELLED"
      /** Only orders with this externalId. */
      externalId?: string
      /** Only orders of this customer, in any case. */
      customerEmail?: string
      /** Only orders of this product. */
      productUUID?: string
      /** Only orders created at this time or later. */
      createdFrom?: string
      /** Only orders created before this time. */
      createdTo?: string
      /** Only orders changed at this time or later. A page can then have fewer items than pageSize, or none, and still a nextPageToken: go on until there is none. */
      updatedFrom?: string
      /** `false` lists what belongs to test orders, and nothing else. */
      livemode?: boolean
      /** How many items a page has at most. */
      pageSize?: number
      /** The nextPageToken of the previous page. */
      pageToken?: string
    }
    body: undefined
    data: {
      items: Array<Order>
      /** Send it as pageToken to get the next page. The last page has none. */
      nextPageToken?: string
    }
  }
  /** Get an order */
  readOrder: {
    path: {
      /** The UUID of the order. */
      orderUUID: string
    }
    query: Record<never, never>
    body: undefined
    data: Order
  }
  /** Cancel an order */
  cancelOrder: {
    path: {
      /** The UUID of the order. */
      orderUUID: string
    }
    query: Record<never, never>
    body: CancelOrder
    data: {
      order: Order
    }
  }
  /** Create a test order */
  createTestOrder: {
    path: Record<never, never>
    query: Record<never, never>
    body: CreateOrder
    data: Order
  }
  /** Record a refund */
  recordRefund: {
    path: {
      /** The UUID of the order. */
      orderUUID: string
    }
    query: Record<never, never>
    body: RecordRefund
    data: {
      order: Order
      transaction: Payment
      refund: Refund
    }
  }
  /** List the refunds of an order */
  listRefunds: {
    path: {
      /** The UUID of the order. */
      orderUUID: string
    }
    query: {
      /** How many items a page has at most. */
      pageSize?: number
      /** The nextPageToken of the previous page. */
      pageToken?: string
    }
    body: undefined
    data: {
      items: Array<Refund>
      /** Send it as pageToken to get the next page. The last page has none. */
      nextPageToken?: string
    }
  }
  /** List transactions */
  listTransactions: {
    path: Record<never, never>
    query: {
      /** Only transactions with this status. */
      status?: "PAID" | "PARTIALLY_REFUNDED" | "REFUNDED"
      /** Only the transaction of this order. */
      orderUUID?: string
      /** `false` lists what belongs to test orders, and nothing else. */
      livemode?: boolean
      /** How many items a page has at most. */
      pageSize?: number
      /** The nextPageToken of the previous page. */
      pageToken?: string
    }
    body: undefined
    data: {
      items: Array<Payment>
      /** Send it as pageToken to get the next page. The last page has none. */
      nextPageToken?: string
    }
  }
  /** Get a transaction */
  readTransaction: {
    path: {
      /** The ID of the transaction. */
      transactionId: string
    }
    query: Record<never, never>
    body: undefined
    data: Payment
  }
  /** List events */
  listEvents: {
    path: Record<never, never>
    query: {
      /** Only events of this type. */
      type?: "order.paid" | "payment.created" | "payment.processing" | "payment.paid" | "payment.failed" | "payment.expired" | "order.expired" | "order.cancelled" | "order.failed" | "refund.recorded" | "payment.unmatched"
      /** Only events whose delivery has this status. */
      status?: "pending" | "delivered" | "failed"
      /** `false` lists what belongs to test orders, and nothing else. */
      livemode?: boolean
      /** How many items a page has at most. */
      pageSize?: number
      /** The nextPageToken of the previous page. */
      pageToken?: string
    }
    body: undefined
    data: {
      items: Array<WebhookEvent>
      /** Send it as pageToken to get the next page. The last page has none. */
      nextPageToken?: string
    }
  }
  /** Get an event */
  readEvent: {
    path: {
      /** The ID of the event. */
      id: string
    }
    query: Record<never, never>
    body: undefined
    data: WebhookEvent
  }
  /** Deliver an event again */
  redeliverEvent: {
    path: {
      /** The ID of the event. */
      id: string
    }
    query: Record<never, never>
    body: undefined
    data: WebhookEvent
  }
  /** Create a product */
  createProduct: {
    path: Record<never, never>
    query: Record<never, never>
    body: CreateProduct
    data: Product
  }
  /** List products */
  listProducts: {
    path: Record<never, never>
    query: {
      /** How many items a page has at most. */
      pageSize?: number
      /** The nextPageToken of the previous page. */
      pageToken?: string
    }
    body: undefined
    data: {
      items: Array<Product>
      /** Send it as pageToken to get the next page. The last page has none. */
      nextPageToken?: string
    }
  }
  /** Get a product */
  readProduct: {
    path: {
      /** The UUID of the product. */
      productUUID: string
    }
    query: Record<never, never>
    body: undefined
    data: Product
  }
  /** Change a product */
  changeProduct: {
    path: {
      /** The UUID of the product. */
      productUUID: string
    }
    query: Record<never, never>
    body: ChangeProduct
    data: Product
  }
  /** Create many products */
  createProducts: {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      items: Array<CreateProduct>
    }
    data: {
      items: Array<Product>
      createdCount: number
    }
  }
  /** Create or change many products */
  upsertProducts: {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      items: Array<UpsertProduct>
    }
    data: {
      items: Array<Product>
      createdCount: number
      updatedCount: number
    }
  }
  /** Archive or restore many products */
  changeProductsStatus: {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      productUUIDs: Array<string>
      /** False archives the products, true restores them. */
      active: boolean
    }
    data: {
      items: Array<Product>
      updatedCount: number
      active: boolean
    }
  }
  /** Get the payout wallets */
  readWallet: {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    data: ApiWallet
  }
  /** Change the payout wallets */
  changeWallet: {
    path: Record<never, never>
    query: Record<never, never>
    body: ChangeWallet
    data: ApiWallet
  }
  /** Get the webhook */
  readWebhook: {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    data: ApiWebhook
  }
  /** Set the webhook URL */
  changeWebhook: {
    path: Record<never, never>
    query: Record<never, never>
    body: ChangeWebhook
    data: CreatedApiWebhook | ApiWebhook
  }
  /** List webhooks */
  listWebhooks: {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    data: ShopWebhooks
  }
  /** Add a webhook */
  addWebhook: {
    path: Record<never, never>
    query: Record<never, never>
    body: AddWebhook
    data: AddedWebhook
  }
  /** Get one of the webhooks */
  readWebhookById: {
    path: {
      /** The ID of the webhook. */
      endpointId: string
    }
    query: Record<never, never>
    body: undefined
    data: ShopWebhook
  }
  /** Change a webhook */
  editWebhook: {
    path: {
      /** The ID of the webhook. */
      endpointId: string
    }
    query: Record<never, never>
    body: EditWebhook
    data: ShopWebhook
  }
  /** Delete a webhook */
  removeWebhook: {
    path: {
      /** The ID of the webhook. */
      endpointId: string
    }
    query: Record<never, never>
    body: undefined
    data: ShopWebhook
  }
  /** Send a test event */
  testWebhook: {
    path: {
      /** The ID of the webhook. */
      endpointId: string
    }
    query: Record<never, never>
    body: undefined
    data: WebhookTest
  }
  /** Replace the signing secret */
  rotateWebhook: {
    path: {
      /** The ID of the webhook. */
      endpointId: string
    }
    query: Record<never, never>
    body: RotateSecret
    data: NewSigningSecret
  }
  /** List the payment methods */
  listPaymentMethods: {
    path: Record<never, never>
    query: {
      /** Refreshes the cached list of providers. */
      forceFetch?: boolean
    }
    body: undefined
    data: {
      paymentMethods: Array<PaymentMethod>
      paymentMethodsKeys: Array<string>
    }
  }
  /** Get a product as buyers see it */
  readCheckoutProduct: {
    path: {
      /** The UUID of the product. */
      productUUID: string
    }
    query: Record<never, never>
    body: undefined
    data: CheckoutProduct
  }
  /** Create an order for a product */
  startProductOrder: {
    path: {
      /** The UUID of the product. */
      productUUID: string
    }
    query: Record<never, never>
    body: CreateProductOrder
    data: {
      orderUUID: string
      status: "UNPAID"
      redirectUrl: string
    }
  }
}

/** The method and path of each operation, and whether it takes an Idempotency-Key. */
export const routes = {
  isAlive: ['GET', '/healthz', false],
  isReady: ['GET', '/readyz', false],
  createOrder: ['POST', '/v1/orders', true],
  listOrders: ['GET', '/v1/orders', false],
  readOrder: ['GET', '/v1/orders/{orderUUID}', false],
  cancelOrder: ['POST', '/v1/orders/{orderUUID}/cancel', false],
  createTestOrder: ['POST', '/v1/test/orders', true],
  recordRefund: ['POST', '/v1/orders/{orderUUID}/refunds', true],
  listRefunds: ['GET', '/v1/orders/{orderUUID}/refunds', false],
  listTransactions: ['GET', '/v1/transactions', false],
  readTransaction: ['GET', '/v1/transactions/{transactionId}', false],
  listEvents: ['GET', '/v1/events', false],
  readEvent: ['GET', '/v1/events/{id}', false],
  redeliverEvent: ['POST', '/v1/events/{id}/redeliver', false],
  createProduct: ['POST', '/v1/products', false],
  listProducts: ['GET', '/v1/products', false],
  readProduct: ['GET', '/v1/products/{productUUID}', false],
  changeProduct: ['PATCH', '/v1/products/{productUUID}', false],
  createProducts: ['POST', '/v1/products/bulk', false],
  upsertProducts: ['PUT', '/v1/products/bulk', false],
  changeProductsStatus: ['PATCH', '/v1/products/bulk/status', false],
  readWallet: ['GET', '/v1/wallet', false],
  changeWallet: ['PUT', '/v1/wallet', false],
  readWebhook: ['GET', '/v1/webhook', false],
  changeWebhook: ['PUT', '/v1/webhook', false],
  listWebhooks: ['GET', '/v1/webhooks', false],
  addWebhook: ['POST', '/v1/webhooks', false],
  readWebhookById: ['GET', '/v1/webhooks/{endpointId}', false],
  editWebhook: ['PATCH', '/v1/webhooks/{endpointId}', false],
  removeWebhook: ['DELETE', '/v1/webhooks/{endpointId}', false],
  testWebhook: ['POST', '/v1/webhooks/{endpointId}/test', false],
  rotateWebhook: ['POST', '/v1/webhooks/{endpointId}/rotate', false],
  listPaymentMethods: ['GET', '/v1/payment-methods', false],
  readCheckoutProduct: ['GET', '/v1/checkout/products/{productUUID}', false],
  startProductOrder: ['POST', '/v1/checkout/products/{productUUID}/orders', false],
} as const satisfies Record<keyof Operations, readonly [string, string, boolean]>
