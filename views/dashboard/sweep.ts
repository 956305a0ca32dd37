import { type Html, html } from '../html.ts'
import { type FundsHistoryRow, type FundsTableModel, fundsCard, underway } from './funds.ts'
import type { DashboardLocale } from './locale.ts'
import { copyable, field, message } from './parts.ts'
import { type EvmBatch, otherWays } from './sweep-ways.ts'

/** Funds on an address that Florin gave to a buyer. */
interface HoldingRow {
  asset: string
  amount: string
  address: string
  payoutWallet: string | null
  orderId: string
  isPaid: boolean
  /** reason why the funds cannot be moved now, in English */
  fault: string | null
}

interface SolanaCall {
  signer: string
  transaction: string
}

/** The funds that a search found. */
export interface SweepResult {
  addresses: number
  holdings: readonly HoldingRow[]
  /** funds in the merchant's own wallets for unpaid orders, which need no move */
  own: readonly HoldingRow[]
  /** errors of chains that could not be read, in English */
  faults: readonly string[]
  /** calls as JSON for the script; empty if there is nothing to sign */
  evm: { json: string; count: number } | null
  solana: readonly SolanaCall[]
  /** calls by EVM chain */
  batches: readonly EvmBatch[]
}

interface SweepModel {
  /** null until a person starts a search */
  found: SweepResult | null
  /** known funds on each network, with the cost of moving them */
  funds: FundsTableModel
  /** transfers, newest first */
  history: readonly FundsHistoryRow[]
  /** message about a sent form, and the forms */
  done: Html | null
  forms: Html
  asset: string
  min: string
  wrong: readonly string[]
  /** reason why nothing could be read, in English */
  problem: string | null
  script: string
}

/** Placeholders that the script replaces. */
const later = { wallet: '{wallet}', done: '{done}', all: '{all}' }

const english = (text: string): Html => html`<p class="message warn" lang="en" dir="ltr">${text}</p>`

function lookForm({ texts: { sweep } }: DashboardLocale, { asset, min, wrong }: SweepModel): Html {
  const problem = (name: 'asset' | 'min') => (wrong.includes(name) ? sweep.wrong[name] : undefined)
  return html`<form method="get" action="/dashboard/payouts/sweep" class="card">
<input type="hidden" name="look" value="yes">
<details${(asset !== '' || min !== '' || wrong.length > 0) && html` open`}><summary>${sweep.narrow}</summary>
${field({
  name: 'asset',
  label: sweep.asset,
  hint: sweep.assetHint,
  value: asset,
  problem: problem('asset'),
})}
${field({
  name: 'min',
  label: sweep.min,
  hint: sweep.minHint,
  value: min,
  problem: problem('min'),
  inputMode: 'decimal',
})}
</details>
<button>${sweep.look}</button>
</form>`
}

function holdingsTable(
  { coin, texts: { sweep } }: DashboardLocale,
  rows: readonly HoldingRow[],
  label: string,
): Html {
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr><th scope="col">${sweep.asset}</th><th scope="col">${sweep.amount}</th>
<th scope="col">${sweep.address}</th><th scope="col">${sweep.goesTo}</th>
<th scope="col">${sweep.order}</th></tr></thead>
<tbody>
${rows.map(
  row => html`<tr><th scope="row">${coin(row.asset)}</th><td class="number">${row.amount}</td>
<td class="code" dir="ltr">${row.address}${row.fault && html`<span lang="en">: ${row.fault}</span>`}</td>
<td class="code" dir="ltr">${row.payoutWallet}</td>
<td><a href="/dashboard/orders/${row.orderId}">${row.isPaid ? sweep.paid : sweep.notPaid}<span class="unseen">
${row.orderId}</span></a></td></tr>
`,
)}</tbody></table></div>`
}

function evmCalls(locale: DashboardLocale, { evm, batches }: SweepResult, script: string): Html | null {
  const { sweep } = locale.texts
  const [sign, open, sent] = [sweep.sign(later), sweep.signing(later), sweep.sent(later)]
  const chains = JSON.stringify(Object.fromEntries(batches.map(one => [one.chainId, one.chain])))
  const [rejected, chain, failed] = [sweep.rejected(later), sweep.chain(later), sweep.failed(later)]
  return (
    evm &&
    html`<section class="card" aria-labelledby="evm"><h2 id="evm">${sweep.evm({ count: evm.count })}</h2>
<p>${sweep.evmHint}</p>
<div data-calls="${evm.json}" data-sign="${sign}" data-open="${open}" data-sent="${sent}"
data-rejected="${rejected}" data-chain="${chain}" data-failed="${failed}"
data-reverted="${sweep.reverted(later)}" data-chains="${chains}">
<p class="no-wallet soft">${sweep.noWallet}</p>
<div class="row"></div><p role="status"></p></div>
<details><summary>${sweep.show}</summary>
<p>${sweep.copyHint}</p>
<pre dir="ltr" tabindex="0">${evm.json}</pre>
<p><button type="button" class="quiet small" data-copy="${evm.json}" hidden>
${locale.texts.frame.copy}</button></p>
</details>
${otherWays(locale, batches)}
<script src="${script}" defer></script>
</section>`
  )
}

function solanaCalls(locale: DashboardLocale, { solana }: SweepResult): Html | null {
  const { sweep } = locale.texts
  if (solana.length === 0) return null
  return html`<section class="card" aria-labelledby="solana">
<h2 id="solana">${sweep.solana({ count: solana.length })}</h2>
<p>${sweep.solanaHint}</p>
${solana.map(
  ({ signer, transaction }) => html`<dl class="facts"><dt>${sweep.signer}</dt>
<dd class="code" dir="ltr">${signer}</dd><dt>${sweep.transaction}</dt>
<dd>${copyable(locale, transaction)}</dd></dl>`,
)}</section>`
}

function foundPart(locale: DashboardLocale, found: SweepResult, script: string): Html {
  const { sweep } = locale.texts
  const { addresses, holdings, own, faults } = found
  const isUnpaid = holdings.some(({ isPaid }) => !isPaid)
  const nothing = html`<p>${sweep.nothing({ addresses })}</p>`
  return html`${faults.length > 0 && message('warn', sweep.notAsked)}${faults.map(english)}
<div class="card"><h2>${sweep.held}</h2>
${holdings.length === 0 ? nothing : holdingsTable(locale, holdings, sweep.held)}
${isUnpaid && html`<p>${sweep.notPaidHint}</p>`}
</div>
${evmCalls(locale, found, script)}
${solanaCalls(locale, found)}
${
  own.length > 0 &&
  html`<div class="card"><h2>${sweep.own}</h2>
<p>${sweep.ownHint}</p>
${holdingsTable(locale, own, sweep.own)}</div>`
}`
}

/** The funds on forwarders and seed addresses, with the transactions to sign that move them. */
export function sweepBody(locale: DashboardLocale, model: SweepModel): Html {
  const { sweep, payouts } = locale.texts
  const { found, problem, script, funds, history, done, forms } = model
  return html`<p><a href="/dashboard/payouts">${payouts.back}</a></p>
<h1>${sweep.title}</h1>
${done}
<p>${sweep.intro}</p>
${underway(locale, history)}
${fundsCard(locale, funds)}
${problem && html`${message('warn', sweep.notAsked)}${english(problem)}`}
${lookForm(locale, model)}
${found && foundPart(locale, found, script)}
${forms}`
}
