import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'
import { consequence, describedBy, field, hidden, message, select } from './parts.ts'
import { coinsTable, lightningFacts, type PayoutCard, payoutFacts, rateLack } from './payouts.ts'

type Problem = keyof DashboardLocale['texts']['payouts']['problems']

/** Server settings without which buyers cannot pay. Operators choose them. */
interface Missing {
  /** chains without an endpoint */
  chains: readonly { chain: string; name: string; coins: readonly string[] }[]
  /** coins without a rate */
  unpriced: readonly { name: string; prices: Parameters<typeof rateLack>[1] }[]
  mayChoose: boolean
}

interface SetUpModel {
  card: PayoutCard
  missing: Missing
  /** accepted kind of input; `either` is an address or an account key */
  accepts: 'address' | 'either' | 'account' | 'viewkey' | 'lightning'
  problem: Problem | null
  /** details of the problem */
  detail: string | null
  /** types of addresses to choose from; empty unless the key needs a choice */
  scripts: readonly string[]
  /** true if the network can have a list of addresses instead */
  hasPool: boolean
  /** true if the person came from the setup of the shop, and returns to it */
  isSetup: boolean
  /** true if an endpoint or rate source was just chosen */
  isChosen: boolean
}

interface CheckModel {
  card: PayoutCard
  draft: string
  /** address to save, in its checksum form; null for an address source */
  address: string | null
  /** first addresses of an address source, to compare with the wallet */
  first: readonly string[]
  /** Lightning account that was tried; null for other wallets */
  lightning: PayoutCard['lightning']
  /** warnings about an ambiguous key */
  warnings: readonly string[]
  /** first address of each other type that the key may be for */
  others: readonly { script: string; address: string }[]
  /** true if an address is not enough on this network, and no account key or list is set */
  needsAccount: boolean
  isUnchecked: boolean
  isSetup: boolean
}

const head = (
  { texts: { payouts, setup } }: DashboardLocale,
  { network }: PayoutCard,
  isSetup: boolean,
): Html =>
  html`<p>${
    isSetup
      ? html`<a href="/dashboard/setup/payouts">${setup.back}</a>`
      : html`<a href="/dashboard/payouts">${payouts.back}</a>`
  }</p>
<h1>${payouts.titleOf({ network: payouts.networks[network] })}</h1>`

/** The hidden value of forms that leads back to the setup. */
const fromOf = (isSetup: boolean) => ({ from: isSetup && 'setup' })

function removeForms(locale: DashboardLocale, card: PayoutCard): Html | null {
  const { payouts } = locale.texts
  const kinds = [
    ...(card.address === null ? [] : ['address' as const]),
    ...card.sources.map(({ kind }) => kind),
    ...(card.lightning === null ? [] : ['lightning' as const]),
  ]
  if (kinds.length === 0) return null
  return html`${consequence(locale, 'removeWallet')}
<div class="row">${kinds.map(
    kind => html`<form method="post" action="/dashboard/payouts/${card.network}/remove">
${hidden(locale, { what: kind })}
<button class="danger small" data-ask="${payouts.removeAsk}"
${describedBy('removeWallet')}>${payouts.remove[kind]}</button>
</form>`,
  )}</div>`
}

/** The missing endpoints and rates. They concern the whole server, so only operators can choose them. */
function missingPart(
  locale: DashboardLocale,
  missing: Missing,
  network: string,
  isSetup: boolean,
): Html | null {
  const { payouts } = locale.texts
  const { chains, unpriced, mayChoose } = missing
  if (chains.length === 0 && unpriced.length === 0) return null
  const hasSource = unpriced.some(({ prices }) => prices.used.length > 0)
  const reasons = Map.groupBy(unpriced, ({ prices }) => rateLack(locale, prices))
  const back = `?back=${isSetup ? 'setup-' : ''}${network}`
  const link = (path: string, text: string, part = '') =>
    html`<a class="button quiet small" href="/dashboard/endpoints${path}${back}${part}">${text}</a>`
  return html`<section class="card" aria-labelledby="missing"><h2 id="missing">${payouts.missing}</h2>
<p>${mayChoose ? payouts.missingHint : payouts.missingOperator}</p>
<ul class="plain">${chains.map(
    ({ chain, name, coins }) => html`<li><div class="between">
<span>${payouts.lacksEndpoint({ coins: coins.map(locale.coin).join(', '), chain: name })}</span>
${mayChoose && link(`/${chain}`, payouts.chooseEndpoint({ chain: name }))}</div></li>
`,
  )}${
    unpriced.length > 0 &&
    html`<li><div class="between"><span>${
      hasSource
        ? [...reasons].map(
            ([reason, coins]) => html`<span class="lack">
${coins.map(({ name }) => locale.coin(name)).join(', ')}: ${reason}</span>`,
          )
        : payouts.lacksRates
    }</span>
${mayChoose && link('', payouts.chooseRates, '#rates')}</div></li>`
  }</ul></section>`
}

