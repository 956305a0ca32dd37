import { type Html, html } from '../html.ts'
import { type Guide, guidePage } from './guide.ts'
import type { DashboardLocale } from './locale.ts'
import { copyable, field, hidden, message } from './parts.ts'
import { earlierBox, testResult, type WebhookModel } from './webhook.ts'

interface GuideWebhookModel {
  /** value of the field */
  url: string
  /** number of events of earlier orders that were never sent */
  waiting: number
  /** URL of the current webhook */
  current: string | null
  /** the new secret, which is shown only once */
  secret: string | null
  tested: WebhookModel['tested']
  isWrong: boolean
  problem: string | null
}

function current(locale: DashboardLocale, { current: url, secret, tested }: GuideWebhookModel): Html | null {
  const { setup, webhook } = locale.texts
  if (url === null) return null
  return html`<section class="card" aria-labelledby="now"><h2 id="now">${setup.webhook.sentTo}</h2>
<p class="code" dir="ltr">${url}</p>
${secret !== null && html`${message('good', webhook.secretNew)}<p>${copyable(locale, secret)}</p>`}
${testResult(locale, tested)}
<form method="post" action="/dashboard/setup/webhook/test">${hidden(locale)}
<button class="quiet">${setup.webhook.again}</button>
</form>
<p><a href="/dashboard/webhook">${setup.webhook.more}</a></p></section>`
}

const urlForm = (locale: DashboardLocale, model: GuideWebhookModel): Html => {
  const { setup, webhook } = locale.texts
  return html`<form method="post" action="/dashboard/setup/webhook" class="card">${hidden(locale)}
${field({
  name: 'url',
  label: webhook.url,
  hint: webhook.urlHint,
  value: model.url,
  type: 'url',
  problem: model.isWrong ? webhook.wrongUrl : undefined,
  isRequired: true,
})}
${earlierBox(locale, model.waiting)}
<button>${setup.webhook.save}</button></form>`
}

/** The step of the setup that sets the webhook and sends a test event. Most shops do not need it. */
export function guideWebhookBody(locale: DashboardLocale, guide: Guide, model: GuideWebhookModel): Html {
  const { setup } = locale.texts
  const isSet = model.current !== null
  const body = html`<p>${setup.webhook.intro}</p>
${!isSet && html`<p>${setup.webhook.without}</p>`}
${model.problem && message('warn', model.problem)}
${isSet ? current(locale, model) : urlForm(locale, model)}`
  return guidePage(locale, { ...guide, skipLabel: setup.webhook.skip }, setup.webhook.title, body)
}
