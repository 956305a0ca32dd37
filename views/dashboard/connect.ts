import { type Html, html } from '../html.ts'
import { developerTabs } from './developer-tabs.ts'
import type { DashboardLocale } from './locale.ts'
import { copyable, hidden, message, table, time } from './parts.ts'

type ScopeName = keyof DashboardLocale['texts']['developers']['scopeNames']

interface AppModel {
  id: string
  label: string | null
  appOrigin: string | null
  createdAt: number
  lastUsedAt: number | null
}

interface AppsModel {
  apps: readonly AppModel[]
  /** true if the operator has enabled the API that plugins use */
  isOn: boolean
  /** URL that people enter in their plugins */
  url: string
  shopId: string
  isRevoked: boolean
}

/** A shop system and its plugin, whose names are the same in each language. */
interface ShopSystem {
  system: string
  plugin: string
  /** where people enter the URL */
  place: string
  /** what the plugin asks for: a key that Florin hands over, a key that people copy, or a pairing code */
  asks: 'key' | 'copiedKey' | 'code'
  /** true if people enter a host name there, not a URL */
  takesHost?: true
}

const systems: readonly ShopSystem[] = [
  {
    system: 'WooCommerce',
    plugin: 'BTCPay for WooCommerce V2',
    place: 'WooCommerce → Settings → BTCPay Settings',
    asks: 'key',
  },
  { system: 'PrestaShop', plugin: 'BTCPay', place: 'Modules → BTCPay → Configure', asks: 'key' },
  {
    system: 'Magento 2',
    plugin: 'BTCPay Server',
    place: 'Stores → Configuration → Payment Methods',
    asks: 'key',
  },
  {
    system: 'Shopware',
    plugin: 'BTCPay Server',
    place: 'Settings → Extensions → BTCPay Server',
    asks: 'key',
  },
  {
    system: 'OpenCart',
    plugin: 'BTCPay Server',
    place: 'Extensions → Payments → BTCPay Server',
    asks: 'copiedKey',
  },
  {
    system: 'Odoo',
    plugin: 'BTCPay Server',
    place: 'Invoicing → Payment Providers → BTCPay Server',
    asks: 'code',
  },
  {
    system: 'Drupal Commerce',
    plugin: 'Commerce BTCPay',
    place: 'Commerce → Configuration → Payment gateways',
    asks: 'code',
    takesHost: true,
  },
  {
    system: 'WHMCS',
    plugin: 'BTCPay Server',
    place: 'System Settings → Payment Gateways',
    asks: 'copiedKey',
  },
]

const code = (text: string): Html => html`<span class="code" dir="ltr">${text}</span>`

function guides({ texts: { apps } }: DashboardLocale, url: string, shopId: string): Html {
  const copiedKey = apps.step3Key.html({ store: code(shopId) })
  const last = { key: apps.step3, copiedKey, code: apps.step3Code }
  const host = code(new URL(url).host)
  return html`${systems.map(
    ({ system, plugin, place, asks, takesHost }) => html`<details class="card"><summary>${system}</summary>
<ol>
<li>${apps.step1({ plugin, system })}</li>
<li>${apps.step2.html({ url: takesHost ? host : code(url), place: html`<bdi>${place}</bdi>` })}</li>
<li>${last[asks]}</li>
</ol></details>
`,
  )}`
}

/** Instructions for Florin's own plugin, which works without the API that other plugins use. */
const medusaGuide = ({ texts: { apps } }: DashboardLocale, url: string): Html =>
  html`<details class="card"><summary>Medusa</summary>
<ol>
<li>${apps.medusa1.html({ plugin: code('medusa-payment-florin') })}</li>
<li>${apps.medusa2.html({ file: code('medusa-config.ts'), url: code(url) })}</li>
<li>${apps.medusa3.html({ path: code('/hooks/florin') })}</li>
</ol></details>`

const appRow = (locale: DashboardLocale, { id, label, appOrigin, createdAt, lastUsedAt }: AppModel): Html => {
  const { apps, developers } = locale.texts
  return html`<tr>
<td><bdi>${label ?? ''}</bdi> <span class="code" dir="ltr">${appOrigin}</span></td>
<td data-name="${developers.columns.created}">${time(locale, createdAt)}</td>
<td data-name="${developers.columns.lastUsed}">
<span>${lastUsedAt === null ? developers.never : time(locale, lastUsedAt)}</span></td>
<td><form method="post" action="/dashboard/apps/${id}/revoke">${hidden(locale)}
<button class="quiet small" data-ask="${apps.revokeAsk}">${apps.revoke}</button></form></td>
</tr>`
}

