import { type Attempt, isCharge } from '../../../domain/attempt.ts'
import { isInvoice, upstreamOf } from '../../../domain/upstream.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'

const OPEN_PAUSE_MS = 10 * 60_000
/**
 * The pause for an invoice: its wallet's server gets one short request, and its buyer expects a quick answer.
 */
const INVOICE_PAUSE_MS = 60_000
const CONFIRMING_PAUSE_MS = 30_000
const LATE_PAUSE_MS = 3600_000
/** The pause before the rest of an address is read: one scan reads about a thousand payments. */
const PARTIAL_PAUSE_MS = 2 * 60_000
/**
 * The time for which a payment that is not final is checked after its watch: a debit holds its order open
 * until its bank has decided, and a webhook may not report that. On a chain, a second endpoint may report it
 * later.
 */
const WAITING_MS = 30 * 24 * 3600_000
/**
 * A charge is looked up once more this long before its order expires, because a payment that the buyer has
 * approved can be captured only while the order waits for it.
 */
const LAST_CHANCE_MS = 60_000
const SHORT_STEP_MS = 30_000
const OPEN_STEP_MS = 60_000
const LATE_STEP_MS = 10 * 60_000

/**
 * The attempts of a lane have the same upstream, and are checked by one request if the upstream can do that.
 */
export const checkLane = (upstream: string): string => `check:${upstream}`

/**
 * The time of the next check of an attempt; null if its watch is over, it was checked since, and no payment
 * waits to become final: on a chain, `isAwaited` says whether one does. The times are rounded to a common
 * clock, so that many attempts on one chain are checked by the same few requests.
 */
export function nextCheckAt(attempt: Attempt, now: number, isAwaited: boolean): number | null {
  const checkedAt = attempt.checkedAt ?? 0
  const { state, lockedUntil, graceUntil, watchUntil } = attempt
  const soon = aligned(now + CONFIRMING_PAUSE_MS / 2, CONFIRMING_PAUSE_MS)
  // A charge whose payment is on its way is a debit, which takes days, so it is not checked as often as a
  // chain.
  const isOnChain = !isCharge(attempt)
  if (state === 'confirming' && isOnChain && now < watchUntil) return soon
  const open = isInvoice(attempt)
    ? aligned(now + INVOICE_PAUSE_MS - SHORT_STEP_MS, SHORT_STEP_MS)
    : aligned(now + OPEN_PAUSE_MS - OPEN_STEP_MS, OPEN_STEP_MS)
  // When its lock or its grace is over, an attempt ends or no longer holds its order open.
  const ends = [lockedUntil, graceUntil]
  if (!isOnChain) ends.unshift(lockedUntil - LAST_CHANCE_MS)
  for (const end of ends) {
    if (now < end) return Math.min(open, aligned(end, SHORT_STEP_MS))
    if (checkedAt < end) return soon
  }
  const late = lateCheckAt(now)
  if (now < watchUntil) return Math.min(late, aligned(watchUntil, SHORT_STEP_MS))
  const isWaiting = isOnChain ? isAwaited : state === 'confirming'
  return checkedAt < watchUntil || (isWaiting && now < watchUntil + WAITING_MS) ? late : null
}

/** The time of the next check of an attempt whose grace is over. */
export const lateCheckAt = (now: number): number => aligned(now + LATE_PAUSE_MS - LATE_STEP_MS, LATE_STEP_MS)

/**
 * The IDs of attempts in coins whose watch is over and that have a payment that is not final. It may be one
 * more payment of a paid order, which no sum of the attempt includes.
 */
export async function awaitedOf(
  { storage }: Pick<Context, 'storage'>,
  attempts: readonly Attempt[],
  now: number,
): Promise<ReadonlySet<string>> {
  const ids = attempts.filter(one => !isCharge(one) && now >= one.watchUntil).map(({ id }) => id)
  if (ids.length === 0) return new Set()
  const payments = await storage.read(tables =>
    Promise.all(ids.map(id => tables.incomingPayments.listOf(id))),
  )
  return new Set(payments.flat().flatMap(({ state, attemptId }) => (state === 'seen' ? [attemptId] : [])))
}

/**
 * The time of the next check of an attempt whose payments one scan could not read to the end. It is sooner
 * than usual; null if there is no further check.
 */
export function nextPartAt(attempt: Attempt, now: number, isAwaited: boolean): number | null {
  const at = nextCheckAt(attempt, now, isAwaited)
  return at && Math.min(at, aligned(now + PARTIAL_PAUSE_MS / 2, PARTIAL_PAUSE_MS))
}

/** The first multiple of a step that is not before a time. */
const aligned = (time: number, stepMs: number): number => Math.ceil(time / stepMs) * stepMs

export async function scheduleCheck(tables: Tables, attempt: Attempt, now: number): Promise<void> {
  const dueAt = nextCheckAt(attempt, now, false)
  if (dueAt === null) await tables.jobs.remove('attempt.check', attempt.id)
  else
    await tables.jobs.schedule({
      kind: 'attempt.check',
      subject: attempt.id,
      lane: checkLane(upstreamOf(attempt)),
      dueAt,
    })
}
