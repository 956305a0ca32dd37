import { html } from '../html.ts'
import type { Assets } from '../layout.ts'

/** The page of Swagger UI. It loads nothing from other servers. */
export const swaggerPage = ({ css, js }: Assets): string =>
  `<!doctype html>${html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<title>Florin API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${css}">
<script src="${js}" defer></script>
</head>
<body>
<main>
<h1 class="name">Florin</h1>
<div id="swagger-ui">
<noscript><p>The API as an OpenAPI document: <a href="/swagger/json">/swagger/json</a></p></noscript>
</div>
</main>
</body>
</html>`}`
