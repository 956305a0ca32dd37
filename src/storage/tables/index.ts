import type { KeptTable, Tables } from '../port.ts'
import { payoutChecksTable, skippedPaymentsTable, sourcesTable } from './addresses.ts'
import { attemptsTable, incomingPaymentsTable } from './attempts.ts'
import type { Db } from './db.ts'
import { eventsTable, webhooksTable } from './events.ts'
import { fundsTable, sweepTransactionsTable } from './funds.ts'
import { furtherDeliveriesTable, furtherWebhooksTable } from './further-webhooks.ts'
import { invoicesTable } from './invoices.ts'
import { jobsTable } from './jobs.ts'
import { buyerMailsTable, paymentMailsTable } from './mails.ts'
import {
  auditTable,
  customersTable,
  keysTable,
  merchantsTable,
  setupTable,
  walletsTable,
} from './merchants.ts'
import { movementsTable } from './movements.ts'
import { notificationsTable, personChannelsTable, sendsTable } from './notifications.ts'
import { idempotencyTable, orderNotesTable, ordersTable, savedViewsTable, sessionsTable } from './orders.ts'
import {
  loginsTable,
  membershipsTable,
  passkeyChallengesTable,
  passkeysTable,
  userLinksTable,
  usersTable,
} from './people.ts'
import { personalDataTable } from './personal-data.ts'
import { imagesTable, productsTable } from './products.ts'
import { quotasTable } from './quotas.ts'
import { fetchedRatesTable, ratesTable } from './rates.ts'
import { retentionTable } from './retention.ts'
import { blindChainsTable, elsewhereTable, sharedScansTable } from './scans.ts'
import { halfLoginsTable, knownBrowsersTable, secondFactorsTable } from './second-factors.ts'
import { signInFailuresTable } from './sign-in-failures.ts'
import { statisticsTable } from './statistics.ts'
import { refundsTable, reversalsTable, transactionsTable } from './transactions.ts'
import { unmatchedTable } from './unmatched.ts'
import {
  cataloguesTable,
  chosenEndpointsTable,
  chosenMailServersTable,
  chosenRateSourcesTable,
  coinCataloguesTable,
  lightningInvoicesTable,
  outagesTable,
  providerAccountsTable,
} from './upstreams.ts'
import { notifying, rememberFinds, WriteGroup } from './write-group.ts'

/** Dependencies of the tables for writes. */
interface WriteHooks {
  /** called with the time at which a scheduled job is due */
  onScheduled(dueAt: number): void
  /** called when a cached repository changes */
  onChanged(name: KeptTable): void
  /** state shared by the writes of one commit */
  group: WriteGroup
}

const noHooks: WriteHooks = { onScheduled() {}, onChanged() {}, group: new WriteGroup() }

export const readTablesOf = (db: Db): Tables => ({
  ...writeTablesOf(db, noHooks),
  merchants: merchantsTable(db),
  wallets: walletsTable(db),
  furtherWebhooks: furtherWebhooksTable(db),
})

const mailTables = (db: Db) => ({
  buyerMails: buyerMailsTable(db),
  paymentMails: paymentMailsTable(db),
  quotas: quotasTable(db),
})

/** Returns the repositories of users of the dashboard. */
const peopleTablesOf = (db: Db) => ({
  users: usersTable(db),
  memberships: membershipsTable(db),
  logins: loginsTable(db),
  userLinks: userLinksTable(db),
  setup: setupTable(db),
  secondFactors: secondFactorsTable(db),
  passkeys: passkeysTable(db),
  passkeyChallenges: passkeyChallengesTable(db),
  halfLogins: halfLoginsTable(db),
  knownBrowsers: knownBrowsersTable(db),
  signInFailures: signInFailuresTable(db),
})

/** Returns the repositories for writes. `statistics.flush` must be called before each commit. */
export function writeTablesOf(db: Db, { onScheduled, onChanged, group }: WriteHooks) {
  const jobs = jobsTable(db, onScheduled)
  const kept = <R extends object>(name: KeptTable, repository: R): R =>
    notifying(repository, () => onChanged(name))
  /** Wraps a repository that also changes attempts, so that these changes are reported. */
  const changingAttempts = <R extends object>(repository: R): R =>
    notifying(repository, () => onChanged('attempts'))
  return {
    merchants: rememberFinds('merchants', kept('merchants', merchantsTable(db)), group),
    keys: kept('keys', keysTable(db)),
    customers: customersTable(db),
    wallets: rememberFinds('wallets', kept('wallets', walletsTable(db)), group),
    sources: kept('sources', sourcesTable(db)),
    payoutChecks: kept('payoutChecks', payoutChecksTable(db)),
    skippedPayments: skippedPaymentsTable(db),
    webhooks: webhooksTable(db),
    furtherWebhooks: rememberFinds('furtherWebhooks', furtherWebhooksTable(db), group),
    furtherDeliveries: furtherDeliveriesTable(db),
    orders: ordersTable(db),
    orderNotes: orderNotesTable(db),
    savedViews: savedViewsTable(db),
    sessions: sessionsTable(db),
    attempts: kept('attempts', attemptsTable(db)),
    elsewhere: elsewhereTable(db),
    incomingPayments: incomingPaymentsTable(db),
    transactions: transactionsTable(db),
    unmatched: unmatchedTable(db),
    notifications: notificationsTable(db, jobs),
    sends: sendsTable(db),
    personChannels: personChannelsTable(db),
    ...mailTables(db),
    outages: outagesTable(db),
    blindChains: kept('blindChains', blindChainsTable(db)),
    events: eventsTable(db),
    jobs,
    statistics: statisticsTable(db, group),
    movements: movementsTable(db),
    idempotency: idempotencyTable(db),
    catalogues: kept('catalogues', cataloguesTable(db)),
    coinCatalogues: kept('coinCatalogues', coinCataloguesTable(db)),
    providerAccounts: kept('providerAccounts', providerAccountsTable(db)),
    lightningInvoices: lightningInvoicesTable(db),
    products: productsTable(db),
    images: imagesTable(db),
    refunds: refundsTable(db),
    reversals: reversalsTable(db),
    invoices: invoicesTable(db),
    funds: fundsTable(db),
    sweepTransactions: sweepTransactionsTable(db),
    audit: auditTable(db),
    retention: changingAttempts(retentionTable(db)),
    rates: ratesTable(db),
    fetchedRates: fetchedRatesTable(db),
    sharedScans: sharedScansTable(db),
    personalData: changingAttempts(personalDataTable(db)),
    ...peopleTablesOf(db),
    chosenEndpoints: chosenEndpointsTable(db),
    chosenRateSources: chosenRateSourcesTable(db),
    chosenMailServers: chosenMailServersTable(db),
  }
}
