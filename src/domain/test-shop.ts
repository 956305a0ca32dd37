import type { Merchant } from './merchant.ts'

/*
 * Test orders belong to the test shop of their merchant, which is a separate row in the table of merchants.
 * So everything that keeps merchants apart also keeps test data and live data apart: lists, reports,
 * invoices, payouts and limits.
 */

/** Index of the digit in a UUID that names its version. Merchants have version 7, test shops version 8. */
const VERSION_AT = 14

const withVersion = (id: string, version: string): string =>
  `${id.slice(0, VERSION_AT)}${version}${id.slice(VERSION_AT + 1)}`

export const isTestShop = (merchantId: string): boolean => merchantId[VERSION_AT] === '8'

/** The ID of a merchant's test shop. */
export const testShopOf = (merchantId: string): string => withVersion(merchantId, '8')

/** The ID of the merchant that a test shop belongs to; for any other merchant, its own ID. */
export const shopOf = (merchantId: string): string =>
  isTestShop(merchantId) ? withVersion(merchantId, '7') : merchantId

/** True if data belongs to a merchant and not to a test shop. */
export const isLive = ({ merchantId }: { merchantId: string }): boolean => !isTestShop(merchantId)

/** A merchant with the settings for its test orders: nobody gets mails or invoices about them. */
export const asTestShop = (merchant: Merchant): Merchant => ({
  ...merchant,
  id: testShopOf(merchant.id),
  receipts: false,
  paymentMails: false,
  invoicing: null,
})

/** Name of the simulated provider that test orders are paid with, and of its only method. */
export const TEST_PROVIDER = 'test'

export const testOutcomes = [
  'paid',
  'underpaid',
  'overpaid',
  'pending',
  'failed',
  'expired',
  'late',
  'refunded',
  'cancelled',
] as const
/** An outcome that a test payment can have. */
export type TestOutcome = (typeof testOutcomes)[number]
