import { type Html, html } from './html.ts'

/** A link that looks like a button. */
export const buttonLink = (url: string, words: string, quiet = false): Html =>
  html`<p class="open"><a class="button${quiet && ' quiet'}" href="${url}">${words}</a></p>`

/** A link that looks like a button and leaves the page open. */
export const newTabLink = (url: string, words: string): Html =>
  html`<p class="open">
<a class="button" href="${url}" target="_blank" rel="noopener nofollow">${words}</a></p>`

/** An instant in UTC; the script turns it into the buyer's own time. */
export const instant = (at: string): Html =>
  html`<time datetime="${at}">${at.slice(0, 16).replace('T', ' ')} UTC</time>`

/** How something ended: a sign, a title and what follows. */
export const ending = (tone: 'good' | 'warn', title: string, body: Html, level: 'h1' | 'h2' = 'h2'): Html => {
  const heading = level === 'h1' ? html`<h1>${title}</h1>` : html`<h2>${title}</h2>`
  return html`<div class="state end ${tone}" data-announce="${title}">
<div class="sign" aria-hidden="true"></div>
${heading}
${body}
</div>`
}

interface Shop {
  merchantName: string
  supportEmail: string | null
}

/** Whom a buyer can ask. */
export const footer = ({ supportEmail, merchantName }: Shop): Html => html`<footer>
${supportEmail && html`<p>Questions? <a href="mailto:${supportEmail}">Ask ${merchantName}</a></p>`}
<p>Payments by Florin</p>
</footer>`
