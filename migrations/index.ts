import florin from './0001_florin.sql' with { type: 'text' }
import formKeys from './0002_form_keys.sql' with { type: 'text' }
import signInFailures from './0003_sign_in_failures.sql' with { type: 'text' }
import quotas from './0004_quotas.sql' with { type: 'text' }
import staffPrices from './0005_staff_prices.sql' with { type: 'text' }
import secondFactorPolicy from './0006_second_factor_policy.sql' with { type: 'text' }
import auditClients from './0007_audit_clients.sql' with { type: 'text' }
import lightning from './0008_lightning.sql' with { type: 'text' }
import reversals from './0009_reversals.sql' with { type: 'text' }
import tax from './0010_tax.sql' with { type: 'text' }
import invoices from './0011_invoices.sql' with { type: 'text' }
import furtherWebhooks from './0012_further_webhooks.sql' with { type: 'text' }
import embedOrigins from './0013_embed_origins.sql' with { type: 'text' }
import movingFunds from './0014_moving_funds.sql' with { type: 'text' }
import refundsAndWebhooks from './0015_refunds_and_webhooks.sql' with { type: 'text' }
import mailServer from './0016_mail_server.sql' with { type: 'text' }
import testOrders from './0017_test_orders.sql' with { type: 'text' }
import changedOrders from './0018_changed_orders.sql' with { type: 'text' }
import paymentRates from './0019_payment_rates.sql' with { type: 'text' }
import countedPayments from './0020_counted_payments.sql' with { type: 'text' }
import refundedCoins from './0021_refunded_coins.sql' with { type: 'text' }

export interface Migration {
  /** NNNN_name */
  name: string
  sql: string
  /** It only adds what older servers need not know. They go on, and still start, after it was applied. */
  expands?: boolean
}

/**
 * In order, for SQLite; `postgres/` has the same ones for PostgreSQL. A migration that has been released is
 * never changed: its hash is stored in the databases that it was applied to.
 */
export const migrations: Migration[] = [
  { name: '0001_florin', sql: florin },
  { name: '0002_form_keys', sql: formKeys, expands: true },
  { name: '0003_sign_in_failures', sql: signInFailures, expands: true },
  { name: '0004_quotas', sql: quotas, expands: true },
  { name: '0005_staff_prices', sql: staffPrices, expands: true },
  { name: '0006_second_factor_policy', sql: secondFactorPolicy, expands: true },
  { name: '0007_audit_clients', sql: auditClients, expands: true },
  { name: '0008_lightning', sql: lightning, expands: true },
  { name: '0009_reversals', sql: reversals, expands: true },
  { name: '0010_tax', sql: tax, expands: true },
  { name: '0011_invoices', sql: invoices, expands: true },
  { name: '0012_further_webhooks', sql: furtherWebhooks, expands: true },
  { name: '0013_embed_origins', sql: embedOrigins, expands: true },
  { name: '0014_moving_funds', sql: movingFunds, expands: true },
  { name: '0015_refunds_and_webhooks', sql: refundsAndWebhooks, expands: true },
  { name: '0016_mail_server', sql: mailServer, expands: true },
  { name: '0017_test_orders', sql: testOrders, expands: true },
  { name: '0018_changed_orders', sql: changedOrders, expands: true },
  { name: '0019_payment_rates', sql: paymentRates, expands: true },
  { name: '0020_counted_payments', sql: countedPayments, expands: true },
  { name: '0021_refunded_coins', sql: refundedCoins, expands: true },
]
