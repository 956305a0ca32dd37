import type { DashboardLocale } from '../../../../views/dashboard/locale.ts'
import type { ServerShop } from '../../../../views/dashboard/server-shops.ts'
import { addDays, dateAt } from '../../../domain/calendar.ts'
import type { Merchant } from '../../../domain/merchant.ts'
import { salesKinds } from '../../../domain/notification-kind.ts'
import type { Context } from '../../../operations/context.ts'
import { latestNotifications } from '../../../operations/notices/list.ts'
import { readReport } from '../../../operations/reports/read.ts'
import { writeNotification } from '../../../present/notification.ts'
import { moneyOf } from '../../../present/report-chart.ts'

/** The number of days in the sums that operators see of each shop. */
const DAYS = 30

/** A stored percentage in the format of the page's language. It is stored with a point. */
const percentIn = (locale: DashboardLocale, percent: string): string => locale.coins(percent)

/** A shop with its sums and its newest notifications, in the language of the page. */
export async function shopModel(
  context: Pick<Context, 'storage' | 'clock'>,
  merchant: Merchant,
  notices: number,
): Promise<(locale: DashboardLocale) => ServerShop> {
  const { id, name, email, status, createdAt, feePercent, tolerance, timeZone } = merchant
  const from = addDays(dateAt(context.clock(), timeZone), 1 - DAYS)
  const { currencies } = await readReport(context, { merchantId: id, from, by: 'month' })
  const latest = await latestNotifications(context, id, notices, salesKinds)
  const open = currencies.reduce((sum, { sums }) => sum + sums.pendingCount, 0)
  const paid = currencies.filter(({ sums }) => sums.gross + sums.forced > 0n)
  return locale => ({
    ...{ id, name, email, status, createdAt, open },
    fee: percentIn(locale, feePercent),
    tolerance: percentIn(locale, tolerance),
    sales: paid.map(({ currency, sums }) => moneyOf({ locale, currency }, sums.gross + sums.forced)),
    notices: latest.map(({ facts, createdAt: at }) => ({
      ...writeNotification(locale, facts, 'person'),
      at,
    })),
  })
}
