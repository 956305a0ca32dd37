import { sqliteTable } from 'drizzle-orm/sqlite-core'
import type { Metadata } from '../../domain/metadata.ts'
import type { StoredImageType } from '../../domain/product.ts'
import type { ReversalKind, ReversalStatus } from '../../domain/reversal.ts'
import type { TaxClass } from '../../domain/tax.ts'
import { bytes, count, flag, instant, json, string } from './columns.ts'

export const products = sqliteTable('products', {
  id: string().primaryKey(),
  merchantId: string().notNull(),
  name: string().notNull(),
  description: string(),
  imageUrl: string(),
  imageId: string(),
  imageDisplaySize: count().notNull(),
  active: flag().notNull(),
  allowPriceOverride: flag().notNull(),
  amount: string().notNull(),
  currency: string().notNull(),
  methodKeys: json<string[]>().notNull(),
  taxClass: string<TaxClass>().notNull(),
  metadata: json<Metadata>().notNull(),
  createdAt: instant().notNull(),
  updatedAt: instant().notNull(),
})

export const productImages = sqliteTable('product_images', {
  id: string().primaryKey(),
  merchantId: string().notNull(),
  type: string<StoredImageType>().notNull(),
  bytes: bytes().notNull(),
  createdAt: instant().notNull(),
})

export const reversals = sqliteTable('reversals', {
  id: string().primaryKey(),
  merchantId: string().notNull(),
  orderId: string().notNull(),
  attemptId: string().notNull(),
  provider: string().notNull(),
  reference: string(),
  kind: string<ReversalKind>().notNull(),
  status: string<ReversalStatus>().notNull(),
  amount: string().notNull(),
  currency: string().notNull(),
  refundId: string(),
  idempotencyKey: string(),
  reason: string(),
  createdBy: string(),
  createdAt: instant().notNull(),
  updatedAt: instant().notNull(),
})

export const refunds = sqliteTable('refunds', {
  id: string().primaryKey(),
  merchantId: string().notNull(),
  orderId: string().notNull(),
  transactionId: string().notNull(),
  amount: string().notNull(),
  currency: string().notNull(),
  methodKey: string().notNull(),
  reason: string().notNull(),
  createdBy: string().notNull(),
  createdAt: instant().notNull(),
  sentAmount: string(),
  txId: string(),
  sentAssetId: string(),
})
