/** What a notification says, without words. */
export interface Sum {
  arrived: string
  due: string
}

export interface Unmatched {
  reason: 'wrong_asset' | 'underpaid' | 'late' | 'second_payment' | 'order_closed' | 'too_late'
  sum: string
  value: string | null
  missing: { amount: string; of: string } | null
  choice: 'accept' | 'force' | 'none'
}

export interface PayoutProblem {
  chain: string
  isCoinOnly: boolean
  /** the chains on which the wallet is a contract that does not exist here */
  deployedOn: readonly string[]
  reason: string
}

export interface WalletChange {
  network: string
  from: string | null
  to: string | null
}