/** The choice of an address type, for an account key that does not contain it. */
function scriptField(
  { texts: { payouts } }: DashboardLocale,
  scripts: readonly string[],
  network: PayoutCard['network'],
): Html {
  const names: Record<string, string> = payouts.scripts
  const hint = network === 'btc' || network === 'ltc' ? payouts.scriptHints[network] : null
  return html`<div class="field"><label for="script">${payouts.script}</label>
${hint && html`<p class="hint" id="script-hint">${hint}</p>`}
<select id="script" name="script"${hint && html` aria-describedby="script-hint"`}>${scripts.map(
    script => html`<option value="${script}">${names[script] ?? script}</option>`,
  )}</select></div>`
}

function poolLink({ texts: { pool } }: DashboardLocale, { network }: PayoutCard, isSetup: boolean): Html {
  return html`<section class="card" aria-labelledby="list"><h2 id="list">${pool.link}</h2>
<p>${pool.intro}</p>
<p><a class="button quiet" href="/dashboard/payouts/${network}/pool${isSetup && '?from=setup'}">
${pool.manage}</a></p></section>`
}

/** The form that connects a node. Its fields are always empty, because one of them is a secret. */
function nodeForm(locale: DashboardLocale, { network }: PayoutCard, isSetup: boolean): Html {
  const { lightningNode: texts } = locale.texts.payouts
  const kinds = Object.entries(texts.kinds)
  return html`<form method="post" action="/dashboard/payouts/${network}/check" class="card"
autocomplete="off">${hidden(locale, fromOf(isSetup))}
<h2>${texts.title}</h2>
<p>${texts.intro}</p>
${select({ name: 'kind', label: texts.kind, value: kinds[0]?.[0] ?? '', options: kinds })}
${field({ name: 'url', label: texts.url, hint: texts.urlHint })}
${field({ name: 'store', label: texts.store, hint: texts.storeHint })}
<ul class="hint">${Object.values(texts.secretHints).map(hint => html`<li>${hint}</li>`)}</ul>
${field({ name: 'secret', label: texts.secret, type: 'password', autocomplete: 'off', isRequired: true })}
<div class="field"><label for="certificate">${texts.certificate}</label>
<p class="hint" id="certificate-hint">${texts.certificateHint}</p>
<textarea id="certificate" name="certificate" rows="2" spellcheck="false"
aria-describedby="certificate-hint"></textarea></div>
<button>${texts.try}</button>
</form>`
}

/** The form for a wallet. Its field is always empty, because a refused value may be a secret. */
function entryForm(locale: DashboardLocale, model: SetUpModel): Html {
  const { payouts } = locale.texts
  const { card, accepts, problem, scripts, isSetup } = model
  return html`<form method="post" action="/dashboard/payouts/${card.network}/check" class="card"
autocomplete="off">
${hidden(locale, fromOf(isSetup))}
<h2>${payouts.enter}</h2>
<div class="field"><label for="text">${payouts.labels[accepts]}</label>
<p class="hint" id="text-hint">${payouts.hints[accepts]}</p>
<textarea id="text" name="text" rows="3" required spellcheck="false" autocapitalize="off"
aria-describedby="text-hint${problem && ' text-problem'}"
${problem && html` aria-invalid="true" autofocus`}></textarea></div>
${
  accepts === 'viewkey' &&
  field({
    name: 'viewKey',
    label: payouts.viewKey,
    hint: payouts.viewKeyHint,
    autocomplete: 'off',
    isRequired: true,
  })
}
${scripts.length > 0 && scriptField(locale, scripts, card.network)}
<p class="hint">${accepts === 'viewkey' ? payouts.neverSpendKey : payouts.neverPrivate}</p>
${accepts !== 'viewkey' && html`<p class="hint">${payouts.ownWallet}</p>`}
<button>${payouts.check}</button>
</form>`
}

