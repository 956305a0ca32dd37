import { type Html, html } from './html.ts'
import { languageChoice } from './languages.ts'
import type { Locale } from './locale.ts'
import { footer } from './parts.ts'
import { type ShopModel, shopStyle } from './shop.ts'

export interface Assets {
  css: string
  js: string
  /** script of pages in a frame on a page of the shop; missing for other pages */
  framed?: string
}

/** Common properties of a server's pages. */
export interface Frame {
  assets: Assets
  /** true if the page says that no real money moves */
  isSandbox: boolean
}

interface Layout extends Frame {
  locale: Locale
  /** URL without a language; null for a page that has one language, or cannot be opened again */
  url: string | null
  title: string
  body: Html
  /** shop of the page; missing if unknown */
  shop?: ShopModel | null
  /** true if wide screens have room for two columns */
  isWide?: boolean
  /** text above the page, before the one about the sandbox */
  notice?: string
  /** content for search engines and link previews; a page without it is not indexed */
  preview?: Html | null
  /** for browsers without JavaScript: seconds until the page reloads */
  refresh?: { seconds: number; url: string } | null
}

const htmxSettings = html`${JSON.stringify({
  includeIndicatorCSS: false,
  history: false,
  noSwap: [204, 304, '4xx', '5xx'],
})}`

/** Florin's icon, as an SVG file. */
export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">' +
  '<circle cx="8" cy="8" r="7.5" fill="#b8862b"/>' +
  '<path d="M6 12V4h5M6 8h4" stroke="#fff" stroke-width="1.8" fill="none"/></svg>'

export const iconUrl = `data:image/svg+xml,${encodeURIComponent(icon)}`

/** The bar above a page, with its notice, and in the sandbox with the words that no real money moves. */
function noticeBar({ locale, notice, isSandbox }: Layout): Html | null {
  const { page } = locale.texts
  const said = [notice, isSandbox && page.sandbox].filter(Boolean).join(' ')
  return said === '' ? null : html`<aside class="notice" aria-label="${page.notice}">${said}</aside>`
}

const unlisted = html`<meta name="robots" content="noindex, nofollow">`

export const layout = (page: Layout): string => {
  const { locale, url, title, body, assets, refresh, shop, preview } = page
  return `<!doctype html>${html`<html lang="${locale.tag}" dir="${locale.dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${preview ?? unlisted}
<meta name="referrer" content="no-referrer">
<meta name="htmx-config" content="${htmxSettings}">
<title>${title}</title>
<link rel="icon" href="${iconUrl}">
<link rel="stylesheet" href="${assets.css}">
${shop && shopStyle(shop)}
<script src="${assets.js}" defer></script>
${
  shop &&
  shop.embedOrigins.length > 0 &&
  html`<script src="${assets.framed}" data-origins="${shop.embedOrigins.join(' ')}" defer></script>`
}
${
  refresh &&
  html`<noscript><meta http-equiv="refresh" content="${refresh.seconds}; url=${refresh.url}"></noscript>`
}
</head>
<body>
${noticeBar(page)}
<main${page.isWide && html` class="wide"`}>
${body}
${footer(locale, shop ?? null)}
</main>
${url !== null && languageChoice(locale, url)}
</body>
</html>`}`
}
