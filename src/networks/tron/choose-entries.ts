import type { Asset } from '../../domain/asset.ts'
import type { GroupWatch } from '../rpc/rotation.ts'
import type { Rest } from './rest-api.ts'

/** A transaction that an index lists for an address. */
export interface Entry {
  txId: string
  /** milliseconds since 1970 UTC */
  at: number
  /** what it paid, as the index says; null where it does not */
  amount: bigint | null
}

/** What an index lists of one transaction. */
export type Group<T extends Entry> = [T, ...T[]]

/** What a scan looks up of a list. */
export interface Chosen<T extends Entry> {
  /** by transaction */
  groups: Group<T>[]
  /** the time of the oldest transaction that has to wait for a later scan; null where none has to */
  waitingFrom: number | null
  /** some are too small to be looked up */
  isCut: boolean
}

/** New look-ups for one address and scan. Each takes one or two requests. */
export const LOOK_UPS_MAX = 20
const PARTS = 1000n
const OTHER_PARTS = 100n

/** A payment that nobody misses: a thousandth of what is due, or a hundredth of a coin that is not due. */
export const smallestOf = (watches: readonly GroupWatch[], asset: Asset): bigint => {
  const dues = watches.map(watch =>
    watch.asset.id === asset.id
      ? (watch.dueAtomic ?? 0n) / PARTS
      : 10n ** BigInt(asset.decimals) / OTHER_PARTS,
  )
  return dues.reduce((least, one) => (one < least ? one : least))
}

/**
 * The transactions that one scan looks up: all, unless there are very many. Then those of less than
 * `smallest` are left out, and of the others the largest come first. What the endpoint answered before costs
 * nothing.
 */
export function chooseEntries<T extends Entry>(rest: Rest, entries: T[], smallest: bigint): Chosen<T> {
  const groups = [...Map.groupBy(entries, ({ txId }) => txId).values()].flatMap(
    ([first, ...others]): Group<T>[] => (first ? [[first, ...others]] : []),
  )
  if (groups.length <= LOOK_UPS_MAX) return { groups, waitingFrom: null, isCut: false }
  const worthy = groups.filter(group => group.some(({ amount }) => amount === null || amount >= smallest))
  const [known, unknown] = [
    worthy.filter(([entry]) => rest.isKnown(entry.txId)),
    worthy.filter(([entry]) => !rest.isKnown(entry.txId)).toSorted(byAmount),
  ]
  const waiting = unknown.slice(LOOK_UPS_MAX)
  return {
    groups: [...known, ...unknown.slice(0, LOOK_UPS_MAX)],
    waitingFrom: waiting.length > 0 ? Math.min(...waiting.map(([entry]) => entry.at)) : null,
    isCut: worthy.length < groups.length,
  }
}

/** The largest first, then what may have any amount; the oldest first of equal ones. */
function byAmount(a: Group<Entry>, b: Group<Entry>): number {
  const [one, other] = [totalOf(a), totalOf(b)]
  return one === other ? a[0].at - b[0].at : one > other ? -1 : 1
}

const totalOf = (group: Entry[]): bigint => group.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n)
