import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'
import { field, hidden, message, table, time } from './parts.ts'

/** A fee in the coin of its network, and in the shop's currency if the coin has a rate. */
interface Fee {
  amount: string
  value: string | null
}

/** Funds that wait on one network. */
export interface FundsRow {
  network: string
  addresses: number
  amounts: readonly string[]
  /** null if a coin has no rate */
  value: string | null
  /** null if no endpoint reported a plausible fee */
  fee: Fee | null
  share: string | null
  worthFrom: string | null
  readAt: number
}

export interface FundsTableModel {
  rows: readonly FundsRow[]
  total: string
  /** true if the total excludes coins without a rate */
  isPartial: boolean
  worthPercent: string
  /** networks on which buyers pay to the shop's own wallets, and providers that pay out */
  ownNetworks: readonly string[]
  providers: readonly string[]
}

export interface FundsOverviewModel {
  /** null if no coin has a rate */
  value: string | null
  /** the coins without a rate; empty if all have one */
  unvalued: string
  readAt: number
}

export interface FundsHistoryRow {
  at: number
  network: string
  moved: readonly string[]
  status: keyof DashboardLocale['texts']['funds']['states']
  fee: Fee | null
  txId: string
  /** URL of the transaction in an explorer; null if there is none */
  url: string | null
}

interface FundsFormsModel {
  history: readonly FundsHistoryRow[]
  olderUrl: string | null
  /** networks on which funds have to be moved */
  networks: readonly (readonly [chain: string, name: string])[]
  currency: string | null
  reminder: string
  done: 'added' | 'saved' | null
  /** values of the form that was refused */
  entered: { chain?: string; transactions?: string } | null
  wrong: readonly string[]
}

const lines = (texts: readonly string[]): Html =>
  html`${texts.map((text, index) => html`${index > 0 && html`<br>`}<bdi>${text}</bdi>`)}`

function feeText({ amount, value }: Fee, unvalued: string): Html {
  return html`<bdi>${amount}</bdi><br><span class="soft">${value ?? unvalued}</span>`
}

function fundsTableRow(locale: DashboardLocale, row: FundsRow): Html {
  const { funds } = locale.texts
  const { network, addresses, amounts, value, fee, share, worthFrom, readAt } = row
  const count = html`<span class="soft">${funds.addresses({ count: addresses })}</span>`
  return html`<tr><th scope="row">${network}<br>${count}</th>
<td data-name="${funds.amounts}">${lines(amounts)}</td>
<td class="number" data-name="${funds.value}">${value ?? funds.unknownValue}</td>
<td class="number" data-name="${funds.fee}">
${fee ? feeText(fee, funds.unknownValue) : funds.unknownFee}</td>
<td class="number" data-name="${funds.share}">${share ?? '–'}</td>
<td class="number" data-name="${funds.worthFrom}">${worthFrom ?? '–'}</td>
<td data-name="${funds.readAt}">${time(locale, readAt)}</td></tr>
`
}

/** Names the networks and providers whose payments need no move. */
const otherMoney = (
  { texts: { funds } }: DashboardLocale,
  { ownNetworks, providers }: Pick<FundsTableModel, 'ownNetworks' | 'providers'>,
): Html => {
  const [networks, names] = [ownNetworks.join(', '), providers.join(', ')]
  return html`${networks !== '' && html`<p class="hint">${funds.ownWallets({ networks })}</p>`}
${names !== '' && html`<p class="hint">${funds.atProviders({ names, count: providers.length })}</p>`}`
}

/** The funds that wait on each network, the cost of moving them, and the value from which it is worth it. */
export function fundsCard(locale: DashboardLocale, model: FundsTableModel): Html {
  const { funds } = locale.texts
  const { rows, total, isPartial, worthPercent } = model
  const others = otherMoney(locale, model)
  if (rows.length === 0) {
    return html`<section class="card"><h2>${funds.waits}</h2>
<p>${funds.nothing}</p>
${others}</section>`
  }
  const columns = [
    funds.network,
    funds.amounts,
    { number: funds.value },
    { number: funds.fee },
    { number: funds.share },
    { number: funds.worthFrom },
    funds.readAt,
  ]
  const cells = rows.map(row => fundsTableRow(locale, row))
  const sum = isPartial ? funds.togetherPartial({ value: total }) : funds.together({ value: total })
  return html`<section class="card"><h2>${funds.waits}</h2>
${table(funds.waits, columns, cells)}
<p><strong>${sum}</strong></p>
<p class="hint">${funds.worthHint({ percent: worthPercent })}</p>
${others}</section>`
}

/** A summary of the funds that wait. Only owners get the link to move them. */
export function fundsOverview(
  locale: DashboardLocale,
  { value, unvalued, readAt }: FundsOverviewModel,
  mayMove: boolean,
): Html {
  const { funds } = locale.texts
  const partial = value !== null && unvalued !== '' && funds.overviewPartial({ value, coins: unvalued })
  const text =
    value === null ? funds.overviewUnvalued({ coins: unvalued }) : partial || funds.overview({ value })
  return html`<section class="card"><h2>${funds.title}</h2>
<p>${text} <span class="soft">${funds.readAt}: ${time(locale, readAt)}</span></p>
${mayMove && html`<p><a class="button quiet small" href="/dashboard/payouts/sweep">${funds.toMove}</a></p>`}
</section>`
}

