import type { Asset } from '../../domain/asset.ts'
import type { Attempt } from '../../domain/attempt.ts'
import { receivedSum } from '../../domain/fiat.ts'

interface AssetNames {
  assetOf(id: string): Asset | undefined
}

/** "BTC" for the only coin of a chain, "USDC on Ethereum" for others. */
const unitOf = ({ id, ticker, name }: Asset): string => (id.includes('/') ? name : ticker)

/** A sum as a merchant reads it: "12.5 USDC on Ethereum", "0.1 BTC", "25.00 EUR". */
function sumText({ assetOf }: AssetNames, atomic: bigint, of: { assetId: string; decimals: number }): string {
  const { receivedAmount, receivedCurrency } = receivedSum(atomic, of)
  const asset = assetOf(receivedCurrency)
  return `${receivedAmount} ${asset ? unitOf(asset) : receivedCurrency}`
}

/** Formats a received amount. Its coin may be unknown, or not the one that the attempt asked for. */
export function arrivedText(names: AssetNames, attempt: Attempt, assetId: string, atomic: bigint): string {
  const decimals = assetId === attempt.assetId ? attempt.decimals : names.assetOf(assetId)?.decimals
  return decimals === undefined
    ? `${atomic} base units of ${assetId}`
    : sumText(names, atomic, { assetId, decimals })
}
