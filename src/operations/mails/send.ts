import type { BuyerMail } from '../../domain/buyer-mail.ts'
import type { ProductImage } from '../../domain/product.ts'
import type { Receipt } from '../../domain/receipt.ts'
import type { Context } from '../context.ts'
import { readReceipt } from '../orders/load-receipt.ts'
import { deliver, withLogo } from './steps/deliver.ts'

type SendContext = Pick<Context, 'storage' | 'clock' | 'networks' | 'channels' | 'letters' | 'log'>

interface Pending {
  mail: BuyerMail
  /** null if the mail is no longer needed */
  content: (Receipt & { logo: ProductImage | null }) | null
}

/**
 * Sends a mail to a buyer. Returns the time of the next run. If the server stops before it stores that the
 * mail was sent, it is sent again with the same ID.
 */
export async function sendBuyerMail(context: SendContext, id: string): Promise<number | null> {
  const pending = await loadPending(context, id)
  if (pending === null) return null
  const { mail, content } = pending
  const letter = content && context.letters[mail.kind](content, mail.language)
  const { nextAt, ...change } = await deliver(context, mail, letter && { ...content, letter })
  await context.storage.write(tables => tables.buyerMails.update(id, change))
  return nextAt
}

/** The mail with its content; null if it was sent or deleted. */
async function loadPending(context: SendContext, id: string): Promise<Pending | null> {
  return context.storage.read(async tables => {
    const mail = await tables.buyerMails.find(id)
    if (mail?.status !== 'pending') return null
    const found = await readReceipt(context, tables, mail.orderId)
    const wanted = mail.kind === 'link' ? 'UNPAID' : 'PAID'
    const isOfUse = found?.merchant.receipts && found.order.status === wanted
    return { mail, content: isOfUse ? { ...found, ...(await withLogo(tables, found.merchant)) } : null }
  })
}
