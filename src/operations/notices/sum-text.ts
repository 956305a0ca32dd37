import type { Asset } from '../../domain/asset.ts'
import type { Attempt } from '../../domain/attempt.ts'
import { receivedSum } from '../../domain/fiat.ts'

interface AssetNames {
  assetOf(id: string): Asset | undefined
}

/** "BTC" for the only coin of a chain, "USDC on Ethereum" for others. */
const unitOf = ({ id, ticker, name }: Asset): string => (id.includes('/') ? name : ticker)

/**
 * A received amount. Its coin may not be the one that the attempt asked for; if it is unknown too, so is the
 * amount.
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
