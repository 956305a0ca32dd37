/** What a script can make an upstream do with a payment. */
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

/** In which an amount is paid, so that another one can be given. */
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

/** Which only a chain can have. */
export const chainOutcomes: readonly Outcome[] = ['mined', 'replaced', 'vanished']

/** What a script wants to happen to a payment. */
export interface Simulation {
  outcome: Outcome
  /** in atomic units; null for the usual amount of the outcome */
  amountAtomic: bigint | null
  /** whether what is paid waits in the mempool until it is mined */
  isLowFee: boolean
}
