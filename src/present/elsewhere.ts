import type { ElsewhereModel } from '../../views/checkout/model.ts'
import type { Locale } from '../../views/locale.ts'
import type { Asset, AssetLook } from '../domain/asset.ts'
import { fromUnitsShort } from '../domain/money.ts'
import type { IncomingPayment } from '../domain/payment.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import type { LooksElsewhere } from '../operations/elsewhere/load.ts'
import { listOf, tickerOf } from './amounts.ts'

interface ElsewhereContext {
  now: number
  asset(id: string): Asset | undefined
  look(asset: Asset): AssetLook
  /** returns an asset of a chain, for the chain's name */
  assetOf(chain: string): Asset | undefined
}

/** A check of other networks that takes longer than this is shown to the buyer as failed. */
const PATIENCE_MS = 60_000

/** The page's sentences about payments on other networks than the buyer was asked to use. */
export function presentElsewhere(
  locale: Locale,
  { askedAt, chains, found }: LooksElsewhere,
  context: ElsewhereContext,
): ElsewhereModel {
  const { now, look } = context
  const isLooking =
    askedAt !== null &&
    now - askedAt < PATIENCE_MS &&
    chains.some(({ readAt, hasFailed }) => !hasFailed && (readAt ?? 0) < askedAt)
  const listed = (some: LooksElsewhere['chains']): string | null =>
    some.length === 0 ? null : listOf(locale, some.map(nameOf))
  const nameOf = ({ chain }: { chain: string }): string => {
    const asset = context.assetOf(chain)
    return asset ? look(asset).network : chain
  }
  const read = chains.filter(({ readAt, hasFailed }) => readAt !== null && !hasFailed)
  const failed = chains.filter(({ readAt, hasFailed }) => hasFailed || (askedAt !== null && readAt === null))
  return {
    looking: isLooking ? listed(chains) : null,
    found: found.map(payment => coinsOn(locale, payment, context)),
    read: isLooking ? null : listed(read),
    readAt: read.length === 0 ? null : formatTimestamp(Math.min(...read.map(({ readAt }) => Number(readAt)))),
    unreachable: isLooking ? null : listed(failed),
  }
}

/** An amount with its coin and network: "25 USDC on Polygon". */
export function coinsOn(
  { texts }: Locale,
  { assetId, amountAtomic, source }: Pick<IncomingPayment, 'assetId' | 'amountAtomic' | 'source'>,
  { asset: assetById, look }: Pick<ElsewhereContext, 'asset' | 'look'>,
): string {
  const asset = assetById(assetId)
  if (!asset) return texts.crypto.coinOnNetwork({ coin: texts.notices.otherCoin, network: source })
  const coins = `${fromUnitsShort(amountAtomic, asset.decimals)} ${tickerOf(assetId)}`
  return texts.crypto.coinOnNetwork({ coin: coins, network: look(asset).network })
}
