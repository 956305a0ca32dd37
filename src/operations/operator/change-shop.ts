import type { Merchant } from '../../domain/merchant.ts'
import type { NotificationFacts } from '../../domain/notification-facts.ts'
import { changeMerchant } from '../merchants/change.ts'
import { authorOf } from '../notices/author.ts'
import { notifyOf } from '../notices/notify.ts'

type Facts = Extract<NotificationFacts, { about: 'shop_suspended' | 'shop_resumed' | 'fee_changed' }>
type Unsigned<F> = F extends unknown ? Omit<F, 'by' | 'person' | 'client'> : never

/** The notifications of a shop's owners about a change by the operator. */
function newsOf(before: Merchant, { status, feePercent }: Merchant): Unsigned<Facts>[] {
  const news: Unsigned<Facts>[] = []
  if (before.status !== status)
    news.push({ about: status === 'suspended' ? 'shop_suspended' : 'shop_resumed' })
  if (before.feePercent !== feePercent)
    news.push({ about: 'fee_changed', before: before.feePercent, after: feePercent })
  return news
}

/**
 * Changes a shop for its operator. The owners and the other operators are notified of the changes that
 * concern the owners' money: a suspension and its end, and another fee.
 */
export const changeShop = (
  context: Parameters<typeof changeMerchant>[0],
  merchantId: string,
  change: Parameters<typeof changeMerchant>[2],
  { updatedAt }: { updatedAt?: number | undefined } = {},
): Promise<Merchant> =>
  changeMerchant(context, merchantId, change, {
    updatedAt,
    async also(tables, before, after) {
      const author = await authorOf(context, tables)
      for (const news of newsOf(before, after))
        await notifyOf(context, tables, merchantId, { ...news, ...author })
    },
  })
