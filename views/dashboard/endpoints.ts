import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'
import { consequence, describedBy, field, hidden, message, table, time, unseen } from './parts.ts'

type Texts = DashboardLocale['texts']['endpoints']
type Fault = keyof Texts['faults']
export type Exchange = keyof Texts['exchanges']
type Origin = 'environment' | 'dashboard' | 'none' | 'sandbox'

/** The result of the trial of an endpoint. */
export interface TrialModel {
  host: string
  usable: readonly string[]
  problems: readonly { fault: Fault; assets: readonly string[]; detail: string }[]
  /** false if the endpoint was to be added */
  isListed: boolean
}

/** The page of a wallet from which the person came, and to which they return. */
interface WayBack {
  network: keyof DashboardLocale['texts']['payouts']['networks']
  isSetup: boolean
}

interface ChainRow {
  chain: string
  name: string
  origin: Origin
  hosts: readonly string[]
}

interface EndpointsModel {
  chains: readonly ChainRow[]
  rates: RatesModel
}

export interface RatesModel {
  origin: Origin
  /** exchanges in use; the environment may name any */
  used: readonly string[]
  /** exchanges that can be added */
  others: readonly Exchange[]
  /** message about the last change, with the exchange's answer */
  done: { tone: 'good' | 'warn'; text: string; detail: string | null } | null
  back: WayBack | null
}

interface EndpointRow {
  /** null if the environment names the endpoint */
  id: string | null
  host: string
  headerName: string | null
  workedAt: number | null
  problem: string | null
  fault: Fault | null
}

interface ChainModel {
  chain: string
  name: string
  origin: Origin
  setting: string
  rows: readonly EndpointRow[]
  /** public endpoints that are not in the list */
  choices: readonly { operator: string; url: string }[]
  /** format of a URL, such as "esplora+https://node.example/api" */
  example: string
  entered: { text: string; headerName: string; wrong: readonly string[] }
  saved: 'added' | 'removed' | 'moved' | null
  trial: TrialModel | null
  problem: string | null
  back: WayBack | null
}

/** The hidden value of forms that leads back to the wallet; null if the person came from elsewhere. */
const backValue = (back: WayBack | null): string | null =>
  back && `${back.isSetup ? 'setup-' : ''}${back.network}`

function backLink({ texts: { endpoints, payouts } }: DashboardLocale, back: WayBack): Html {
  const url = `/dashboard/payouts/${back.network}${back.isSetup ? '?from=setup' : ''}`
  return html`<p><a href="${url}">${endpoints.backTo({ network: payouts.networks[back.network] })}</a></p>`
}

/** The message of a node or exchange, which is in English. */
const detailText = (detail: string): Html => html`<p class="soft" lang="en" dir="ltr">${detail}</p>`

const note = ({ texts: { endpoints } }: DashboardLocale, origin: Origin, setting: string): Html | null => {
  if (origin === 'sandbox') return html`<p class="soft">${endpoints.sandbox}</p>`
  return origin === 'environment' ? html`<p class="soft">${endpoints.locked({ setting })}</p>` : null
}

const isOpen = (origin: Origin): boolean => origin === 'none' || origin === 'dashboard'

const hostText = (host: string): Html => html`<span class="code" dir="ltr">${host}</span> `

function chainRow({ texts: { endpoints, server } }: DashboardLocale, row: ChainRow): Html {
  const { chain, name, origin, hosts } = row
  const isFixed = origin === 'environment'
  const todo = hosts.length === 0 ? endpoints.choose : endpoints.change
  return html`<tr><th scope="row">${name}</th>
<td>${hosts.length === 0 ? endpoints.none : hosts.map(hostText)}
${isFixed && html`<br><span class="soft">${endpoints.fromEnvironment}</span>`}</td>
<td><a class="button quiet small" href="/dashboard/endpoints/${chain}">
${isOpen(origin) ? todo : server.open}<span class="unseen"> ${name}</span></a></td></tr>
`
}

function exchangeForm(
  locale: DashboardLocale,
  name: string,
  does: 'add' | 'test' | 'remove',
  back: WayBack | null = null,
): Html {
  const { endpoints } = locale.texts
  const isRemoval = does === 'remove'
  const path = does === 'add' ? '' : `/${does}`
  return html`<form method="post" action="/dashboard/endpoints/rates${path}">
${hidden(locale, { back: backValue(back), name })}
<button class="${isRemoval ? 'danger' : 'quiet'} small"${isRemoval && describedBy('removeEndpoint')}>
${endpoints[does]} <span class="unseen">${endpoints.exchanges[name as Exchange] ?? name}</span></button>
</form>`
}

