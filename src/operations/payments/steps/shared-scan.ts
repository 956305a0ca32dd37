import { isWithin } from '../../../domain/clock.ts'
import { isService } from '../../../domain/upstream.ts'
import type { ChainScan, Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'

/** A chain is scanned for open pages at most once in this time, however often they ask. */
export const PAUSE_MS = 5000
/**
 * A wallet that issues invoices is asked at most once in this time. It is shorter: a check is one short
 * request.
 */
export const INVOICE_PAUSE_MS = 1000
export const pauseOf = (upstream: string): number => (isService(upstream) ? INVOICE_PAUSE_MS : PAUSE_MS)
/**
 * The pause of servers that share a database. It is a little shorter: a poll that is a millisecond early,
 * since clocks differ, would leave the payment to a poll that comes a whole pause later.
 */
export const sharedPauseOf = (upstream: string): number => (pauseOf(upstream) * 9) / 10
/** Max attempts of one shared scan, as in a scan of the jobs: a larger one would hold up the next. */
export const SHARED_SCAN_MAX = 500
/** The longest time that a scan holds up other servers, even if its own server ended in the meantime. */
const LEASE_MS = 30_000

type SharedContext = Pick<Context, 'storage' | 'clock'>

/** The attempts that pages ask for, by ID; true if the quoted amount of the attempt still holds. */
type Waiting = ReadonlyMap<string, boolean>

interface Turn {
  /** the attempts that this server has to scan; empty if it is not its turn */
  ids: string[]
  /** when the last scan began: `scannedAt` by this server's clock, `beganAt` by the database's */
  scannedAt: number
  beganAt: number
}

/**
 * Begins a scan for all servers that share the database, of the attempts that the pages of any of them ask
 * for. If a scan began a short time ago or is still running, the attempts are left to the next scan.
 */
export function takeTurn({ storage, clock }: SharedContext, chain: string, asked: Waiting): Promise<Turn> {
  return storage.write(async tables => {
    const ahead = storage.clockAhead()
    const now = clock() + ahead
    const last = await tables.sharedScans.find(chain)
    await ask(tables, chain, asked, now)
    if (last && isHeld(last, now)) return { ids: [], scannedAt: last.beganAt - ahead, beganAt: last.beganAt }
    await tables.sharedScans.put({ chain, beganAt: now, leasedUntil: now + LEASE_MS })
    const ids = await tables.sharedScans.take(chain, SHARED_SCAN_MAX)
    return { ids, scannedAt: now - ahead, beganAt: now }
  })
}

/** Leaves the attempts that pages ask for to the next scan, even if another server begins it. */
export async function leaveToOthers(
  { storage, clock }: SharedContext,
  chain: string,
  asked: Waiting,
): Promise<null> {
  await storage.write(tables => ask(tables, chain, asked, clock() + storage.clockAhead()))
  return null
}

/** Lets the next scan begin. If the database cannot be reached, the lease ends at its time limit. */
export const endTurn = ({ storage }: SharedContext, chain: string, { beganAt }: Turn): Promise<void> =>
  storage.write(tables => tables.sharedScans.end(chain, beganAt)).catch(() => {})

async function ask(tables: Tables, chain: string, asked: Waiting, askedAt: number): Promise<void> {
  for (const [attemptId, isLocked] of asked)
    await tables.sharedScans.ask({ chain, attemptId, isLocked, askedAt })
}

const isHeld = ({ chain, beganAt, leasedUntil }: ChainScan, now: number): boolean =>
  isWithin(sharedPauseOf(chain), beganAt, now) ||
  (leasedUntil !== null && now < leasedUntil && isWithin(LEASE_MS, beganAt, now))
