import { Elysia } from 'elysia'
import { type Html, html } from '../../../views/html.ts'
import { ending } from '../../../views/parts.ts'
import { minorOf } from '../../domain/money.ts'
import type { Outcome } from '../outcomes.ts'
import { catalogue, type Listed, locks } from './catalogue.ts'
import { worthOf } from './convert-to-usd.ts'
import type { Payments } from './payments.ts'
import type { Wallet, Wallets } from './wallets.ts'

interface Page {
  title: string
  body: Html
}
export type PageOf = (page: Page) => string

const buttons: Partial<Record<Outcome, string>> = {
  paid: 'Pay',
  underpaid: 'Pay too little',
  failed: 'Decline',
}

const sentences: Partial<Record<Outcome, string>> = {
  paid: 'The payment was made in full.',
  underpaid: 'Half of the amount was paid.',
  failed: 'The payment was declined.',
}

/** What a payment page's URL asks for. The buyer can change all of it. */
interface Bill {
  wallet: Wallet
  method: Listed
  amount: string
  currency: string
  dollars: string
}

/** The payment page for people, reached by the URL that the buyer was redirected to. */
export const checkoutRoutes = (wallets: Wallets, payments: Payments, pageOf: PageOf) =>
  new Elysia({ prefix: '/gateway/checkout' })
    .get('/process-payment.php', ({ request }) => {
      const bill = billOf(wallets, request.url)
      return bill ? answer(pageOf(billPage(bill)), 200) : answer(pageOf(failedPage), 400)
    })
    .post('/process-payment.php', async ({ request, body }) => {
      const bill = billOf(wallets, request.url)
      const outcome = chosen(body)
      if (!bill || !outcome) return answer(pageOf(failedPage), 400)
      const callbacks = await payments.settle(bill.wallet.callbackUrl, outcome, bill.dollars)
      return answer(pageOf(donePage(outcome, callbacks)), 200)
    })

const answer = (page: string, status: number): Response =>
  new Response(page, { status, headers: { 'Content-Type': 'text/html; charset=utf-8' } })

function chosen(body: unknown): Outcome | null {
  const outcome = (body as { outcome?: unknown } | null)?.outcome
  return typeof outcome === 'string' && Object.hasOwn(buttons, outcome) ? (outcome as Outcome) : null
}

function billOf(wallets: Wallets, url: string): Bill | null {
  const { searchParams } = new URL(url)
  const asked = (name: string): string => searchParams.get(name) ?? ''
  const [amount, currency, provider] = [asked('amount'), asked('currency'), asked('provider')]
  const wallet = wallets.named(asked('address'))
  const method = catalogue.find(({ id, status }) => id === provider && status === 'active')
  const worth = worthOf(amount, currency)
  if (!wallet || !method || !worth || minorOf(worth.dollars, 'USD') === 0n) return null
  if (!takes(method, currency) || isBelow(method, worth.dollars)) return null
  return { wallet, method, amount, currency, dollars: worth.dollars }
}

const takes = (method: Listed, currency: string): boolean => locks.get(method.id)?.includes(currency) ?? true

function isBelow({ minimum_amount, minimum_currency }: Listed, dollars: string): boolean {
  if (minimum_amount === null) return false
  const least = worthOf(`${minimum_amount}`, minimum_currency)
  return least !== null && minorOf(dollars, 'USD') < minorOf(least.dollars, 'USD')
}

const button = (outcome: string, label: string): Html => html`<p class="open">
<button class="button${outcome !== 'paid' && ' quiet'}" name="outcome" value="${outcome}">
${label}</button></p>`

const billPage = ({ method, amount, currency, wallet }: Bill): Page => ({
  title: `Pay with ${method.provider_name}`,
  body: html`<div class="card">
<header class="summary"><p class="merchant">${method.provider_name}</p>
<h1 class="amount">${amount} ${currency}</h1>
<p class="hint">This page stands for the provider's own. No money moves.</p></header>
${wallet.status === 'paid' && html`<p role="status">This was paid before.</p>`}
<form method="post">${Object.entries(buttons).map(([outcome, label]) => button(outcome, label))}</form>
</div>`,
})

const said = (tone: 'good' | 'warn', title: string, body: Html): Html =>
  html`<div class="card">${ending(tone, title, body, 'h1')}</div>`

const donePage = (outcome: Outcome, callbacks: { status: number }[]): Page => ({
  title: 'Done',
  body: said(
    outcome === 'paid' ? 'good' : 'warn',
    sentences[outcome] ?? 'Done',
    html`${callbacks.map(({ status }) => html`<p>The shop was told, and answered with ${status}.</p>`)}
<p>You can close this page and go back to the checkout.</p>`,
  ),
})

const failedPage: Page = {
  title: 'Invoice failed',
  body: said('warn', 'Invoice failed', html`<p>Please select another payment provider.</p>`),
}
