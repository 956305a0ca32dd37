import { invalid, Refusal } from '../../domain/errors.ts'
import type { SkippedPayment } from '../../domain/skipped-payment.ts'
import type { UnmatchedRow } from '../../storage/port.ts'
import { type AuditContext, recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { getMerchant } from '../merchants/read.ts'
import type { ApplyContext } from '../settlement/apply.ts'
import { reviewOrder } from '../settlement/record.ts'

const LIST_MAX = 500
const NOTE_MAX = 1000

/** Payments that settled nothing, newest first: money that a merchant has to decide about. */
export async function listUnmatched(
  context: Pick<Context, 'storage'>,
  merchantId: string,
): Promise<UnmatchedRow[]> {
  await getMerchant(context, merchantId)
  return context.storage.read(tables => tables.unmatched.list(merchantId, LIST_MAX))
}

/**
 * Payments to addresses that a restore skipped, newest first. They need the merchant's decision like
 * unmatched payments, but their orders are lost.
 */
export async function listSkippedPayments(
  { storage }: Pick<Context, 'storage'>,
  merchantId: string,
): Promise<SkippedPayment[]> {
  return storage.read(tables => tables.skippedPayments.list(merchantId, LIST_MAX))
}

/**
 * Resolves an unmatched payment after the merchant has refunded it or booked it elsewhere. The note says how.
 */
export async function resolveUnmatched(
  context: AuditContext & ApplyContext & Pick<Context, 'storage'>,
  merchantId: string,
  id: string,
  text = '',
): Promise<void> {
  const note = text.trim() || null
  if (note !== null && (note.length > NOTE_MAX || note.includes('\0'))) {
    throw invalid('note', `must have at most ${NOTE_MAX} characters`)
  }
  await context.storage.write(async tables => {
    const skipped = await tables.skippedPayments.find(id)
    const unmatched = skipped ? null : await tables.unmatched.find(id)
    const known = skipped ?? unmatched
    if (known?.merchantId === merchantId && known.status === 'accepted') {
      throw new Refusal('conflict', 'This payment was accepted: it has paid its order.')
    }
    if (known?.merchantId !== merchantId) {
      throw new Refusal('not_found', 'No unmatched payment has this ID.')
    }
    const decision = { note, decidedBy: context.origin.actor, updatedAt: context.clock() }
    const table = skipped ? tables.skippedPayments : tables.unmatched
    if (!(await table.resolve(merchantId, id, decision))) {
      throw new Refusal('conflict', 'This payment is already resolved.')
    }
    if (unmatched) await reviewOrder(context, tables, unmatched.orderId)
    await recordAudit(context, tables, {
      merchantId,
      action: 'unmatched.resolved',
      subject: `unmatched:${id}`,
      before: { status: known.status, note: null },
      after: { status: 'resolved', note },
    })
  })
}
