import { primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import type { EndpointHeader } from '../../domain/endpoint.ts'
import type { MailSecurity } from '../../domain/mail-server.ts'
import type { Json } from '../../domain/metadata.ts'
import { count, flag, instant, json, optionalJson, string } from './columns.ts'

export const chainScans = sqliteTable('chain_scans', {
  chain: string().primaryKey(),
  beganAt: instant().notNull(),
  leasedUntil: instant(),
})

export const blindChains = sqliteTable('blind_chains', {
  chain: string().primaryKey(),
  since: instant().notNull(),
  failedAt: instant().notNull(),
  failures: count().notNull(),
  readAt: instant(),
  notified: json<string[]>().notNull(),
})

export const askedChecks = sqliteTable(
  'asked_checks',
  {
    chain: string().notNull(),
    attemptId: string().notNull(),
    isLocked: flag().notNull(),
    askedAt: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.chain, table.attemptId] })],
)

export const watchedRates = sqliteTable(
  'watched_rates',
  {
    assetId: string().notNull(),
    currency: string().notNull(),
    watchedUntil: instant().notNull(),
    lockedUntil: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.assetId, table.currency] })],
)

export const rates = sqliteTable(
  'rates',
  {
    assetId: string().notNull(),
    currency: string().notNull(),
    at: instant().notNull(),
    value: string().notNull(),
    sources: json<string[]>().notNull(),
  },
  table => [primaryKey({ columns: [table.assetId, table.currency, table.at] })],
)

export const chosenEndpoints = sqliteTable('chosen_endpoints', {
  id: string().primaryKey(),
  chain: string().notNull(),
  position: count().notNull(),
  protocol: string().notNull(),
  url: string().notNull(),
  header: json<EndpointHeader>(),
  createdAt: instant().notNull(),
})

export const chosenMailServers = sqliteTable('chosen_mail_servers', {
  id: string<'mail'>().primaryKey(),
  host: string().notNull(),
  port: count().notNull(),
  security: string<MailSecurity>().notNull(),
  userName: string().notNull(),
  password: optionalJson<Json>(),
  sender: string().notNull(),
  updatedAt: instant().notNull(),
})

export const chosenRateSources = sqliteTable('chosen_rate_sources', {
  name: string().primaryKey(),
  createdAt: instant().notNull(),
})
