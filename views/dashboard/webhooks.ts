import { type Html, html } from '../html.ts'
import { type DeliveryRow, deliveryRows } from './deliveries.ts'
import { developerTabs } from './developer-tabs.ts'
import type { Overlap } from './developers.ts'
import type { DashboardLocale } from './locale.ts'
import { field, hidden, message, select, table } from './parts.ts'
import {
  type EventName,
  eventBoxes,
  eventsForm,
  secretCard,
  secretForm,
  stateBadge,
  stateMessage,
  testResult,
  type WebhookModel,
  type WebhookState,
} from './webhook.ts'

type WebhookMode = keyof DashboardLocale['texts']['webhooks']['modes']

export interface FurtherModel {
  id: string
  url: string
  events: readonly string[]
  mode: WebhookMode
  state: WebhookState
  failingSince: number | null
  failures: number
  previousUntil: number | null
  secretMark: string
  /** true if a plugin created the webhook; its events are then those of BTCPay Server */
  isOfPlugin: boolean
}

interface WebhooksModel {
  webhooks: readonly FurtherModel[]
  allEvents: readonly EventName[]
  /** values of the form */
  entered: { url: string; events: readonly string[]; mode: string }
  wrong: 'url' | 'events' | null
  problem: string | null
  secret: string | null
  isRemoved: boolean
}

/** The choice between events of live orders, of test orders, and of both. */
const modeChoice = ({ texts: { webhooks } }: DashboardLocale, value: string): Html =>
  select({
    name: 'mode',
    label: webhooks.mode,
    hint: webhooks.modeHint,
    value,
    options: Object.entries(webhooks.modes),
  })

/** The page of a shop's additional webhooks. */
export function webhooksBody(locale: DashboardLocale, model: WebhooksModel): Html {
  const { webhook, webhooks: texts, developers } = locale.texts
  const { webhooks, allEvents, entered, wrong, problem, secret, isRemoved } = model
  return html`<h1>${texts.title}</h1>
${developerTabs(locale, 'webhook', true)}
${isRemoved && message('good', texts.removed)}
${problem && message('warn', problem)}
${secretCard(locale, secret)}
<p>${texts.intro}</p>
${
  webhooks.length === 0
    ? html`<p class="empty">${texts.none}</p>`
    : table(
        texts.title,
        [webhook.url, webhook.events, developers.columns.state],
        webhooks.map(
          one => html`<tr>
<td><a class="code" dir="ltr" href="/dashboard/webhooks/${one.id}">${one.url}</a></td>
<td data-name="${webhook.events}"><span class="code" dir="ltr">${one.events.join(', ')}</span></td>
<td data-name="${developers.columns.state}"><span>${stateBadge(locale, one.state)}
${one.mode !== 'live' && html`<span class="badge">${texts.modes[one.mode]}</span>`}</span></td>
</tr>`,
        ),
      )
}
<form method="post" action="/dashboard/webhooks" class="card">${hidden(locale)}
<h2>${texts.add}</h2>
${field({
  name: 'url',
  label: webhook.url,
  hint: webhook.urlHint,
  value: entered.url,
  type: 'url',
  problem: wrong === 'url' ? webhook.wrongUrl : undefined,
  isRequired: true,
})}
${eventBoxes(locale, { chosen: entered.events, allEvents, isWrong: wrong === 'events' })}
${modeChoice(locale, entered.mode)}
<button>${texts.add}</button>
</form>
<p><a href="/dashboard/webhook">${webhook.title}</a></p>`
}

interface FurtherPageModel {
  webhook: FurtherModel
  allEvents: readonly EventName[]
  overlaps: readonly Overlap[]
  deliveries: readonly DeliveryRow[]
  secret: string | null
  isSaved: boolean
  isWrong: boolean
  problem: string | null
  tested: WebhookModel['tested']
  redelivered: number | null
}

/** The page of an additional webhook. */
export function furtherWebhookBody(locale: DashboardLocale, model: FurtherPageModel): Html {
  const { webhook: texts, webhooks, deliveries: words } = locale.texts
  const { webhook, allEvents, overlaps, deliveries, secret, tested, redelivered, problem } = model
  const path = `/dashboard/webhooks/${webhook.id}`
  return html`<h1>${webhooks.one}</h1>
${developerTabs(locale, 'webhook', true)}
${model.isSaved && message('good', texts.eventsSaved)}
${redelivered !== null && message('good', words.redeliveredAll({ count: redelivered }))}
${problem && message('warn', problem)}
${secretCard(locale, secret)}
<div class="card"><div class="between"><h2 class="code" dir="ltr">${webhook.url}</h2>
${stateBadge(locale, webhook.state)}</div>
${stateMessage(locale, { current: webhook })}
${webhook.isOfPlugin && html`<p>${webhooks.ofPlugin}</p>`}
</div>
<form method="post" action="${path}/test" class="card">${hidden(locale)}
<h2>${texts.test}</h2>
${testResult(locale, tested)}
<button class="quiet">${texts.test}</button>
</form>
<div class="card"><div class="between"><h2>${webhooks.latest}</h2>
<form method="post" action="${path}/failed">${hidden(locale)}
<button class="quiet">${words.redeliverAll}</button></form></div>
${
  deliveries.length === 0
    ? html`<p class="empty">${words.empty}</p>`
    : deliveryRows(locale, webhooks.latest, deliveries)
}
</div>
${
  !webhook.isOfPlugin &&
  html`${eventsForm(locale, {
    action: `${path}/events`,
    chosen: webhook.events,
    allEvents,
    isWrong: model.isWrong,
  })}
<form method="post" action="${path}/mode" class="card">${hidden(locale)}
${modeChoice(locale, webhook.mode)}
<button class="quiet">${webhooks.modeSave}</button>
</form>
${secretForm(locale, { action: `${path}/rotate`, current: webhook, overlaps })}`
}
<form method="post" action="${path}/remove" class="card">${hidden(locale)}
<h2>${webhooks.remove}</h2>
<p>${webhooks.removeHint}</p>
<button class="quiet" data-ask="${webhooks.removeAsk}">${webhooks.remove}</button>
</form>
<p><a href="/dashboard/webhooks">${webhooks.title}</a></p>`
}
