import { createHash } from 'node:crypto'
import type { Attempt } from '../../domain/attempt.ts'
import { hasPaymentMails } from '../../domain/brand.ts'
import { isUnreachable, mailboxOf } from '../../domain/buyer-mail.ts'
import {
  MAILS_TO_ADDRESS_IN_MS,
  MAILS_TO_ADDRESS_MAX,
  type PaymentMailKind,
  paymentMailAt,
} from '../../domain/payment-mail.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'

/**
 * Schedules a mail to the buyer of an order about a payment, in the language of the attempt. The mail shows
 * the facts at the time when it is sent, so a waiting mail includes what happens in the meantime. Does
 * nothing if the merchant does not want such mails, or if there were too many.
 */
export async function schedulePaymentMail(
  { ids, clock }: Pick<Context, 'ids' | 'clock'>,
  tables: Tables,
  kind: PaymentMailKind,
  { orderId, language }: Pick<Attempt, 'orderId' | 'language'>,
): Promise<void> {
  const found = await tables.orders.find(orderId)
  const merchant = found && (await tables.merchants.find(found.order.merchantId))
  if (!merchant || !hasPaymentMails(merchant) || isUnreachable(found.order.customerEmail)) return
  const mails = (await tables.paymentMails.listOf(orderId)).filter(({ status }) => status !== 'given_up')
  const waiting = mails.find(mail => mail.kind === kind && mail.status === 'pending')
  if (waiting) return tables.paymentMails.update(waiting.id, { news: waiting.news + 1 })
  const now = clock()
  const dueAt = paymentMailAt(kind, mails, now)
  if (dueAt === null) return
  const mailboxHash = createHash('sha256').update(mailboxOf(found.order.customerEmail)).digest('hex')
  if (kind !== 'refund') {
    const after = now - MAILS_TO_ADDRESS_IN_MS
    const sent = await tables.paymentMails.countTo(mailboxHash, after, MAILS_TO_ADDRESS_MAX)
    if (sent >= MAILS_TO_ADDRESS_MAX) return
  }
  const id = ids.uuid()
  const mail = { id, orderId, kind, mailboxHash, language, dueAt }
  await tables.paymentMails.insert({ ...mail, status: 'pending', failures: 0, news: 1 })
  await tables.jobs.schedule({ kind: 'payment_mail.send', subject: id, lane: 'mail:buyers', dueAt })
}
