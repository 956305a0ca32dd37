import { type Attempt, isCharge, isLocked } from '../../domain/attempt.ts'
import { isWithin } from '../../domain/clock.ts'
import { isInvoice, upstreamOf } from '../../domain/upstream.ts'
import { isWatched, mayGetMore } from '../../domain/watch.ts'
import type { Context } from '../context.ts'
import { type CheckContext, checkAttempts } from './check-attempts.ts'
import type { Checkout } from './load-checkout.ts'
import {
  endTurn,
  INVOICE_PAUSE_MS,
  leaveToOthers,
  PAUSE_MS,
  pauseOf,
  SHARED_SCAN_MAX,
  sharedPauseOf,
  takeTurn,
} from './steps/shared-scan.ts'

/** The pause between look-ups at a provider. They only replace callbacks that were lost. */
const PROVIDER_PAUSE_MS = 30_000
/** The pause for a charge. Buyers come back from its page before the callback, and expect to be done. */
const CHARGE_PAUSE_MS = 5_000
/** The longest pause for a payment that takes long to confirm: it is checked less and less often. */
const CONFIRMING_PAUSE_MAX = 60_000
const CONFIRMING_PARTS = 8
const FIRST_MS = 5 * 60_000
const FORGET_MS = 3_600_000
/** Max scans of one chain in each pause that are made for explicit requests, on all servers together. */
const SCANS_PER_PAUSE = 10
/** Max look-ups at one provider in a pause, for pages and requests. Few are enough: it calls back anyway. */
const LOOKUPS_PER_PAUSE = 20

interface Asked {
  checkedAt: number
  /** when a page first found the payment confirming; null while it is not */
  confirmingSince: number | null
}

/** The recent scans of one chain, or look-ups at one provider. */
interface Source {
  /** when the current pause began, and how many scans for requests, or look-ups, were made in it */
  pauseSince: number
  checks: number
  /** when the last scan for open pages began; with several servers, as far as this one knows */
  scannedAt: number
  /** true while that scan is running, or while `waiting` is being passed to all servers */
  isBusy: boolean
  /** the time of the latest request that waits for a scan by a timer; null if no timer is set */
  demandedAt: number | null
  /** the attempts to scan next, by ID; true if the quoted amount of the attempt still holds */
  waiting: Map<string, boolean>
}

interface Memory {
  attempts: Map<string, Asked>
  sources: Map<string, Source>
}

const memories = new WeakMap<CheckContext['storage'], Memory>()

/** The order and the attempts whose payments are checked. */
type Checked = Pick<Checkout, 'order' | 'attempts'>
type PageContext = CheckContext & Pick<Context, 'stopping'>

/** Why payments are checked. A `demand` is a client's request; in the sandbox, requests have no limit. */
type Why = 'page' | 'demand' | 'sandbox'
/** A request also checks settled attempts, since a buyer may pay the rest of an order to the same address. */
const watchFor = (why: Why) => (why === 'page' ? isWatched : mayGetMore)

/**
 * Checks the payments of an order now, if any of them is due. Returns the time up to which arrived payments
 * are known, or null if some attempts are left to a later scan. See `startCheck`.
 */
export async function checkNow(context: PageContext, checkout: Checked, why: Why): Promise<number | null> {
  const now = context.clock()
  const { checks, isLeft } = begin(context, checkout, why)
  await Promise.all(checks)
  if (isLeft) return null
  const { attempts } = memoryOf(context, now)
  const known = checkout.attempts.filter(attempt => watchFor(why)(attempt, now))
  return Math.min(now, ...known.map(({ id }) => attempts.get(id)?.checkedAt ?? now))
}

/**
 * Starts to check the payments of an order, because its page is open or a client requests it. Returns null if
 * none of them is due. The open pages of one chain share scans, on all servers of one database: a page that
 * asks shortly after another is answered from what is known, and takes part in the next scan. A request does
 * not wait for others, but each attempt is checked at most once in a pause. If there are very many requests,
 * most are treated like open pages: anybody can send them, and they must not exhaust the endpoints of a
 * chain. Clients need not repeat a request, so a timer starts the scan for which it waits.
 */
export function startCheck(context: PageContext, checkout: Checked, why: Why): Promise<void> | null {
  const { checks } = begin(context, checkout, why)
  return checks.length === 0 ? null : Promise.all(checks).then(() => {})
}

