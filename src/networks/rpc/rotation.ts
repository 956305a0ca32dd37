import { asserted } from '../../domain/errors.ts'
import { isObject, type Looks, looksOf } from '../../domain/looks.ts'
import type { Json } from '../../domain/metadata.ts'
import { NetworkError, type Watch, type WatchResult } from '../port.ts'
import type { Endpoints, Turn } from './failover.ts'
import { isBelow, scanWithQuorum } from './quorum.ts'

/** A watch, as it is given to the scan of one endpoint. */
export interface GroupWatch extends Watch {
  /**
   * true if the last scan used another endpoint, which may have left out payments before the cursor, or if
   * such a payment waits for a second endpoint
   */
  isTakenOver?: boolean
}

/** After this many scans in a row with one endpoint, another endpoint is used once. */
const ROW_MAX = 2

interface Scanner<N> {
  endpoints: Endpoints<N>
  scan(node: N, watches: GroupWatch[]): Promise<WatchResult[]>
  /** see `scanWithQuorum` */
  quorumState?: ((cursor: Json) => string) | undefined
}

/**
 * Scans with the preferred endpoint, and about every third time with another, since a payment that an
 * endpoint leaves out looks like a payment that was not made. A watch with `elsewhere` is scanned by another
 * endpoint than the last, if another answers. A payment that waits for confirmations is followed by the
 * endpoint that saw it, since others may not have it yet; once a minute, another endpoint is asked whether
 * the payment is final. Throws NetworkError when no endpoint is usable.
 */
export async function scanInTurn<N>(scanner: Scanner<N>, watches: Watch[]): Promise<WatchResult[]> {
  const { endpoints, scan, quorumState } = scanner
  const looks = new Map(watches.map(({ attemptId, cursor }) => [attemptId, looksOf(cursor)]))
  const scanSome = async (node: N, own: Watch[]): Promise<WatchResult[]> => {
    const endpoint = endpoints.nameOf(node)
    const taken = own.map(watch =>
      takenBy(endpoint, watch, asserted(looks.get(watch.attemptId), 'each watch has its looks')),
    )
    return (await scan(node, taken)).map(result => ({ endpoint, ...result }))
  }
  const scanTurn = (turn: Turn, some: Watch[]): Promise<WatchResult[]> =>
    scanWithQuorum(endpoints.inTurn(turn), scanSome, some.map(withoutLooks), quorumState)
  const overdue = await scanElsewhere(endpoints, watches, looks, scanTurn)
  const final = overdue.filter(result => knowsMore(result, looks))
  const others = watches.filter(({ attemptId }) => !final.some(result => result.attemptId === attemptId))
  const scans = turnsOf(endpoints, others, looks).map(([turn, some]) => scanTurn(turn, some))
  const results = [...final, ...fulfilled(await Promise.allSettled(scans)).flat()]
  return results.map(result =>
    withLook(
      final.includes(result) ? result : withUnproven(result, overdue),
      asserted(looks.get(result.attemptId), 'each result is of a watch'),
    ),
  )
}

/** Returns the values of the scans that succeeded. Throws if a scan failed by a bug, or if all failed. */
export function fulfilled<T>(scans: PromiseSettledResult<T>[]): T[] {
  const results = scans.flatMap(scan => (scan.status === 'fulfilled' ? [scan.value] : []))
  const errors = scans.flatMap(scan => (scan.status === 'rejected' ? [scan.reason as unknown] : []))
  const bug = errors.find(error => !(error instanceof NetworkError))
  if (bug || (results.length === 0 && errors.length > 0)) throw bug ?? errors[0]
  return results
}

/**
 * Asks another endpoint about payments that have waited for confirmations, since the endpoint that follows
 * them may have stopped, or have invented them.
 */
async function scanElsewhere<N>(
  endpoints: Endpoints<N>,
  watches: Watch[],
  looks: ReadonlyMap<string, Looks>,
  scanTurn: (turn: Turn, some: Watch[]) => Promise<WatchResult[]>,
): Promise<WatchResult[]> {
  const overdue = endpoints.overdue(watches.filter(watch => isFollowed(watch, looks)))
  const byLast = Map.groupBy(overdue, watch => looks.get(watch.attemptId)?.by.at(-1) ?? '')
  const scans = [...byLast].flatMap(([last, some]) => {
    const turn: Turn = { last: [last], isUrgent: true }
    return endpoints.firstIn(turn) === last ? [] : [scanTurn(turn, some)]
  })
  const done = await Promise.allSettled(scans)
  const bug = done.find(one => one.status === 'rejected' && !(one.reason instanceof NetworkError))
  if (bug) fulfilled([bug])
  return done.flatMap(one => (one.status === 'fulfilled' ? one.value : []))
}

