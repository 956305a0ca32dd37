import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'
import { copyable, message, table } from './parts.ts'

type Texts = DashboardLocale['texts']['payouts']
type PayoutNetwork = keyof Texts['networks']

export type PayLack = keyof Texts['unpayable']

/** Says that buyers cannot pay at all, and why. */
export const unpayableText = (
  { texts: { overview, payouts } }: DashboardLocale,
  lacks: readonly PayLack[],
): string => [overview.unpayable, ...lacks.map(lack => payouts.unpayable[lack])].join(' ')

/** An address source. */
export interface SourceRow {
  kind: 'xpub' | 'viewkey' | 'pool'
  /** part of the key, by which people recognize it; null for a pool, and for a view key, which is a secret */
  key: string | null
  /** number of addresses that buyers got */
  given: number
  /** number of free addresses in a pool */
  free: number | null
  gapLimit: number | null
  isUsedUp: boolean
  isLow: boolean
}

/** The rate sources that matter for a coin without a rate. */
interface CoinPrices {
  used: readonly string[]
  /** sources in use that may have a price for the coin */
  pricing: readonly string[]
  /** sources not in use that have a price for the coin */
  others: readonly string[]
}

interface CoinRow {
  name: string
  chain: string
  kind: keyof Texts['ways'] | null
  lacks: readonly (keyof Texts['lacks'])[]
  /** null if the coin has a rate */
  prices: CoinPrices | null
}

/** The payout settings of one network. */
export interface PayoutCard {
  network: PayoutNetwork
  address: string | null
  sources: readonly SourceRow[]
  /** wallet that issues Lightning invoices, with its server and node; null if there is none */
  lightning: { account: string; host: string; node: string } | null
  coins: readonly CoinRow[]
  warnings: readonly string[]
}

interface PayoutsModel {
  cards: readonly PayoutCard[]
  /** reasons why buyers cannot pay at all; empty if they can */
  payLacks: readonly PayLack[]
  mayChange: boolean
  saved: keyof Texts['saved'] | null
}

const isSet = ({ address, sources, lightning }: PayoutCard): boolean =>
  address !== null || sources.length > 0 || lightning !== null

function sourceFacts(locale: DashboardLocale, source: SourceRow): Html {
  const { payouts } = locale.texts
  const { kind, key, given, free, gapLimit, isUsedUp, isLow } = source
  return html`<dt>${payouts.kinds[kind]}</dt>
<dd>${key && html`<span class="code" dir="ltr">${key}</span><br>`}
${payouts.given({ count: given })} ${free !== null && payouts.free({ count: free })}
${gapLimit !== null && html`<br>${payouts.gapLimit({ limit: gapLimit })}`}
${isUsedUp && message('warn', kind === 'pool' ? payouts.poolUsedUp : payouts.accountUsedUp)}
${isLow && !isUsedUp && message('warn', payouts.poolLow({ count: free ?? 0 }))}</dd>
`
}

/** The Lightning account, with the server and the node that see its payments. */
export function lightningFacts(
  { texts: { payouts } }: DashboardLocale,
  { account, host, node }: NonNullable<PayoutCard['lightning']>,
): Html {
  return html`<span class="code" dir="ltr">${account}</span><br>
${payouts.lightningSees({ host, node })}`
}

/** The payout wallet and the sources of addresses of a network. */
export function payoutFacts(locale: DashboardLocale, card: PayoutCard): Html {
  const { payouts } = locale.texts
  if (!isSet(card)) return html`<p class="soft">${payouts.notSet}</p>`
  return html`<dl class="facts">
<dt>${payouts.wallet}</dt>
<dd>${card.address === null ? payouts.noWallet : copyable(locale, card.address)}</dd>
${card.sources.map(source => sourceFacts(locale, source))}
${
  card.lightning &&
  html`<dt>${payouts.kinds.lightning}</dt>
<dd>${lightningFacts(locale, card.lightning)}</dd>`
}
</dl>
${card.warnings.map(
  warning => html`<div class="message warn"><p>${payouts.warning}</p>
<p>${warning}</p></div>`,
)}`
}

