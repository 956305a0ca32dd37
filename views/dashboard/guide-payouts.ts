import { type Html, html } from '../html.ts'
import { type Guide, guidePage } from './guide.ts'
import type { DashboardLocale } from './locale.ts'
import { endOnce, message } from './parts.ts'

type Payouts = DashboardLocale['texts']['payouts']
type Network = keyof Payouts['networks']

interface NetworkRow {
  network: Network
  /** all coins of the network */
  coins: readonly string[]
  /** true if an address or a key is set */
  isSet: boolean
  /** the coins that buyers can pay with */
  payable: readonly string[]
}

interface GuidePayoutsModel {
  rows: readonly NetworkRow[]
  isSaved: boolean
}

const COINS_MAX = 6

function listed({ coin }: DashboardLocale, coins: readonly string[]): string {
  const names = coins.map(coin)
  return names.length > COINS_MAX ? `${names.slice(0, COINS_MAX).join(', ')} …` : names.join(', ')
}

type Suggested = keyof DashboardLocale['texts']['setup']['payouts']['why']
const isSuggested = (network: Network): network is Suggested => network === 'evm' || network === 'btc'

function state(locale: DashboardLocale, { network, coins, isSet, payable }: NetworkRow): Html {
  const { setup } = locale.texts
  if (!isSet)
    return html`<p class="soft">
${isSuggested(network) ? setup.payouts.why[network] : listed(locale, coins)}</p>`
  if (payable.length > 0) {
    const text = setup.payouts.payable({ coins: listed(locale, payable) })
    return html`<p class="good-text">${endOnce(text)}</p>`
  }
  return html`<p class="problem">${setup.payouts.notPayable}</p>`
}

function row(locale: DashboardLocale, one: NetworkRow): Html {
  const { payouts, setup } = locale.texts
  const { network, isSet, payable } = one
  const label = !isSet
    ? setup.payouts.enter
    : payable.length > 0
      ? setup.payouts.change
      : setup.payouts.whatIsMissing
  const name = payouts.networks[network]
  return html`<section class="card" aria-labelledby="network-${network}"><div class="between">
<div class="grow"><h2 id="network-${network}">${name}</h2>
${state(locale, one)}</div>
<a class="button${isSet && payable.length > 0 && ' quiet'}" href="/dashboard/payouts/${network}?from=setup">
${label}<span class="unseen"> ${name}</span></a></div></section>
`
}

/** Explains wallets to beginners. */
function walletHelp({ texts: { setup } }: DashboardLocale): Html {
  const { get, write, copy, exchange } = setup.payouts.helpSteps
  return html`<details class="more"><summary>${setup.payouts.help}</summary>
<ol><li>${get}</li><li>${write}</li><li>${copy}</li></ol><p>${exchange}</p></details>`
}

/** The step of the setup that links to the payout settings of each network. */
export function guidePayoutsBody(
  locale: DashboardLocale,
  guide: Guide,
  { rows, isSaved }: GuidePayoutsModel,
): Html {
  const { setup } = locale.texts
  const isShown = ({ isSet, network }: NetworkRow) => isSet || isSuggested(network)
  const others = rows.filter(one => !isShown(one))
  const body = html`<p>${setup.payouts.intro}</p>
${isSaved ? message('good', setup.payouts.saved) : html`<p>${setup.payouts.start}</p>`}
${rows.filter(isShown).map(one => row(locale, one))}
${rows.every(({ isSet }) => !isSet) && walletHelp(locale)}
${
  others.length > 0 &&
  html`<details class="more"><summary>${setup.payouts.others}</summary>
${others.map(one => row(locale, one))}</details>`
}`
  return guidePage(locale, guide, setup.payouts.title, body)
}
