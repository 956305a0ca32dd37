import { primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import type { Script, SetUpKind } from '../../domain/address-source.ts'
import type { WalletNetwork } from '../../domain/asset.ts'
import type { SkippedPayment } from '../../domain/skipped-payment.ts'
import { count, flag, instant, string, units } from './columns.ts'

export const addressSources = sqliteTable('address_sources', {
  id: string().primaryKey(),
  merchantId: string().notNull(),
  network: string<WalletNetwork>().notNull(),
  kind: string<SetUpKind>().notNull(),
  key: string(),
  script: string<Script>(),
  payoutAddress: string(),
  nextIndex: count().notNull(),
  active: flag().notNull(),
  createdAt: instant().notNull(),
  updatedAt: instant().notNull(),
  skippedAt: instant(),
})

export const sourceAddresses = sqliteTable(
  'source_addresses',
  {
    network: string<WalletNetwork>().notNull(),
    address: string().notNull(),
    sourceId: string().notNull(),
    merchantId: string().notNull(),
    position: count().notNull(),
    attemptId: string(),
    allocatedAt: instant(),
  },
  table => [primaryKey({ columns: [table.network, table.address] })],
)

export const skippedPayments = sqliteTable('skipped_payments', {
  id: string().primaryKey(),
  merchantId: string().notNull(),
  network: string<WalletNetwork>().notNull(),
  position: count().notNull(),
  address: string().notNull(),
  assetId: string().notNull(),
  decimals: count().notNull(),
  amountAtomic: units().notNull(),
  status: string<SkippedPayment['status']>().notNull(),
  note: string(),
  decidedBy: string(),
  createdAt: instant().notNull(),
  updatedAt: instant().notNull(),
})

export const payoutChecks = sqliteTable(
  'payout_checks',
  {
    chain: string().notNull(),
    address: string().notNull(),
    isContract: flag().notNull(),
    coinRefusal: string(),
    checkedAt: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.address, table.chain] })],
)
