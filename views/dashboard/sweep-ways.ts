import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'

/** The unsigned transactions of one network. */
export interface EvmBatch {
  chain: string
  network: string
  chainId: number
  calls: readonly { to: string; data: string }[]
}

const steps = (texts: readonly (string | Html)[]): Html =>
  html`<ol>${texts.map(
    text => html`<li>${text}</li>
`,
  )}</ol>`

/** A command of Foundry that signs and sends a call with a Ledger. */
const commandOf = ({ chainId }: EvmBatch, { to, data }: EvmBatch['calls'][number]): string =>
  `cast send --ledger --rpc-url "$RPC_URL" --chain ${chainId} ${to} ${data}`

/** Above this number of transactions, commands are not offered: nobody runs that many by hand. */
const COMMANDS_MAX = 100

function shellWay({ texts: { funds, frame } }: DashboardLocale, batches: readonly EvmBatch[]): Html | null {
  const commands = batches.flatMap(batch => batch.calls.map(call => commandOf(batch, call)))
  if (commands.length > COMMANDS_MAX) return null
  const text = commands.join('\n')
  return html`<details><summary>${funds.shell.title}</summary><p>${funds.shell.hint}</p>
<pre dir="ltr" tabindex="0">${text}</pre>
<p><button type="button" class="quiet small" data-copy="${text}" hidden>${frame.copy}</button></p></details>`
}

/** A link to a file for Safe's Transaction Builder. The link contains the file and needs no script. */
function safeFile({ texts: { funds } }: DashboardLocale, { chain, network, chainId, calls }: EvmBatch): Html {
  const transactions = calls.map(({ to, data }) => ({ to, value: '0', data }))
  const content = {
    version: '1.0',
    chainId: `${chainId}`,
    meta: { name: `Florin: ${network}` },
    transactions,
  }
  const url = `data:application/json,${encodeURIComponent(JSON.stringify(content))}`
  return html`<a class="button quiet small" download="florin-${chain}.json" href="${url}">
${funds.safe.download({ network })}</a> `
}

/** Ways to sign the transactions without a wallet in this browser. */
export function otherWays(locale: DashboardLocale, batches: readonly EvmBatch[]): Html {
  const { funds } = locale.texts
  const { phone, device, safe, copying } = funds
  const files = batches.map(batch => safeFile(locale, batch))
  return html`<h3>${funds.ways}</h3>
<p>${funds.waysIntro}</p>
<details><summary>${phone.title}</summary><p>${phone.open}</p></details>
<details><summary>${device.title}</summary>${steps([device.install, device.connect, device.sign])}</details>
<details><summary>${safe.title}</summary>
${steps([html`${safe.file}<br>${files}`, safe.build, safe.send])}</details>
${shellWay(locale, batches)}
<details><summary>${copying.title}</summary><p>${copying.hint}</p></details>`
}
