import { type Html, html } from './html.ts'
import { type Frame, layout } from './layout.ts'
import type { Locale } from './locale.ts'
import { buttonLink } from './parts.ts'

const commands = `florin merchant create --email you@shop.example --name "My shop"
florin key create --merchant ID --mode live
florin wallet set --merchant ID --network evm 0x1111111111111111111111111111111111111111`

const order = (
  url: string,
): string => `curl ${url}/v1/orders -H "X-API-Key: KEY" -H "Content-Type: application/json" \\
  -d '{"amount": "25.00", "currency": "USD", "paymentMethodsKeys": ["crypto"],
       "customer": {"email": "buyer@example.com"}}'`

const tryIt = ({ texts: { home } }: Locale, url: string): Html => html`<p class="hint">${home.sandbox}</p>
<pre class="code" dir="ltr">${commands}</pre>
<pre class="code" dir="ltr">${order(url)}</pre>`

/** The page at the root of the server. `url` is the server's public address. */
export function homePage(locale: Locale, frame: Frame, url: string): string {
  const { home } = locale.texts
  return layout({
    ...frame,
    locale,
    url: '/',
    title: home.title,
    body: html`<div class="card">
<h1 class="small-title">${home.what}</h1>
<p class="hint">${home.buyers}</p>
${frame.isSandbox ? tryIt(locale, url) : html`<p class="hint">${home.developers}</p>`}
${buttonLink('/swagger', home.reference, true)}
</div>`,
  })
}
