import { expect, test } from 'bun:test'
import { getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { tablesOfBuyers } from '../../src/storage/port.ts'
import * as schema from '../../src/storage/schema/index.ts'
import { words } from '../support/words.ts'

/** The other tables, with the reason why "florin customer erase" does not search them. */
const others: Record<string, string[]> = {
  'has its own method': ['customers', 'buyerMails', 'paymentMails'],
  'belongs to the merchant or the operator': words(`
    merchants keys wallets webhooks furtherWebhooks providerAccounts addressSources sourceAddresses products productImages
    payoutChecks skippedPayments notificationRecipients personChannels installation users memberships
    logins userLinks setupSkips secondFactors passkeys passkeyChallenges recoveryCodes halfLogins
    knownBrowsers chosenEndpoints chosenRateSources chosenMailServers
  `),
  'has only IDs, states, hashes and sums': words(`
    jobs idempotencyKeys statistics methodStatistics statisticChanges writeProbes commits newNotifications
    notificationSends rates fetchedRates chainScans blindChains askedChecks elsewhere watchedRates outages
    retentionProgress quotas signInFailures lightningInvoices invoiceNumbers
    heldFunds waitingFunds sweepTransactions
  `),
  'must be kept unchanged by law': ['invoices'],
  'comes from a provider': ['catalogues', 'coinCatalogues'],
}

test('every table is searched for the data of a buyer, or has a reason not to be', () => {
  const all = Object.entries(schema).flatMap(([name, table]) => (is(table, SQLiteTable) ? [name] : []))
  expect(all.length).toBeGreaterThan(20)
  expect([...tablesOfBuyers, ...Object.values(others).flat()].sort()).toEqual(all.sort())
  expect(getTableName(schema.incomingPayments)).toBe('incoming_payments')
})