/** The checks that are started. `isLeft` is true if some payments are left to a later scan. */
interface Begun {
  checks: Promise<void>[]
  isLeft: boolean
}

function begin(context: PageContext, { order, attempts }: Checked, why: Why): Begun {
  const isAwaited = order.status === 'UNPAID' || order.status === 'EXPIRED'
  if (!isAwaited || attempts.length === 0) return { checks: [], isLeft: false }
  const now = context.clock()
  const memory = memoryOf(context, now)
  const servers = context.storage.servers()
  if (servers > 1) noteOthers(memory, attempts, now)
  const due = attempts.filter(attempt => watchFor(why)(attempt, now) && isDue(memory, attempt, now))
  let isLeft = false
  const checks = [...Map.groupBy(due, upstreamOf)].flatMap(([name, some]) => {
    const source = sourceOf(memory, name, now)
    const own = takeOwn(source, some, why, servers)
    if (own) {
      if (own.length < some.length) isLeft = true
      return checkOwn(context, memory, own, now) ?? []
    }
    for (const attempt of some) source.waiting.set(attempt.id, isLocked(attempt, now))
    const scan = startShared(context, memory, name)
    if (scan !== null) return scan
    isLeft = true
    if (why === 'demand') scanLater(context, memory, name)
    return []
  })
  return { checks, isLeft }
}

function checkOwn(context: CheckContext, memory: Memory, ids: string[], now: number): Promise<void> | null {
  for (const id of ids) noteAsked(memory, id, now)
  return ids.length === 0 ? null : checkAndSchedule(context, ids)
}

/** Starts the scan that open pages share. Null if it is too early for a scan. */
function startShared(context: PageContext, memory: Memory, name: string): Promise<void> | null {
  const now = context.clock()
  if (context.storage.servers() > 1) return joinOthers(context, memory, name, now)
  return scanShared(context, memory, name, now)
}

/** Makes the next shared scan as soon as it may begin. */
function scanLater(context: PageContext, memory: Memory, name: string): void {
  const source = sourceOf(memory, name, context.clock())
  const isTimed = source.demandedAt !== null
  source.demandedAt = context.clock()
  if (isTimed) return
  const timer = setTimeout(async () => {
    if (context.stopping.aborted) return
    await startShared(context, memory, name)?.catch(error => reportLost(context, name, error))
    const { demandedAt, scannedAt } = source
    source.demandedAt = null
    if (demandedAt !== null && scannedAt <= demandedAt) scanLater(context, memory, name)
  }, pauseOf(name))
  timer.unref()
}

function noteAsked({ attempts }: Memory, id: string, now: number): void {
  const { confirmingSince = null } = attempts.get(id) ?? {}
  // Moves the attempt to the end: the oldest entries stay first, where `memoryOf` finds and removes them.
  attempts.delete(id)
  attempts.set(id, { confirmingSince, checkedAt: now })
}

async function checkAndSchedule(context: CheckContext, ids: string[]): Promise<void> {
  const next = await checkAttempts(context, ids)
  await context.storage.write(async tables => {
    for (const [id, at] of next) if (at !== null) await tables.jobs.bringForward('attempt.check', id, at)
  })
}

/** The pause between checks. It is short for a new invoice: most are paid in minutes, or never. */
function pauseFor(attempt: Attempt, now: number): number {
  if (isCharge(attempt)) return CHARGE_PAUSE_MS
  if (attempt.provider !== null) return PROVIDER_PAUSE_MS
  return isInvoice(attempt) && isWithin(FIRST_MS, attempt.createdAt, now) ? INVOICE_PAUSE_MS : PAUSE_MS
}

function isDue({ attempts }: Memory, attempt: Attempt, now: number): boolean {
  const { id, state } = attempt
  const asked = attempts.get(id)
  if (!asked) return true
  asked.confirmingSince = state === 'confirming' ? (asked.confirmingSince ?? now) : null
  const waitedMs = asked.confirmingSince === null ? 0 : now - asked.confirmingSince
  const pauseMs = Math.min(
    CONFIRMING_PAUSE_MAX,
    Math.max(pauseFor(attempt, now), waitedMs / CONFIRMING_PARTS),
  )
  return !isWithin(pauseMs, asked.checkedAt, now)
}

