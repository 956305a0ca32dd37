import type { Tables } from '../port.ts'
import { attemptsTable, incomingPaymentsTable } from './attempts.ts'
import { auditTable } from './audit.ts'
import { cataloguesTable, coinCataloguesTable } from './catalogues.ts'
import { customersTable } from './customers.ts'
import type { Db } from './db.ts'
import { eventsTable } from './events.ts'
import { idempotencyTable } from './idempotency.ts'
import { jobsTable } from './jobs.ts'
import { keysTable } from './keys.ts'
import { merchantsTable } from './merchants.ts'
import { notificationsTable } from './notifications.ts'
import { ordersTable, sessionsTable } from './orders.ts'
import { personalDataTable } from './personal-data.ts'
import { imagesTable, productsTable } from './products.ts'
import { providerAccountsTable } from './provider-accounts.ts'
import { refundsTable } from './refunds.ts'
import { retentionTable } from './retention.ts'
import { sourcesTable } from './sources.ts'
import { statisticsTable } from './statistics.ts'
import { transactionsTable } from './transactions.ts'
import { unmatchedTable } from './unmatched.ts'
import { walletsTable } from './wallets.ts'
import { webhooksTable } from './webhooks.ts'

export const tablesOf = (db: Db, onScheduled: () => void): Tables => ({
  merchants: merchantsTable(db),
  keys: keysTable(db),
  customers: customersTable(db),
  wallets: walletsTable(db),
  sources: sourcesTable(db),
  webhooks: webhooksTable(db),
  orders: ordersTable(db),
  sessions: sessionsTable(db),
  attempts: attemptsTable(db),
  incomingPayments: incomingPaymentsTable(db),
  transactions: transactionsTable(db),
  unmatched: unmatchedTable(db),
  notifications: notificationsTable(db),
  events: eventsTable(db),
  jobs: jobsTable(db, onScheduled),
  statistics: statisticsTable(db),
  idempotency: idempotencyTable(db),
  catalogues: cataloguesTable(db),
  coinCatalogues: coinCataloguesTable(db),
  providerAccounts: providerAccountsTable(db),
  products: productsTable(db),
  images: imagesTable(db),
  refunds: refundsTable(db),
  audit: auditTable(db),
  retention: retentionTable(db),
  personalData: personalDataTable(db),
})
