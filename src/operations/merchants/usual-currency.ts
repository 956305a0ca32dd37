import type { Tables } from '../../storage/port.ts'

const NOTHING_KNOWN = 'USD'

/** The currency of a shop. If the shop has chosen none, that of its newest order is a good guess. */
export async function usualCurrencyOf(tables: Tables, merchantId: string): Promise<string> {
  const merchant = await tables.merchants.find(merchantId)
  if (merchant?.currency) return merchant.currency
  const [newest] = await tables.orders.list({ merchantId }, 1, null)
  return newest?.order.currency ?? NOTHING_KNOWN
}
