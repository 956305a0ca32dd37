import { type Html, html } from '../html.ts'
import { type Assets, iconUrl } from '../layout.ts'
import {
  type DashboardLanguage,
  type DashboardLocale,
  dashboardLanguages,
  dashboardLocale,
} from './locale.ts'
import { type NavItem, navGroups } from './nav.ts'
import { hidden } from './parts.ts'

/** A shop that the person can switch to. */
interface ShopChoice {
  id: string
  name: string
  isChosen: boolean
}

/** The person who sees the page, for its header and menu. */
export interface Viewer {
  email: string
  roleName: string
  shopName: string | null
  shops: readonly ShopChoice[]
  /** number of open unmatched payments, such as "3"; null for none */
  unmatched: string | null
  /** returns true if the person may open pages with this access */
  may(access: NavItem['access']): boolean
}

/** The properties of every page of the dashboard. */
export interface DashboardFrame {
  assets: Assets
  isSandbox: boolean
  /** null on pages before signing in */
  viewer: Viewer | null
  /** path of the page, which the menu marks */
  path: string
  /** returns the URL of the page in another language; null for the response to a form */
  urlIn: ((tag: DashboardLanguage) => string) | null
}

interface Page {
  title: string
  body: Html
}

/** Attributes that updates of a page keep: people unfold parts (`open`), and scripts set the others. */
const morphIgnore = ['data-htmx-powered', 'open', 'hidden', 'data-sent']

const htmxSettings = JSON.stringify({
  includeIndicatorCSS: false,
  history: false,
  noSwap: [204, 304, '4xx', '5xx'],
  morphIgnore,
})

/** Returns true if the page belongs to this entry of the menu. */
const isWithin = (path: string, item: string): boolean =>
  path === item || (item !== '/dashboard' && path.startsWith(`${item}/`))

function menuItem(locale: DashboardLocale, { unmatched }: Viewer, path: string, item: NavItem): Html {
  const { texts } = locale
  return html`<li><a href="${item.path}"${isWithin(path, item.path) && html` aria-current="page"`}>
${texts.frame.nav[item.key]}${
  item.key === 'unmatched' &&
  unmatched !== null &&
  html` <span class="badge warn"><span aria-hidden="true">${unmatched}</span>
<span class="unseen">${texts.unmatched.waiting({ count: unmatched })}</span></span>`
}</a></li>
`
}

function menu(locale: DashboardLocale, viewer: Viewer, path: string): Html {
  const { frame } = locale.texts
  const groups = navGroups
    .map(({ name, items }) => ({ name, items: items.filter(({ access }) => viewer.may(access)) }))
    .filter(({ items }) => items.length > 0)
  return html`<nav class="menu" aria-label="${frame.menu}">
${groups.map(
  ({ name, items }) => html`${name && html`<p class="group" id="menu-${name}">${frame.navGroups[name]}</p>`}
<ul${name ? html` aria-labelledby="menu-${name}"` : html` class="alone"`}>
${items.map(item => menuItem(locale, viewer, path, item))}</ul>
`,
)}</nav>`
}

function shopForm(locale: DashboardLocale, shops: readonly ShopChoice[]): Html {
  const { frame } = locale.texts
  return html`<form method="post" action="/dashboard/shop" class="shops">${hidden(locale)}
<label for="shop">${frame.shop}</label>
<select id="shop" name="merchantId">
${shops.map(
  ({ id, name, isChosen }) => html`<option value="${id}"${isChosen && html` selected`}>${name}</option>
`,
)}</select>
<button class="quiet">${frame.changeShop}</button>
</form>`
}

const languageLinks = (
  { tag, texts: { frame } }: DashboardLocale,
  urlIn: DashboardFrame['urlIn'],
): Html | null =>
  urlIn &&
  html`<ul class="languages" aria-label="${frame.language}">
${dashboardLanguages.map(
  one => html`<li><a href="${urlIn(one)}" lang="${one}" hreflang="${one}"
${one === tag && html` aria-current="true"`}>${dashboardLocale(one, 'UTC').name}</a></li>
`,
)}</ul>`

function header(locale: DashboardLocale, viewer: Viewer, frame: DashboardFrame): Html {
  const { texts } = locale
  return html`<header class="top">
<p class="brand"><a href="/dashboard" dir="auto">${viewer.shopName ?? texts.frame.dashboard}</a></p>
<details class="fold"><summary>${texts.frame.menu}</summary>
<div class="folded">
${viewer.shops.length > 1 && shopForm(locale, viewer.shops)}
${menu(locale, viewer, frame.path)}
<div class="who">
<p class="soft"><span dir="auto">${viewer.email}</span><br>${viewer.roleName}</p>
<form method="post" action="/dashboard/sign-out">
${hidden(locale)}<button class="quiet">${texts.frame.signOut}</button></form>
${languageLinks(locale, frame.urlIn)}
</div>
</div>
</details>
</header>`
}

const sandboxNotice = ({ texts: { frame } }: DashboardLocale): Html =>
  html`<aside class="notice" aria-label="${frame.notice}">${frame.sandbox}</aside>`

/**
 * Names the time zone of the page, and links to its setting for people who may change it. The stylesheet
 * hides it on pages without times.
 */
function zoneNote(locale: DashboardLocale, { shopName, may }: Viewer): Html | null {
  const { frame } = locale.texts
  if (shopName === null) return null
  const link = html` <a href="/dashboard/settings#timeZone">${frame.changeZone}</a>`
  const zone = frame.zone({ zone: locale.timeZone })
  return html`<p class="soft below" id="zone">${zone}${may('owner') && link}</p>`
}

/** A page of the dashboard. The menu is at the side of wide screens, and folds on narrow ones. */
export function dashboardPage(locale: DashboardLocale, frame: DashboardFrame, { title, body }: Page): string {
  const { texts } = locale
  const { viewer } = frame
  return `<!doctype html>${html`<html lang="${locale.tag}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="same-origin">
<meta name="htmx-config" content="${htmxSettings}">
<title>${title} – ${viewer?.shopName ?? texts.frame.dashboard}</title>
<link rel="icon" href="${iconUrl}">
<link rel="stylesheet" href="${frame.assets.css}">
<script src="${frame.assets.js}" defer></script>
</head>
<body${!viewer && html` class="outside"`}>
<a class="skip" href="#main">${texts.frame.skip}</a>
${frame.isSandbox && sandboxNotice(locale)}
${viewer && header(locale, viewer, frame)}
<main id="main">
${body}
${viewer && zoneNote(locale, viewer)}
${!viewer && languageLinks(locale, frame.urlIn)}
</main>
<p id="live" class="unseen" role="status" data-copied="${texts.frame.copied}"></p>
</body>
</html>`}`
}
