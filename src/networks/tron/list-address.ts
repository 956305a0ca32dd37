import { asserted } from '../../domain/errors.ts'
import type { Tip } from '../evm-like/tip.ts'
import { NetworkError } from '../port.ts'
import { mapLimit } from '../rpc/map-limit.ts'
import { type Chosen, chooseEntries, type Entry, type Group, LOOK_UPS_MAX } from './choose-entries.ts'
import { listKey } from './cursor.ts'
import type { Deposit } from './payments.ts'
import type { Listed } from './rest-api.ts'
import type { ResumedWatch } from './resume.ts'
import type { Source, VerifiedDeposits } from './verify.ts'

/** The payments that a scan read from the list of one address. */
export interface AddressList {
  deposits: Deposit[]
  /** true if no payment was left out that may still have to be counted */
  isComplete: boolean
  /** true if there is more to read than one scan reads, or than the endpoint answers now */
  isPartial: boolean
  /** true if payments were left out because they are too small */
  isCut: boolean
  /** the time from which the next scan reads a long list; null to read from the cursor's block */
  from: number | null
}

/** The way to read one kind of list. */
interface Reading<T extends Entry> {
  name: Parameters<typeof listKey>[0]
  /** True if these watches can do without the list if it cannot be read. */
  isOptional(group: ResumedWatch[]): boolean
  /** Lists the entries of an address since a time. Throws NetworkError. */
  list(address: string, since: number): Promise<Listed<T>>
  smallestOf(group: ResumedWatch[]): bigint
  /** Finds the payments in the transactions that the entries name. Throws NetworkError. */
  verify(address: string, groups: Group<T>[]): Promise<VerifiedDeposits>
}

const ADDRESSES_AT_ONCE = 3

interface ListedGroup<T extends Entry> {
  group: ResumedWatch[]
  since: number
  listed: Listed<T>
}

/**
 * Reads the lists of many addresses, by address, the short ones first, so that a flooded address does not use
 * up the endpoint's limit. A scan reads only a part of a long list. A list is missing if the endpoint rejects
 * requests now, or if it failed and is optional. Throws NetworkError.
 */
export async function readLists<T extends Entry>(
  source: Source,
  reading: Reading<T>,
  groups: ResumedWatch[][],
): Promise<Map<string, AddressList>> {
  const { limit } = source
  async function orNull<R>(group: ResumedWatch[], work: () => Promise<R>): Promise<R | null> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof NetworkError) || !reading.isOptional(group)) throw error
      return null
    }
  }
  const lists = await mapLimit(groups, ADDRESSES_AT_ONCE, group => {
    const since = Math.min(
      ...group.map(resumed => Math.max(resumed.cursor.at, storedFrom(resumed, reading.name) ?? 0)),
    )
    const list = () =>
      limit.run(() => reading.list(asserted(group[0], 'a group of watches has one').address, since))
    return orNull(group, async () => ({ group, since, listed: await list() }))
  })
  const listed = lists
    .flatMap(one => (one?.listed ? [{ ...one, listed: one.listed }] : []))
    .toSorted((a, b) => a.listed.entries.length - b.listed.entries.length)
  const verified = async (one: ListedGroup<T>) => ({
    address: asserted(one.group[0], 'a group of watches has one').address,
    list: await orNull(one.group, () => verifyList(source, reading, one)),
  })
  const isLong = ({ listed: { entries } }: ListedGroup<T>): boolean => entries.length > LOOK_UPS_MAX
  const read = [
    ...(await mapLimit(
      listed.filter(one => !isLong(one)),
      ADDRESSES_AT_ONCE,
      verified,
    )),
    ...(await mapLimit(listed.filter(isLong), 1, verified)),
  ]
  return new Map(read.flatMap(({ address, list }) => (list ? [[address, list]] : [])))
}

async function verifyList<T extends Entry>(
  source: Source,
  { name, smallestOf, verify }: Reading<T>,
  { group, since, listed }: ListedGroup<T>,
): Promise<AddressList> {
  const chosen = chooseEntries(source.rest, listed.entries, smallestOf(group))
  const { deposits, unknownFrom } = await verify(
    asserted(group[0], 'a group of watches has one').address,
    chosen.groups,
  )
  const { waitingFrom, isCut } = chosen
  const stored = Math.max(...group.map(resumed => storedFrom(resumed, name) ?? 0))
  return {
    deposits,
    isComplete: !listed.hasMore && waitingFrom === null && unknownFrom === null,
    isPartial: listed.hasMore || waitingFrom !== null || (unknownFrom !== null && source.limit.isHit),
    isCut,
    from: nextFrom(listed, { waitingFrom, unknownFrom, tip: source.tip }, since) ?? (stored || null),
  }
}

/** Blocks of this age count as final where the endpoint reports no finality. */
export const UNSURE_MS = 120_000

/** Returns the time up to which a long list is final and was read; null while the list fits into one scan. */
export function nextFrom(
  { hasMore, lastAt }: Listed<Entry>,
  {
    waitingFrom,
    unknownFrom,
    tip,
  }: Pick<Chosen<Entry>, 'waitingFrom'> & { unknownFrom: number | null; tip: Tip },
  since: number,
): number | null {
  if (!hasMore || lastAt === null) return null
  // One block has more transactions than a scan lists, so the rest of the block is skipped.
  if (lastAt <= since) return since + 1
  const ends = [lastAt, waitingFrom, unknownFrom, tip.finalized?.at ?? tip.head.at - UNSURE_MS]
  return Math.max(since, Math.min(...ends.filter(end => end !== null)))
}

/** The time from which a list of the present endpoint is continued; undefined if it fits into one scan. */
export const storedFrom = (
  { cursor, host }: ResumedWatch,
  name: Parameters<typeof listKey>[0],
): number | undefined => cursor.lists?.[listKey(name, host)]