/** The form for a pairing code, for plugins that have no field for an API key. */
const pairing = (locale: DashboardLocale): Html => {
  const { apps, developers } = locale.texts
  return html`<details class="card"><summary>${apps.makeCode}</summary>
<form method="post" action="/dashboard/apps/pair">${hidden(locale)}
<p>${apps.codeHint}</p>
<div class="field"><label for="label">${developers.label}</label>
<p class="hint" id="label-hint">${developers.labelHint}</p>
<input id="label" name="label" required maxlength="64" dir="auto" aria-describedby="label-hint"></div>
<button>${apps.makeCode}</button>
</form></details>`
}

/** A pairing code that was just made. */
export const codeBody = (
  locale: DashboardLocale,
  { code, expiresAt }: { code: string; expiresAt: number },
) => {
  const { apps } = locale.texts
  return html`<h1>${apps.code}</h1>
<div class="card"><p>${copyable(locale, code)}</p>
<p>${apps.codeUntil.html({ time: time(locale, expiresAt) })}</p>
<p>${apps.askHint}</p>
<p><a href="/dashboard/apps">${apps.title}</a></p></div>`
}

/** Instructions for each shop system, and the list of connected ones. */
export function appsBody(locale: DashboardLocale, { apps, isOn, url, shopId, isRevoked }: AppsModel): Html {
  const { apps: texts, developers } = locale.texts
  const { created, lastUsed, actions } = developers.columns
  return html`<h1>${texts.title}</h1>
${developerTabs(locale, 'apps', true)}
${isRevoked && message('good', texts.revoked)}
<p>${texts.intro}</p>
${
  isOn
    ? html`<p>${texts.tried}</p>${guides(locale, url, shopId)}${pairing(locale)}`
    : message('warn', texts.off)
}
${medusaGuide(locale, url)}
<p>${texts.other}</p>
<div class="card"><h2>${texts.list}</h2>
${
  apps.length === 0
    ? html`<p class="empty">${texts.none}</p>`
    : table(
        texts.list,
        [texts.app, created, lastUsed, actions],
        apps.map(one => appRow(locale, one)),
      )
}
</div>`
}

interface ConnectModel {
  name: string
  /** origin of the website that gets the key; null if a person copies it */
  origin: string | null
  scopes: readonly ScopeName[]
  shopName: string
  asked: { name: string; redirect: string; permissions: readonly string[] }
  problem: string | null
}

/** Asks the person if a website may use the shop. */
export function connectBody(locale: DashboardLocale, model: ConnectModel): Html {
  const { apps, developers } = locale.texts
  const { name, origin, scopes, shopName, asked, problem } = model
  if (problem !== null) {
    return html`<h1>${apps.title}</h1>
${message('warn', problem)}
<p><a href="/dashboard/apps">${apps.title}</a></p>`
  }
  const { redirect, permissions } = asked
  return html`<h1>${apps.connect({ name })}</h1>
<form method="post" action="/dashboard/connect" class="card">
${hidden(locale, { name: asked.name, redirect, permissions: permissions.join(',') })}
<p>${
    origin === null
      ? apps.askNobody({ name, shop: shopName })
      : apps.ask.html({
          name: html`<bdi>${name}</bdi>`,
          origin: html`<strong class="code" dir="ltr">${origin}</strong>`,
          shop: html`<bdi>${shopName}</bdi>`,
        })
  }</p>
<ul>${scopes.map(scope => html`<li>${developers.scopeNames[scope]}</li>`)}</ul>
<p class="hint">${apps.askHint}</p>
<button>${apps.agree}</button>
<p><a href="/dashboard/apps">${apps.decline}</a></p>
</form>`
}

interface HandOverModel {
  redirect: string
  apiKey: string
  userId: string
  permissions: readonly string[]
}

/**
 * Sends the key to the website that asked for it, or shows it to a person who copies it. The form has no
 * hidden fields of the dashboard, because the website must not get their values.
 */
export function handOverBody(locale: DashboardLocale, model: HandOverModel): Html {
  const { apps, developers } = locale.texts
  const { redirect, apiKey, userId, permissions } = model
  if (redirect === '') {
    return html`<h1>${apps.connected}</h1>
<div class="card">${message('good', developers.created)}<p>${copyable(locale, apiKey)}</p></div>`
  }
  const host = new URL(redirect).host
  return html`<h1>${apps.connected}</h1>
<form action="${redirect}" method="post" class="card" data-continue>
<input type="hidden" name="apiKey" value="${apiKey}">
<input type="hidden" name="userId" value="${userId}">
${permissions.map(permission => html`<input type="hidden" name="permissions[]" value="${permission}">`)}
<p>${apps.back({ host })}</p>
<button>${apps.continue({ host })}</button>
</form>`
}
