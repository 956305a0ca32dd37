import { currencyDecimals } from './currency.ts'
import { amountOf, fromUnitsShort } from './money.ts'

const PREFIX = 'fiat/'

/**
 * A payment in a currency has an asset id as well, "fiat/eur", so that one rule settles currencies and coins.
 * Its atomic amounts are minor units.
 */
export const fiatAssetId = (currency: string): string => `${PREFIX}${currency.toLowerCase()}`

/** The currency of such an asset id; null for a coin. */
export function fiatCurrency(assetId: string): string | null {
  if (!assetId.startsWith(PREFIX)) return null
  const currency = assetId.slice(PREFIX.length).toUpperCase()
  return currencyDecimals(currency) === undefined ? null : currency
}

/** What arrived, as orders and transactions show it: "25.00" "EUR", or "0.0015" "btc". */
export function receivedSum(
  atomic: bigint,
  { assetId, decimals }: { assetId: string; decimals: number },
): { receivedAmount: string; receivedCurrency: string } {
  const currency = fiatCurrency(assetId)
  return currency === null
    ? { receivedAmount: fromUnitsShort(atomic, decimals), receivedCurrency: assetId }
    : { receivedAmount: amountOf(atomic, currency), receivedCurrency: currency }
}