function usedSource(locale: DashboardLocale, name: string, mayChange: boolean): Html {
  const { endpoints } = locale.texts
  const known = Object.hasOwn(endpoints.exchanges, name) ? (name as Exchange) : null
  const forms = html`<div class="row">
${exchangeForm(locale, name, 'test')}${exchangeForm(locale, name, 'remove')}</div>`
  return html`<li><div class="between"><span>
<strong>${known ? endpoints.exchanges[known] : name}</strong><br>
${known && endpoints.exchangeNotes[known]}</span>${mayChange && forms}</div></li>
`
}

function ratesCard(locale: DashboardLocale, { origin, used, others, done, back }: RatesModel): Html {
  const { endpoints } = locale.texts
  const mayChange = isOpen(origin)
  return html`<section class="card" id="rates" aria-labelledby="rates-title">
<h2 id="rates-title">${endpoints.rates}</h2>
${
  done &&
  html`<div class="message ${done.tone}" role="${done.tone === 'warn' ? 'alert' : 'status'}">
<p>${done.text}</p>${done.detail && detailText(done.detail)}</div>`
}
${note(locale, origin, 'FLORIN_RATES')}
${mayChange && html`<p>${endpoints.ratesHint}</p>`}
${mayChange && used.length === 0 && message('warn', endpoints.noRates)}
${mayChange && used.length === 1 && message('warn', endpoints.oneRate)}
${mayChange && used.length > 0 && consequence(locale, 'removeEndpoint')}
<ul class="plain">${used.map(name => usedSource(locale, name, mayChange))}
${
  mayChange &&
  others.map(
    name => html`<li><div class="between"><span><strong>${endpoints.exchanges[name]}</strong><br>
${endpoints.exchangeNotes[name]}</span>${exchangeForm(locale, name, 'add', back)}</div></li>
`,
  )
}</ul>
<p class="soft">${endpoints.ratesSee}</p>
</section>`
}

/** The page of all chains' endpoints and of the rate sources. */
export function endpointsBody(locale: DashboardLocale, { chains, rates }: EndpointsModel): Html {
  const { endpoints } = locale.texts
  return html`${rates.back && backLink(locale, rates.back)}
<h1>${endpoints.title}</h1>
<p>${endpoints.intro}</p>
${ratesCard(locale, rates)}
<section class="card"><h2 id="chains">${endpoints.chains}</h2>
${chains[0]?.origin === 'sandbox' && note(locale, 'sandbox', '')}
${table(
  endpoints.used,
  [endpoints.chain, endpoints.used, unseen(endpoints.change)],
  chains.map(row => chainRow(locale, row)),
)}</section>`
}

function trialPart(locale: DashboardLocale, { host, usable, problems, isListed }: TrialModel): Html {
  const { endpoints } = locale.texts
  const assets = usable.map(locale.coin).join(', ')
  if (problems.length === 0) return message('good', endpoints.tested({ host, assets }))
  const failed = isListed ? endpoints.stillUnusable({ host }) : endpoints.unusable({ host })
  return html`<div class="message warn" role="alert">
<p>${usable.length > 0 ? endpoints.partly({ assets }) : failed}</p>
<ul>${problems.map(
    problem => html`<li>${endpoints.faults[problem.fault]}
${usable.length > 0 && html`<br>${problem.assets.map(locale.coin).join(', ')}`}
${detailText(problem.detail)}</li>`,
  )}</ul></div>`
}

function health(locale: DashboardLocale, { workedAt, problem, fault }: EndpointRow): Html {
  const { endpoints } = locale.texts
  if (problem !== null)
    return html`<span class="badge warn">${endpoints.failed}</span><br>
${fault && html`${endpoints.faults[fault]}<br>`}<span class="soft" lang="en" dir="ltr">${problem}</span>`
  if (workedAt === null) return html`<span class="soft">${endpoints.notUsed}</span>`
  return html`<span class="badge good">${endpoints.worked} ${time(locale, workedAt)}</span>`
}

