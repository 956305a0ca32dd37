import { hasPaymentMails } from '../../domain/brand.ts'
import { isUnreachable } from '../../domain/buyer-mail.ts'
import type { PaymentMail } from '../../domain/payment-mail.ts'
import type { ProductImage } from '../../domain/product.ts'
import type { Context } from '../context.ts'
import type { PaymentLetter } from '../letters.ts'
import { schedulePaymentMail } from '../notices/schedule-payment-mail.ts'
import { deliver, withLogo } from './steps/deliver.ts'
import { loadPaymentNews } from './steps/load-payment-news.ts'

type SendContext = Pick<
  Context,
  'storage' | 'clock' | 'ids' | 'channels' | 'letters' | 'providers' | 'networks' | 'log'
>

interface Pending {
  mail: PaymentMail
  /** the order with its news, or the time of the next try; null if the mail is no longer needed */
  content: (PaymentLetter & { logo: ProductImage | null }) | number | null
}

/**
 * Sends a mail about a payment, with the facts as they are now. Returns the time of the next run. Changes
 * during the sending are reported in another mail.
 */
export async function sendPaymentMail(context: SendContext, id: string): Promise<number | null> {
  const pending = await loadPending(context, id)
  if (pending === null) return null
  const { mail, content } = pending
  if (typeof content === 'number') return content
  const letter = content && context.letters.payment(content, mail.language)
  const { nextAt, ...change } = await deliver(context, mail, letter && { ...content, letter })
  await context.storage.write(async tables => {
    await tables.paymentMails.update(id, change)
    const after = await tables.paymentMails.find(id)
    const hasMore = change.status !== 'pending' && after !== null && after.news > mail.news
    if (hasMore) await schedulePaymentMail(context, tables, mail.kind, mail)
  })
  return nextAt
}

/** The mail with its content; null if it was sent or deleted. */
async function loadPending(context: SendContext, id: string): Promise<Pending | null> {
  return context.storage.read(async tables => {
    const mail = await tables.paymentMails.find(id)
    if (mail?.status !== 'pending') return null
    const found = await tables.orders.find(mail.orderId)
    const merchant = found && (await tables.merchants.find(found.order.merchantId))
    const isWanted = merchant && merchant.status !== 'suspended' && hasPaymentMails(merchant)
    if (!isWanted || isUnreachable(found.order.customerEmail)) return { mail, content: null }
    const news = await loadPaymentNews(context, tables, found.order, mail.kind)
    if (news === null || typeof news === 'number') return { mail, content: news }
    return { mail, content: { order: found.order, news, ...(await withLogo(tables, merchant)) } }
  })
}
