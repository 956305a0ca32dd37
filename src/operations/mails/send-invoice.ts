import { isUnreachable, mailboxOf } from '../../domain/buyer-mail.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Invoice } from '../../domain/invoice.ts'
import type { Order } from '../../domain/order.ts'
import type { OrderView } from '../../domain/order-view.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { type BillingInput, parseBilling } from '../invoices/billing.ts'
import { cancelInvoice } from '../invoices/credit.ts'
import { issueInvoice } from '../invoices/issue.ts'
import { recordInvoice } from '../invoices/steps/store.ts'
import { authorOf, userIdOf } from '../notices/author.ts'
import { notifyMerchant } from '../notices/notify.ts'
import { requireQuotas } from '../notices/quota.ts'
import { requireOrder } from '../orders/steps/require-order.ts'
import { withLogo } from './steps/deliver.ts'

type SendContext = Pick<
  Context,
  'storage' | 'clock' | 'ids' | 'channels' | 'letters' | 'log' | 'policy' | 'invoiceFiles' | 'origin'
>

/** True if a person of the shop can issue the invoice of an order now. */
export const canInvoice = ({
  order: { status },
  merchant: { invoicing },
}: Pick<OrderView, 'order' | 'merchant'>): boolean =>
  invoicing !== null && invoicing.policy !== 'off' && (status === 'UNPAID' || status === 'PAID')

/** True if nobody will pay an order any more, so that its invoice can only be cancelled. */
export const canCancelInvoice = ({ status }: OrderView['order']): boolean =>
  status === 'EXPIRED' || status === 'CANCELLED' || status === 'FAILED'

/** Notifies the other owners of an invoice that a person issued or cancelled. */
async function notify(
  context: SendContext,
  tables: Tables,
  order: Order,
  { about, invoice }: { about: 'invoice_issued' | 'invoice_cancelled'; invoice: Invoice },
): Promise<void> {
  if (userIdOf(context.origin.actor) === null) return
  const { number, content } = invoice
  const total = `${content.gross} ${content.currency}`
  const author = await authorOf(context, tables)
  const corrected = content.corrects?.number ?? number
  await notifyMerchant(context, tables, order, { about, number: corrected, total, ...author })
}

/**
 * Issues the invoice of an order, unless it has one. If mail works, also mails the buyer the link to the
 * invoice. An unpaid invoice contains the link to pay.
 */
export async function sendInvoice(
  context: SendContext,
  merchantId: string,
  orderId: string,
  billing: BillingInput,
): Promise<{ invoice: Invoice; isMailed: boolean }> {
  const { channels, policy, storage } = context
  const details = parseBilling(billing)
  const { invoice, view, logo } = await storage.write(async tables => {
    const view = await requireOrder(tables, merchantId, orderId)
    if (!canInvoice(view)) throw new Refusal('conflict', 'This order cannot have an invoice now.')
    const { order, merchant } = view
    const payUrl = `${policy.checkoutUrl}/pay/${orderId}`
    const known = await tables.invoices.listOf(orderId)
    const invoice = await issueInvoice(context, tables, { order, merchant, billing: details, payUrl })
    if (!invoice) throw new Refusal('conflict', 'This shop issues no invoices.')
    const isNew = known.every(({ id }) => id !== invoice.id)
    if (isNew) await notify(context, tables, order, { about: 'invoice_issued', invoice })
    const isReachable = channels.mail !== null && !isUnreachable(order.customerEmail)
    if (isReachable) {
      await requireQuotas(context, tables, [
        ['orderMailToMailbox', mailboxOf(order.customerEmail)],
        ['linkOfShop', merchantId],
      ])
    }
    return { invoice, view: isReachable ? view : null, ...(await withLogo(tables, merchant)) }
  })
  if (view === null) return { invoice, isMailed: false }
  await mail(context, { ...view, invoice, logo })
  await storage.write(tables => recordInvoice(context, tables, invoice, 'invoice.sent'))
  return { invoice, isMailed: true }
}

type Mailed = OrderView & { invoice: Invoice } & Awaited<ReturnType<typeof withLogo>>

async function mail({ channels, ids, letters, log }: SendContext, mailed: Mailed): Promise<void> {
  const { invoice, merchant, order, logo } = mailed
  const letter = letters.invoice({ order, merchant, invoice }, invoice.content.language)
  const images = logo === null ? [] : [logo]
  const message = { ...letter, images, id: ids.uuid(), replyTo: merchant.supportEmail, items: [], more: 0 }
  const fault = await channels.mail?.send(message, { email: order.customerEmail })
  if (fault) {
    log.warn({ orderId: order.id, mail: 'invoice', reason: fault }, 'buyer_mail.send.failed')
    throw new Refusal('conflict', `The email could not be sent: ${fault}`, {
      reason: { kind: 'mail_failed', fault },
    })
  }
  log.info({ orderId: order.id, mail: 'invoice' }, 'buyer_mail.sent')
}

/** Cancels the invoice of an order that nobody will pay. */
export async function cancelOrderInvoice(
  context: SendContext,
  merchantId: string,
  orderId: string,
): Promise<Invoice> {
  return context.storage.write(async tables => {
    const { order } = await requireOrder(tables, merchantId, orderId)
    const note = canCancelInvoice(order) ? await cancelInvoice(context, tables, orderId) : null
    if (!note)
      throw new Refusal('conflict', 'There is no invoice to cancel. Refunds have credit notes of their own.')
    await notify(context, tables, order, { about: 'invoice_cancelled', invoice: note })
    return note
  })
}
