import type { Attempt } from '../../domain/attempt.ts'
import { afterBlindTime } from '../../domain/blind-chain.ts'
import { isElsewhere, lookAt, noLooks, withLook } from '../../domain/elsewhere.ts'
import { assert } from '../../domain/errors.ts'
import type { Outflow } from '../../networks/port.ts'
import type { KeptRate, Tables } from '../../storage/port.ts'
import { noticeRunEnd, runBefore } from '../addresses/steps/unpaid-run.ts'
import type { Context } from '../context.ts'
import { type ApplyContext, applyChanges } from './apply.ts'
import type { Case, Occasion } from './case.ts'
import { decide } from './decide.ts'
import { isEndedWith } from './ending.ts'
import { type LoadContext, listClaimed, loadCase, RATE_RANGE_MS } from './load.ts'
import { type Merged, mergeReport, movedChanges, type PaymentReport } from './merge.ts'

type ReviewContext = LoadContext & ApplyContext
export type RecordContext = ReviewContext & Pick<Context, 'storage' | 'rates'>

/** How many payments one write stores: more would hold up every other request. */
const PAYMENTS_AT_ONCE = 50

/** Records what was reported for an attempt, and decides what it means for its order. */
export async function recordPayments(
  context: RecordContext,
  attemptId: string,
  report: PaymentReport,
): Promise<void> {
  const rates = await fetchPresentRates(context, attemptId, report)
  const present = new Set<string>()
  const { detectedPayments } = report
  let stored = 0
  for (; detectedPayments.length - stored > PAYMENTS_AT_ONCE; stored += PAYMENTS_AT_ONCE) {
    const some = detectedPayments.slice(stored, stored + PAYMENTS_AT_ONCE)
    const part = { ...report, detectedPayments: some, completeFrom: null }
    await context.storage.write(async tables => {
      const attempt = await findAttempt(context, tables, attemptId, report)
      if (!attempt) return
      const known = await tables.incomingPayments.listOf(attempt.id)
      const about = { attempt, now: context.clock(), newId: context.ids.uuid }
      const { changes } = mergeReport(about, known, part, present)
      await applyChanges(context, tables, null, changes)
    })
  }
  const rest = { ...report, detectedPayments: detectedPayments.slice(stored) }
  await context.storage.write(async tables => {
    const attempt = await findAttempt(context, tables, attemptId, report)
    if (!attempt) return
    for (const rate of rates) await tables.rates.keep(rate)
    await recordRest(context, tables, { attempt, report: rest, present })
  })
}

/** The attempt of a report; null if another report has overtaken it. */
async function findAttempt(
  { clock }: Pick<Context, 'clock'>,
  tables: Tables,
  id: string,
  { source, completeFrom, askedAt }: PaymentReport,
): Promise<Attempt | null> {
  const attempt = await tables.attempts.find(id)
  assert(attempt, 'a reported attempt exists')
  if (completeFrom === null) return attempt
  const before = await askedBefore(tables, attempt, source)
  // Ignore a time in the future: the clock was wrong when it was written.
  const isOvertaken = before !== null && askedAt < before && before <= clock()
  return isOvertaken ? null : attempt
}

/** When a source was last asked about an attempt, of what is stored; null if it never was. */
async function askedBefore(tables: Tables, attempt: Attempt, source: string): Promise<number | null> {
  if (!isElsewhere(attempt, source)) return attempt.checkedAt
  const known = await tables.elsewhere.find(attempt.id)
  return known && lookAt(known, source).readAt
}

/** How far a source was read for an attempt. Another chain does not move the cursor of the attempt's own. */
const progressOf = (attempt: Attempt, { source, askedAt, cursor }: PaymentReport) =>
  isElsewhere(attempt, source) ? {} : { checkedAt: askedAt, ...(cursor !== undefined && { cursor }) }

/** Stores how far another chain was read for an attempt. */
async function noteLook(
  tables: Tables,
  attempt: Attempt,
  { source, askedAt, cursor }: PaymentReport,
): Promise<void> {
  if (!isElsewhere(attempt, source)) return
  const known = (await tables.elsewhere.find(attempt.id)) ?? noLooks(attempt.id)
  const look = { readAt: askedAt, failedAt: null, ...(cursor !== undefined && { cursor }) }
  await tables.elsewhere.put(withLook(known, source, look))
}

/** The last part of a report, with all that follows from the whole of it. */
interface LastPart {
  attempt: Attempt
  report: PaymentReport
  present: Set<string>
}

