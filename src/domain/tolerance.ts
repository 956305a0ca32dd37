import { toUnits } from './money.ts'
import { atomicFor } from './quote.ts'

/** How much of a payment in a coin may be missing: an exact percentage from 0 to 5. */
export type TolerancePercent = string

export const tolerancePattern = /^(?:[0-4](?:[.][0-9]{1,4})?|5(?:[.]0{1,4})?)$/
export const DEFAULT_TOLERANCE: TolerancePercent = '0.5'

const PERCENT_DECIMALS = 4
/** A tolerated shortfall is never worth more than this. */
const TOLERANCE_MAX_USD = '5.00'
/** A rest that is worth less is not asked for. */
const DUST_USD = '0.10'

/** What is asked of a payment besides the amount due. */
export interface AmountTerms {
  thresholdAtomic: bigint
  dustAtomic: bigint
}

/**
 * The terms of a payment, fixed when it is opened. `usdRate` is the price of one coin in US dollars: without
 * it, the limits in US dollars are unknown, and nothing is tolerated.
 */
export function amountTerms(
  dueAtomic: bigint,
  percent: TolerancePercent,
  { decimals, minimum }: { decimals: number; minimum: bigint },
  usdRate: string | null,
): AmountTerms {
  if (usdRate === null) return { thresholdAtomic: dueAtomic, dustAtomic: minimum }
  const share = (dueAtomic * (toUnits(percent, PERCENT_DECIMALS) ?? 0n)) / (100n * 10n ** 4n)
  const most = atomicFor(TOLERANCE_MAX_USD, 'USD', usdRate, decimals, 'down')
  const dust = atomicFor(DUST_USD, 'USD', usdRate, decimals, 'up')
  return {
    thresholdAtomic: dueAtomic - (share < most ? share : most),
    dustAtomic: dust > minimum ? dust : minimum,
  }
}
