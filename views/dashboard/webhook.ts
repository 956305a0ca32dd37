import { type Html, html } from '../html.ts'
import { developerTabs } from './developer-tabs.ts'
import { type Overlap, overlapChoice } from './developers.ts'
import type { DashboardLocale } from './locale.ts'
import { consequence, copyable, describedBy, field, hidden, message } from './parts.ts'

export type EventName = keyof DashboardLocale['texts']['webhook']['eventNames']
export type Outcome = keyof DashboardLocale['texts']['deliveries']['outcomes']

export type WebhookState = 'active' | 'failing' | 'disabled'

/** The stored answer of a webhook's server. Nothing in it is trusted. */
export interface AnswerModel {
  type: string | null
  body: string
  isCut: boolean
}

export interface WebhookModel {
  /** value of the URL field */
  url: string
  /** number of events of earlier orders that were never sent; counted only without a webhook */
  waiting: number
  /** null if no webhook is set */
  current: {
    url: string
    state: WebhookState
    failingSince: number | null
    failures: number
    events: readonly EventName[]
    previousUntil: number | null
    /** identifies the secret without revealing it */
    secretMark: string
  } | null
  allEvents: readonly EventName[]
  overlaps: readonly Overlap[]
  /** the new secret, which is shown only once */
  secret: string | null
  /** change that was just made, for its message */
  saved: 'url' | 'events' | null
  wrong: 'url' | 'events' | null
  problem: string | null
  /** result of the test event */
  tested: {
    outcome: Outcome
    httpStatus: number | null
    durationMs: number
    answer: AnswerModel | null
  } | null
}

/** The outcome of a try in words, with the HTTP status if there is one. */
export function outcomeText(
  { texts: { deliveries } }: DashboardLocale,
  outcome: Outcome,
  httpStatus: number | null,
): string {
  const words = deliveries.outcomes[outcome]
  return httpStatus === null ? words : deliveries.withStatus({ outcome: words, status: httpStatus })
}

/** The answer of a webhook's server, always shown as text, regardless of its content type. */
export const answerBlock = ({ texts: { deliveries } }: DashboardLocale, answer: AnswerModel | null): Html =>
  answer === null
    ? html`<p class="soft">${deliveries.answerNone}</p>`
    : html`${answer.type && html`<p class="code" dir="ltr">${answer.type}</p>`}
${
  answer.body !== '' &&
  html`<pre dir="ltr" tabindex="0" aria-label="${deliveries.answer}">
${answer.body}</pre>`
}
${answer.isCut && html`<p class="soft">${deliveries.answerCut}</p>`}`

/** The problem of a webhook; null if there is none. */
export function stateMessage(
  locale: DashboardLocale,
  {
    current,
  }: { current: Pick<NonNullable<WebhookModel['current']>, 'state' | 'failingSince' | 'failures'> | null },
): Html | null {
  const { webhook } = locale.texts
  if (!current) return html`<p>${webhook.none}</p>`
  const { state, failingSince, failures } = current
  if (state === 'disabled') return message('warn', webhook.disabled)
  if (state === 'active' || failingSince === null) return null
  return message('warn', webhook.failing({ since: locale.dateTime(failingSince), failures }))
}

/** The result of a test event. */
export function testResult(locale: DashboardLocale, tested: WebhookModel['tested']): Html | null {
  if (!tested) return null
  const { webhook } = locale.texts
  const { outcome, httpStatus, durationMs, answer } = tested
  return html`${
    outcome === 'delivered'
      ? message('good', webhook.testGood({ ms: durationMs }))
      : message('warn', webhook.testBad({ outcome: outcomeText(locale, outcome, httpStatus) }))
  }
${answerBlock(locale, answer)}`
}

/** A badge with the state of a webhook. */
export const stateBadge = ({ texts: { webhook } }: DashboardLocale, state: WebhookState): Html =>
  html`<span class="badge ${state === 'active' ? 'good' : 'warn'}">
${webhook.states[state]}</span>`

/** Offers to send the website that is being connected the events of orders that were paid before. */
export const earlierBox = ({ texts: { webhook } }: DashboardLocale, waiting: number): Html | null =>
  waiting === 0
    ? null
    : html`<label class="check"><input type="checkbox" name="earlier" value="yes"
aria-describedby="earlier-hint"><span>${webhook.earlier({ count: waiting })}</span></label>
<p class="hint" id="earlier-hint">${webhook.earlierHint}</p>`

