import type { Asset } from '../../domain/asset.ts'
import type { GroupWatch } from '../rpc/rotation.ts'
import type { Rest } from './rest-api.ts'

/** A transaction that an index lists for an address. */
export interface Entry {
  txId: string
  /** the time of the transaction, in milliseconds since 1970 UTC */
  at: number
  /** the amount that the index reports; null where it reports no amount */
  amount: bigint | null
}

/** The entries of one transaction in the list of an address. */
export type Group<T extends Entry> = [T, ...T[]]

/** The part of a list that a scan looks up. */
export interface Chosen<T extends Entry> {
  /** one group for each transaction */
  groups: Group<T>[]
  /**
   * the time of the oldest transaction that has to wait for a later scan; null if no transaction has to wait
   */
  waitingFrom: number | null
  /** true if some payments were left out because they are too small */
  isCut: boolean
}

/** A scan looks up at most this many new transactions of one address. Each takes one or two requests. */
export const LOOK_UPS_MAX = 20
const PARTS = 1000n
const OTHER_PARTS = 100n

/** The smallest payment that is looked up in a flood: 1/1000 of the amount due, or 1/100 of another coin. */
export const smallestOf = (watches: readonly GroupWatch[], asset: Asset): bigint => {
  const dues = watches.map(watch =>
    watch.asset.id === asset.id
      ? (watch.dueAtomic ?? 0n) / PARTS
      : 10n ** BigInt(asset.decimals) / OTHER_PARTS,
  )
  return dues.reduce((least, one) => (one < least ? one : least))
}

/**
 * Chooses the transactions that a scan looks up: all, unless there are more than `LOOK_UPS_MAX`. Then
 * transactions of less than `smallest` are left out, and the largest of the others are looked up first.
 * Transactions that the endpoint has answered before are always among them, since they cost no request.
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

/** Sorts by amount, the largest first and unknown amounts last; equal amounts by age, the oldest first. */
function byAmount(a: Group<Entry>, b: Group<Entry>): number {
  const [one, other] = [totalOf(a), totalOf(b)]
  return one === other ? a[0].at - b[0].at : one > other ? -1 : 1
}

const totalOf = (group: Entry[]): bigint => group.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n)
