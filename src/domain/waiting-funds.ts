import { type Amount, amountOf, minorOf } from './money.ts'

/** The waiting funds in one asset. Amounts are decimals, as people read them. */
interface FundsSum {
  assetId: string
  amount: string
  /** value in the currency of the funds; null without a rate */
  value: Amount | null
}

/** The cost of moving the funds of a chain, in the chain's own coin. */
interface FundsFee {
  /** ID of the chain's own coin; null if the table of assets does not list the coin */
  assetId: string | null
  amount: string
  value: Amount | null
}

/** The money on the forwarders and seed addresses of a shop on one chain, as the chain last reported it. */
export interface ChainFunds {
  chain: string
  lookedAt: number
  addresses: number
  sums: readonly FundsSum[]
  /** null if no endpoint reported a plausible fee */
  fee: FundsFee | null
}

/** The value of waiting funds from which the people of a shop are notified. */
export interface FundsReminder {
  amount: Amount
  currency: string
}

/** The money of a shop on forwarders and seed addresses, from which it has yet to be moved. */
export interface WaitingFunds {
  merchantId: string
  currency: string
  chains: readonly ChainFunds[]
  /** the reminder that was sent; null if none was sent since the funds were last clearly below its amount */
  reminded: FundsReminder | null
}

/** The value of all funds that have a rate. `isPartial` is true if some funds have no rate. */
export function valueOfFunds(
  chains: readonly ChainFunds[],
  currency: string,
): { value: Amount; isPartial: boolean } {
  const values = chains.flatMap(({ sums }) => sums.map(({ value }) => value))
  const minor = values.reduce((sum, value) => sum + (value === null ? 0n : minorOf(value, currency)), 0n)
  return { value: amountOf(minor, currency), isPartial: values.includes(null) }
}

/** Funds are worth moving if the fee is at most this percentage of their value. */
export const WORTH_PERCENT = 1

/**
 * The fee of a chain in the shop's currency, its share of the value, and the least value that is worth the
 * fee.
 */
interface FundsCost {
  fee: Amount
  /** the fee in hundredths of a percent of the funds' value; null if the value is unknown or zero */
  share: bigint | null
  worthFrom: Amount
}

/** Returns the cost of moving a chain's funds; null while the fee or its value is unknown. */
export function costOfFunds(chain: ChainFunds, currency: string): FundsCost | null {
  const fee = chain.fee?.value ?? null
  if (fee === null) return null
  const { value, isPartial } = valueOfFunds([chain], currency)
  const [cost, worth] = [minorOf(fee, currency), minorOf(value, currency)]
  return {
    fee,
    share: isPartial || worth === 0n ? null : (cost * 10_000n + worth - 1n) / worth,
    worthFrom: amountOf((cost * 100n) / BigInt(WORTH_PERCENT), currency),
  }
}

/**
 * `sent`: the transaction is not yet in a final block. `missing`: it is in no block after a day. `foreign`:
 * it moved nothing of the shop.
 */
export type SweepStatus = 'sent' | 'done' | 'failed' | 'missing' | 'foreign'

/** A transaction that moved funds of a shop, or prepared such a move. */
export interface SweepTransaction {
  id: string
  merchantId: string
  chain: string
  txId: string
  status: SweepStatus
  moved: readonly { assetId: string; amount: string }[]
  /** the fee that the network took, in the chain's own coin; null until it is known */
  feeAssetId: string | null
  feeAmount: string | null
  /** value of the fee when the transaction was mined; null without a rate of that time */
  feeValue: Amount | null
  currency: string
  createdAt: number
  /** the time of the transaction's block */
  minedAt: number | null
  updatedAt: number
}
