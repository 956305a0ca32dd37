import { type BuyerMail, retryMailAt } from '../../domain/buyer-mail.ts'
import type { Channel } from '../../outbound/port.ts'
import type { Context } from '../context.ts'
import { type Receipt, readReceipt } from '../payments/load-receipt.ts'
import type { Letter } from './letters.ts'

type SendContext = Pick<Context, 'storage' | 'clock' | 'channels' | 'letters' | 'log'>

interface Pending {
  mail: BuyerMail
  /** null if the mail is no longer of use */
  content: Receipt | null
}

/**
 * Sends a mail to a buyer. A mail that fails is tried again a few times, then given up. Returns when to run
 * again. If the server stops before it stores that the mail was sent, the mail is sent again, with the same
 * ID.
 */
export async function sendBuyerMail(context: SendContext, id: string): Promise<number | null> {
  const pending = await loadPending(context, id)
  if (pending === null) return null
  const { mail, content } = pending
  if (content === null) return giveUp(context, mail, 'the mail is no longer of use')
  const channel = context.channels.mail
  if (channel === null) return giveUp(context, mail, 'no mail server is configured')
  const fault = await send(context, channel, mail, content)
  if (fault !== null) return recordFailure(context, mail, fault)
  const { orderId, kind } = mail
  await store(context, mail, 'sent')
  context.log.info({ orderId, mail: kind }, 'buyer_mail.sent')
  return null
}

/** The mail with what it is about; null if it was sent or deleted. */
async function loadPending({ storage }: SendContext, id: string): Promise<Pending | null> {
  return storage.read(async tables => {
    const mail = await tables.buyerMails.find(id)
    if (mail?.status !== 'pending') return null
    const found = await readReceipt(tables, mail.orderId)
    const wanted = mail.kind === 'link' ? 'UNPAID' : 'PAID'
    const isOfUse = found?.merchant.receipts && found.order.status === wanted
    return { mail, content: isOfUse ? found : null }
  })
}

function send(
  { letters }: SendContext,
  channel: Channel,
  { id, kind, language }: BuyerMail,
  content: Receipt,
): Promise<string | null> {
  const letter: Letter = letters[kind](content, language)
  const { order, merchant } = content
  const message = { ...letter, id, replyTo: merchant.supportEmail, items: [], more: 0 }
  return channel.send(message, { email: order.customerEmail })
}

async function recordFailure(context: SendContext, mail: BuyerMail, reason: string): Promise<number | null> {
  const failed = { ...mail, failures: mail.failures + 1 }
  const nextAt = retryMailAt(failed.failures, context.clock())
  if (nextAt === null) return giveUp(context, failed, reason)
  await store(context, failed, 'pending')
  const { orderId, kind, failures } = failed
  context.log.warn({ orderId, mail: kind, failures, reason, nextAt }, 'buyer_mail.send.failed')
  return nextAt
}

async function giveUp(context: SendContext, mail: BuyerMail, reason: string): Promise<null> {
  await store(context, mail, 'given_up')
  const { orderId, kind, failures } = mail
  context.log.warn({ orderId, mail: kind, failures, reason }, 'buyer_mail.given_up')
  return null
}

const store = ({ storage }: SendContext, { id, failures }: BuyerMail, status: BuyerMail['status']) =>
  storage.write(tables => tables.buyerMails.update(id, { status, failures }))
