import { describe } from 'bun:test'
import { accountsContract } from './contract/accounts.ts'
import { attemptsContract } from './contract/attempts.ts'
import { auditContract } from './contract/audit.ts'
import { buyerMailsContract } from './contract/buyer-mails.ts'
import { elsewhereContract } from './contract/elsewhere.ts'
import { endpointsContract } from './contract/endpoints.ts'
import { eventsContract } from './contract/events.ts'
import { fundsContract } from './contract/funds.ts'
import { furtherWebhooksContract } from './contract/further-webhooks.ts'
import type { Open } from './contract/given.ts'
import { invoicesContract } from './contract/invoices.ts'
import { isolationContract } from './contract/isolation.ts'
import { jobsContract } from './contract/jobs.ts'
import { notesContract } from './contract/notes.ts'
import { notificationsContract } from './contract/notifications.ts'
import { orderBrowseContract } from './contract/order-browse.ts'
import { orderSearchContract } from './contract/order-search.ts'
import { ordersContract } from './contract/orders.ts'
import { paymentMailsContract } from './contract/payment-mails.ts'
import { peopleContract } from './contract/people.ts'
import { personChannelsContract } from './contract/person-channels.ts'
import { personalDataContract } from './contract/personal-data.ts'
import { productsContract, sourcesContract } from './contract/products.ts'
import { ratesContract } from './contract/rates.ts'
import { rememberedContract } from './contract/remembered.ts'
import { retentionContract } from './contract/retention.ts'
import { sharedScansContract } from './contract/shared-scans.ts'
import { skippedPaymentsContract } from './contract/skipped-payments.ts'
import { statisticsContract } from './contract/statistics.ts'
import { transactionsContract } from './contract/transactions.ts'

/**
 * The tests that every storage engine must pass: each repository of the port, and the isolation of reads and
 * writes. `open` opens an empty storage. Strings with the character NUL are not tested, because PostgreSQL
 * does not store them.
 */
export function storageContract(name: string, open: Open): void {
  describe(`storage in ${name}`, () => {
    describe('isolation', () => isolationContract(open))
    describe('accounts', () => accountsContract(open))
    describe('orders', () => ordersContract(open))
    describe('order search', () => orderSearchContract(open))
    describe('orders for people', () => orderBrowseContract(open))
    describe('notes, views and customers', () => notesContract(open))
    describe('attempts', () => attemptsContract(open))
    describe('transactions', () => transactionsContract(open))
    describe('invoices', () => invoicesContract(open))
    describe('funds that wait', () => fundsContract(open))
    describe('events', () => eventsContract(open))
    describe('further webhooks', () => furtherWebhooksContract(open))
    describe('mails to buyers', () => buyerMailsContract(open))
    describe('mails about payments', () => paymentMailsContract(open))
    describe('notifications', () => notificationsContract(open))
    personChannelsContract(open)
    describe('jobs', () => jobsContract(open))
    describe('products', () => productsContract(open))
    retentionContract(open)
    personalDataContract(open)
    describe('people', () => peopleContract(open))
    describe('audit log', () => auditContract(open))
    describe('rates', () => ratesContract(open))
    describe('checks of other chains', () => elsewhereContract(open))
    describe('scans of several servers', () => sharedScansContract(open))
    describe('endpoints', () => endpointsContract(open))
    describe('statistics', () => statisticsContract(open))
    describe('remembered rows', () => rememberedContract(open))
    describe('skipped addresses', () => skippedPaymentsContract(open))
    describe('sources', () => sourcesContract(open))
  })
}
