import { type Html, html } from './html.ts'

export interface Assets {
  css: string
  js: string
}

interface Layout {
  title: string
  body: Html
  assets: Assets
  /** shown at the top of every page, such as "Test mode" */
  notice?: string | null
  /** for browsers without JavaScript: seconds until the page reloads */
  refreshSeconds?: number | null
}

const htmxSettings = JSON.stringify({
  includeIndicatorCSS: false,
  history: false,
  noSwap: [204, 304, '4xx', '5xx'],
})

/** An SVG file. */
export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">' +
  '<circle cx="8" cy="8" r="7.5" fill="#b8862b"/>' +
  '<path d="M6 12V4h5M6 8h4" stroke="#fff" stroke-width="1.8" fill="none"/></svg>'

const iconUrl = `data:image/svg+xml,${encodeURIComponent(icon)}`

export const layout = ({ title, body, assets, notice, refreshSeconds }: Layout): string =>
  `<!doctype html>${html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="htmx-config" content="${htmxSettings}">
<title>${title}</title>
<link rel="icon" href="${iconUrl}">
<link rel="stylesheet" href="${assets.css}">
<script src="${assets.js}" defer></script>
${refreshSeconds && html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`}
</head>
<body>
${notice && html`<aside class="notice" aria-label="Notice">${notice}</aside>`}
<main>
${body}
</main>
</body>
</html>`}`
