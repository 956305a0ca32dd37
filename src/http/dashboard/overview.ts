import type { DashboardLocale } from '../../../views/dashboard/locale.ts'
import { type OverviewModel, overviewBody, type WebhookTrouble } from '../../../views/dashboard/overview.ts'
import { html } from '../../../views/html.ts'
import { addDays, dateAt } from '../../domain/calendar.ts'
import type { Notification } from '../../domain/notification.ts'
import type { DashboardAccess } from '../../domain/user.ts'
import type { WaitingFunds } from '../../domain/waiting-funds.ts'
import { readWaitingFunds } from '../../operations/addresses/waiting-funds.ts'
import { browseOrders } from '../../operations/orders/browse.ts'
import { readAttention } from '../../operations/overview/attention.ts'
import { readSetupSteps } from '../../operations/overview/setup.ts'
import { type Report, readReport } from '../../operations/reports/read.ts'
import type { WebhookHealth } from '../../operations/webhooks/health.ts'
import { presentFundsOverview } from '../../present/funds.ts'
import { writeNotification } from '../../present/notification.ts'
import { notificationPage } from '../../present/notification-page.ts'
import { presentSales } from '../../present/sales.ts'
import { page, type Route } from './kit.ts'
import { methodNamesOf, orderRows } from './orders/rows.ts'
import { stepUrl } from './setup/guide.ts'
import { hasShop, type ShopVisit } from './visit.ts'

const DAYS = 30
const ORDERS_SHOWN = 10

type Setup = NonNullable<OverviewModel['setup']>

/** The setup steps for an owner; null for other people, and once all steps are done. */
async function setupOf(shop: ShopVisit): Promise<Setup | null> {
  if (!shop.may('owner')) return null
  const steps = await readSetupSteps(shop.context, shop.merchant.id)
  if (steps.every(({ state }) => state === 'done')) return null
  const account = { step: 'account', state: 'done', url: null } as const
  return [account, ...steps.map(({ step, state }) => ({ step, state, url: stepUrl(step) }))]
}

async function salesOf({ context, merchant }: ShopVisit): Promise<Report> {
  const from = addDays(dateAt(context.clock(), merchant.timeZone), 1 - DAYS)
  return readReport(context, { merchantId: merchant.id, from, by: 'day' })
}

type Model = Omit<OverviewModel, 'sales' | 'notifications' | 'may' | 'funds'> & {
  notified: Notification[]
  waiting: WaitingFunds | null
}

type May = (access: DashboardAccess) => boolean

function notifiedIn(
  locale: DashboardLocale,
  notified: Notification[],
  may: May,
): OverviewModel['notifications'] {
  return notified.map(({ kind, facts, createdAt: at, orderId }) => {
    const page = notificationPage({ kind, orderId })
    const { text } = writeNotification(locale, facts, 'person')
    const url = page && may(page.access) ? `/dashboard${page.path}` : null
    return { text, at, url, isOrder: orderId !== null }
  })
}

const troubleOf = ({ webhook, givenUp }: WebhookHealth): WebhookTrouble => ({
  ...{ id: webhook.id, failingSince: webhook.failingSince, givenUp },
  host: webhook.isFirst ? null : new URL(webhook.url).host,
  isDisabled: webhook.status === 'disabled',
})

async function modelOf(shop: ShopVisit): Promise<Model> {
  const { context, merchant, user, role } = shop
  const { items } = await browseOrders(context, merchant.id, {}, ORDERS_SHOWN, null)
  const names = await methodNamesOf(context, merchant.id)
  const reader = { userId: user.id, role }
  const { notifications, webhooks, ...attention } = await readAttention(context, merchant, reader)
  return {
    setup: await setupOf(shop),
    attention: { ...attention, webhooks: webhooks.map(troubleOf) },
    notified: notifications,
    orders: await orderRows(context, names, items),
    waiting: await readWaitingFunds(context, merchant.id),
  }
}

export const overviewRoutes: readonly Route[] = [
  page({
    path: '/dashboard',
    access: 'person',
    async show(visit) {
      if (visit.lacksSecondFactor) return '/dashboard/account#second-factor'
      if (!visit.merchant && visit.user.isOperator) return '/dashboard/setup'
      const model = hasShop(visit) && (await modelOf(visit))
      const report = hasShop(visit) && (await salesOf(visit))
      const may: May = access => visit.merchant !== null && visit.may(access)
      return locale => ({
        title: locale.texts.overview.title,
        body:
          model && report
            ? overviewBody(locale, {
                ...model,
                may,
                funds: presentFundsOverview(locale, model.waiting),
                notifications: notifiedIn(locale, model.notified, may),
                sales: presentSales(locale, report),
              })
            : html`<h1>${locale.texts.overview.title}</h1>
<p>${locale.texts.overview.noShop}</p>`,
      })
    },
  }),
]
