import { type Html, html } from '../html.ts'
import { type FundsOverviewModel, fundsOverview } from './funds.ts'
import type { DashboardLocale } from './locale.ts'
import type { NavItem } from './nav.ts'
import { type OrderRow, orderTable } from './orders.ts'
import { hidden, time } from './parts.ts'
import { type PayLack, unpayableText } from './payouts.ts'
import { type SalesModel, salesCard } from './sales.ts'

type Step = keyof DashboardLocale['texts']['overview']['steps']

interface StepModel {
  step: Step
  state: 'open' | 'done' | 'skipped'
  /** page of the setup for this step; null for a step that is always done */
  url: string | null
}

/** The problems of a webhook. */
export interface WebhookTrouble {
  id: string
  /** null for the first webhook */
  host: string | null
  isDisabled: boolean
  failingSince: number | null
  givenUp: number
}

export interface OverviewModel {
  /** returns true if the person may open pages with this access */
  may(access: NavItem['access']): boolean
  /** null if the person cannot change the shop, or if all steps are done */
  setup: readonly StepModel[] | null
  attention: {
    /** reasons why buyers cannot pay at all; empty if they can */
    payLacks: readonly PayLack[]
    unmatchedCount: number
    webhooks: readonly WebhookTrouble[]
    /** null if no newer version fixes a security problem */
    securityRelease: { version: string | null } | null
  }
  /** newest notifications; `url` is the page on which the person can act, null if there is none */
  notifications: readonly { text: string; at: number; url: string | null; isOrder: boolean }[]
  /** funds to move to the shop's wallets; null if there are none */
  funds: FundsOverviewModel | null
  /** sales of the last 30 days; null if there are no orders */
  sales: SalesModel | null
  orders: readonly OrderRow[]
}

const badge = (isGood: boolean, text: string): Html =>
  html`<span class="badge ${isGood && 'good'}">${text}</span>`

function stepForm(locale: DashboardLocale, { step, state }: StepModel): Html {
  const { overview } = locale.texts
  const isSkipped = state === 'skipped'
  return html`<form method="post" action="/dashboard/setup/${isSkipped ? 'resume' : 'skip'}">
${hidden(locale, { step })}
<button class="quiet small">${isSkipped ? overview.resume : overview.skip}
<span class="unseen">: ${overview.steps[step].title}</span></button></form>`
}

function stepItem(locale: DashboardLocale, model: StepModel): Html {
  const { overview } = locale.texts
  const { step, state, url } = model
  const { title, text, action } = overview.steps[step]
  return html`<li class="${state === 'done' && 'good'}"><h3>${title}
${state !== 'open' && badge(state === 'done', overview.states[state])}</h3>
${state === 'open' && html`<p>${text}</p>`}
${
  state !== 'done' &&
  html`<div class="row">${state === 'open' && html`<a class="button quiet small" href="${url}">${action}</a>`}
${stepForm(locale, model)}</div>`
}</li>
`
}

/** The steps of the setup. It folds if people have skipped all steps that are left. */
const setupCard = (locale: DashboardLocale, steps: readonly StepModel[]): Html => {
  const { overview } = locale.texts
  const list = html`<ol class="timeline">
${steps.map(step => stepItem(locale, step))}</ol>`
  const next = steps.findIndex(({ state }) => state === 'open')
  if (next === -1) {
    const skipped = steps.filter(({ state }) => state === 'skipped').length
    return html`<details class="card"><summary>${overview.skippedSteps({ count: skipped })}</summary>
${list}</details>`
  }
  const done = steps.filter(({ state }) => state === 'done').length
  const all = steps.length
  return html`<section class="card"><h2>${overview.setup}</h2>
<p class="soft">${overview.progress({ done, all })}</p>
<p><a class="button" href="${steps[next]?.url}">${overview.goOn({ number: next + 1, all })}</a></p>
${list}</section>`
}

