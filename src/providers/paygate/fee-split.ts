import { type FeePercent, feeMillionths, isFree } from '../../domain/fee.ts'
import { fromUnitsShort } from '../../domain/money.ts'
import { type Query, refused } from './api.ts'

/** The gateway keeps one percent; the two shares must add up to exactly the rest. */
const SHARED_MILLIONTHS = 990_000n
const DECIMALS = 6

/** The query that splits off the platform's fee; null if there is no fee, or no wallet for it. */
export function feeSplitQuery(
  percent: FeePercent,
  feeWallet: string | null,
  payoutAddress: string,
): Query | null {
  if (isFree(percent) || feeWallet === null) return null
  if (feeWallet.toLowerCase() === payoutAddress.toLowerCase()) {
    throw refused('The fee wallet must differ from the payout wallet.')
  }
  const fee = feeMillionths(percent)
  if (fee > SHARED_MILLIONTHS) throw refused('The fee is larger than the gateway can split off.')
  return {
    affiliate: feeWallet,
    affiliate_fee: fromUnitsShort(fee, DECIMALS),
    merchant_fee: fromUnitsShort(SHARED_MILLIONTHS - fee, DECIMALS),
  }
}
