import { type Html, html } from '../html.ts'
import { filled } from '../texts/message.ts'
import type { DashboardLocale } from './locale.ts'
import { consequence, describedBy, endOnce, hidden, message } from './parts.ts'

type Texts = DashboardLocale['texts']
type Network = keyof Texts['payouts']['networks']

/** The problem of an entered list or of its form. */
interface ListProblem {
  /** null if some lines are wrong */
  text: string | null
  /** first invalid lines */
  lines: readonly { line: number; text: string }[]
  /** number of all invalid lines */
  count: number
}

export interface PoolModel {
  network: Network
  isActive: boolean
  free: number
  reserved: number
  used: number
  isLow: boolean
  next: readonly string[]
  done: { what: keyof Texts['pool']['done']; count: number } | null
  problem: ListProblem | null
  /** true if the person came from the setup of the shop, and returns to it */
  isSetup: boolean
}

interface PoolCheckModel {
  network: Network
  draft: string
  what: 'add' | 'takeOut'
  /** addresses to add or to remove */
  addresses: readonly string[]
  known: readonly number[]
  repeated: readonly number[]
  isUnchecked: boolean
  isSetup: boolean
}

const FIRST_SHOWN = 3
const LINES_SHOWN = 20

const pathOf = (network: Network): string => `/dashboard/payouts/${network}/pool`
const fromOf = (isSetup: boolean) => ({ from: isSetup && 'setup' })

const head = ({ texts: { pool, payouts } }: DashboardLocale, network: Network, isSetup: boolean): Html =>
  html`<p><a href="/dashboard/payouts/${network}${isSetup && '?from=setup'}">
${pool.back({ network: payouts.networks[network] })}</a></p>
<h1>${pool.title({ network: payouts.networks[network] })}</h1>`

function problemPart({ texts: { pool } }: DashboardLocale, { text, lines, count }: ListProblem): Html {
  if (text !== null) return message('warn', text)
  return html`<div class="message warn" role="alert"><p>${pool.wrong({ count })}</p>
<ul>${lines.map(({ line, text }) => html`<li>${pool.line({ line, text })}</li>`)}</ul>
${count > lines.length && html`<p>${pool.moreLines({ count: count - lines.length })}</p>`}</div>`
}

function counts({ texts: { pool }, number }: DashboardLocale, model: PoolModel): Html {
  const { free, reserved, used, next } = model
  const row = (name: string, count: number, hint: string) =>
    html`<dt>${name}</dt><dd><strong>${number(count)}</strong> <span class="soft">${hint}</span></dd>
`
  return html`<dl class="facts">
${row(pool.free, free, pool.freeHint)}${row(pool.reserved, reserved, pool.reservedHint)}${row(
  pool.used,
  used,
  pool.usedHint,
)}</dl>
${
  next.length > 0 &&
  html`<h3>${pool.next}</h3>
<ol>${next.map(address => html`<li class="code" dir="ltr">${address}</li>`)}</ol>`
}`
}

const warning = ({ texts: { pool } }: DashboardLocale, model: PoolModel): Html | null => {
  const { isActive, free, reserved, used, isLow } = model
  const isSet = free + reserved + used > 0
  if (!isActive) return isSet ? message('warn', pool.stopped) : null
  if (free === 0) return message('warn', pool.empty)
  return isLow ? message('warn', pool.low({ count: free })) : null
}

function smallForms(locale: DashboardLocale, { network, free, reserved }: PoolModel): Html {
  const { pool } = locale.texts
  return html`${
    reserved > 0 &&
    html`<form method="post" action="${pathOf(network)}/reclaim">${hidden(locale)}
<p class="soft">${pool.reclaimHint}</p><p><button class="quiet small">${pool.reclaim}</button></p></form>`
  }
${
  free > 0 &&
  html`<form method="post" action="${pathOf(network)}/empty">${hidden(locale)}
${consequence(locale, 'emptyPool')}
<button class="danger small" data-ask="${pool.emptyAsk}"
${describedBy('emptyPool')}>${pool.emptyAll({ count: free })}</button></form>`
}`
}

