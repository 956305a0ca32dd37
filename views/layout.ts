import { type Html, html } from './html.ts'
import { languageChoice, type UrlIn } from './languages.ts'
import type { Locale } from './locale.ts'

export interface Assets {
  css: string
  js: string
}

/** What every page of a server has. */
export interface Frame {
  assets: Assets
  /** whether the page says that no real money moves */
  isSandbox: boolean
}

interface Layout extends Frame {
  locale: Locale
  /** null for a page that has one language, or cannot be opened again */
  urlIn: UrlIn | null
  title: string
  body: Html
  /** for browsers without JavaScript: seconds until the page reloads */
  refreshSeconds?: number | null
}

const htmxSettings = JSON.stringify({
  includeIndicatorCSS: false,
  history: false,
  noSwap: [204, 304, '4xx', '5xx'],
})

const coin =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">' +
  '<circle cx="8" cy="8" r="7.5" fill="#b8862b"/>' +
  '<path d="M6 12V4h5M6 8h4" stroke="#fff" stroke-width="1.8" fill="none"/></svg>'

const icon = `data:image/svg+xml,${encodeURIComponent(coin)}`

const sandboxNotice = ({ texts: { page } }: Locale): Html =>
  html`<aside class="notice" aria-label="${page.notice}">${page.sandbox}</aside>`

export const layout = ({ locale, urlIn, title, body, assets, isSandbox, refreshSeconds }: Layout): string =>
  `<!doctype html>${html`<html lang="${locale.tag}" dir="${locale.dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="htmx-config" content="${htmxSettings}">
<title>${title}</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${assets.css}">
<script src="${assets.js}" defer></script>
${refreshSeconds && html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`}
</head>
<body>
${isSandbox && sandboxNotice(locale)}
<main>
${body}
</main>
${urlIn && languageChoice(locale, urlIn)}
</body>
</html>`}`
