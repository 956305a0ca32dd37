import type { Attempt } from '../../domain/attempt.ts'
import { afterBlindTime } from '../../domain/blind-chain.ts'
import { isElsewhere, lookAt, noLooks, withLook } from '../../domain/elsewhere.ts'
import { asserted } from '../../domain/errors.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import type { KeptRate, Tables } from '../../storage/port.ts'
import { noticeRunEnd, runBefore } from '../addresses/steps/unpaid-run.ts'
import type { Context } from '../context.ts'
import { type ApplyContext, applyChanges, storePayments } from './apply.ts'
import type { Case, Change, Occasion } from './case.ts'
import { decide } from './decide.ts'
import { isEndedWith } from './ending.ts'
import { arrivalOf, isSurelyInTime, type LoadContext, loadCase, RATE_RANGE_MS } from './load.ts'
import { type Merging, mergeReport, type PaymentReport } from './merge.ts'
import { leftMempool, movedNews } from './news.ts'

type ReviewContext = LoadContext & ApplyContext
export type RecordContext = ReviewContext & Pick<Context, 'storage' | 'rates'>

/** The most payments in one write: more would hold up every other request. */
const PAYMENTS_AT_ONCE = 50

/** Records what was reported for an attempt, and decides what it means for its order. */
export async function recordPayments(
  context: RecordContext,
  attemptId: string,
  report: PaymentReport,
): Promise<void> {
  const rates = await fetchPresentRates(context, attemptId, report)
  const present = new Set<string>()
  const { source, askedAt, detectedPayments } = report
  const write = (record: (tables: Tables, about: Merging) => Promise<void>) =>
    context.storage.write(async tables => {
      const attempt = asserted(await tables.attempts.find(attemptId), 'a reported attempt exists')
      if (await isOvertaken(context, tables, attempt, report)) return
      await record(tables, { attempt, present, now: context.clock(), newId: context.ids.uuid })
    })
  let from = 0
  for (; detectedPayments.length - from > PAYMENTS_AT_ONCE; from += PAYMENTS_AT_ONCE) {
    const some = detectedPayments.slice(from, from + PAYMENTS_AT_ONCE)
    const part = { source, askedAt, detectedPayments: some, completeFrom: null }
    await write(async (tables, about) => {
      const known = await tables.incomingPayments.listOf(attemptId)
      await storePayments(tables, mergeReport(about, known, part).changes)
    })
  }
  const last = { ...report, detectedPayments: detectedPayments.slice(from) }
  await write(async (tables, about) => {
    for (const rate of rates) await tables.rates.keep(rate)
    await recordLast(context, tables, about, last)
  })
}

/** Returns true if a later report of the same source is already recorded. */
async function isOvertaken(
  { clock }: Pick<Context, 'clock'>,
  tables: Tables,
  attempt: Attempt,
  { source, completeFrom, askedAt }: PaymentReport,
): Promise<boolean> {
  if (completeFrom === null) return false
  const known = isElsewhere(attempt, source) ? await tables.elsewhere.find(attempt.id) : null
  const before = isElsewhere(attempt, source) ? known && lookAt(known, source).readAt : attempt.checkedAt
  // Ignore a time in the future: the clock was wrong when it was written.
  return before !== null && askedAt < before && before <= clock()
}

/** Records the last part of a report, and decides. Nothing that a decision needs is read after the load. */
async function recordLast(
  context: ReviewContext,
  tables: Tables,
  about: Merging,
  report: PaymentReport,
): Promise<void> {
  const { attempt } = about
  const run = report.detectedPayments.length > 0 ? await runBefore(context, tables, attempt) : null
  const loaded = await loadCase(context, tables, attempt.orderId, { attempt, report })
  const known = loaded.attempts.find(one => one.attempt.id === attempt.id)?.payments ?? []
  const { payments, changes } = mergeReport(about, known, report)
  const look = lookOf(loaded, attempt, report)
  const checked = { attempt: { ...attempt, ...look }, payments }
  const attempts = loaded.attempts.map(one => (one.attempt.id === attempt.id ? checked : one))
  const of = { ...loaded, attempts }
  const moved = { before: known, after: payments }
  const notified = await loadNotified(tables, attempt, leftMempool(moved))
  const { hasFailed = false, isOver = false } = report
  const occasion = { reported: attempt.id, hasFailed, isOver }
  await applyChanges(context, tables, of, [
    ...changes,
    { do: 'change attempt', attempt, change: { ...look, updatedAt: of.now } },
    ...decide(of, occasion).changes,
    ...movedNews(of, checked.attempt, { ...moved, notified }),
    ...sweptChange(of, payments, report),
  ])
  await noteLook(tables, attempt, report)
  await noticeRunEnd(context, tables, run)
}

const NOTICES_MAX = 100

/** Of transactions that have left the mempool, those that the merchant was notified of before. */
async function loadNotified(
  tables: Tables,
  { orderId }: Attempt,
  left: readonly string[],
): Promise<ReadonlySet<string>> {
  const notices = left.length > 0 ? await tables.notifications.listOfOrder(orderId, NOTICES_MAX) : []
  return new Set(notices.flatMap(({ facts }) => (facts.about === 'payment_vanished' ? [facts.txId] : [])))
}

/**
 * The progress of an attempt after a look. A look at another chain does not move its cursor.
 * Time in which the chain could not be read does not count, unless the merchant has ended the order.
 */
function lookOf({ order }: Case, attempt: Attempt, { source, askedAt, cursor, unread }: PaymentReport) {
  if (isElsewhere(attempt, source)) return {}
  const longer = unread && !isEndedWith(order, attempt) ? afterBlindTime(attempt, unread, askedAt) : null
  return { ...longer, checkedAt: askedAt, ...(cursor !== undefined && { cursor }) }
}

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

/** A paid order shows the first transaction that moved on what paid it. */
function sweptChange(
  { order }: Case,
  payments: IncomingPayment[],
  { outflows = [] }: PaymentReport,
): Change[] {
  const { transactionId, providerTxOut } = order
  if (transactionId === null || providerTxOut !== null) return []
  const txIds = new Set(outflows.map(({ txId }) => txId))
  const swept = payments.find(({ settles, txOut }) => settles && txOut !== null && txIds.has(txOut))
  return swept?.txOut ? [{ do: 'set outgoing transaction', txOut: swept.txOut, transactionId }] : []
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
  const of = await loadCase(context, tables, orderId)
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
  const unlocked = recent.filter(one => !isSurelyInTime(arrivalOf(attempt, one)))
  if (unlocked.length === 0) return []
  const assetIds = new Set(unlocked.map(({ assetId }) => assetId))
  const rateOf = await rates.latest()
  return [...assetIds].flatMap(assetId => {
    const rate = rateOf(assetId, order.currency)
    return rate ? [{ ...rate, assetId, at: now }] : []
  })
}