async function recordRest(
  context: ReviewContext & Pick<Context, 'storage'>,
  tables: Tables,
  { attempt, report, present }: LastPart,
): Promise<void> {
  const before = await loadCase(context, tables, attempt.orderId, { attempt, report })
  const claimed = await listClaimed(tables, { attempt, report })
  const known = before.attempts.find(one => one.attempt.id === attempt.id)?.payments ?? []
  const isPaid = known.length + report.detectedPayments.length > 0
  const run = isPaid ? await runBefore(context, tables, attempt) : null
  const now = before.now
  const merged = mergeReport({ attempt, now, newId: context.ids.uuid }, known, report, present)
  const isEnded = isEndedWith(before.order, attempt)
  const longer = report.unread && !isEnded ? afterBlindTime(attempt, report.unread, report.askedAt) : null
  const progress = { ...longer, ...progressOf(attempt, report) }
  const of = withReport(before, { ...attempt, ...progress }, merged, claimed)
  const { changes } = decide(of, {
    reported: attempt.id,
    ...(report.hasFailed && { hasFailed: true }),
  })
  await applyChanges(context, tables, of, [
    ...merged.changes,
    { do: 'change attempt', attempt, change: { ...progress, updatedAt: now } },
    ...changes,
    ...movedChanges(of, merged),
  ])
  await noteLook(tables, attempt, report)
  await noticeRunEnd(context, tables, run)
  if (report.outflows?.length) await recordOutflows(tables, attempt, report.outflows, now)
}

/** The case with what was reported. */
function withReport(before: Case, checked: Attempt, { payments }: Merged, claimed: Set<string>): Case {
  const isClaimed = payments.filter(({ txId, txIndex }) => claimed.has(`${txId} ${txIndex}`))
  return {
    ...before,
    claimed: new Set(isClaimed.map(({ id }) => id)),
    attempts: before.attempts.map(one =>
      one.attempt.id === checked.id ? { attempt: checked, payments } : one,
    ),
  }
}

/**
 * Decides again what the payments of an order amount to, within the write that changed what it depends on.
 * Returns when to look again whether the order has expired; null if that is over.
 */
export async function reviewOrder(
  context: ReviewContext,
  tables: Tables,
  orderId: string,
  occasion: Occasion = {},
): Promise<number | null> {
  return review(context, tables, await loadCase(context, tables, orderId), occasion)
}

async function review(
  context: ApplyContext,
  tables: Tables,
  of: Case,
  occasion: Occasion,
): Promise<number | null> {
  const { changes, lookAgainAt } = decide(of, occasion)
  await applyChanges(context, tables, of, changes)
  return lookAgainAt
}

/**
 * Fetches the present rates of payments that have just arrived late or in another asset: none may have been
 * stored for this minute. To be called before the write that records the payments.
 */
async function fetchPresentRates(
  { storage, rates, clock }: Pick<Context, 'storage' | 'rates' | 'clock'>,
  attemptId: string,
  { detectedPayments }: PaymentReport,
): Promise<KeptRate[]> {
  const now = clock()
  const recent = detectedPayments.filter(({ paidAt }) => now - paidAt <= RATE_RANGE_MS)
  if (recent.length === 0) return []
  const found = await storage.read(async tables => {
    const attempt = await tables.attempts.find(attemptId)
    return attempt && { attempt, order: (await tables.orders.find(attempt.orderId))?.order }
  })
  if (!found?.order) return []
  const { attempt, order } = found
  const unlocked = recent.filter(
    ({ assetId, paidAt }) => assetId !== attempt.assetId || paidAt > attempt.lockedUntil - attempt.blindMs,
  )
  const assetIds = new Set(unlocked.map(({ assetId }) => assetId))
  const kept = await Promise.all(
    [...assetIds].map(async assetId => {
      const rate = await rates.rate(assetId, order.currency)
      return rate ? [{ ...rate, assetId, at: now }] : []
    }),
  )
  return kept.flat()
}

/**
 * Records which transaction moved each payment on to the payout wallet: the first one after it in its asset.
 * The order and its transaction show that of the payment that settled them.
 */
async function recordOutflows(
  tables: Tables,
  attempt: Attempt,
  outflows: readonly Outflow[],
  now: number,
): Promise<void> {
  const sorted = outflows.toSorted((a, b) => a.height - b.height)
  for (const incoming of await tables.incomingPayments.listOf(attempt.id)) {
    const { height, assetId } = incoming
    if (incoming.txOut !== null || incoming.state !== 'final' || height === null) continue
    const outflow = sorted.find(one => one.assetId === assetId && one.height >= height)
    if (!outflow) continue
    await tables.incomingPayments.update(incoming.id, { txOut: outflow.txId, updatedAt: now })
    if (incoming.settles) await showOnOrder(tables, attempt.orderId, outflow.txId, now)
  }
}

async function showOnOrder(tables: Tables, orderId: string, txOut: string, now: number): Promise<void> {
  const { order } = (await tables.orders.find(orderId)) ?? {}
  if (!order?.transactionId || order.providerTxOut !== null) return
  await tables.orders.update(orderId, { providerTxOut: txOut, updatedAt: now })
  await tables.transactions.setTxOut(order.transactionId, txOut, now)
}
