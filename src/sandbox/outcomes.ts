/** Actions that a script can request for a payment. */
export const outcomes = [
  'paid',
  'pending',
  'underpaid',
  'overpaid',
  'late',
  'wrong_asset',
  'failed',
  'duplicate',
  'forged',
  'mined',
  'replaced',
  'vanished',
] as const
export type Outcome = (typeof outcomes)[number]

/** Outcomes that pay an amount, so that a script may set it. */
export const payingOutcomes: readonly Outcome[] = [
  'paid',
  'pending',
  'underpaid',
  'overpaid',
  'late',
  'wrong_asset',
  'forged',
  'replaced',
]

/** Outcomes that only payments on a chain can have. */
export const chainOutcomes: readonly Outcome[] = ['mined', 'replaced', 'vanished']

/** A script's instruction for a payment. */
export interface Simulation {
  outcome: Outcome
  /** the amount to pay, atomic; null for the usual amount of the outcome */
  amountAtomic: bigint | null
  /** true if the payment waits in the mempool until it is mined */
  isLowFee: boolean
}