/** The IDs of the attempts to check at once; null if they have to take part in a shared scan. */
function takeOwn(source: Source, due: Attempt[], why: Why, servers: number): string[] | null {
  const ids = due.map(({ id }) => id)
  if (why === 'sandbox') return ids
  const mostOf = (max: number) => Math.ceil(max / servers)
  if (due[0]?.provider != null) {
    const taken = ids.slice(0, Math.max(0, mostOf(LOOKUPS_PER_PAUSE) - source.checks))
    source.checks += taken.length
    return taken
  }
  if (why === 'page' || source.checks >= mostOf(SCANS_PER_PAUSE)) return null
  source.checks += 1
  return ids
}

/** Scans the waiting attempts, unless a scan just began. Those whose quoted amount holds come first. */
function scanShared(context: CheckContext, memory: Memory, name: string, now: number): Promise<void> | null {
  const source = sourceOf(memory, name, now)
  if (source.isBusy || isWithin(pauseOf(name), source.scannedAt, now)) return null
  const ids = [...source.waiting]
    .sort(([, a], [, b]) => Number(b) - Number(a))
    .slice(0, SHARED_SCAN_MAX)
    .map(([id]) => id)
  for (const id of ids) {
    source.waiting.delete(id)
    noteAsked(memory, id, now)
  }
  Object.assign(source, { scannedAt: now, isBusy: true })
  return checkAndSchedule(context, ids).finally(() => {
    source.isBusy = false
  })
}

/** Passes the waiting attempts to the next scan of all servers. If that scan is due, makes it. */
function joinOthers(context: PageContext, memory: Memory, chain: string, now: number): Promise<void> | null {
  const source = sourceOf(memory, chain, now)
  if (source.isBusy) return null
  const isTurn = !isWithin(sharedPauseOf(chain), source.scannedAt, now)
  const joined = giveWaiting(context, memory, chain, isTurn)
  if (isTurn) return joined
  joined.catch(error => reportLost(context, chain, error))
  return null
}

async function giveWaiting(
  context: PageContext,
  memory: Memory,
  chain: string,
  isTurn: boolean,
): Promise<void> {
  const source = sourceOf(memory, chain, context.clock())
  const waiting = new Map(source.waiting)
  source.waiting.clear()
  source.isBusy = true
  const turn = await (isTurn ? takeTurn : leaveToOthers)(context, chain, waiting).finally(() => {
    source.isBusy = false
  })
  const now = context.clock()
  for (const id of [...waiting.keys(), ...(turn?.ids ?? [])]) noteAsked(memory, id, now)
  if (turn) source.scannedAt = turn.scannedAt
  // Other pages may have asked for a scan in the meantime, so another one follows.
  if (source.waiting.size > 0)
    joinOthers(context, memory, chain, now)?.catch(error => reportLost(context, chain, error))
  if (!turn || turn.ids.length === 0) return
  try {
    await checkAndSchedule(context, turn.ids)
  } finally {
    await endTurn(context, chain, turn)
  }
}

/** Logs that a scan could not be shared. Pages ask again, and a timer makes the next scan. */
function reportLost({ log, stopping }: PageContext, chain: string, error: unknown): void {
  if (!stopping.aborted) log.warn({ chain, reason: String(error) }, 'check.not_shared')
}

/** Notes the checks that other servers made, as if this server had made them. */
function noteOthers(memory: Memory, attempts: Attempt[], now: number): void {
  for (const { id, checkedAt } of attempts) {
    if (checkedAt === null || !isWithin(CONFIRMING_PAUSE_MAX, checkedAt, now)) continue
    if (checkedAt > (memory.attempts.get(id)?.checkedAt ?? 0)) noteAsked(memory, id, checkedAt)
  }
}

function sourceOf({ sources }: Memory, name: string, now: number): Source {
  const known = sources.get(name)
  const source = known ?? {
    pauseSince: now,
    checks: 0,
    scannedAt: 0,
    isBusy: false,
    demandedAt: null,
    waiting: new Map(),
  }
  if (!known) sources.set(name, source)
  if (!isWithin(pauseOf(name), source.pauseSince, now)) Object.assign(source, { pauseSince: now, checks: 0 })
  return source
}

function memoryOf({ storage }: CheckContext, now: number): Memory {
  const memory = memories.get(storage) ?? { attempts: new Map(), sources: new Map() }
  memories.set(storage, memory)
  for (const [id, { checkedAt }] of memory.attempts) {
    if (isWithin(FORGET_MS, checkedAt, now)) break
    memory.attempts.delete(id)
  }
  return memory
}
