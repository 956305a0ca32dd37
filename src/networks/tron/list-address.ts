import { asserted } from '../../domain/errors.ts'
import type { Tip } from '../evm-like/tip.ts'
import { NetworkError } from '../port.ts'
import { mapLimit } from '../rpc/map-limit.ts'
import { type Chosen, chooseEntries, type Entry, type Group, LOOK_UPS_MAX } from './choose-entries.ts'
import type { Cursor } from './cursor.ts'
import type { Deposit } from './payments.ts'
import type { Listed } from './rest-api.ts'
import type { ResumedWatch } from './resume.ts'
import type { Source, VerifiedDeposits } from './verify.ts'

/** What a scan read of the list of one address. */
export interface AddressList {
  deposits: Deposit[]
  /** no payment is left out that may still have to be counted */
  isComplete: boolean
  /** there is more to read than one scan reads, or than the endpoint answers now */
  isPartial: boolean
  /** what is too small was left out */
  isCut: boolean
  /** where the next scan continues, after more than one scan lists; null to begin where the cursor says */
  from: number | null
}

/** Which list a cursor continues. */
type ListName = 'tokensFrom' | 'coinFrom'

/** How the list of one address is read. */
interface Reading<T extends Entry> {
  name: ListName
  /** Whether these watches do without a list that can't be read. */
  isOptional(group: ResumedWatch[]): boolean
  /** Throws NetworkError. */
  list(address: string, since: number): Promise<Listed<T>>
  smallestOf(group: ResumedWatch[]): bigint
  /** Throws NetworkError. */
  verify(address: string, groups: Group<T>[]): Promise<VerifiedDeposits>
}

const ADDRESSES_AT_ONCE = 3

interface ListedGroup<T extends Entry> {
  group: ResumedWatch[]
  since: number
  listed: Listed<T>
}

/**
 * Reads the lists of many addresses, those with few payments first: of an address with very many, a scan
 * reads a part. An address is missing if the endpoint rejects its list as one request too many, or if its
 * watches do without. Throws NetworkError.
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
    const since = Math.min(...group.map(({ cursor }) => sinceOf(cursor, reading.name)))
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
  const stored = Math.max(...group.map(({ cursor }) => cursor[name] ?? 0))
  return {
    deposits,
    isComplete: !listed.hasMore && waitingFrom === null && unknownFrom === null,
    isPartial: listed.hasMore || waitingFrom !== null || (unknownFrom !== null && source.limit.isHit),
    isCut,
    from: nextFrom(listed, { waitingFrom, unknownFrom, tip: source.tip }, since) ?? (stored || null),
  }
}

/** What is not final may still change. */
const UNSURE_MS = 120_000

/** Up to what is final and was read. Null while the list ends within one scan. */
function nextFrom(
  { hasMore, lastAt }: Listed<Entry>,
  {
    waitingFrom,
    unknownFrom,
    tip,
  }: Pick<Chosen<Entry>, 'waitingFrom'> & { unknownFrom: number | null; tip: Tip },
  since: number,
): number | null {
  if (!hasMore || lastAt === null) return null
  // One block has more transactions than a scan lists.
  if (lastAt <= since) return since + 1
  const ends = [lastAt, waitingFrom, unknownFrom, tip.finalized?.at ?? tip.head.at - UNSURE_MS]
  return Math.max(since, Math.min(...ends.filter(end => end !== null)))
}

const sinceOf = (cursor: Cursor, name: ListName): number => Math.max(cursor.at, cursor[name] ?? 0)
