import { type Html, html } from '../html.ts'
import { developerTabs } from './developer-tabs.ts'
import type { DashboardLocale, Money } from './locale.ts'
import { copyable, hidden, message, table, time } from './parts.ts'

interface TestOrderRow {
  id: string
  externalId: string | null
  createdAt: number
  amount: Money
  status: keyof DashboardLocale['texts']['orders']['statuses']
  /** page of the test order, on which people choose its outcome */
  url: string
}

interface TestOrdersModel {
  orders: readonly TestOrderRow[]
  /** example of a command that creates a test order */
  command: string
  isDeleted: boolean
}

const row = (locale: DashboardLocale, { id, externalId, createdAt, amount, status, url }: TestOrderRow) => {
  const { orders, testOrders } = locale.texts
  return html`<tr>
<td><a href="${url}"><bdi class="code">${externalId ?? id}</bdi></a></td>
<td data-name="${orders.columns.created}">${time(locale, createdAt)}</td>
<td data-name="${orders.columns.amount}"><span>${locale.money(amount)}</span></td>
<td data-name="${orders.columns.status}"><span class="badge">${testOrders.badge}</span>
<span class="badge">${orders.statuses[status]}</span></td>
</tr>`
}

/** The page of a shop's test orders. */
export function testOrdersBody(
  locale: DashboardLocale,
  { orders, command, isDeleted }: TestOrdersModel,
): Html {
  const { orders: words, testOrders: texts } = locale.texts
  const { order, created, amount, status } = words.columns
  return html`<h1>${texts.title}</h1>
${developerTabs(locale, 'tests', true)}
${isDeleted && message('good', texts.deleted)}
<p>${texts.intro}</p>
${
  orders.length === 0
    ? html`<p class="empty">${texts.none}</p>`
    : html`${table(
        texts.title,
        [order, created, amount, status],
        orders.map(one => row(locale, one)),
      )}
<form method="post" action="/dashboard/test-orders/delete" class="card">${hidden(locale)}
<h2>${texts.delete}</h2>
<p>${texts.deleteHint}</p>
<button class="danger" data-ask="${texts.deleteAsk}">${texts.delete}</button>
</form>`
}
<div class="card"><h2>${texts.create}</h2>
<p>${texts.createHint}</p>
<p>${copyable(locale, command)}</p>
<p>${texts.webhookHint}</p></div>`
}
