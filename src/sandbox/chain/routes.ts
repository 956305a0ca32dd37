import { Elysia, t } from 'elysia'
import { type Html, html } from '../../../views/html.ts'
import { buttonLink, ending } from '../../../views/parts.ts'
import { toUnits } from '../../domain/money.ts'
import { SafeString } from '../safe-types.ts'
import type { Ledger } from './ledger.ts'

const closed = { additionalProperties: false }

const Faucet = t.Object({
  address: SafeString({ maxLength: 256 }),
  asset: SafeString({ maxLength: 64 }),
  amount: SafeString({ maxLength: 80 }),
  decimals: t.Numeric({ minimum: 0, maximum: 36 }),
  back: SafeString({ pattern: '^/pay/[0-9a-f-]{36}$' }),
})
type Faucet = typeof Faucet.static

const choices = [
  ['confirmed', 'Send', 'The payment is confirmed at once.'],
  ['pending', 'Send unconfirmed', 'The payment is detected and waits for confirmations.'],
] as const

const faucetPage = ({ amount, asset, address }: Faucet): Html => html`<div class="card">
<h1>Send test coins</h1>
<p class="hint">This is the sandbox wallet. Its coins have no value.</p>
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

const resultPage = (back: string, isSent: boolean, message: string): Html =>
  html`<div class="card">
${ending(isSent ? 'good' : 'warn', message, buttonLink(back, 'Back to checkout'), 'h1')}
</div>`

interface ChainParts {
  ledger: Ledger
  clock(): number
  isDown(): boolean
  pageOf(parts: { title: string; body: Html }): Response
  /** Called with every confirmed payment, so that the simulated gateway can forward it. */
  onArrival(address: string, atomic: bigint): Promise<unknown>
}

/** The routes of the simulated chains: their node, and a wallet page for people. */
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
      { body: t.Object({ addresses: t.Array(SafeString()) }, closed) },
    )
    .get('/chain/:chain/send', ({ query }) => pageOf({ title: 'Send test coins', body: faucetPage(query) }), {
      query: Faucet,
    })
    .post(
      '/chain/:chain/send',
      async ({ body, params, query }) => {
        const amount = toUnits(body.amount.trim(), query.decimals)
        const destination = { chain: params.chain, assetId: query.asset, address: query.address }
        const state = body.state === 'pending' ? 'pending' : 'confirmed'
        if (amount) ledger.send(destination, amount, state)
        if (amount && state === 'confirmed') await onArrival(query.address, amount)
        const message = amount ? 'Payment sent' : `Enter a valid amount of ${query.asset}`
        return pageOf({ title: message, body: resultPage(query.back, Boolean(amount), message) })
      },
      { query: Faucet, body: t.Object({ amount: SafeString(), state: SafeString() }) },
    )
