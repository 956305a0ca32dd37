import type { Asset } from '../domain/asset.ts'
import type { Attempt } from '../domain/attempt.ts'
import { fiatCurrency, receivedSum } from '../domain/fiat.ts'
import { amountOf, fromUnitsShort } from '../domain/money.ts'
import type { IncomingPayment } from '../domain/payment.ts'

interface Assets {
  asset(id: string): Asset | undefined
}

type Denomination = Pick<Attempt, 'assetId' | 'decimals'>

/** An amount of an attempt's asset, in whole units. */
export const sumOf = (atomic: bigint, attempt: Denomination): string =>
  receivedSum(atomic, attempt).receivedAmount

/** The received amount in whole units of its asset; atomic if the asset is no longer configured. */
export function amountIn(
  { asset }: Assets,
  attempt: Denomination,
  { assetId, amountAtomic }: IncomingPayment,
): string {
  if (assetId === attempt.assetId) return sumOf(amountAtomic, attempt)
  const currency = fiatCurrency(assetId)
  if (currency !== null) return amountOf(amountAtomic, currency)
  const decimals = asset(assetId)?.decimals
  return decimals === undefined ? `${amountAtomic} base units` : fromUnitsShort(amountAtomic, decimals)
}