/**
 * Returns true for a result with a final payment, since an endpoint that reports no final payment knows less
 * than the one that follows the payment. Also returns true for a result of the latter, which is asked if no
 * other endpoint answers.
 */
const knowsMore = (
  { attemptId, endpoint = '', detectedPayments }: WatchResult,
  looks: ReadonlyMap<string, Looks>,
): boolean => detectedPayments.some(({ final }) => final) || looks.get(attemptId)?.by.at(-1) === endpoint

/** Adds the payments that only another endpoint reported, whose other results do not count. */
function withUnproven(result: WatchResult, others: readonly WatchResult[]): WatchResult {
  const own = others.filter(({ attemptId }) => attemptId === result.attemptId)
  const unproven = [result, ...own].flatMap(one => one.unproven ?? [])
  return unproven.length > 0 ? { ...result, unproven } : result
}

const isFollowed = ({ attemptId }: Watch, looks: ReadonlyMap<string, Looks>): boolean => {
  const { row, by } = asserted(looks.get(attemptId), 'each watch has its looks')
  return row === 0 && by.length > 0
}

/**
 * Distributes the watches over as few scans as possible. Two watches are in separate scans only if the same
 * endpoint may not scan both. This concerns watches whose payment is being followed, and watches that ask for
 * another endpoint.
 */
function turnsOf<N>(
  endpoints: Endpoints<N>,
  watches: Watch[],
  looks: ReadonlyMap<string, Looks>,
): [Turn, Watch[]][] {
  const of = ({ attemptId }: Watch): Looks => asserted(looks.get(attemptId), 'each watch has its looks')
  const lastOf = (watch: Watch): string => of(watch).by.at(-1) ?? ''
  const [followed, quiet] = parted(watches, watch => isFollowed(watch, looks))
  const [demanding, others] = parted(quiet, watch => watch.elsewhere === true && of(watch).row > 0)
  const [main = [], ...apart] = Map.groupBy(demanding, lastOf).values()
  const example = main[0] ?? others.find(watch => of(watch).row >= ROW_MAX)
  const turn: Turn = { last: example ? of(example).by : [], isUrgent: main.length > 0 }
  const byLast = Map.groupBy(followed, lastOf)
  const joining = quiet.length > 0 ? (byLast.get(endpoints.firstIn(turn)) ?? []) : []
  const turns: [Turn, Watch[]][] = [
    [turn, [...main, ...others, ...joining]],
    ...apart.map((some): [Turn, Watch[]] => [
      { last: of(asserted(some[0], 'a group of watches has one')).by, isUrgent: true },
      some,
    ]),
    ...[...byLast]
      .filter(([, some]) => some !== joining)
      .map(([first, some]): [Turn, Watch[]] => [{ first, last: [], isUrgent: false }, some]),
  ]
  return turns.filter(([, some]) => some.length > 0)
}

const parted = (watches: Watch[], isFirst: (watch: Watch) => boolean): [Watch[], Watch[]] => [
  watches.filter(isFirst),
  watches.filter(watch => !isFirst(watch)),
]

function takenBy(endpoint: string, watch: Watch, { by, again }: Looks): GroupWatch {
  if (again) return { ...watch, isTakenOver: true, elsewhere: true }
  return by.length > 0 && by.at(-1) !== endpoint ? { ...watch, isTakenOver: true } : watch
}

function withoutLooks(watch: Watch): Watch {
  if (!isObject(watch.cursor)) return watch
  const { looks: _, ...cursor } = watch.cursor
  return { ...watch, cursor }
}

function withLook(result: WatchResult, { by, row }: Looks): WatchResult {
  const { cursor, endpoint, detectedPayments } = result
  if (!isObject(cursor) || endpoint === undefined) return result
  const isPending = detectedPayments.some(({ final }) => !final)
  const inARow = by.at(-1) === endpoint ? Math.min(row + 1, ROW_MAX) : 1
  const looks = {
    by: [...by.filter(name => name !== endpoint), endpoint].slice(-ENDPOINTS_MAX),
    row: isPending ? 0 : inARow,
    // A payment below the cursor, where a disputed one may be, is reported only if its block is read again.
    ...(detectedPayments.some(one => one.isDisputed || (!one.final && isBelow(one, result))) && {
      again: true,
    }),
  }
  return { ...result, cursor: { ...cursor, looks } }
}

/**
 * Max endpoints that a cursor remembers, so that endpoints that an operator removed do not stay in it
 * forever.
 */
const ENDPOINTS_MAX = 8
