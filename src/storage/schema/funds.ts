import { primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import type { SweepStatus, SweepTransaction, WaitingFunds } from '../../domain/waiting-funds.ts'
import type { HeldFunds } from '../port/funds.ts'
import { instant, json, optionalJson, string } from './columns.ts'

export const heldFunds = sqliteTable(
  'held_funds',
  {
    attemptId: string().notNull(),
    chain: string().notNull(),
    merchantId: string().notNull(),
    holdings: json<HeldFunds['holdings']>().notNull(),
    lookedAt: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.attemptId, table.chain] })],
)

export const waitingFunds = sqliteTable('waiting_funds', {
  merchantId: string().primaryKey(),
  currency: string().notNull(),
  chains: json<WaitingFunds['chains']>().notNull(),
  reminded: optionalJson<NonNullable<WaitingFunds['reminded']>>(),
})

export const sweepTransactions = sqliteTable('sweep_transactions', {
  id: string().primaryKey(),
  merchantId: string().notNull(),
  chain: string().notNull(),
  txId: string().notNull(),
  status: string<SweepStatus>().notNull(),
  moved: json<SweepTransaction['moved']>().notNull(),
  feeAssetId: string(),
  feeAmount: string(),
  feeValue: string(),
  currency: string().notNull(),
  createdAt: instant().notNull(),
  minedAt: instant(),
  updatedAt: instant().notNull(),
})
