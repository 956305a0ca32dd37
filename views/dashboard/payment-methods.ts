import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'
import { hidden, message } from './parts.ts'

/** The shop's payment methods, with links to their settings. */
export interface MethodsModel {
  isCryptoOn: boolean
  /** coins that buyers can pay with now */
  coins: readonly string[]
  /** names of providers' methods, such as cards and banks */
  names: readonly string[]
  /** coins that lack only a payout wallet */
  needWallet: readonly string[]
  /** true if a person has just tried to switch off coins, which is refused if no other method is left */
  isLast: boolean
}

const walletsLink = (text: string): Html => html`<a href="/dashboard/payouts">${text}</a>`

const list = (names: readonly string[]): Html => html`<br>${names.join(', ')}`

function crypto(locale: DashboardLocale, { isCryptoOn, coins }: MethodsModel): Html {
  const { methods } = locale.texts.settings
  const [state, tone] = isCryptoOn ? [methods.on, 'good'] : [methods.off, '']
  const [label, hint] = isCryptoOn ? [methods.switchOff, methods.offHint] : [methods.switchOn, methods.onHint]
  const none = html`<br>${methods.noCoins}`
  return html`<span class="badge ${tone}">${state}</span>
${isCryptoOn && (coins.length > 0 ? list(coins.map(locale.coin)) : none)}
<form method="post" action="/dashboard/settings/crypto">
${hidden(locale, { offered: isCryptoOn ? 'no' : 'yes' })}
<p class="hint" id="crypto-hint">${hint}</p>
<button class="quiet small" aria-describedby="crypto-hint">${label}</button></form>
<p>${walletsLink(methods.toWallets)}</p>`
}

/** The shop's payment methods. Coins can be switched on and off here. */
export function methodsCard(locale: DashboardLocale, model: MethodsModel): Html {
  const { settings, orders } = locale.texts
  const { methods } = settings
  const { names, needWallet, isLast } = model
  return html`<section class="card" id="methods"><h2>${methods.title}</h2>
${isLast && message('warn', methods.last)}
<dl class="facts">
<dt>${orders.crypto}</dt><dd>${crypto(locale, model)}</dd>
<dt>${methods.others}</dt><dd>${
    names.length > 0
      ? html`<span class="badge good">${methods.on}</span>${list(names)}`
      : html`<span class="badge">${methods.off}</span>`
  }
${needWallet.length > 0 && html`<p>${methods.needWallet} ${walletsLink(methods.toWallets)}</p>`}
<p class="hint">${methods.othersHint}</p></dd>
</dl>
<p class="hint">${methods.each}</p></section>`
}
