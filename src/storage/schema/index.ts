import { primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import type { KeyMode, Scope } from '../../domain/api-key.ts'
import type { Logo } from '../../domain/brand.ts'
import type { ProviderCoin, ProviderMethod } from '../../domain/catalogue.ts'
import type { InvoiceSettings } from '../../domain/invoice.ts'
import type { JobKind, JobPriority } from '../../domain/job.ts'
import type { CryptoFirst, LatePolicy, Merchant } from '../../domain/merchant.ts'
import type { Json, Metadata } from '../../domain/metadata.ts'
import type { FeeCollectionStatus, OrderSource, OrderStatus, PaymentState } from '../../domain/order.ts'
import type { RefundStatus } from '../../domain/refund-totals.ts'
import type { ProvisioningStatus } from '../../domain/session.ts'
import type { OrderTax, ShopTax } from '../../domain/tax.ts'
import type { TransactionStatus } from '../../domain/transaction.ts'
import type { PeopleLanguage, SecondFactorPolicy } from '../../domain/user.ts'
import type { FundsReminder } from '../../domain/waiting-funds.ts'
import type { CryptoWallets } from '../../domain/wallet.ts'
import { count, flag, instant, json, optionalFlag, optionalJson, string, timestamps } from './columns.ts'

export * from './addresses.ts'
export * from './audit.ts'
export * from './funds.ts'
export * from './installation.ts'
export * from './invoices.ts'
export * from './notifications.ts'
export * from './payments.ts'
export * from './people.ts'
export * from './people.ts'
export * from './products.ts'
export * from './statistics.ts'
export * from './upstreams.ts'
export * from './webhooks.ts'

const refunded = () => ({
  refundStatus: string<RefundStatus>(),
  refundedAmount: string(),
  refundCount: count().notNull(),
  lastRefundedAt: instant(),
  refundedAt: instant(),
})

export const merchants = sqliteTable('merchants', {
  number: count().primaryKey(),
  id: string().notNull(),
  email: string().notNull(),
  emailKey: string().notNull(),
  name: string().notNull(),
  feePercent: string().notNull(),
  status: string<Merchant['status']>().notNull(),
  returnUrl: string(),
  supportEmail: string(),
  supportUrl: string(),
  termsUrl: string(),
  privacyUrl: string(),
  color: string(),
  logo: json<Logo>(),
  searchable: flag().notNull(),
  receipts: flag().notNull(),
  paymentMails: optionalFlag(),
  embedOrigins: optionalJson<readonly string[]>(),
  cryptoFirst: string<CryptoFirst>().notNull(),
  tolerance: string().notNull(),
  late: string<LatePolicy>().notNull(),
  timeZone: string().notNull(),
  language: string<PeopleLanguage>().notNull(),
  secondFactor: string<SecondFactorPolicy>().notNull(),
  currency: string(),
  staffPrices: flag().notNull(),
  tax: optionalJson<ShopTax>(),
  invoicing: optionalJson<InvoiceSettings>(),
  fundsReminder: optionalJson<FundsReminder>(),
  ...timestamps(),
})

export const keys = sqliteTable('keys', {
  id: string().primaryKey(),
  merchantId: string().notNull(),
  mode: string<KeyMode>().notNull(),
  scopes: json<Scope[]>().notNull(),
  secretHash: string().notNull(),
  label: string(),
  createdAt: instant().notNull(),
  revokedAt: instant(),
  expiresAt: instant(),
  lastUsedAt: instant(),
  replacedBy: string(),
  appOrigin: string(),
})

export const customers = sqliteTable('customers', {
  id: string().primaryKey(),
  merchantId: string().notNull(),
  email: string().notNull(),
  emailKey: string().notNull(),
  blockedAt: instant(),
  createdAt: instant().notNull(),
})

export const wallets = sqliteTable('wallets', {
  merchantId: string().primaryKey(),
  addresses: json<CryptoWallets>().notNull(),
  includeCrypto: flag().notNull(),
  orderWalletOverride: flag().notNull(),
  ...timestamps(),
})

export const orders = sqliteTable('orders', {
  id: string().primaryKey(),
  merchantId: string().notNull(),
  merchantNumber: count().notNull(),
  customerId: string().notNull(),
  customerEmail: string().notNull(),
  customerFullName: string().notNull(),
  externalId: string(),
  productId: string(),
  productName: string(),
  productImageUrl: string(),
  description: string(),
  amount: string().notNull(),
  currency: string().notNull(),
  methodKeys: json<string[]>().notNull(),
  receivingWallet: string(),
  returnUrl: string(),
  metadata: json<Metadata>().notNull(),
  source: string<OrderSource>().notNull(),
  feePercent: string().notNull(),
  feeAmount: string().notNull(),
  netAmount: string().notNull(),
  feeCollection: string<FeeCollectionStatus>().notNull(),
  status: string<OrderStatus>().notNull(),
  expiresAt: instant().notNull(),
  ...timestamps(),
  sessionStatus: string<ProvisioningStatus>().notNull(),
  sessionUpdatedAt: instant().notNull(),
  chosenMethod: string(),
  chosenAsset: string(),
  paymentState: string<PaymentState>(),
  openedAt: instant(),
  expiredAt: instant(),
  transactionId: string(),
  transactionRef: string(),
  paidAt: instant(),
  providerAddressIn: string(),
  providerPayoutAddress: string(),
  providerTxIn: string(),
  providerTxOut: string(),
  receivedAmount: string(),
  receivedCurrency: string(),
  forcedAt: instant(),
  forcedBy: string(),
  forceReason: string(),
  forcedProviderStatus: string(),
  cancelledAt: instant(),
  cancelledBy: string(),
  cancelReason: string(),
  tax: optionalJson<OrderTax>(),
  createdBy: string(),
  ...refunded(),
})

export const transactions = sqliteTable('transactions', {
  id: string().primaryKey(),
  merchantId: string().notNull(),
  orderId: string().notNull(),
  attemptId: string().notNull(),
  transactionRef: string(),
  methodKey: string().notNull(),
  amount: string().notNull(),
  currency: string().notNull(),
  feePercent: string().notNull(),
  feeAmount: string().notNull(),
  netAmount: string().notNull(),
  feeCollection: string<FeeCollectionStatus>().notNull(),
  receivingWallet: string().notNull(),
  receivedAmount: string().notNull(),
  receivedCurrency: string().notNull(),
  txIn: string(),
  txOut: string(),
  ...refunded(),
  status: string<TransactionStatus>().notNull(),
  paidAt: instant().notNull(),
  ...timestamps(),
})

export const jobs = sqliteTable(
  'jobs',
  {
    kind: string<JobKind>().notNull(),
    subject: string().notNull(),
    lane: string().notNull(),
    priority: count().$type<JobPriority>().notNull(),
    dueAt: instant().notNull(),
    lease: string(),
    tries: count().notNull(),
  },
  table => [primaryKey({ columns: [table.kind, table.subject] })],
)

export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    merchantId: string().notNull(),
    operation: string().notNull(),
    key: string().notNull(),
    requestHash: string().notNull(),
    resourceId: string().notNull(),
    createdAt: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.merchantId, table.operation, table.key] })],
)

export const catalogues = sqliteTable('catalogues', {
  provider: string().primaryKey(),
  methods: json<ProviderMethod[]>().notNull(),
  fetchedAt: instant().notNull(),
})

export const providerAccounts = sqliteTable(
  'provider_accounts',
  {
    merchantId: string().notNull(),
    provider: string().notNull(),
    credentials: json<Json>().notNull(),
    ...timestamps(),
  },
  table => [primaryKey({ columns: [table.merchantId, table.provider] })],
)

export const lightningInvoices = sqliteTable('lightning_invoices', {
  paymentHash: string().primaryKey(),
  attemptId: string().notNull(),
})

export const fetchedRates = sqliteTable('fetched_rates', {
  source: string().primaryKey(),
  prices: string(),
  fetchedAt: instant(),
  askedUntil: instant().notNull(),
})

export const coinCatalogues = sqliteTable('coin_catalogues', {
  provider: string().primaryKey(),
  coins: json<ProviderCoin[]>().notNull(),
  fetchedAt: instant().notNull(),
})
