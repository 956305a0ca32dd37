import { chainOf } from '../../domain/asset.ts'
import { type Attempt, type AttemptAtProvider, isReclaimed, type OwnAttempt } from '../../domain/attempt.ts'
import type { BlindChain } from '../../domain/blind-chain.ts'
import { asserted, Refusal } from '../../domain/errors.ts'
import { SHARED_REST_MS } from '../../domain/quote.ts'
import { isInvoice, upstreamOf } from '../../domain/upstream.ts'
import {
  type DetectedPayment,
  NetworkError,
  Undecided,
  type Watch,
  type WatchResult,
} from '../../networks/port.ts'
import { ProviderError } from '../../providers/port.ts'
import type { Context } from '../context.ts'
import { type RecordContext, recordPayments } from '../settlement/record.ts'
import { joinSmall } from '../upstreams/steps/join-small.ts'
import { scanApart } from '../upstreams/steps/scan-apart.ts'
import { noteChecks, retryCheckAt, unreadOf } from './failed-checks.ts'
import { lookUpAttempt } from './steps/close-page.ts'
import { failInterrupted } from './steps/interrupted-opening.ts'
import { listBlindChains, noteLook } from './steps/note-look.ts'
import { noticeUnproven } from './steps/notice-unproven.ts'
import { storedReference } from './steps/open-target.ts'
import { recordProviderPayments } from './steps/record-provider-payments.ts'
import { awaitedOf, lateCheckAt, nextCheckAt, nextPartAt } from './steps/schedule-check.ts'

/** After this many failed look-ups in a row, a provider counts as unavailable. */
const FAILURES_MAX = 3
/**
 * Max reports that share a commit: with more of them, requests that write would wait too long. A shared
 * database commits each report for itself. There, simultaneous ones would wait for one another's rows.
 */
const RECORDS_AT_ONCE = 20

export type CheckContext = RecordContext & Pick<Context, 'networks' | 'providers' | 'secrets'>

/**
 * Asks the upstreams of these attempts what arrived, and records it. Returns the time of each attempt's next
 * check; null for an attempt whose watch is over. An upstream that is unavailable changes nothing. With
 * `elsewhere`, a chain is read from another endpoint than the one that answered last, if there is one.
 */
export async function checkAttempts(
  context: CheckContext,
  ids: string[],
  { elsewhere = false }: { elsewhere?: boolean } = {},
): Promise<Map<string, number | null>> {
  const { attempts, others } = await loadAttempts(context, ids)
  const bySource = Map.groupBy(attempts, upstreamOf)
  const next = new Map<string, number | null>()
  for (const id of others) next.set(id, await failInterrupted(context, id))
  await Promise.all(
    [...bySource].map(async ([source, group]) => {
      const { unchecked, partial, hasFailed } = await checkSource(context, source, group, elsewhere)
      const now = context.clock()
      noteChecks(context, { source, attempts: group, unchecked, hasFailed }, now)
      if (hasFailed !== null) await noteLook(context, { chain: source, attempts: group, hasFailed })
      const groupIds = group.map(({ id }) => id)
      const after = (await loadAttempts(context, groupIds)).attempts
      const awaited = await awaitedOf(context, after, now)
      const before = new Map(group.map(attempt => [attempt.id, attempt]))
      for (const attempt of after) {
        const { id } = attempt
        const nextAt = partial.has(id) ? nextPartAt : nextCheckAt
        const isFirst = isFirstAfterWatch(before.get(id) ?? attempt, now)
        const at = nextAt(attempt, now, awaited.has(id)) ?? (isFirst ? lateCheckAt(now) : null)
        next.set(id, unchecked.has(id) ? retryCheckAt(context, source, attempt, now) : at)
      }
    }),
  )
  return next
}

/**
 * Loads the attempts with these IDs. `others` are the IDs without an attempt, which may belong to openings.
 */
const loadAttempts = (
  { storage }: Pick<Context, 'storage'>,
  ids: string[],
): Promise<{ attempts: Attempt[]; others: string[] }> =>
  storage.read(async tables => {
    const found = new Map((await tables.attempts.findAll(ids)).map(attempt => [attempt.id, attempt]))
    return {
      // Payments to an address that was given back to its pool belong to a later attempt.
      attempts: ids.flatMap(id => found.get(id) ?? []).filter(attempt => !isReclaimed(attempt)),
      others: ids.filter(id => !found.has(id)),
    }
  })

