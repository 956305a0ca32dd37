import { type Asset, chainOf } from '../../../domain/asset.ts'
import { amountOf, fromUnitsShort } from '../../../domain/money.ts'
import { VALUE_UNIT, valueAt } from '../../../domain/quote.ts'
import type { ChainFunds } from '../../../domain/waiting-funds.ts'
import { type FeeRate, type MovingFees, NetworkError, type Networks } from '../../../networks/port.ts'
import type { RateOf } from '../../../rates/port.ts'
import type { Context } from '../../context.ts'

/** A balance of one address. */
export interface FundsBalance {
  address: string
  assetId: string
  decimals: number
  atomic: bigint
}

/** The balances on one chain, and the fee of moving them, which is null if it is not known. */
interface FundsOnChain {
  chain: string
  chainId: number | null
  lookedAt: number
  balances: readonly FundsBalance[]
  feeAtomic: bigint | null
}

/** The value of an amount, rounded down to the minor unit; null without a rate. */
export function worthOf(
  rateOf: RateOf,
  { assetId, decimals, atomic }: Omit<FundsBalance, 'address'>,
  currency: string,
): string | null {
  const rate = rateOf(assetId, currency)
  return rate && amountOf(valueAt(atomic, decimals, rate.value, currency) / VALUE_UNIT, currency)
}

/** The coin in which a chain takes its fees; undefined if the table of assets does not list it. */
export const coinOfChain = ({ assets }: Pick<Networks, 'assets'>, chain: string, chainId: number | null) =>
  assets.find(one => one.chain === chain && one.chainId === chainId && one.contract === null)

/**
 * Decimals of a coin that the table of assets does not list: the coins of all EVM chains have this number.
 */
const COIN_DECIMALS = 18

/** Adds up the balances of a chain, with their value and the fee of moving them. */
export function priceFunds(
  { networks }: Pick<Context, 'networks'>,
  rateOf: RateOf,
  currency: string,
  { chain, chainId, lookedAt, balances, feeAtomic }: FundsOnChain,
): ChainFunds {
  const sums = [...Map.groupBy(balances, ({ assetId }) => assetId)].map(([assetId, own]) => {
    const decimals = Math.max(...own.map(one => one.decimals))
    const atomic = own.reduce((sum, one) => sum + one.atomic, 0n)
    const value = worthOf(rateOf, { assetId, decimals, atomic }, currency)
    return { assetId, amount: fromUnitsShort(atomic, decimals), value }
  })
  const coin = coinOfChain(networks, chain, chainId)
  const fee = feeAtomic === null ? null : feeOf(rateOf, coin, feeAtomic, currency)
  const addresses = new Set(balances.map(({ address }) => address)).size
  return { chain, lookedAt, addresses, sums, fee }
}

function feeOf(
  rateOf: RateOf,
  coin: Asset | undefined,
  atomic: bigint,
  currency: string,
): NonNullable<ChainFunds['fee']> {
  const decimals = coin?.decimals ?? COIN_DECIMALS
  return {
    assetId: coin?.id ?? null,
    amount: fromUnitsShort(atomic, decimals),
    value: coin ? worthOf(rateOf, { assetId: coin.id, decimals, atomic }, currency) : null,
  }
}

/** The present fees of a chain; null if no endpoint reports plausible fees. */
export async function readFeeRate(fees: MovingFees): Promise<FeeRate | null> {
  try {
    return await fees.rate()
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    return null
  }
}

/** The usual fee of moving balances. */
export function usualFeeOf(
  fees: MovingFees,
  rate: FeeRate,
  balances: readonly FundsBalance[],
  { assets }: Pick<Networks, 'assets'>,
): bigint {
  const isCoin = ({ assetId }: FundsBalance): boolean =>
    assets.find(({ id }) => id === assetId)?.contract === null
  const coins = balances.filter(isCoin).length
  const addresses = new Set(balances.map(({ address }) => address)).size
  return fees.usualFee(rate, { addresses, coins, tokens: balances.length - coins })
}

/**
 * The chain of an asset, with its chain ID in the table of assets; undefined if the table has no such asset.
 */
export const chainOfAsset = ({ asset }: Pick<Networks, 'asset'>, assetId: string) => {
  const known = asset(assetId)
  return known && { chain: chainOf(assetId), chainId: known.chainId }
}
