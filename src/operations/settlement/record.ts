import type { Attempt } from '../../domain/attempt.ts'
import { afterBlindTime, isEndedWith } from '../../domain/blind-chain.ts'
import { isElsewhere } from '../../domain/elsewhere.ts'
import { asserted } from '../../domain/errors.ts'
import type { Tables } from '../../storage/port.ts'
import { noticeRunEnd, runBefore } from '../addresses/steps/unpaid-run.ts'
import type { Context } from '../context.ts'
import { type Merging, mergeReport, type PaymentReport } from '../incoming/merge.ts'
import { forwardingOf, leftMempool, loadNotified, movedNews } from '../incoming/moved.ts'
import { fetchPresentRates } from '../incoming/rates.ts'
import { isOvertaken, noteLook, storePayments } from '../incoming/store.ts'
import { type ApplyContext, applyChanges } from './apply.ts'
import type { Case, Occasion } from './case.ts'
import { decide } from './decide.ts'
import { type LoadContext, loadCase } from './load.ts'

type ReviewContext = LoadContext & ApplyContext
export type RecordContext = ReviewContext & Pick<Context, 'storage' | 'rates'>

/** Max payments that are stored in one write: more would hold up every other request. */
const PAYMENTS_AT_ONCE = 50

/**
 * Records what was reported for an attempt, and decides what it means for its order. The payments of a long
 * report are stored in several writes, and the last write decides about all of them.
 */
export async function recordPayments(
  context: RecordContext,
  attemptId: string,
  report: PaymentReport,
): Promise<void> {
  const rates = await fetchPresentRates(context, attemptId, report)
  const present = new Set<string>()
  const { source, askedAt, completeFrom, detectedPayments } = report
  const write = (record: (tables: Tables, about: Merging) => Promise<void>) =>
    context.storage.write(async tables => {
      const attempt = asserted(await tables.attempts.find(attemptId), 'a reported attempt exists')
      if (await isOvertaken(context, tables, attempt, report)) return
      await record(tables, { attempt, present, now: context.clock(), newId: context.ids.uuid })
    })
  let from = 0
  for (; detectedPayments.length - from > PAYMENTS_AT_ONCE; from += PAYMENTS_AT_ONCE) {
    const some = detectedPayments.slice(from, from + PAYMENTS_AT_ONCE)
    const part = { source, askedAt, completeFrom, isPart: true, detectedPayments: some }
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
  const progress = progressOf(loaded, attempt, report)
  const checked = { attempt: { ...attempt, ...progress }, payments }
  const attempts = loaded.attempts.map(one => (one.attempt.id === attempt.id ? checked : one))
  const of = { ...loaded, attempts }
  const moved = { before: known, after: payments }
  const notified = await loadNotified(tables, attempt, leftMempool(moved))
  const { hasFailed = false, isPageOver = false } = report
  const occasion = { reported: attempt.id, hasFailed, isPageOver }
  await applyChanges(context, tables, of, [
    ...changes,
    { do: 'change attempt', attempt, change: { ...progress, updatedAt: of.now } },
    ...decide(of, occasion).changes,
    ...movedNews(of, checked.attempt, { ...moved, notified }),
    ...forwardingOf(of.order, payments, report),
  ])
  await noteLook(tables, attempt, report)
  await noticeRunEnd(context, tables, run)
}

/**
 * The progress of an attempt after a check. A check of another chain does not move its cursor. Time in which
 * the chain could not be read does not count, unless the merchant has ended the order.
 */
function progressOf({ order }: Case, attempt: Attempt, { source, askedAt, cursor, unread }: PaymentReport) {
  if (isElsewhere(attempt, source)) return {}
  const longer = unread && !isEndedWith(order, attempt) ? afterBlindTime(attempt, unread, askedAt) : null
  return { ...longer, checkedAt: askedAt, ...(cursor !== undefined && { cursor }) }
}

/**
 * Decides again what the payments of an order amount to, within the write that changed the data of this
 * decision. Returns the time of the next check if the order has expired; null if it cannot expire any more.
 */
export async function reviewOrder(
  context: ReviewContext,
  tables: Tables,
  orderId: string,
  occasion: Occasion = {},
): Promise<number | null> {
  const of = await loadCase(context, tables, orderId)
  const { changes, reviewAt } = decide(of, occasion)
  await applyChanges(context, tables, of, changes)
  return reviewAt
}