interface Checked {
  /** the IDs of the attempts that could not be checked */
  unchecked: ReadonlySet<string>
  /** the IDs of checked attempts whose address has more payments to read */
  partial: ReadonlySet<string>
  /** true if a chain could not be read; null if that is not known, and for a provider */
  hasFailed: boolean | null
}

async function checkSource(
  context: CheckContext,
  source: string,
  attempts: Attempt[],
  elsewhere: boolean,
): Promise<Checked> {
  const unchecked: Attempt[] = []
  let read: Omit<Checked, 'unchecked'> = { partial: new Set(), hasFailed: null }
  try {
    const own = attempts.filter(attempt => attempt.provider === null)
    const others = attempts.filter(attempt => attempt.provider !== null)
    if (others.length > 0) await checkAtProvider(context, source, others, unchecked)
    else {
      const watches = watchesOf(context, own, elsewhere)
      read = await checkOnChain(context, source, own, { watches, unchecked })
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    if (unchecked.length === 0) unchecked.push(...attempts)
    if (error instanceof NetworkError) read = { ...read, hasFailed: !(error instanceof Undecided) }
    if (error instanceof NetworkError || error instanceof ProviderError) {
      context.log.warn({ source, attempts: unchecked.length, reason: error.message }, 'upstream.unavailable')
    } else reportBug(context, source, error)
  }
  return { unchecked: new Set(unchecked.map(({ id }) => id)), ...read }
}

const lastCheckAt = ({ checkedAt, createdAt }: Attempt): number => checkedAt ?? createdAt

/**
 * Looks up one attempt after the other. Attempts whose look-ups have been failing for long come last, so that
 * they hold up no other. Throws the provider's last error at the end.
 */
async function checkAtProvider(
  context: CheckContext,
  id: string,
  attempts: AttemptAtProvider[],
  unchecked: Attempt[],
): Promise<void> {
  const provider = context.providers.find(id)
  if (!provider) throw new ProviderError('unavailable', `the provider ${id} is no longer configured`)
  const waiting = attempts.toSorted((a, b) => lastCheckAt(b) - lastCheckAt(a))
  let lastError: ProviderError | undefined
  let failuresInRow = 0
  for (const [at, attempt] of waiting.entries()) {
    const askedAt = context.clock()
    try {
      const payments = await lookUpAttempt(context, provider, attempt)
      const about = { source: id, attemptId: attempt.id, orderUUID: attempt.orderId }
      context.log.debug({ ...about, payments: payments.length }, 'attempt.checked')
      await recordProviderPayments(context, attempt, payments, askedAt)
      failuresInRow = 0
    } catch (error) {
      if (error instanceof Refusal) throw error
      unchecked.push(attempt)
      if (error instanceof ProviderError) {
        lastError = error
        failuresInRow++
      } else reportBug(context, id, error)
    }
    if (failuresInRow === FAILURES_MAX) {
      unchecked.push(...waiting.slice(at + 1))
      break
    }
  }
  if (lastError) throw lastError
}

function watchesOf(context: CheckContext, attempts: OwnAttempt[], elsewhere: boolean): Watch[] {
  const now = context.clock()
  return attempts.flatMap(attempt => {
    const asset = context.networks.asset(attempt.assetId)
    // An asset that the operator has since removed from the assets file cannot be scanned.
    if (!asset) return []
    const { id, address, addressSource, cursor, requiredEndpoints, dueAtomic } = attempt
    const reference = storedReference(addressSource)
    const isElsewhere = elsewhere || isDecisive(attempt, now)
    const target = { attemptId: id, asset, address, ...reference, source: addressSource, dueAtomic }
    return [{ ...target, cursor, requiredEndpoints, ...(isElsewhere && { elsewhere: true }) }]
  })
}

/**
 * True for the checks on which an attempt's outcome depends: the first one since its grace ended, and those
 * after its watch. They ask another endpoint than the last, since an endpoint may leave payments out.
 */
const isDecisive = (attempt: Attempt, now: number): boolean =>
  now >= attempt.watchUntil || (now >= attempt.graceUntil && lastCheckAt(attempt) < attempt.graceUntil)

/**
 * True if a check of an address is the first since its watch ended. One more check follows: after an outage
 * that lasted until then, the endpoint of the first may be the only one that was ever asked about a payment.
 */
const isFirstAfterWatch = (attempt: Attempt, now: number): boolean =>
  attempt.provider === null &&
  !isInvoice(attempt) &&
  now >= attempt.watchUntil &&
  lastCheckAt(attempt) < attempt.watchUntil

/**
 * Scans a chain for the payments of these attempts. Adds to `unchecked` the attempts that could not be
 * checked: the network leaves out those that it cannot report on with certainty now.
 */
async function checkOnChain(
  context: CheckContext,
  chain: string,
  attempts: OwnAttempt[],
  { watches, unchecked }: { watches: Watch[]; unchecked: Attempt[] },
): Promise<Omit<Checked, 'unchecked'>> {
  const network = context.networks.of(chainOf(chain))
  if (!network) throw new NetworkError(`the network ${chain} is no longer configured`)
  const askedAt = context.clock()
  const blindChains = await listBlindChains(context)
  const byId = new Map(attempts.map(attempt => [attempt.id, attempt]))
  const { results, failures } = watches.length > 0 ? await scanApart(network, watches, context.clock) : noScan
  const record = async (result: WatchResult): Promise<void> => {
    const attempt = asserted(byId.get(result.attemptId), 'each result is of an attempt')
    if (await recordResult(context, attempt, result, { source: chain, askedAt, blindChains }))
      byId.delete(attempt.id)
  }
  const atOnce = context.storage.isShared ? 1 : RECORDS_AT_ONCE
  for (let from = 0; from < results.length; from += atOnce) {
    const recorded = await Promise.allSettled(results.slice(from, from + atOnce).map(record))
    const refused = recorded.find(one => one.status === 'rejected')
    if (refused) throw refused.reason
  }
  unchecked.push(...byId.values())
  reportFailures(context, chain, failures, byId.size)
  return {
    partial: new Set(results.flatMap(({ attemptId, isPartial }) => (isPartial ? [attemptId] : []))),
    // An address that cannot be read, such as after a flood of payments, says nothing about its chain.
    hasFailed: watches.length === 0 ? null : false,
  }
}

const noScan = { results: [], failures: [] }

interface Look {
  source: string
  askedAt: number
  blindChains: readonly BlindChain[]
}

/** Records the result of a scan for an attempt. Returns false if a bug prevents that. */
async function recordResult(
  context: CheckContext,
  attempt: OwnAttempt,
  { attemptId, detectedPayments, isPartial: _, unproven = [], endpoint, ...rest }: WatchResult,
  { source, askedAt, blindChains }: Look,
): Promise<boolean> {
  const assetOf = (id: string) => context.networks.asset(id)
  const own = joinSmall(attempt, assetOf, detectedPayments.filter(isOwn(attempt)))
  const about = { source, ...(endpoint && { endpoint }), attemptId, orderUUID: attempt.orderId }
  const checked = { ...about, payments: own.length }
  context.log.debug(checked, 'attempt.checked')
  try {
    const unread = unreadOf(context, attempt, blindChains)
    const report = { source, askedAt, unread, ...rest, detectedPayments: own }
    await recordPayments(context, attemptId, report)
    const lacking = unproven.find(isOwn(attempt))
    if (lacking) await noticeUnproven(context, attempt, lacking)
    return true
  } catch (error) {
    if (error instanceof Refusal) throw error
    reportBug(context, source, error)
    return false
  }
}

function reportFailures(context: CheckContext, source: string, failures: unknown[], count: number): void {
  for (const failure of failures) if (!(failure instanceof NetworkError)) reportBug(context, source, failure)
  if (count === 0) return
  const reason = failures.find(failure => failure instanceof NetworkError)?.message
  context.log.warn(
    { source, attempts: count, ...(reason !== undefined && { reason }) },
    'upstream.incomplete',
  )
}

/** Logs an error that no upstream can cause. It is a bug, but must not stop the other checks. */
function reportBug({ log }: CheckContext, source: string, failure: unknown): void {
  const error = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)
  log.error({ source, error }, 'upstream.check.failed')
}

type Arrived = Pick<DetectedPayment, 'amountAtomic' | 'assetId' | 'paidAt'>

/**
 * At a shared address, only the exact amount belongs to the attempt, and only until another attempt may ask
 * for it. Everything else is another buyer's payment, or the merchant's own.
 */
const isOwn =
  ({ shared, dueAtomic, assetId, watchUntil }: OwnAttempt) =>
  ({ amountAtomic, assetId: arrived, paidAt }: Arrived): boolean =>
    !shared || (amountAtomic === dueAtomic && arrived === assetId && paidAt <= watchUntil + SHARED_REST_MS)
