import { isUnreachable, mailboxOf } from '../../domain/buyer-mail.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Order } from '../../domain/order.ts'
import type { Context } from '../context.ts'
import { requireQuotas } from '../notices/quota.ts'
import { readReceipt } from '../orders/load-receipt.ts'
import { withLogo } from './steps/deliver.ts'

type SendContext = Pick<Context, 'storage' | 'clock' | 'ids' | 'networks' | 'channels' | 'letters' | 'log'>

/** The mail about an order that a person of its shop can send now; null if there is none. */
export function mailOf(
  { channels, clock }: Pick<Context, 'channels' | 'clock'>,
  { status, expiresAt, customerEmail }: Pick<Order, 'status' | 'expiresAt' | 'customerEmail'>,
): 'link' | 'receipt' | null {
  if (channels.mail === null || isUnreachable(customerEmail)) return null
  if (status === 'PAID') return 'receipt'
  return status === 'UNPAID' && clock() < expiresAt ? 'link' : null
}

/** Mails the buyer the link to an order, or its receipt, because a person of the shop asks for it. */
export async function sendOrderMail(
  context: SendContext,
  merchantId: string,
  orderId: string,
): Promise<void> {
  const { channels, ids, letters, log, storage } = context
  const { kind, content, language } = await storage.write(async tables => {
    const receipt = await readReceipt(context, tables, orderId)
    if (receipt?.order.merchantId !== merchantId) throw new Refusal('not_found')
    const kind = mailOf(context, receipt.order)
    if (kind === null) throw new Refusal('conflict', 'There is nothing to send about this order.')
    await requireQuotas(context, tables, [
      ['orderMailToMailbox', mailboxOf(receipt.order.customerEmail)],
      ['linkOfShop', merchantId],
    ])
    const attempts = await tables.attempts.listOf(orderId)
    const language = attempts.at(-1)?.language ?? receipt.merchant.language
    return { kind, content: { ...receipt, ...(await withLogo(tables, receipt.merchant)) }, language }
  })
  const { order, merchant, logo } = content
  const images = logo === null ? [] : [logo]
  const letter = letters[kind](content, language)
  // A new ID each time: mail programs hide a second mail with the same ID.
  const message = { ...letter, images, id: ids.uuid(), replyTo: merchant.supportEmail, items: [], more: 0 }
  const fault = await channels.mail?.send(message, { email: order.customerEmail })
  if (fault) {
    log.warn({ orderId, mail: kind, reason: fault }, 'buyer_mail.send.failed')
    throw new Refusal('conflict', `The email could not be sent: ${fault}`, {
      reason: { kind: 'mail_failed', fault },
    })
  }
  log.info({ orderId, mail: kind }, 'buyer_mail.sent')
}
