import { Elysia } from 'elysia'
import { type Html, html } from '../../../views/html.ts'
import { ending } from '../../../views/parts.ts'
import { pageResponse } from '../page-response.ts'
import type { Funding, Order, PayPalOrders } from './orders.ts'
import type { PayPalReversals } from './reversals.ts'

type PageOf = (page: { title: string; body: Html }) => string

const button = (does: string, label: string, isQuiet = true): Html =>
  html`<p class="open"><button class="button${isQuiet && ' quiet'}" name="do"
value="${does}">${label}</button></p>`

const openPage = ({ amount, description, cancelUrl }: Order): Html => html`<div class="card">
<header class="summary"><p class="merchant">${description}</p>
<h1 class="amount">${amount.value} ${amount.currency_code}</h1>
<p class="hint">This page simulates PayPal’s payment page. No money moves.</p></header>
<form method="post">${button('balance', 'Pay', false)}
${button('echeck', 'Pay by a bank transfer that takes days')}
${button('declined', 'Pay with a card that the bank refuses')}</form>
<p><a href="${cancelUrl}">Back</a></p></div>`

const pendingPage = (): Html => html`<div class="card"><p>The transfer is on its way.</p>
<form method="post">${button('COMPLETED', 'The transfer arrives', false)}
${button('DECLINED', 'It does not')}</form></div>`

const paidPage = (): Html => html`<div class="card"><p>The payment was made.</p>
<form method="post">${button('CANCELED_BY_BUYER', 'Open a dispute, or give it up')}
${button('RESOLVED_BUYER_FAVOUR', 'Open a dispute, or win it')}</form></div>`

const overPage = (title: string): Html =>
  html`<div class="card">${ending('warn', title, html`<p>Go back to the shop.</p>`, 'h1')}</div>`

function bodyOf(order: Order | null): Html {
  if (order === null) return overPage('This payment page does not exist')
  if (order.status === 'APPROVED')
    return overPage('You approved this payment, and the shop has yet to take it')
  const { capture } = order
  if (capture === null) return openPage(order)
  if (capture.status === 'PENDING') return pendingPage()
  return capture.status === 'COMPLETED' ? paidPage() : overPage('This payment is over')
}

const fundings: readonly Funding[] = ['balance', 'echeck', 'declined']
const decisions = ['COMPLETED', 'DECLINED'] as const
const disputes = ['CANCELED_BY_BUYER', 'RESOLVED_BUYER_FAVOUR'] as const

/** The payment page that a buyer is redirected to. */
export function hostedPages(orders: PayPalOrders, reversals: PayPalReversals, pageOf: PageOf) {
  const show = (order: Order | null, status: number): Response =>
    pageResponse(pageOf({ title: 'Pay with PayPal', body: bodyOf(order) }), status)

  async function act(order: Order, does: string | undefined): Promise<Response | null> {
    const state = order.capture?.status ?? order.status
    const funding = fundings.find(one => one === does)
    if (state === 'PAYER_ACTION_REQUIRED' && funding) {
      await orders.approve(order, funding)
      const location = new URL(order.returnUrl)
      location.searchParams.set('token', order.id)
      location.searchParams.set('PayerID', 'SANDBOXBUYER1')
      return new Response(null, { status: 303, headers: { location: location.href } })
    }
    const [decision, dispute] = [decisions.find(one => one === does), disputes.find(one => one === does)]
    if (state === 'PENDING' && decision) await orders.decide(order, decision)
    else if (state === 'COMPLETED' && dispute) await reversals.argue(order, dispute)
    else return null
    return show(orders.current(order.id), 200)
  }

  return new Elysia()
    .get('/paypal/checkoutnow', ({ query }) => {
      const order = orders.current(query.token ?? '')
      return show(order, order ? 200 : 404)
    })
    .post('/paypal/checkoutnow', async ({ query, body }) => {
      const order = orders.current(query.token ?? '')
      const { do: does } = (body ?? {}) as { do?: string }
      return (order && (await act(order, does))) ?? show(order, 410)
    })
}
