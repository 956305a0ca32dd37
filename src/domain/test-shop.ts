import type { Merchant } from './merchant.ts'

/*
 * Test orders belong to the test shop of their merchant, a row of merchants of its own. So whatever keeps
 * merchants apart keeps test data and live data apart too: lists, reports, invoices, payouts and limits.
 */

/** Where a UUID has its version: 7 for merchants, 8 for test shops. */
const VERSION_AT = 14

const withVersion = (id: string, version: string): string =>
  `${id.slice(0, VERSION_AT)}${version}${id.slice(VERSION_AT + 1)}`

export const isTestShop = (merchantId: string): boolean => merchantId[VERSION_AT] === '8'

/** The ID of a merchant's test shop. */
export const testShopOf = (merchantId: string): string => withVersion(merchantId, '8')

/** The merchant of a test shop; any other merchant itself. */
export const shopOf = (merchantId: string): string =>
  isTestShop(merchantId) ? withVersion(merchantId, '7') : merchantId

/** Data of a merchant that is not for testing. */
export const isLive = ({ merchantId }: { merchantId: string }): boolean => !isTestShop(merchantId)

/** A merchant as it is for test orders: nobody gets mails or invoices about them. */
export const asTestShop = (merchant: Merchant): Merchant => ({
  ...merchant,
  id: testShopOf(merchant.id),
  receipts: false,
  paymentMails: false,
  invoicing: null,
})

/** The simulated provider that test orders are paid with, and its only method. */
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
/** What a test payment can come to. */
export type TestOutcome = (typeof testOutcomes)[number]
