import { sql } from 'drizzle-orm'
import { sqliteTable } from 'drizzle-orm/sqlite-core'
import type { AttemptState } from '../../domain/attempt.ts'
import type { Elsewhere } from '../../domain/elsewhere.ts'
import type { Json } from '../../domain/metadata.ts'
import type { IncomingPaymentState, SeenAmount } from '../../domain/payment.ts'
import type { UnmatchedPayment, UnmatchedReason } from '../../domain/settlement.ts'
import { count, flag, instant, json, optionalUnits, string, units } from './columns.ts'

const timestamps = () => ({ createdAt: instant().notNull(), updatedAt: instant().notNull() })

export const elsewhere = sqliteTable('elsewhere', {
  attemptId: string().primaryKey(),
  askedAt: instant(),
  chains: json<Elsewhere['chains']>().notNull(),
})

export const attempts = sqliteTable('attempts', {
  id: string().primaryKey(),
  merchantId: string().notNull(),
  orderId: string().notNull(),
  kind: string<'redirect' | 'address'>().notNull(),
  provider: string(),
  methodKey: string().notNull(),
  methodName: string().notNull(),
  assetId: string(),
  decimals: count(),
  dueAtomic: optionalUnits(),
  thresholdAtomic: optionalUnits(),
  priced: string().notNull(),
  floorAtomic: units().notNull(),
  pageShare: count(),
  dustAtomic: units().notNull(),
  tolerance: units().notNull(),
  dust: units().notNull(),
  rate: string(),
  rateSources: json<string[]>().notNull(),
  rateAt: instant(),
  address: string(),
  shared: flag().notNull(),
  payoutAddress: string(),
  addressSource: json<Json>(),
  requiredEndpoints: count().notNull(),
  paymentUri: string(),
  redirectUrl: string(),
  callbackUrl: string(),
  callbackSecret: string(),
  providerRef: string(),
  feeSplit: flag().notNull(),
  lockedUntil: instant().notNull(),
  graceUntil: instant().notNull(),
  graceLimit: instant().notNull(),
  minedWithinMs: count().notNull(),
  blindMs: count().notNull(),
  watchUntil: instant().notNull(),
  refundAddress: string(),
  language: string().notNull(),
  state: string<AttemptState>().notNull(),
  receivedAtomic: units().notNull(),
  confirmedAtomic: units().notNull(),
  credited: units().notNull(),
  settledCredit: units().notNull(),
  awaited: optionalUnits(),
  vanishedAt: instant(),
  confirmations: count(),
  requiredConfirmations: count(),
  cursor: json<Json>(),
  checkedAt: instant(),
  reclaimedAt: instant(),
  chosenAt: instant().notNull(),
  ...timestamps(),
})

/**
 * The asset and decimals of an opened attempt, which always has both. The columns are nullable for openings.
 */
export const assetOfPaid = sql<string>`${attempts.assetId}`
export const decimalsOfPaid = sql<number>`${attempts.decimals}`

export const incomingPayments = sqliteTable('incoming_payments', {
  id: string().primaryKey(),
  attemptId: string().notNull(),
  orderId: string().notNull(),
  merchantId: string().notNull(),
  source: string().notNull(),
  txId: string().notNull(),
  txIndex: string().notNull(),
  assetId: string().notNull(),
  amountAtomic: units().notNull(),
  state: string<IncomingPaymentState>().notNull(),
  settles: flag().notNull(),
  confirmations: count().notNull(),
  height: count(),
  txIn: string(),
  txOut: string(),
  paidAt: instant().notNull(),
  seen: json<readonly SeenAmount[]>().notNull(),
  minedAt: instant(),
  rate: string(),
  counts: flag().notNull(),
  inputs: json<readonly string[]>().notNull(),
  evidence: json<Json>().notNull(),
  ...timestamps(),
})

export const settlements = sqliteTable('settlements', {
  orderId: string().primaryKey(),
  merchantId: string().notNull(),
  attemptId: string().notNull(),
  transactionId: string().notNull(),
  verdict: string().notNull(),
  rule: string().notNull(),
  evidence: json<Json>().notNull(),
  createdAt: instant().notNull(),
})

export const unmatchedPayments = sqliteTable('unmatched_payments', {
  id: string().primaryKey(),
  merchantId: string().notNull(),
  orderId: string().notNull(),
  attemptId: string().notNull(),
  incomingPaymentId: string().notNull(),
  reason: string<UnmatchedReason>().notNull(),
  status: string<UnmatchedPayment['status']>().notNull(),
  value: string(),
  shortfall: string(),
  note: string(),
  decidedBy: string(),
  ...timestamps(),
})
