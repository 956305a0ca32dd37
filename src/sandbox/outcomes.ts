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
] as const
export type Outcome = (typeof outcomes)[number]
