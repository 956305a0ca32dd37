import { Elysia, t } from 'elysia'
import { type Html, html } from '../../../views/html.ts'
import { buttonLink, ending } from '../../../views/parts.ts'
import { toUnits } from '../../domain/money.ts'
import { Text } from '../text.ts'
import type { EvmChain } from './coins.ts'

const closed = { additionalProperties: false }

const Faucet = t.Object({
  address: Text({ maxLength: 256 }),
  asset: Text({ maxLength: 64 }),
  amount: Text({ maxLength: 80 }),
  decimals: t.Numeric({ minimum: 0, maximum: 36 }),
  back: Text({ pattern: '^/pay/[0-9a-f-]{36}$' }),
})
type Faucet = typeof Faucet.static

const choices = [
  ['confirmed', 'Send', 'Arrives confirmed.'],
  ['pending', 'Send, not yet confirmed', 'Is seen, and waits for confirmations.'],
] as const

const faucetPage = ({ amount, asset, address }: Faucet): Html => html`<div class="card">
<h1>Send test coins</h1>
<p class="hint">This is the wallet of the sandbox. Nothing here is worth anything.</p>
<form method="post">
<dl class="lines">
<div><dt>To</dt><dd class="code wrap">${address}</dd></div>
<div><dt><label for="amount">Amount in ${asset}</label></dt>
<dd><input id="amount" name="amount" class="field" value="${amount}" inputmode="decimal"></dd></div>
</dl>
${choices.map(
  ([state, name, what]) => html`<p class="hint">${what}</p>
<button class="button${state === 'pending' && ' quiet'}" name="state" value="${state}">${name}</button>`,
)}
</form>
</div>`

const sentPage = (back: string, isSent: boolean, text: string): Html =>
  html`<div class="card">
${ending(isSent ? 'good' : 'warn', text, buttonLink(back, 'Back to the checkout'), 'h1')}
</div>`

interface ChainParts {
  ledger: EvmChain
  clock(): number
  isDown(): boolean
  pageOf(parts: { title: string; body: Html }): Response
  /** Tells whoever forwards from an address what was confirmed there. */
  onArrival(address: string, atomic: bigint): Promise<unknown>
}

/** The stand-in for every chain: what a node tells, and a wallet for people. */
export const chainRoutes = ({ ledger, clock, isDown, pageOf, onArrival }: ChainParts) =>
  new Elysia()
    .onBeforeHandle(() => (isDown() ? new Response('503 Service Unavailable', { status: 503 }) : undefined))
    .post('/chain/:chain/begin', () => ({ height: ledger.heightOf(clock()) }), { body: t.Object({}, closed) })
    .post(
      '/chain/:chain/payments',
      ({ body, params }) => ({
        height: ledger.heightOf(clock()),
        payments: ledger.paymentsTo(params.chain, body.addresses),
      }),
      { body: t.Object({ addresses: t.Array(Text()) }, closed) },
    )
    .get('/chain/:chain/send', ({ query }) => pageOf({ title: 'Send test coins', body: faucetPage(query) }), {
      query: Faucet,
    })
    .post(
      '/chain/:chain/send',
      async ({ body, params, query }) => {
        const amount = toUnits(body.amount.trim(), query.decimals)
        const place = { chain: params.chain, assetId: query.asset, address: query.address }
        const state = body.state === 'pending' ? 'pending' : 'confirmed'
        if (amount) ledger.send(place, amount, state)
        if (amount && state === 'confirmed') await onArrival(query.address, amount)
        const text = amount ? 'Sent' : `This is no amount of ${query.asset}`
        return pageOf({ title: text, body: sentPage(query.back, Boolean(amount), text) })
      },
      { query: Faucet, body: t.Object({ amount: Text(), state: Text() }) },
    )
