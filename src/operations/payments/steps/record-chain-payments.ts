import { type Attempt, type AttemptState, isOpen, type Receipt } from '../../../domain/attempt.ts'
import { assert } from '../../../domain/errors.ts'
import type { Json } from '../../../domain/metadata.ts'
import { type Assessment, assess, maySettle } from '../../../domain/settlement.ts'
import type { Outflow, Sighting } from '../../../networks/port.ts'
import type { OrderWithSession, Tables } from '../../../storage/port.ts'
import type { World } from '../../context.ts'
import { expireWhenOver } from '../../orders/expire.ts'
import { canMove } from '../../orders/steps/transition.ts'
import { recordPaymentEvent } from '../../webhooks/steps/record-event.ts'
import { recordOutflows } from './record-outflows.ts'
import { recordUnmatched, reportReorganised } from './record-unmatched.ts'
import { settleOrder, sumsOf } from './settle.ts'

/** What an upstream tells of one attempt now. */
export interface Report {
  /** the chain or the provider that tells it */
  source: string
  sightings: (Sighting & { txOut?: string | null })[]
  /**
   * known payments at or above this height that are not among the sightings have gone; null when none can go
   */
  completeFrom: number | null
  /** when it was asked: of two looks that overtake each other, the later one counts */
  askedAt: number
  cursor?: Json
  /** what left the attempt's address for the payout wallet */
  outflows?: readonly Outflow[]
}

/** Takes in what was seen for an attempt, judges it, and settles the order when it is enough. */
export async function recordSightings(world: World, attemptId: string, report: Report): Promise<void> {
  await world.storage.write(async tables => {
    const attempt = await tables.attempts.find(attemptId)
    const found = attempt && (await tables.orders.find(attempt.orderId))
    assert(attempt && found, 'an attempt belongs to an order')
    if (report.completeFrom !== null && report.askedAt < (attempt.checkedAt ?? 0)) return
    const now = world.clock()
    await takeIn(world, tables, attempt, report, now)
    const receipts = await tables.receipts.listOf(attempt.id)
    const heard = { ...attempt, checkedAt: report.askedAt, cursor: report.cursor ?? attempt.cursor }
    const { checkedAt, cursor } = heard
    await tables.attempts.update(attempt.id, { checkedAt, cursor, updatedAt: now })
    const after = await judge(world, tables, found, heard, receipts, now)
    if (after.order.status === 'UNPAID' && !isOpen(after.attempt)) await expireWhenOver(tables, found, now)
    await recordUnmatched(world, tables, after.order, after.attempt, await tables.receipts.listOf(attempt.id))
    if (report.outflows?.length) await recordOutflows(tables, attempt, report.outflows, now)
  })
}

async function judge(
  world: World,
  tables: Tables,
  found: OrderWithSession,
  attempt: Attempt,
  receipts: Receipt[],
  now: number,
): Promise<{ order: OrderWithSession['order']; attempt: Attempt }> {
  if (attempt.state === 'settled') return { order: found.order, attempt }
  assert(attempt.enough > 0n, 'an attempt that is judged knows what is enough')
  const assessment = assess(attempt, receipts, now, attempt.checkedAt)
  if (maySettle(found.order, attempt, receipts) && canMove(found, 'settle')) {
    const { order } = await settleOrder(world, tables, found, attempt, receipts, assessment)
    return { order, attempt: { ...attempt, state: 'settled' } }
  }
  const state = stateAfter(attempt, assessment)
  await tables.attempts.update(attempt.id, { ...sumsOf(assessment), state })
  await announce(world, tables, found, attempt, state, assessment)
  return { order: found.order, attempt: { ...attempt, state } }
}

/**
 * Enough, but for an order that is closed: the attempt is over. A failed one stays failed while nothing
 * arrives.
 */
function stateAfter(attempt: Attempt, { state, received }: Assessment): AttemptState {
  if (state === 'settled') return 'expired'
  return attempt.state === 'failed' && received === 0n ? 'failed' : state
}

