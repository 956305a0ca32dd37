import type { Attempt } from './attempt.ts'

/** What arrived of one payment by a provider's page. */
export interface PageShare {
  /** in millionths of what was due */
  share: number
  customerId: string
}

/** What is older says little of today's fees. */
export const SHARES_KEPT_MS = 90 * 24 * 3600_000
/** Fewer payments do not show what is usual. */
const SHARES_MIN = 20
const SHARES_MAX = 100
/** Enough to find as many customers as count. */
export const SHARES_READ = 3 * SHARES_MAX
/** Less may arrive than usually does, in millionths of what is due. */
const MARGIN = 40_000n
const WHOLE = 1_000_000n

/**
 * The share of what is due that is enough by a method, in millionths; null while too little is known. Buyers
 * can edit the amount of a page, so each customer counts once: one alone cannot make less enough.
 */
export function learnedShare(newestFirst: readonly PageShare[]): bigint | null {
  const newest = new Map<string, number>()
  for (const { customerId, share } of newestFirst) if (!newest.has(customerId)) newest.set(customerId, share)
  const shares = [...newest.values()].slice(0, SHARES_MAX).sort((one, other) => one - other)
  if (shares.length < SHARES_MIN) return null
  const middle = shares.slice(Math.ceil(shares.length / 2) - 1, Math.floor(shares.length / 2) + 1)
  const sum = middle.reduce((all, share) => all + BigInt(share), 0n)
  return sum / BigInt(middle.length) - MARGIN
}

/**
 * What a page brought, in millionths of its due. Null where that says nothing of the provider's fees: where
 * less was enough because other payments paid the rest, or more was due.
 */
export function pageShareOf(
  { kind, dueAtomic, thresholdAtomic }: Pick<Attempt, 'kind' | 'dueAtomic' | 'thresholdAtomic'>,
  arrivedAtomic: bigint,
): number | null {
  const deductsFees = kind === 'redirect' && thresholdAtomic < dueAtomic
  if (!deductsFees || arrivedAtomic < thresholdAtomic || arrivedAtomic > dueAtomic) return null
  return Number((arrivedAtomic * WHOLE) / dueAtomic)
}
