import { type Html, html } from './html.ts'
import type { Locale } from './locale.ts'
import { type ShopModel, shopLinks } from './shop.ts'

/** A link that looks like a button. */
export const buttonLink = (url: string, label: string, quiet = false): Html =>
  html`<p class="open"><a class="button${quiet && ' quiet'}" href="${url}">${label}</a></p>`

/** A link that looks like a button and opens a new tab. */
export const newTabLink = (url: string, label: string): Html =>
  html`<p class="open">
<a class="button" href="${url}" target="_blank" rel="noopener nofollow">${label}</a></p>`

/** A time in UTC. The script replaces it with the buyer's local time. */
export const time = (locale: Locale, at: string): Html =>
  html`<time datetime="${at}">${locale.dateTime(at)} UTC</time>`

/** A time on a receipt, which also names the zone. */
export const zonedTime = (locale: Locale, at: string): Html =>
  html`<time datetime="${at}" data-zone>${locale.dateTime(at)} UTC</time>`

/** A final message: an icon, a title and a text. */
export const ending = (tone: 'good' | 'warn', title: string, body: Html, level: 'h1' | 'h2' = 'h2'): Html => {
  const heading = level === 'h1' ? html`<h1>${title}</h1>` : html`<h2>${title}</h2>`
  return html`<div class="state end ${tone}" data-announce="${title}">
<div class="sign" aria-hidden="true"></div>
${heading}
${body}
</div>`
}

/** The live region of the script for screen readers, with the few texts that it needs. */
export const live = ({ texts: { page } }: Locale): Html =>
  html`<p id="live" class="unseen" role="status" data-copy="${page.copy}" data-copied="${page.copied}"
 data-selected="${page.selected}" data-copy-selection="${page.copySelection}"></p>`

/** A button that copies a text which stands beside it as code. The script shows the button. */
export const copyButton = ({ texts: { page } }: Locale, text: string, what: string): Html =>
  html`<button type="button" class="copy" data-copy="${text}" hidden>${page.copy}<span class="unseen">
${what}</span></button>`

/** The order's number to quote on the shop's help page. A mail to the shop already contains it. */
function quote(locale: Locale, { quote: reference }: ShopModel): Html | null {
  const { page } = locale.texts
  if (reference === null) return null
  const code = html`<bdi class="code">${reference}</bdi>`
  return html`<p class="quote"><span>${page.quoteOrder.html({ reference: code })}</span>
${copyButton(locale, reference, page.orderNumber)}</p>`
}

export const footer = (locale: Locale, shop: ShopModel | null): Html => html`<footer>
${shop && html`<p class="links">${shopLinks(locale, shop)}</p>${quote(locale, shop)}`}
<p>${locale.texts.page.poweredBy}</p>
</footer>`

/** A transaction on a chain, and the URL of its page in an explorer. */
export interface TransactionModel {
  id: string
  url: string | null
}

export const transactionLink = (
  { texts: { page } }: Locale,
  { id, url }: TransactionModel,
): Html => html`<span class="code" dir="ltr">${id}</span>
${url && html`<a class="look" href="${url}" target="_blank" rel="noopener nofollow">${page.explorer}</a>`}`
