import { html } from '../html.ts'
import { type Assets, layout } from '../layout.ts'

interface HomeModel {
  /** the server's public address */
  url: string
  isSandbox: boolean
}

const order = (
  url: string,
) => `curl ${url}/v1/orders -H "X-API-Key: KEY" -H "Content-Type: application/json" \\
  -d '{"amount": "25.00", "currency": "USD", "paymentMethodsKeys": ["crypto"],
       "customer": {"email": "buyer@example.com"}}'`

const tryIt = ({ url }: HomeModel) => html`<h2>Try it</h2>
<p>Payments on this server are simulated, so no money can be lost. Create a merchant and a key:</p>
<pre class="code">florin merchant create --email you@shop.example --name "My shop"
florin key create --merchant ID --mode live
florin wallet set --merchant ID --network evm 0x1111111111111111111111111111111111111111</pre>
<p>Create an order with that key, and open the <span class="code">checkoutUrl</span> of the response:</p>
<pre class="code">${order(url)}</pre>
<p>Or run <span class="code">florin demo</span>, which does all of this for you.</p>`

/** The page at the address of the server itself. */
export function homePage(model: HomeModel, assets: Assets, notice: string | null): string {
  const body = html`<div class="card">
<h1>Florin</h1>
<p>This is a payments server. Shops send their buyers here to pay.</p>
<p>If you want to pay, use the link that the shop gave you.</p>
<p>If you are a developer, see the <a href="/swagger">API reference</a>.</p>
${model.isSandbox && tryIt(model)}
</div>`
  return layout({ title: 'Florin', assets, notice, body })
}
