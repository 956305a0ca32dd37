import type { AuditEntry } from '../../domain/audit.ts'
import type { BlindChain } from '../../domain/blind-chain.ts'
import type { OrderNote } from '../../domain/note.ts'
import type { Started } from '../../domain/opening.ts'
import type { OrderView } from '../../domain/order-view.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import type { Refund } from '../../domain/refund.ts'
import type { Reversal } from '../../domain/reversal.ts'
import type { Settlement } from '../../domain/transaction.ts'
import type { EventWithDelivery, Webhook } from '../../domain/webhook.ts'
import type { SentNotification, Tables, UnmatchedRow } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import type { LoadContext } from '../settlement/load.ts'
import type { TransactionView } from '../transactions/read.ts'
import { loadPaymentValues, type PaymentValues } from './steps/payment-values.ts'
import { requireOrder } from './steps/require-order.ts'

const LIST_MAX = 500

/** An order with everything that happened to it. */
export interface OrderHistory extends OrderView, Started {
  /** oldest first */
  payments: IncomingPayment[]
  values: PaymentValues
  /** newest first, like all lists below that do not say otherwise */
  transactions: TransactionView[]
  refunds: Refund[]
  /** refunds and disputes at the provider of a charge, oldest first */
  reversals: Reversal[]
  events: EventWithDelivery[]
  unmatched: UnmatchedRow[]
  notifications: SentNotification[]
  audit: AuditEntry[]
  notes: OrderNote[]
  /** chains that could not be read recently */
  blindChains: BlindChain[]
  /** the first webhook of the merchant, and whether there are further ones */
  webhook: Webhook | null
  hasFurther: boolean
  /** the settlement that paid the order; null if it is not paid, or was marked as paid manually */
  settlement: Settlement | null
}

/** Everything that is known about an order of this merchant. */
export const inspectOrder = (
  context: LoadContext & Pick<Context, 'storage'>,
  merchantId: string,
  id: string,
): Promise<OrderHistory> =>
  context.storage.read(async tables => {
    const view = await requireOrder(tables, merchantId, id)
    const { attempts, openings } = await tables.attempts.listStarted(id)
    const payments = await Promise.all(attempts.map(attempt => tables.incomingPayments.listOf(attempt.id)))
    const unmatched = await Promise.all(attempts.map(attempt => tables.unmatched.listOfAttempt(attempt.id)))
    const transactions = await tables.transactions.list({ merchantId, orderId: id }, LIST_MAX, null)
    return {
      ...view,
      attempts,
      openings,
      payments: payments.flat(),
      values: await loadPaymentValues(context, tables, id),
      transactions: transactions.map(row => ({ ...row, merchant: view.merchant })),
      refunds: await tables.refunds.list(id, LIST_MAX, null),
      reversals: await tables.reversals.listOf(id),
      events: await tables.events.listOfOrder(id, LIST_MAX),
      unmatched: unmatched.flat().reverse(),
      notifications: await tables.notifications.listOfOrder(id, LIST_MAX),
      audit: await auditOf(tables, id, unmatched.flat()),
      notes: await tables.orderNotes.listOf(id, LIST_MAX),
      blindChains: await tables.blindChains.list(),
      webhook: await tables.webhooks.find(merchantId),
      hasFurther: (await tables.furtherWebhooks.find(merchantId)).length > 0,
      settlement: await tables.transactions.findSettlement(id),
    }
  })

/** Audit entries about an order and its unmatched payments, newest first. */
async function auditOf(tables: Tables, orderId: string, unmatched: UnmatchedRow[]): Promise<AuditEntry[]> {
  const subjects = [`order:${orderId}`, ...unmatched.map(({ payment }) => `unmatched:${payment.id}`)]
  const found = await Promise.all(subjects.map(subject => tables.audit.listOfSubject(subject, LIST_MAX)))
  return found.flat().sort((a, b) => b.at - a.at)
}
