import type { Json } from '../../domain/metadata.ts'
import { NetworkError, type Watch, type WatchResult } from '../port.ts'
import type { Endpoints, Turn } from './failover.ts'
import { scanWithQuorum } from './quorum.ts'

/** A watch as one endpoint scans it. */
export interface GroupWatch extends Watch {
  /** another endpoint looked last: what that one left out may lie before the cursor */
  isTakenOver?: boolean
}

/** Which endpoints looked at a watch. Kept in its cursor, since other processes look too. */
interface Looks {
  /** the names of the endpoints, the one that looked last at the end */
  by: string[]
  /** how often that one has looked in a row */
  row: number
}

/** After this many looks in a row by one endpoint, the next one is another's. */
const ROW_MAX = 2

const none: Looks = { by: [], row: 0 }

interface Scanner<N> {
  endpoints: Endpoints<N>
  scan(node: N, watches: GroupWatch[]): Promise<WatchResult[]>
  /** as in `scanWithQuorum` */
  quorumState?: ((cursor: Json) => string) | undefined
}

/**
 * Scans with the preferred endpoint, and about every third time with another one: what one endpoint leaves
 * out is in no way different from what did not happen. A watch that asks for another endpoint than the last
 * one (`elsewhere`) gets it, if another one answers. Throws NetworkError when no endpoint is usable.
 */
export async function scanInTurn<N>(scanner: Scanner<N>, watches: Watch[]): Promise<WatchResult[]> {
  const { endpoints, scan, quorumState } = scanner
  const looks = new Map(watches.map(({ attemptId, cursor }) => [attemptId, looksOf(cursor)]))
  const scans = turnsOf(watches, looks).map(([turn, some]) => {
    const scanSome = async (node: N, own: Watch[]): Promise<WatchResult[]> => {
      const endpoint = endpoints.nameOf(node)
      const taken = own.map(watch => takenBy(endpoint, watch, looks.get(watch.attemptId)!))
      return (await scan(node, taken)).map(result => ({ endpoint, ...result }))
    }
    return scanWithQuorum(endpoints.inTurn(turn), scanSome, some.map(withoutLooks), quorumState)
  })
  const results = fulfilled(await Promise.allSettled(scans))
  if (endpoints.count < 2) return results
  return results.map(result => withLook(result, looks.get(result.attemptId)!))
}

/** The watches of a scan that failed are left out, unless there is no other scan. */
export function fulfilled(scans: PromiseSettledResult<WatchResult[]>[]): WatchResult[] {
  const results = scans.flatMap(scan => (scan.status === 'fulfilled' ? [scan.value] : []))
  const errors = scans.flatMap(scan => (scan.status === 'rejected' ? [scan.reason as unknown] : []))
  const bug = errors.find(error => !(error instanceof NetworkError))
  if (bug || (results.length === 0 && errors.length > 0)) throw bug ?? errors[0]
  return results.flat()
}

/** One scan for all watches, unless some ask not to be looked at by different endpoints. */
function turnsOf(watches: Watch[], looks: ReadonlyMap<string, Looks>): [Turn, Watch[]][] {
  const of = ({ attemptId }: Watch): Looks => looks.get(attemptId)!
  const demanding = watches.filter(watch => watch.elsewhere && of(watch).row > 0)
  const others = watches.filter(watch => !demanding.includes(watch))
  const byLast = [...Map.groupBy(demanding, watch => of(watch).by.at(-1)!).values()]
  const [first, ...rest] = byLast
  if (!first) {
    const tired = others.map(of).find(({ row }) => row >= ROW_MAX)
    return [[{ last: tired?.by ?? [], isUrgent: false }, others]]
  }
  return [[...first, ...others], ...rest].map(some => [{ last: of(some[0]!).by, isUrgent: true }, some])
}

const takenBy = (endpoint: string, watch: Watch, { by }: Looks): GroupWatch =>
  by.length > 0 && by.at(-1) !== endpoint ? { ...watch, isTakenOver: true } : watch

const isObject = (json: Json | undefined): json is { [key: string]: Json } =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

function looksOf(cursor: Json): Looks {
  const looks = isObject(cursor) ? cursor.looks : undefined
  if (!isObject(looks) || !Array.isArray(looks.by) || typeof looks.row !== 'number') return none
  return { by: looks.by.filter(name => typeof name === 'string'), row: looks.row }
}

function withoutLooks(watch: Watch): Watch {
  if (!isObject(watch.cursor)) return watch
  const { looks: _, ...cursor } = watch.cursor
  return { ...watch, cursor }
}

function withLook(result: WatchResult, { by, row }: Looks): WatchResult {
  const { cursor, endpoint } = result
  if (!isObject(cursor) || endpoint === undefined) return result
  const looks = {
    by: [...by.filter(name => name !== endpoint), endpoint].slice(-ENDPOINTS_MAX),
    row: by.at(-1) === endpoint ? Math.min(row + 1, ROW_MAX) : 1,
  }
  return { ...result, cursor: { ...cursor, looks } }
}

/** Endpoints that an operator removed stay in a cursor, but not for ever. */
const ENDPOINTS_MAX = 8
