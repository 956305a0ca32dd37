import { assert, invalid, Refusal } from '../../domain/errors.ts'
import { BY_MAX, checkNameOf } from '../../domain/name.ts'
import type { OrderView } from '../../domain/order-view.ts'
import type { UnmatchedPayment } from '../../domain/settlement.ts'
import type { Tables } from '../../storage/port.ts'
import { type AuditContext, recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { requireOrder } from '../orders/steps/require-order.ts'
import type { ApplyContext } from '../settlement/apply.ts'
import type { Acceptance } from '../settlement/case.ts'
import { reviewOrder } from '../settlement/record.ts'
import { canTransition } from '../states/transition.ts'

const REASON_MAX = 500

type AcceptContext = AuditContext & ApplyContext & Pick<Context, 'storage'>

/** Marks an order as paid by its unmatched payments, because the merchant accepts them. */
export async function acceptUnmatched(
  context: AcceptContext,
  merchantId: string,
  ids: string[],
  acceptance: Pick<Acceptance, 'by' | 'reason'>,
): Promise<OrderView> {
  const by = checkNameOf(acceptance.by, BY_MAX, 'by')
  const reason = acceptance.reason?.trim() || null
  if (reason !== null && reason.length > REASON_MAX) {
    throw invalid('reason', `must have at most ${REASON_MAX} characters`)
  }
  return context.storage.write(async tables => {
    const accepted: UnmatchedPayment[] = []
    for (const id of new Set(ids)) accepted.push(await loadOpen(tables, merchantId, id))
    const [first] = accepted
    assert(first, 'at least one payment is accepted')
    const { orderId } = first
    if (accepted.some(payment => payment.orderId !== orderId)) {
      throw new Refusal('conflict', 'These payments belong to different orders. Accept those of one order.')
    }
    const view = await requireOrder(tables, merchantId, orderId)
    if (!canTransition(view, 'settle')) {
      throw new Refusal(
        'conflict',
        `Only an order that is UNPAID or EXPIRED can be paid. This one is ${view.order.status}.`,
      )
    }
    return accept(context, tables, view, accepted, { by, reason })
  })
}

async function loadOpen(tables: Tables, merchantId: string, id: string): Promise<UnmatchedPayment> {
  const payment = await tables.unmatched.find(id)
  if (payment?.merchantId !== merchantId) {
    throw new Refusal('not_found', `No unmatched payment has the ID ${id}.`)
  }
  if (payment.status !== 'open') {
    throw new Refusal('conflict', `The unmatched payment ${id} is already ${payment.status}.`)
  }
  const incomingPayments = await tables.incomingPayments.listOf(payment.attemptId)
  const incoming = incomingPayments.find(one => one.id === payment.incomingPaymentId)
  assert(incoming, 'an unmatched payment belongs to an incoming payment')
  if (incoming.state !== 'final') {
    throw new Refusal('conflict', 'This payment is no longer on its chain.')
  }
  return payment
}

async function accept(
  context: AcceptContext,
  tables: Tables,
  view: OrderView,
  accepted: UnmatchedPayment[],
  { by, reason }: Pick<Acceptance, 'by' | 'reason'>,
): Promise<OrderView> {
  const { merchantId, id, status } = view.order
  const ids = new Set(accepted.map(payment => payment.id))
  await reviewOrder(context, tables, id, { accepted: { ids, by, reason } })
  const paid = await requireOrder(tables, merchantId, id)
  await recordAudit(context, tables, {
    merchantId,
    action: 'unmatched.accepted',
    subject: `order:${id}`,
    before: { status, acceptedBy: null, acceptReason: null, payments: null },
    after: { status: paid.order.status, acceptedBy: by, acceptReason: reason, payments: [...ids] },
  })
  return paid
}
