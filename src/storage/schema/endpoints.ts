import { sqliteTable } from 'drizzle-orm/sqlite-core'
import type { EndpointHeader } from '../../domain/endpoint.ts'
import { count, instant, json, string } from './columns.ts'

export const chosenEndpoints = sqliteTable('chosen_endpoints', {
  id: string().primaryKey(),
  chain: string().notNull(),
  position: count().notNull(),
  protocol: string().notNull(),
  url: string().notNull(),
  header: json<EndpointHeader>(),
  createdAt: instant().notNull(),
})

export const chosenRateSources = sqliteTable('chosen_rate_sources', {
  name: string().primaryKey(),
  createdAt: instant().notNull(),
})