async function announce(
  world: World,
  tables: Tables,
  { order }: OrderWithSession,
  before: Attempt,
  state: AttemptState,
  { received }: Assessment,
): Promise<void> {
  if (before.state === state) return
  if (received > 0n && before.received === 0n && state !== 'expired') {
    await recordPaymentEvent(world, tables, 'payment.processing', order, before)
  }
  if (state === 'expired' && received === 0n) {
    await recordPaymentEvent(world, tables, 'payment.expired', order, before)
  }
}

async function takeIn(
  world: World,
  tables: Tables,
  attempt: Attempt,
  report: Report,
  now: number,
): Promise<void> {
  const known = await tables.receipts.listOf(attempt.id)
  const present = new Set<string>()
  for (const sighting of report.sightings) {
    const { txId, txIn, txIndex } = sighting
    const receipt =
      known.find(other => other.txId === txId && other.txIndex === txIndex) ??
      (await tables.receipts.findByTx(report.source, txId, txIn, txIndex))
    if (!receipt) {
      await tables.receipts.insert(receiptOf(world, attempt, report.source, sighting, now))
    } else if (receipt.attemptId === attempt.id) {
      present.add(receipt.id)
      await tables.receipts.update(receipt.id, renewed(receipt, sighting, now))
      if (hasLeftItsBlock(receipt, sighting)) await reportReorganised(world, tables, attempt, receipt)
    } else {
      world.log.warn(
        { attemptId: attempt.id, txId },
        'a transaction that belongs to another attempt was told again',
      )
    }
  }
  const { completeFrom } = report
  if (completeFrom === null) return
  const gone = known.filter(
    ({ id, state, height }) =>
      state !== 'gone' && !present.has(id) && (height ?? completeFrom) >= completeFrom,
  )
  for (const receipt of gone) {
    await tables.receipts.update(receipt.id, { state: 'gone', confirmations: 0, updatedAt: now })
    if (receipt.settles) await reportReorganised(world, tables, attempt, receipt)
  }
}

/** What settled an order waits to be mined again, which may never happen. */
const hasLeftItsBlock = (receipt: Receipt, sighting: Sighting): boolean =>
  receipt.settles && receipt.height !== null && sighting.height === null

/** By a status alone a payment may have been told with others in one sum; by its own callback it is alone. */
const amountAfter = (receipt: Receipt, { txIn, amount }: Report['sightings'][number]): bigint =>
  receipt.txIn === null && txIn !== null && !receipt.settles && amount < receipt.amount
    ? amount
    : receipt.amount

/** Told first by the payer's transaction alone, a payment takes on its own id once that is told. */
const renewed = (receipt: Receipt, sighting: Report['sightings'][number], now: number): Partial<Receipt> => ({
  txId: sighting.txOut ?? receipt.txId,
  amount: amountAfter(receipt, sighting),
  state: sighting.final ? 'final' : 'seen',
  confirmations: sighting.confirmations,
  height: sighting.height,
  paidAt: Math.min(receipt.paidAt, sighting.paidAt),
  txIn: receipt.txIn ?? sighting.txIn,
  txOut: receipt.txOut ?? sighting.txOut ?? null,
  // A status that is looked up later knows less than the callback did.
  evidence: receipt.txIn !== null && sighting.txIn === null ? receipt.evidence : sighting.evidence,
  updatedAt: now,
})

const receiptOf = (
  world: World,
  attempt: Attempt,
  source: string,
  sighting: Report['sightings'][number],
  now: number,
): Receipt => ({
  id: world.ids.uuid(),
  attemptId: attempt.id,
  orderId: attempt.orderId,
  merchantId: attempt.merchantId,
  source,
  txId: sighting.txId,
  txIndex: sighting.txIndex,
  assetId: sighting.assetId,
  amount: sighting.amount,
  state: sighting.final ? 'final' : 'seen',
  settles: false,
  confirmations: sighting.confirmations,
  height: sighting.height,
  txIn: sighting.txIn,
  txOut: sighting.txOut ?? null,
  paidAt: sighting.paidAt,
  evidence: sighting.evidence,
  createdAt: now,
  updatedAt: now,
})
