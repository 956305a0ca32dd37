import { Elysia } from 'elysia'
import { type Html, html } from '../../../views/html.ts'
import { ending } from '../../../views/parts.ts'
import { pageResponse } from '../page-response.ts'
import type { MolliePayments, Payment } from './payments.ts'
import type { MollieReversals } from './reversals.ts'

type PageOf = (page: { title: string; body: Html }) => string

const button = (status: string, label: string, isQuiet = true): Html =>
  html`<p class="open"><button class="button${isQuiet && ' quiet'}" name="status"
value="${status}">${label}</button></p>`

const openPage = ({ amount, description, cancelUrl }: Payment): Html => html`<div class="card">
<header class="summary"><p class="merchant">${description}</p>
<h1 class="amount">${amount.value} ${amount.currency}</h1>
<p class="hint">This page simulates Mollie’s payment page. No money moves.</p></header>
<form method="post">${button('paid', 'Pay', false)}${button('pending', 'Pay by a transfer that takes days')}
${button('failed', 'Let the bank refuse it')}${button('canceled', 'Cancel')}</form>
${cancelUrl && html`<p><a href="${cancelUrl}">Back</a></p>`}</div>`

const pendingPage = (): Html => html`<div class="card"><p>The transfer is on its way.</p>
<form method="post">${button('paid', 'The transfer arrives', false)}
${button('failed', 'It does not')}</form></div>`

const paidPage = (): Html => html`<div class="card"><p>The payment was made.</p>
<form method="post">
${button('chargeback', 'Let the customer’s bank take it back, or return it')}
${button('refund_failed', 'Let the bank return the last refund')}</form></div>`

const overPage = (title: string): Html =>
  html`<div class="card">${ending('warn', title, html`<p>Go back to the shop.</p>`, 'h1')}</div>`

function bodyOf(payment: Payment | null): Html {
  if (payment === null) return overPage('This payment page does not exist')
  if (payment.status === 'open') return openPage(payment)
  if (payment.status === 'paid') return paidPage()
  return payment.status === 'pending' ? pendingPage() : overPage('This payment is over')
}

const outcomes = ['paid', 'pending', 'failed', 'canceled'] as const

/** The payment page that a buyer is redirected to. */
export function hostedPages(payments: MolliePayments, reversals: MollieReversals, pageOf: PageOf) {
  const show = (payment: Payment | null, status: number): Response =>
    pageResponse(pageOf({ title: 'Pay with Mollie', body: bodyOf(payment) }), status)

  /** Takes a paid payment back, as a bank does. Returns false if there is nothing to do. */
  async function takeBack(payment: Payment, does: string | undefined): Promise<boolean> {
    if (does === 'chargeback') await reversals.chargeBack(payment)
    else if (does === 'refund_failed' && reversals.refundsOf(payment.id).length > 0)
      await reversals.endRefund(payment, 'failed')
    else return false
    return true
  }

  return new Elysia()
    .get('/mollie/pay/:id', ({ params }) => {
      const payment = payments.current(params.id)
      return show(payment, payment ? 200 : 404)
    })
    .post('/mollie/pay/:id', async ({ params, body }) => {
      const payment = payments.current(params.id)
      const { status } = (body ?? {}) as { status?: string }
      if (payment?.status === 'paid' && (await takeBack(payment, status))) return show(payment, 200)
      const outcome = outcomes.find(one => one === status)
      const isRunning = payment?.status === 'open' || payment?.status === 'pending'
      if (!payment || !outcome || !isRunning) return show(payment, 410)
      await payments.finish(payment, outcome)
      const location =
        outcome === 'canceled' ? (payment.cancelUrl ?? payment.redirectUrl) : payment.redirectUrl
      return new Response(null, { status: 303, headers: { location } })
    })
}
