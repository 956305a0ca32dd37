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
import { imagesTable, productsTable } from './products.ts'
import { providerAccountsTable } from './provider-accounts.ts'
import { refundsTable } from './refunds.ts'
import { sendsTable } from './sends.ts'
import { sourcesTable } from './sources.ts'
import { statisticsTable } from './statistics.ts'
import { transactionsTable } from './transactions.ts'
import { unmatchedTable } from './unmatched.ts'
import { walletsTable } from './wallets.ts'
import { webhooksTable } from './webhooks.ts'

export function tablesOf(db: Db, onScheduled: () => void): Tables {
  const jobs = jobsTable(db, onScheduled)
  return {
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
    notifications: notificationsTable(db, jobs),
    sends: sendsTable(db),
    events: eventsTable(db),
    jobs,
    statistics: statisticsTable(db),
    idempotency: idempotencyTable(db),
    catalogues: cataloguesTable(db),
    coinCatalogues: coinCataloguesTable(db),
    providerAccounts: providerAccountsTable(db),
    products: productsTable(db),
    images: imagesTable(db),
    refunds: refundsTable(db),
    audit: auditTable(db),
  }
}
