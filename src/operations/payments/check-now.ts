import { chainOf } from '../../domain/asset.ts'
import { type Attempt, isLocked, isWatched } from '../../domain/attempt.ts'
import { isWithin } from '../../domain/clock.ts'
import { type CheckContext, checkAttempts } from './check-attempts.ts'
import type { Checkout } from './load-checkout.ts'

/** An attempt, and a chain, are checked at most once in this time, however often pages ask. */
const PAUSE_MS = 5000
/** A provider calls back when a payment arrives. Asking it is for callbacks that were lost. */
const PROVIDER_PAUSE_MS = 30_000
/** A payment that takes long to confirm is checked less often. */
const CONFIRMING_PAUSE_MAX = 60_000
const CONFIRMING_PARTS = 8
const FORGET_MS = 3_600_000
/** In each pause, demands get this number of scans of their own on one chain, */
const SCANS_PER_PAUSE = 10
/** and pages and demands together this number of look-ups at one provider, which calls back anyway. */
const LOOKUPS_PER_PAUSE = 20
/** As many as one look of the jobs: a scan of more would hold up those that come after it. */
const SHARED_SCAN_MAX = 500

interface Asked {
  checkedAt: number
  /** when a page first found it confirming; null while it is not */
  confirmingSince: number | null
}

/** What was asked of one chain or provider. */
interface Source {
  /** when the pause began that is running, and how many scans of demands, or look-ups, it has had */
  pauseSince: number
  checks: number
  /** when pages last had it scanned, and whether that scan is still running */
  scannedAt: number
  isScanning: boolean
  /** attempts that pages asked for since then, and whether their amount holds */
  waiting: Map<string, boolean>
}

interface Memory {
  attempts: Map<string, Asked>
  sources: Map<string, Source>
}

const memories = new WeakMap<CheckContext['storage'], Memory>()

/** Whose payments are checked. */
type Checked = Pick<Checkout, 'order' | 'attempts'>

/** Checks the payments of an order now, if any of them is due. See `startCheck`. */
export async function checkNow(
  context: CheckContext,
  checkout: Checked,
  why: 'page' | 'demand',
): Promise<void> {
  await startCheck(context, checkout, why)
}

/**
 * Starts to check the payments of an order, because somebody has its page open or demands it. Returns null if
 * none of them is due. Open pages of one chain share a scan: one that asks shortly after another is answered
 * from what is known, and takes part in the next scan. A demand is not made to wait for others, but each
 * attempt has a pause of its own. Of very many demands, most are treated like open pages: anybody can send
 * them, and they must not exhaust the endpoints of a chain.
 */
export function startCheck(
  context: CheckContext,
  { order, attempts }: Checked,
  why: 'page' | 'demand',
): Promise<void> | null {
  if (order.status !== 'UNPAID' && order.status !== 'EXPIRED') return null
  if (attempts.length === 0) return null
  const now = context.clock()
  const memory = memoryOf(context, now)
  const due = attempts.filter(attempt => isWatched(attempt, now) && isDue(memory, attempt, now))
  const bySource = Map.groupBy(due, ({ provider, assetId }) => provider ?? chainOf(assetId))
  const checks = [...bySource].flatMap(([name, some]) => {
    const source = sourceOf(memory, name, now)
    const own = takeOwn(source, some, why)
    const shared = own === null ? takeShared(source, some, now) : null
    const ids = own ?? shared ?? []
    for (const id of ids) noteAsked(memory, id, now)
    if (ids.length === 0) return []
    const checked = checkAndSchedule(context, ids)
    return [shared ? endingScan(source, checked) : checked]
  })
  return checks.length === 0 ? null : Promise.all(checks).then(() => {})
}

function noteAsked({ attempts }: Memory, id: string, now: number): void {
  const { confirmingSince = null } = attempts.get(id) ?? {}
  // The oldest come first, so that they are found when it is time to forget them.
  attempts.delete(id)
  attempts.set(id, { confirmingSince, checkedAt: now })
}

async function checkAndSchedule(context: CheckContext, ids: string[]): Promise<void> {
  const next = await checkAttempts(context, ids)
  await context.storage.write(async tables => {
    for (const [id, at] of next) if (at !== null) await tables.jobs.bringForward('attempt.poll', id, at)
  })
}

function isDue({ attempts }: Memory, { id, state, provider }: Attempt, now: number): boolean {
  const asked = attempts.get(id)
  if (!asked) return true
  asked.confirmingSince = state === 'confirming' ? (asked.confirmingSince ?? now) : null
  const waitedMs = asked.confirmingSince === null ? 0 : now - asked.confirmingSince
  const pauseMs = Math.min(
    CONFIRMING_PAUSE_MAX,
    Math.max(provider === null ? PAUSE_MS : PROVIDER_PAUSE_MS, waitedMs / CONFIRMING_PARTS),
  )
  return !isWithin(pauseMs, asked.checkedAt, now)
}

/** The attempts of a check of its own; null if there is none, so that they take part in a shared scan. */
function takeOwn(source: Source, due: Attempt[], why: 'page' | 'demand'): string[] | null {
  const ids = due.map(({ id }) => id)
  if (due[0]?.provider != null) {
    const taken = ids.slice(0, Math.max(0, LOOKUPS_PER_PAUSE - source.checks))
    source.checks += taken.length
    return taken
  }
  if (why === 'page' || source.checks >= SCANS_PER_PAUSE) return null
  source.checks += 1
  return ids
}

/** The attempts of a scan that open pages share. Those whose amount holds come first. */
function takeShared(source: Source, due: Attempt[], now: number): string[] {
  for (const attempt of due) source.waiting.set(attempt.id, isLocked(attempt, now))
  if (source.isScanning || isWithin(PAUSE_MS, source.scannedAt, now)) return []
  const ids = [...source.waiting]
    .sort(([, a], [, b]) => Number(b) - Number(a))
    .slice(0, SHARED_SCAN_MAX)
    .map(([id]) => id)
  for (const id of ids) source.waiting.delete(id)
  Object.assign(source, { scannedAt: now, isScanning: true })
  return ids
}

const endingScan = (source: Source, checked: Promise<void>): Promise<void> =>
  checked.finally(() => {
    source.isScanning = false
  })

function sourceOf({ sources }: Memory, name: string, now: number): Source {
  const known = sources.get(name)
  const source = known ?? {
    pauseSince: now,
    checks: 0,
    scannedAt: 0,
    isScanning: false,
    waiting: new Map(),
  }
  if (!known) sources.set(name, source)
  if (!isWithin(PAUSE_MS, source.pauseSince, now)) Object.assign(source, { pauseSince: now, checks: 0 })
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