function rowForm(
  locale: DashboardLocale,
  { chain }: ChainModel,
  row: EndpointRow,
  name: 'raise' | 'test' | 'remove',
) {
  const { endpoints } = locale.texts
  const isRemoval = name === 'remove'
  const ask = isRemoval && html` data-ask="${endpoints.removeAsk({ host: row.host })}"`
  return html`<form method="post" action="/dashboard/endpoints/${chain}/${name}"${ask}>
${hidden(locale, { id: row.id ?? '' })}
<button class="${isRemoval ? 'danger' : 'quiet'} small"${isRemoval && describedBy('removeEndpoint')}>
${endpoints[name]} <span class="unseen">${endpoints.of({ host: row.host })}</span></button></form>`
}

function endpointItem(locale: DashboardLocale, model: ChainModel, row: EndpointRow, at: number): Html {
  const { endpoints } = locale.texts
  const forms = html`<div class="row">${rowForm(locale, model, row, 'test')}
${at > 0 && rowForm(locale, model, row, 'raise')}${rowForm(locale, model, row, 'remove')}</div>`
  return html`<li><p><strong class="code" dir="ltr">${row.host}</strong><br>${health(locale, row)}
${row.headerName && html`<br><span class="soft">${endpoints.header({ name: row.headerName })}</span>`}</p>
${row.id !== null && isOpen(model.origin) && forms}</li>
`
}

function publicCard(locale: DashboardLocale, { chain, choices, back }: ChainModel): Html {
  const { endpoints } = locale.texts
  return html`<section class="card" aria-labelledby="public"><h2 id="public">${endpoints.public}</h2>
<p>${choices.length === 0 ? endpoints.noPublic : endpoints.publicHint}</p>
<ul class="plain">${choices.map(
    ({ operator, url }) => html`<li><div class="between"><span>${endpoints.runBy({ operator })}<br>
<span class="code" dir="ltr">${url}</span></span>
<form method="post" action="/dashboard/endpoints/${chain}">
${hidden(locale, { back: backValue(back), text: url })}
<button class="quiet small">${endpoints.add}<span class="unseen"> ${operator}</span></button>
</form></div></li>
`,
  )}</ul></section>`
}

function ownForm(locale: DashboardLocale, { chain, example, entered, back }: ChainModel): Html {
  const { endpoints } = locale.texts
  const problemOf = (name: keyof Texts['wrong']) =>
    entered.wrong.includes(name) ? endpoints.wrong[name] : undefined
  const off = { autocomplete: 'off' }
  return html`<form method="post" action="/dashboard/endpoints/${chain}" class="card" autocomplete="off">
${hidden(locale, { back: backValue(back) })}
<h2>${endpoints.own}</h2>
${field({
  name: 'text',
  label: endpoints.url,
  value: entered.text,
  hint: endpoints.urlHint({ example }),
  problem: problemOf('text'),
  isRequired: true,
  ...off,
})}
${field({
  name: 'headerName',
  label: endpoints.headerName,
  value: entered.headerName,
  hint: endpoints.headerNameHint,
  problem: problemOf('headerName'),
  ...off,
})}
${field({
  name: 'headerValue',
  label: endpoints.headerValue,
  type: 'password',
  problem: problemOf('headerValue'),
  autocomplete: 'new-password',
})}
<p class="soft">${endpoints.urlPrivate}</p>
<button>${endpoints.add}</button>
</form>`
}

/** The page of one chain's endpoints. */
export function chainEndpointsBody(locale: DashboardLocale, model: ChainModel): Html {
  const { endpoints } = locale.texts
  const { name, origin, setting, rows, saved, trial, problem, back } = model
  return html`${back && backLink(locale, back)}
<p><a href="/dashboard/endpoints">${endpoints.back}</a> ·
<a href="/dashboard/payouts">${endpoints.backToPayouts}</a></p>
<h1>${endpoints.titleOf({ chain: name })}</h1>
${saved && message('good', endpoints[saved])}
${trial && trialPart(locale, trial)}
${problem && message('warn', problem)}
<section class="card" aria-labelledby="used"><h2 id="used">${endpoints.list}</h2>
${note(locale, origin, setting)}
${isOpen(origin) && html`<p>${rows.length === 0 ? endpoints.empty : endpoints.listHint}</p>`}
${isOpen(origin) && rows.length > 0 && consequence(locale, 'removeEndpoint')}
<ol class="plain">${rows.map((row, at) => endpointItem(locale, model, row, at))}</ol></section>
${isOpen(origin) && publicCard(locale, model)}
${isOpen(origin) && ownForm(locale, model)}
<section class="card" aria-labelledby="sees"><h2 id="sees">${endpoints.sees}</h2>
<p>${endpoints.seesText}</p></section>`
}
