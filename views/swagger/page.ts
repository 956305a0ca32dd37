import { html } from '../html.ts'
import type { Assets } from '../layout.ts'

/** The frame that Swagger UI fills, of its own files and ours alone. */
export const swaggerPage = ({ css, js }: Assets): string =>
  `<!doctype html>${html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>Florin: the API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${css}">
<script src="${js}" defer></script>
</head>
<body>
<main id="swagger-ui">
<noscript><p>The API as a document: <a href="/swagger/json">/swagger/json</a></p></noscript>
</main>
</body>
</html>`}`