/** The state of a list of addresses, and the form to add or remove addresses. Its field is always empty. */
export function poolBody(locale: DashboardLocale, model: PoolModel): Html {
  const { pool, payouts } = locale.texts
  const { network, done, problem, isSetup } = model
  return html`${head(locale, network, isSetup)}
${done && message('good', filled(pool.done[done.what], { count: locale.number(done.count) }))}
${problem && html`<div id="text-problem">${problemPart(locale, problem)}</div>`}
${warning(locale, model)}
<p>${pool.intro}</p>
<section class="card" aria-labelledby="count"><h2 id="count">${pool.count}</h2>
${counts(locale, model)}
${smallForms(locale, model)}
</section>
<form method="post" action="${pathOf(network)}/check" enctype="multipart/form-data" class="card"
autocomplete="off">${hidden(locale, fromOf(isSetup))}
<h2>${pool.change}</h2>
<p>${payouts.neverPrivate}</p>
<div class="field"><label for="text">${pool.text}</label>
<p class="hint" id="text-hint">${pool.textHint}</p>
<textarea id="text" name="text" rows="8" class="code" dir="ltr" spellcheck="false" autocapitalize="off"
aria-describedby="text-hint${problem && ' text-problem'}"
${problem && html` aria-invalid="true" autofocus`}></textarea></div>
<div class="field"><label for="file">${pool.file}</label>
<input id="file" name="file" type="file" accept=".txt,.csv,text/plain"></div>
<div class="row"><button name="do" value="add">${pool.add}</button>
<button name="do" value="takeOut" class="quiet">${pool.takeOut}</button></div>
</form>`
}

/** The first numbers of invalid lines. */
const numbersOf = (lines: readonly number[]): string =>
  lines.length > LINES_SHOWN ? `${lines.slice(0, LINES_SHOWN).join(', ')} …` : lines.join(', ')

function shown({ texts: { pool } }: DashboardLocale, addresses: readonly string[]): Html {
  const first = addresses.slice(0, FIRST_SHOWN)
  const last = addresses.length > FIRST_SHOWN ? addresses.at(-1) : null
  return html`<p>${pool.firstOnes}</p>
<ol>${first.map(one => html`<li class="code" dir="ltr">${one}</li>`)}</ol>
${last && html`<p>${pool.lastOne}</p><p class="code" dir="ltr">${last}</p>`}`
}

/** The addresses that a list would add or remove, which people check before they save it. */
export function poolCheckBody(locale: DashboardLocale, model: PoolCheckModel): Html {
  const { pool, frame } = locale.texts
  const { network, draft, what, addresses, known, repeated, isUnchecked, isSetup } = model
  const isAdding = what === 'add'
  const count = addresses.length
  return html`${head(locale, network, isSetup)}
<form method="post" action="${pathOf(network)}/save" class="card">
${hidden(locale, { draft, ...fromOf(isSetup) })}
<h2>${isAdding ? pool.checkAdd({ count }) : pool.checkTakeOut({ count })}</h2>
${known.length > 0 && html`<p class="soft">${endOnce(pool.known({ lines: numbersOf(known) }))}</p>`}
${repeated.length > 0 && html`<p class="soft">${endOnce(pool.repeated({ lines: numbersOf(repeated) }))}</p>`}
${isAdding && html`<p>${pool.compare}</p>`}
${shown(locale, addresses)}
${isUnchecked && html`<p class="problem" id="compared-problem">${pool.compareFirst}</p>`}
${
  isAdding &&
  html`<label class="check"><input type="checkbox" name="compared" value="yes" required
${isUnchecked && html` aria-invalid="true" autofocus aria-describedby="compared-problem"`}>
<span>${pool.compared}</span></label>`
}
<div class="row"><button>${isAdding ? pool.confirmAdd : pool.confirmTakeOut}</button>
<a class="button quiet" href="${pathOf(network)}${isSetup && '?from=setup'}">${frame.cancel}</a></div>
</form>`
}