function urlForm(locale: DashboardLocale, model: WebhookModel): Html {
  const { webhook } = locale.texts
  const { current, url, waiting, wrong } = model
  return html`<form method="post" action="/dashboard/webhook" class="card">${hidden(locale)}
<div class="between"><h2>${webhook.url}</h2>
${current && stateBadge(locale, current.state)}</div>
${stateMessage(locale, model)}
${field({
  name: 'url',
  label: webhook.url,
  hint: webhook.urlHint,
  value: url,
  type: 'url',
  problem: wrong === 'url' ? webhook.wrongUrl : undefined,
  isRequired: true,
})}
${earlierBox(locale, waiting)}
<button>${current?.state === 'disabled' ? webhook.enable : webhook.save}</button>
</form>`
}

interface EventsForm {
  action: string
  chosen: readonly string[]
  allEvents: readonly EventName[]
  isWrong: boolean
}

/** The choice of a webhook's events. */
export const eventBoxes = (
  { texts: { webhook } }: DashboardLocale,
  { chosen, allEvents, isWrong }: Omit<EventsForm, 'action'>,
): Html => html`<fieldset><legend>${webhook.events}</legend>
<p class="hint">${webhook.eventsHint}</p>
${isWrong && html`<p class="problem">${webhook.eventsWrong}</p>`}
${allEvents.map(
  name => html`<label class="check"><input type="checkbox" name="event.${name}"
${chosen.includes(name) && html` checked`}>
<span>${webhook.eventNames[name]} <span class="code" dir="ltr">${name}</span></span></label>
`,
)}</fieldset>`

export const eventsForm = (locale: DashboardLocale, { action, ...boxes }: EventsForm): Html =>
  html`<form method="post" action="${action}" class="card">${hidden(locale)}
${eventBoxes(locale, boxes)}
<button>${locale.texts.webhook.eventsSave}</button>
</form>`

interface SecretForm {
  action: string
  current: { previousUntil: number | null; secretMark: string } | null
  overlaps: readonly Overlap[]
}

/** The form that replaces the secret of a webhook. */
export function secretForm(locale: DashboardLocale, { action, current, overlaps }: SecretForm): Html {
  const { webhook } = locale.texts
  const until = current?.previousUntil ?? null
  return html`<form method="post" action="${action}" class="card">
${hidden(locale, { seen: current?.secretMark ?? '' })}
<h2>${webhook.secret}</h2>
<p>${webhook.secretHint}</p>
${until !== null && html`<p>${webhook.previousUntil({ time: locale.dateTime(until) })}</p>`}
<div class="field">${overlapChoice(locale, 'overlap', webhook.rotateFor, overlaps)}</div>
${consequence(locale, 'rotateSecret')}
<button class="quiet" data-ask="${webhook.rotateAsk}"${describedBy('rotateSecret')}>${webhook.rotate}</button>
</form>`
}

/** A new secret, which is shown only once. */
export const secretCard = (locale: DashboardLocale, secret: string | null): Html | null =>
  secret === null
    ? null
    : html`<div class="card">
${message('good', locale.texts.webhook.secretNew)}
<p>${copyable(locale, secret)}</p>
</div>`

/** The page of the first webhook. */
export function webhookBody(locale: DashboardLocale, model: WebhookModel): Html {
  const { webhook, developers } = locale.texts
  const { current, secret, saved, problem } = model
  return html`<h1>${webhook.title}</h1>
${developerTabs(locale, 'webhook', true)}
${saved && message('good', saved === 'url' ? webhook.saved : webhook.eventsSaved)}
${problem && message('warn', problem)}
${secretCard(locale, secret)}
${urlForm(locale, model)}
${
  current &&
  html`<form method="post" action="/dashboard/webhook/test" class="card" id="test">${hidden(locale)}
<h2>${webhook.test}</h2>
<p>${webhook.testHint}</p>
${testResult(locale, model.tested)}
<button class="quiet">${webhook.test}</button>
<p><a href="/dashboard/deliveries">${developers.tabs.deliveries}</a></p>
</form>
${eventsForm(locale, {
  action: '/dashboard/webhook/events',
  chosen: current.events,
  allEvents: model.allEvents,
  isWrong: model.wrong === 'events',
})}
${secretForm(locale, { action: '/dashboard/webhook/rotate', current, overlaps: model.overlaps })}`
}
<p><a href="/dashboard/webhooks">${locale.texts.webhooks.title}</a></p>`
}
