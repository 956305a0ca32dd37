import type { Attempt } from './attempt.ts'

/** The share of a payment that arrived through a provider's page. */
export interface PageShare {
  /** millionths of the due amount */
  share: number
  customerId: string
}

/** Shares older than this are not used, because they say little about today's fees. */
export const SHARES_KEPT_MS = 90 * 24 * 3600_000
/** Least number of payments that show the usual share. */
const SHARES_MIN = 20
const SHARES_MAX = 100
/** Enough rows to contain SHARES_MAX different customers. */
export const SHARES_READ = 3 * SHARES_MAX
/** Subtracted from the usual share, in millionths of the due. */
const MARGIN = 40_000n
const WHOLE = 1_000_000n

/**
 * The share of the due that is enough for a method, in millionths; null with too few payments. Buyers can
 * edit the amount on a page, so each customer counts once: nobody can lower the share alone.
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
 * The share of its due amount that a page brought, in millionths. Null if the share does not show the
 * provider's fees: less was enough because other payments covered the rest, or more arrived than was due.
 */
export function pageShareOf(
  { kind, dueAtomic, thresholdAtomic }: Pick<Attempt, 'kind' | 'dueAtomic' | 'thresholdAtomic'>,
  arrivedAtomic: bigint,
): number | null {
  const deductsFees = kind === 'redirect' && thresholdAtomic < dueAtomic
  if (!deductsFees || arrivedAtomic < thresholdAtomic || arrivedAtomic > dueAtomic) return null
  return Number((arrivedAtomic * WHOLE) / dueAtomic)
}
