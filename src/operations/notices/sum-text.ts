import type { Asset } from '../../domain/asset.ts'
import type { Attempt } from '../../domain/attempt.ts'
import { receivedSum } from '../../domain/fiat.ts'

interface AssetNames {
  assetOf(id: string): Asset | undefined
}

/** The unit of an amount: "BTC" for the main coin of a chain, "USDC on Ethereum" for other coins. */
const unitOf = ({ id, ticker, name }: Asset): string => (id.includes('/') ? name : ticker)

/**
 * The amount that arrived. It may be in another coin than the attempt asked for. If that coin is unknown, its
 * decimals are too, and the amount is null.
 */
export function arrivedSum({ assetOf }: AssetNames, attempt: Attempt, assetId: string, atomic: bigint) {
  const decimals = assetId === attempt.assetId ? attempt.decimals : assetOf(assetId)?.decimals
  return decimals === undefined
    ? { receivedAmount: null, receivedCurrency: assetId }
    : receivedSum(atomic, { assetId, decimals })
}

/** A received amount as a merchant reads it: "12.5 USDC on Ethereum", "0.1 BTC", "25.00 EUR". */
export function arrivedText(names: AssetNames, attempt: Attempt, assetId: string, atomic: bigint): string {
  const { receivedAmount, receivedCurrency } = arrivedSum(names, attempt, assetId, atomic)
  if (receivedAmount === null) return `${atomic} base units of ${assetId}`
  const asset = names.assetOf(receivedCurrency)
  return `${receivedAmount} ${asset ? unitOf(asset) : receivedCurrency}`
}
