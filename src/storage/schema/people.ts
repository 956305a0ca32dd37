import { primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import type { Actor } from '../../domain/audit.ts'
import type { SetupStep } from '../../domain/setup.ts'
import type { LinkPurpose, Role } from '../../domain/user.ts'
import { count, flag, instant, json, string } from './columns.ts'

export const users = sqliteTable('users', {
  id: string().primaryKey(),
  email: string().notNull(),
  emailKey: string().notNull(),
  isOperator: flag().notNull(),
  passwordHash: string(),
  language: string(),
  suspendedAt: instant(),
  createdAt: instant().notNull(),
  updatedAt: instant().notNull(),
})

export const memberships = sqliteTable(
  'memberships',
  {
    userId: string().notNull(),
    merchantId: string().notNull(),
    role: string<Role>().notNull(),
    createdAt: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.userId, table.merchantId] })],
)

export const logins = sqliteTable('logins', {
  id: string().primaryKey(),
  userId: string().notNull(),
  merchantId: string(),
  authenticatedAt: instant().notNull(),
  userAgent: string().notNull(),
  address: string().notNull(),
  createdAt: instant().notNull(),
  lastSeenAt: instant().notNull(),
  formKey: string(),
})

export const userLinks = sqliteTable('user_links', {
  id: string().primaryKey(),
  purpose: string<LinkPurpose>().notNull(),
  userId: string(),
  expiresAt: instant().notNull(),
  usedAt: instant(),
})

export const setupSkips = sqliteTable(
  'setup_skips',
  { merchantId: string().notNull(), step: string<SetupStep>().notNull(), skippedAt: instant().notNull() },
  table => [primaryKey({ columns: [table.merchantId, table.step] })],
)

export const secondFactors = sqliteTable('second_factors', {
  userId: string().primaryKey(),
  secret: string(),
  confirmedAt: instant(),
  lastStep: count().notNull(),
})

export const passkeys = sqliteTable('passkeys', {
  id: string().primaryKey(),
  userId: string().notNull(),
  name: string().notNull(),
  publicKey: string().notNull(),
  signCount: count().notNull(),
  transports: json<string[]>().notNull(),
  createdAt: instant().notNull(),
  lastUsedAt: instant(),
})

export const passkeyChallenges = sqliteTable('passkey_challenges', {
  id: string().primaryKey(),
  userId: string(),
  expiresAt: instant().notNull(),
})

export const recoveryCodes = sqliteTable(
  'recovery_codes',
  { userId: string().notNull(), hash: string().notNull() },
  table => [primaryKey({ columns: [table.userId, table.hash] })],
)

export const halfLogins = sqliteTable('half_logins', {
  id: string().primaryKey(),
  userId: string().notNull(),
  expiresAt: instant().notNull(),
})

export const knownBrowsers = sqliteTable(
  'known_browsers',
  { userId: string().notNull(), hash: string().notNull(), seenAt: instant().notNull() },
  table => [primaryKey({ columns: [table.userId, table.hash] })],
)

export const signInFailures = sqliteTable('sign_in_failures', {
  id: string().primaryKey(),
  count: count().notNull(),
  lastAt: instant().notNull(),
  expiresAt: instant().notNull(),
})

export const orderNotes = sqliteTable('order_notes', {
  id: string().primaryKey(),
  merchantId: string().notNull(),
  orderId: string().notNull(),
  actor: string<Actor>().notNull(),
  text: string().notNull(),
  createdAt: instant().notNull(),
})

export const savedViews = sqliteTable('saved_views', {
  id: string().primaryKey(),
  merchantId: string().notNull(),
  userId: string().notNull(),
  page: string().notNull(),
  name: string().notNull(),
  query: string().notNull(),
  createdAt: instant().notNull(),
})
