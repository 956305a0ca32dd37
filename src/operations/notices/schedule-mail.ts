import type { Attempt } from '../../domain/attempt.ts'
import { type BuyerMail, isUnreachable, LINKS_IN_MS, LINKS_MAX, mailboxOf } from '../../domain/buyer-mail.ts'
import type { Order } from '../../domain/order.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { takeQuotas } from './quota.ts'

/**
 * Schedules a mail to the buyer of an order, in the language of the attempt, unless it was scheduled before
 * or the merchant does not want it.
 */
export async function scheduleMail(
  { ids, clock }: Pick<Context, 'ids' | 'clock'>,
  tables: Tables,
  order: Order,
  { kind, attempt: { language } }: { kind: BuyerMail['kind']; attempt: Attempt },
): Promise<void> {
  const merchant = await tables.merchants.find(order.merchantId)
  if (!merchant?.receipts || isUnreachable(order.customerEmail)) return
  const now = clock()
  const mailbox = mailboxOf(order.customerEmail)
  if (kind === 'link') {
    // A further payment of the same order sends no second link, so it must not count against the limits.
    if ((await tables.buyerMails.listOf(order.id)).some(mail => mail.kind === kind)) return
    const sent = await tables.buyerMails.countTo(mailbox, kind, now - LINKS_IN_MS, LINKS_MAX)
    if (sent >= LINKS_MAX) return
    const domain = mailbox.slice(mailbox.indexOf('@') + 1)
    const quotas = [['linkToDomain', domain] as const, ['linkOfShop', order.merchantId] as const]
    if ((await takeQuotas({ clock }, tables, quotas)) !== null) return
  }
  const id = ids.uuid()
  const mail = { id, orderId: order.id, kind, mailbox, language, createdAt: now }
  if (!(await tables.buyerMails.insertIfNew({ ...mail, status: 'pending', failures: 0 }))) return
  await tables.jobs.schedule({ kind: 'buyer_mail.send', subject: id, lane: 'mail:buyers', dueAt: now })
}
