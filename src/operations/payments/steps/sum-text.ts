import type { Asset } from '../../../domain/asset.ts'
import type { Attempt } from '../../../domain/attempt.ts'
import { receivedSum } from '../../../domain/fiat.ts'
import type { Context } from '../../context.ts'

/** "BTC" for the only coin of a chain, "USDC on Ethereum" for others. */
const unitOf = ({ id, ticker, name }: Asset): string => (id.includes('/') ? name : ticker)

/** A sum as a merchant reads it: "12.5 USDC on Ethereum", "0.1 BTC", "25.00 EUR". */
export function sumText(
  { networks }: Pick<Context, 'networks'>,
  atomic: bigint,
  of: { assetId: string; decimals: number },
): string {
  const { receivedAmount, receivedCurrency } = receivedSum(atomic, of)
  const asset = networks.asset(receivedCurrency)
  return `${receivedAmount} ${asset ? unitOf(asset) : receivedCurrency}`
}

/** The same of what arrived for an attempt, which may be another coin, or one that is not known. */
export function arrivedText(
  context: Pick<Context, 'networks'>,
  attempt: Attempt,
  assetId: string,
  atomic: bigint,
): string {
  const decimals = assetId === attempt.assetId ? attempt.decimals : context.networks.asset(assetId)?.decimals
  return decimals === undefined
    ? `${atomic} base units of ${assetId}`
    : sumText(context, atomic, { assetId, decimals })
}
