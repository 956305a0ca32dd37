import { type Html, html } from './html.ts'

export interface Assets {
  css: string
  js: string
}

export interface Layout {
  title: string
  body: Html
  assets: Assets
  /** said above every page, such as that nothing here is real */
  notice?: string | null
  /** for browsers without JavaScript: seconds until the page is asked for again */
  refreshSeconds?: number | null
}

const htmxSettings = JSON.stringify({
  includeIndicatorCSS: false,
  history: false,
  noSwap: [204, 304, '4xx', '5xx'],
})

const icon =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Ccircle cx=%228%22 cy=%228%22 r=%227.5%22 fill=%22%23b8862b%22/%3E%3Cpath d=%22M6 12V4h5M6 8h4%22 stroke=%22%23fff%22 stroke-width=%221.8%22 fill=%22none%22/%3E%3C/svg%3E'

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
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${assets.css}">
<script src="${assets.js}" defer></script>
${refreshSeconds && html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`}
</head>
<body>
${notice && html`<p class="notice" role="note">${notice}</p>`}
<main>
${body}
</main>
</body>
</html>`}`
