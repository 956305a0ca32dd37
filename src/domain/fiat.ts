import { currencyDecimals } from './currency.ts'
import { amountOf, fromUnitsShort } from './money.ts'

const PREFIX = 'fiat/'

/**
 * Asset ID of a currency, "fiat/eur", so that the same rules settle currencies and coins. Its atomic amounts
 * are minor units.
 */
export const fiatAssetId = (currency: string): string => `${PREFIX}${currency.toLowerCase()}`

export function fiatCurrency(assetId: string): string | null {
  if (!assetId.startsWith(PREFIX)) return null
  const currency = assetId.slice(PREFIX.length).toUpperCase()
  return currencyDecimals(currency) === undefined ? null : currency
}

/** The received amount, as the API shows it: "25.00" "EUR", or "0.0015" "btc". */
export function receivedSum(
  atomic: bigint,
  { assetId, decimals }: { assetId: string; decimals: number },
): { receivedAmount: string; receivedCurrency: string } {
  const currency = fiatCurrency(assetId)
  return currency === null
    ? { receivedAmount: fromUnitsShort(atomic, decimals), receivedCurrency: assetId }
    : { receivedAmount: amountOf(atomic, currency), receivedCurrency: currency }
}