/** Warns of unconfirmed transactions, so that nobody moves the same funds twice and pays a second fee. */
export function underway(locale: DashboardLocale, history: readonly FundsHistoryRow[]): Html | null {
  const sent = history.filter(({ status }) => status === 'sent')
  const since = Math.min(...sent.map(({ at }) => at))
  if (sent.length === 0) return null
  const { funds } = locale.texts
  return message('warn', funds.underway({ count: sent.length, time: locale.dateTime(since) }))
}

function historyRow(locale: DashboardLocale, row: FundsHistoryRow): Html {
  const { funds } = locale.texts
  const { at, network, moved, status, fee, txId, url } = row
  const nothing = status === 'done' ? funds.prepared : funds.nothingMoved
  const id = html`<span class="code" dir="ltr">${txId.slice(0, 10)}…</span>`
  return html`<tr><td data-name="${funds.when}">${time(locale, at)}</td>
<td data-name="${funds.network}">${network}</td>
<td data-name="${funds.moved}">${moved.length > 0 ? lines(moved) : status === 'sent' ? '–' : nothing}</td>
<td class="number" data-name="${funds.paidFee}">${fee ? feeText(fee, funds.noRateThen) : '–'}</td>
<td data-name="${funds.state}">${funds.states[status]}</td>
<td data-name="${funds.transaction}">${url ? html`<a href="${url}" rel="noreferrer">${id}</a>` : id}</td></tr>
`
}

function historyCard(locale: DashboardLocale, { history, olderUrl }: FundsFormsModel): Html {
  const { funds } = locale.texts
  const columns = [
    funds.when,
    funds.network,
    funds.moved,
    { number: funds.paidFee },
    funds.state,
    funds.transaction,
  ]
  return html`<section class="card" id="history"><h2>${funds.history}</h2>
<p class="soft">${funds.historyHint}</p>
${
  history.length === 0
    ? html`<p>${funds.noHistory}</p>`
    : table(
        funds.history,
        columns,
        history.map(row => historyRow(locale, row)),
      )
}
${olderUrl && html`<p><a href="${olderUrl}">${funds.older}</a></p>`}</section>`
}

function addForm(locale: DashboardLocale, { networks, entered, wrong }: FundsFormsModel): Html | null {
  const { funds } = locale.texts
  if (networks.length === 0) return null
  const problem = (name: 'chain' | 'transactions') =>
    wrong.includes(name) && html`<p class="problem" id="${name}-problem">${funds.wrong[name]}</p>`
  const of = (name: string) =>
    wrong.includes(name) && html` aria-invalid="true" autofocus aria-describedby="${name}-problem"`
  return html`<form method="post" action="/dashboard/payouts/sweep/sent" class="card" id="sent">
${hidden(locale)}
<details${(entered !== null || wrong.length > 0) && html` open`}><summary>${funds.add}</summary>
<p class="hint">${funds.addHint}</p>
<div class="field"><label for="chain">${funds.network}</label>
<select id="chain" name="chain"${of('chain')}>
${networks.map(
  ([
    chain,
    name,
  ]) => html`<option value="${chain}"${chain === entered?.chain && html` selected`}>${name}</option>
`,
)}</select>${problem('chain')}</div>
<div class="field"><label for="transactions">${funds.transactions}</label>
<p class="hint">${funds.transactionsHint}</p>
<textarea id="transactions" name="transactions" rows="3" dir="ltr" required${of('transactions')}>
${entered?.transactions ?? ''}</textarea>${problem('transactions')}</div>
<button>${funds.addButton}</button>
</details></form>`
}

function reminderForm(locale: DashboardLocale, { currency, reminder, wrong }: FundsFormsModel): Html {
  const { funds } = locale.texts
  if (currency === null) {
    return html`<section class="card"><h2>${funds.reminder}</h2>
<p>${funds.reminderNoCurrency} <a href="/dashboard/settings">${funds.toSettings}</a></p></section>`
  }
  return html`<form method="post" action="/dashboard/payouts/sweep/reminder" class="card">
${hidden(locale)}
<h2>${funds.reminder}</h2>
${field({
  name: 'reminder',
  label: funds.reminderAmount,
  hint: funds.reminderHint({ currency }),
  value: reminder,
  problem: wrong.includes('reminder') ? funds.reminderWrong : undefined,
  inputMode: 'decimal',
})}
<button>${funds.save}</button></form>`
}

/** The result of a form. */
export const fundsDone = (
  { texts: { funds } }: DashboardLocale,
  done: FundsFormsModel['done'],
): Html | null => done && message('good', funds[done])

/** The transfers so far, with the forms to record a transfer and to set the reminder. */
export const fundsForms = (locale: DashboardLocale, model: FundsFormsModel): Html =>
  html`${historyCard(locale, model)}
${addForm(locale, model)}
${reminderForm(locale, model)}`

export type { FundsFormsModel }