/** True if the network has a wallet or an address source. It is then shown first. */
const isSetUp = ({ address, sources, lightning }: PayoutCard): boolean =>
  address !== null || sources.length > 0 || lightning !== null

export function setUpBody(locale: DashboardLocale, model: SetUpModel): Html {
  const { payouts } = locale.texts
  const { card, missing, accepts, problem, detail, hasPool, isSetup, isChosen } = model
  const state = html`<section class="card" aria-labelledby="now"><h2 id="now">${payouts.now}</h2>
${payoutFacts(locale, card)}
${coinsTable(locale, card)}
${removeForms(locale, card)}
</section>
${missingPart(locale, missing, card.network, isSetup)}`
  const isStateFirst = isSetUp(card) && problem === null
  return html`${head(locale, card, isSetup)}
${isChosen && message('good', payouts.chosen)}
${
  problem &&
  html`<div class="message warn" role="alert" id="text-problem"><p>${payouts.problems[problem]}</p>
${detail && html`<p>${detail}</p>`}</div>`
}
${isStateFirst && state}
${entryForm(locale, model)}
${accepts === 'lightning' && nodeForm(locale, card, isSetup)}
${hasPool && poolLink(locale, card, isSetup)}
${!isStateFirst && state}`
}

function otherScripts(locale: DashboardLocale, { card, draft, others, isSetup }: CheckModel): Html | null {
  const { payouts } = locale.texts
  if (others.length === 0) return null
  return html`<section class="card" aria-labelledby="others"><h2 id="others">${payouts.others}</h2>
<p>${payouts.othersHint}</p>
<ul class="plain">${others.map(
    ({ script, address }) => html`<li><form method="post" action="/dashboard/payouts/${card.network}/check">
${hidden(locale, { draft, script, ...fromOf(isSetup) })}
<p class="code" dir="ltr">${address}</p>
<button class="quiet small">${payouts.useThis}<span class="unseen"> ${script}</span></button>
</form></li>`,
  )}</ul></section>`
}

function compared(locale: DashboardLocale, { address, first, lightning }: CheckModel): Html {
  const { payouts } = locale.texts
  if (lightning !== null)
    return html`<p>${payouts.lightningTried}</p>
<p>${lightningFacts(locale, lightning)}</p>`
  if (address !== null)
    return html`<p>${payouts.checksum}</p>
<p class="code" dir="ltr">${address}</p>`
  return html`<p>${payouts.firstAddresses}</p>
<ol>${first.map(one => html`<li class="code" dir="ltr">${one}</li>`)}</ol>`
}

/** The entered wallet, which people compare with their own before they save it. */
export function checkBody(locale: DashboardLocale, model: CheckModel): Html {
  const { payouts, frame } = locale.texts
  const { card, draft, warnings, needsAccount, isUnchecked, isSetup } = model
  const { network } = card
  return html`${head(locale, card, isSetup)}
<form method="post" action="/dashboard/payouts/${network}/save" class="card">
${hidden(locale, { draft, ...fromOf(isSetup) })}
<h2>${payouts.compare}</h2>
${compared(locale, model)}
${model.address !== null && needsAccount && message('warn', payouts.needsAccount)}
${warnings.map(warning => message('warn', warning))}
${isUnchecked && html`<p class="problem" id="compared-problem">${payouts.compareFirst}</p>`}
<label class="check"><input type="checkbox" name="compared" value="yes" required
${isUnchecked && html` aria-invalid="true" autofocus aria-describedby="compared-problem"`}>
<span>${payouts.compared}</span></label>
<div class="row"><button>${frame.save}</button>
<a class="button quiet" href="/dashboard/payouts/${network}${isSetup && '?from=setup'}">
${frame.cancel}</a></div>
</form>
${otherScripts(locale, model)}`
}