/** The reason why a coin has no rate. If several sources are in use, two have to agree on a price. */
export function rateLack({ texts }: DashboardLocale, { used, pricing, others }: CoinPrices): string {
  const { lacks, lacksRate } = texts.payouts
  const exchanges: Record<string, string> = texts.endpoints.exchanges
  const named = (names: readonly string[]) => names.map(name => exchanges[name] ?? name).join(', ')
  if (used.length === 0) return lacks.rate
  const needed = used.length === 1 && pricing.length === 1 ? 0 : 2 - pricing.length
  if (needed <= 0) return lacksRate.notNow({ sources: named(pricing) })
  const reason =
    needed === 2 ? lacksRate.none({ sources: named(used) }) : lacksRate.one({ source: named(pricing) })
  const way = needed === 2 ? lacksRate.addTwo : lacksRate.addOne
  return `${reason} ${others.length < needed ? lacksRate.noOthers : way({ sources: named(others) })}`
}

function lackText(
  locale: DashboardLocale,
  network: PayoutNetwork,
  { prices, chain }: CoinRow,
  lack: keyof Texts['lacks'],
): string {
  const { lacks, lacksSource } = locale.texts.payouts
  if (lack === 'rate' && prices) return rateLack(locale, prices)
  if (lack !== 'source') return lacks[lack]
  if (chain === 'lightning') return lacksSource.lightning
  return network === 'solana' || network === 'xmr' ? lacksSource[network] : lacks.source
}

/** The coins that buyers can pay with, and for each other coin what it lacks. */
export function coinsTable(locale: DashboardLocale, card: PayoutCard): Html {
  const { payouts } = locale.texts
  const { coins, network } = card
  const rows = coins.map(coin => {
    const { name, kind, lacks } = coin
    return html`<tr><th scope="row">${locale.coin(name)}</th>
<td>${kind === null ? payouts.fromNowhere : payouts.ways[kind]}</td>
<td>${
      lacks.length === 0
        ? html`<span class="badge good">${payouts.payable}</span>`
        : lacks.map(lack => html`<span class="lack">${lackText(locale, network, coin, lack)}</span> `)
    }</td></tr>
`
  })
  const label = payouts.coinsOf({ network: payouts.networks[network] })
  return table(label, [payouts.coin, payouts.from, payouts.state], rows)
}

function payoutCard(locale: DashboardLocale, card: PayoutCard, mayChange: boolean): Html {
  const { payouts } = locale.texts
  const { network } = card
  const coins = card.coins.map(coin => locale.coin(coin.name)).join(', ')
  const name = payouts.networks[network]
  const isOpen = isSet(card)
  const link = html`<a class="button quiet small" href="/dashboard/payouts/${network}">
${isOpen ? payouts.change : payouts.setUp}<span class="unseen"> ${name}</span></a>`
  const hasPool = card.sources.some(({ kind }) => kind === 'pool')
  const list = html`<a class="button quiet small" href="/dashboard/payouts/${network}/pool">
${locale.texts.pool.manage}<span class="unseen"> ${name}</span></a>`
  return html`<section class="card" aria-labelledby="network-${network}">
<div class="between"><h2 id="network-${network}">${name}</h2>
${mayChange && html`<div class="row">${hasPool && list}${link}</div>`}</div>
${payoutFacts(locale, card)}
${isOpen ? coinsTable(locale, card) : html`<p class="soft">${coins}</p>`}
</section>`
}

/** The payout settings of a shop, by network. */
export function payoutsBody(
  locale: DashboardLocale,
  { cards, payLacks, mayChange, saved }: PayoutsModel,
): Html {
  const { payouts, sweep } = locale.texts
  const sorted = [...cards.filter(isSet), ...cards.filter(card => !isSet(card))]
  return html`<h1>${payouts.title}</h1>
${saved && message('good', payouts.saved[saved])}
${payLacks.length > 0 && message('warn', unpayableText(locale, payLacks))}
<p>${payouts.intro}</p>
${mayChange && html`<p><a href="/dashboard/payouts/sweep">${sweep.link}</a></p>`}
${sorted.map(card => payoutCard(locale, card, mayChange))}`
}
