import { Elysia } from 'elysia'
import { type Html, html } from '../../../views/html.ts'
import { ending } from '../../../views/parts.ts'
import { minorOf } from '../../domain/money.ts'
import type { Outcome } from '../outcomes.ts'
import { pageResponse } from '../page-response.ts'
import { catalogue, currencyLocks, type ListedMethod } from './catalogue.ts'
import { toDollars } from './convert-to-usd.ts'
import type { Payments } from './payments.ts'
import type { Wallet, Wallets } from './wallets.ts'

interface Page {
  title: string
  body: Html
}
export type PageOf = (page: Page) => string

const buttons: Partial<Record<Outcome, string>> = {
  paid: 'Pay',
  underpaid: 'Pay half',
  failed: 'Decline',
}

const sentences: Partial<Record<Outcome, string>> = {
  paid: 'Payment complete.',
  underpaid: 'Half of the amount was paid.',
  failed: 'Payment declined.',
}

/** The payment in the URL of a page. Buyers can change the URL. */
interface Bill {
  wallet: Wallet
  method: ListedMethod
  amount: string
  currency: string
  dollars: string
}

/** The payment page that a buyer is redirected to. */
export const checkoutRoutes = (wallets: Wallets, payments: Payments, pageOf: PageOf) =>
  new Elysia({ prefix: '/gateway/checkout' })
    .get('/process-payment.php', ({ request }) => {
      const bill = billOf(wallets, request.url)
      return bill ? pageResponse(pageOf(billPage(bill)), 200) : pageResponse(pageOf(failedPage), 400)
    })
    .post('/process-payment.php', async ({ request, body }) => {
      const bill = billOf(wallets, request.url)
      const outcome = chosenOutcome(body)
      if (!bill || !outcome) return pageResponse(pageOf(failedPage), 400)
      const callbacks = await payments.settle(bill.wallet.callbackUrl, outcome, bill.dollars)
      return pageResponse(pageOf(donePage(outcome, callbacks)), 200)
    })

function chosenOutcome(body: unknown): Outcome | null {
  const outcome = (body as { outcome?: unknown } | null)?.outcome
  return typeof outcome === 'string' && Object.hasOwn(buttons, outcome) ? (outcome as Outcome) : null
}

function billOf(wallets: Wallets, url: string): Bill | null {
  const { searchParams } = new URL(url)
  const param = (name: string): string => searchParams.get(name) ?? ''
  const [amount, currency, provider] = [param('amount'), param('currency'), param('provider')]
  const wallet = wallets.findByToken(param('address'))
  const method = catalogue.find(({ id, status }) => id === provider && status === 'active')
  const converted = toDollars(amount, currency)
  if (!wallet || !method || !converted || minorOf(converted.dollars, 'USD') === 0n) return null
  if (!accepts(method, currency) || isBelow(method, converted.dollars)) return null
  return { wallet, method, amount, currency, dollars: converted.dollars }
}

const accepts = (method: ListedMethod, currency: string): boolean =>
  currencyLocks.get(method.id)?.includes(currency) ?? true

function isBelow({ minimum_amount, minimum_currency }: ListedMethod, dollars: string): boolean {
  if (minimum_amount === null) return false
  const minimum = toDollars(`${minimum_amount}`, minimum_currency)
  return minimum !== null && minorOf(dollars, 'USD') < minorOf(minimum.dollars, 'USD')
}

const button = (outcome: string, label: string): Html => html`<p class="open">
<button class="button${outcome !== 'paid' && ' quiet'}" name="outcome" value="${outcome}">
${label}</button></p>`

const billPage = ({ method, amount, currency, wallet }: Bill): Page => ({
  title: `Pay with ${method.provider_name}`,
  body: html`<div class="card">
<header class="summary"><p class="merchant">${method.provider_name}</p>
<h1 class="amount">${amount} ${currency}</h1>
<p class="hint">This page simulates the provider's payment page. No money moves.</p></header>
${wallet.status === 'paid' && html`<p role="status">This payment has already been made.</p>`}
<form method="post">${Object.entries(buttons).map(([outcome, label]) => button(outcome, label))}</form>
</div>`,
})

const resultCard = (tone: 'good' | 'warn', title: string, body: Html): Html =>
  html`<div class="card">${ending(tone, title, body, 'h1')}</div>`

const donePage = (outcome: Outcome, callbacks: { status: number }[]): Page => ({
  title: 'Done',
  body: resultCard(
    outcome === 'paid' ? 'good' : 'warn',
    sentences[outcome] ?? 'Done',
    html`${callbacks.map(
      ({ status }) => html`<p>The shop was notified and answered with status ${status}.</p>`,
    )}
<p>You can close this page and go back to the checkout.</p>`,
  ),
})

const failedPage: Page = {
  title: 'Invoice failed',
  body: resultCard('warn', 'Invoice failed', html`<p>Please select another payment provider.</p>`),
}
