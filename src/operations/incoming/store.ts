import type { Attempt } from '../../domain/attempt.ts'
import { isElsewhere, lookAt, noLooks, withLook } from '../../domain/elsewhere.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import type { PaymentChange, PaymentReport } from './merge.ts'

/** A new report, and the attempt that it is about. */
export interface Reported {
  attempt: Attempt
  report: PaymentReport
}

/** Stores what a report changes about the payments of its attempt. */
export async function storePayments(tables: Tables, changes: readonly PaymentChange[]): Promise<void> {
  for (const change of changes) {
    if (change.do === 'add payment') await tables.incomingPayments.insert(change.payment)
    else await tables.incomingPayments.update(change.id, change.change)
  }
}

/**
 * Finds reported payments that another attempt already has. Only attempts that share an address, or have
 * none, can have the same payment: at a shared address the amount identifies the buyer, and a charge has no
 * address.
 */
export async function loadClaimed(
  tables: Tables,
  { attempt, report }: Reported,
): Promise<(incoming: IncomingPayment) => boolean> {
  const isAlone = attempt.provider === null ? !attempt.shared : attempt.address !== null
  const claimed = new Set<string>()
  for (const { txId, txIndex } of isAlone ? [] : report.detectedPayments) {
    const same = await tables.incomingPayments.listByTx(report.source, txId, txIndex)
    if (same.some(({ attemptId }) => attemptId !== attempt.id)) claimed.add(`${txId} ${txIndex}`)
  }
  return ({ attemptId, txId, txIndex }) => attemptId === attempt.id && claimed.has(`${txId} ${txIndex}`)
}

/** Returns true if a later report of the same source is already recorded. */
export async function isOvertaken(
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

/** Stores when and how far another chain was read for an attempt. */
export async function noteLook(
  tables: Tables,
  attempt: Attempt,
  { source, askedAt, cursor }: PaymentReport,
): Promise<void> {
  if (!isElsewhere(attempt, source)) return
  const known = (await tables.elsewhere.find(attempt.id)) ?? noLooks(attempt.id)
  const look = { readAt: askedAt, failedAt: null, ...(cursor !== undefined && { cursor }) }
  await tables.elsewhere.put(withLook(known, source, look))
}