/** The problems of a webhook, with a link to its page. The first webhook is that of the shop's website. */
function troubles(locale: DashboardLocale, webhook: WebhookTrouble) {
  const { overview } = locale.texts
  const { id, host, isDisabled, failingSince, givenUp: count } = webhook
  const since = failingSince === null ? null : locale.dateTime(failingSince)
  const found: { access: NavItem['access']; path: string; text: string }[] = []
  if (host === null) {
    const page = { access: 'owner', path: 'webhook' } as const
    if (isDisabled) found.push({ ...page, text: overview.webhookDisabled })
    else if (since !== null) found.push({ ...page, text: overview.webhookFailing({ since }) })
    const lost = { access: 'staff', path: 'deliveries?status=failed' } as const
    if (count > 0) found.push({ ...lost, text: overview.givenUp({ count }) })
    return found
  }
  const page = { access: 'owner', path: `webhooks/${id}` } as const
  if (isDisabled) found.push({ ...page, text: overview.furtherDisabled({ host }) })
  else if (since !== null) found.push({ ...page, text: overview.furtherFailing({ host, since }) })
  if (count > 0) found.push({ ...page, text: overview.furtherGivenUp({ count, host }) })
  return found
}

function attentionItems(locale: DashboardLocale, { attention, may }: OverviewModel): Html[] {
  const { overview } = locale.texts
  const { payLacks, unmatchedCount, webhooks, securityRelease } = attention
  const items: Html[] = []
  // This item has no link, because only operators can update, and do so in a shell.
  if (securityRelease)
    items.push(html`${overview.securityRelease({ version: securityRelease.version ?? 'unknown' })}`)
  // People who may not open the page still see the problem, so that they can ask somebody who may.
  const add = (access: NavItem['access'], path: string, text: string) => {
    items.push(may(access) ? html`<a href="/dashboard/${path}">${text}</a>` : html`${text}`)
  }
  if (payLacks.length > 0) add('viewer', 'payouts', unpayableText(locale, payLacks))
  if (unmatchedCount > 0) add('viewer', 'unmatched', overview.unmatched({ count: unmatchedCount }))
  for (const webhook of webhooks) {
    for (const { access, path, text } of troubles(locale, webhook)) add(access, path, text)
  }
  return items
}

function attentionCard(locale: DashboardLocale, model: OverviewModel): Html {
  const { overview } = locale.texts
  const items = attentionItems(locale, model)
  const { notifications } = model
  return html`<section class="card"><h2>${overview.attention}</h2>
${
  items.length === 0
    ? html`<p>${overview.nothing}</p>`
    : html`<ul>${items.map(
        item => html`<li>${item}</li>
`,
      )}</ul>`
}
${notifications.length > 0 && html`<h3>${overview.latest}</h3>`}
<ul class="plain">${notifications.map(
    ({ text, at, url, isOrder }) => html`<li><p>${time(locale, at)}<br><span dir="auto">${text}</span>
${url && html`<br><a href="${url}">${isOrder ? overview.toOrder : overview.toPage}</a>`}</p></li>
`,
  )}</ul></section>`
}

/** The first page after signing in: open tasks, notifications and the newest orders. */
export function overviewBody(locale: DashboardLocale, model: OverviewModel): Html {
  const { overview, frame, orders: texts } = locale.texts
  const { setup, sales, orders, funds, may } = model
  const isFolded = setup?.every(({ state }) => state !== 'open') ?? false
  const card = setup && setupCard(locale, setup)
  return html`<div class="between"><h1>${overview.title}</h1>
${
  may('staff') &&
  html`<div class="row"><a class="button quiet" href="/dashboard/counter">${frame.nav.counter}</a>
<a class="button quiet" href="/dashboard/orders/new">${texts.create}</a></div>`
}</div>
${!isFolded && card}
${attentionCard(locale, model)}
${funds && fundsOverview(locale, funds, may('owner'))}
${salesCard(locale, sales)}
<section class="card"><div class="between"><h2>${overview.newest}</h2>
<a href="/dashboard/orders">${overview.toOrders}</a></div>
${orders.length === 0 ? html`<p>${overview.noOrders}</p>` : orderTable(locale, orders)}</section>
${isFolded && card}`
}
