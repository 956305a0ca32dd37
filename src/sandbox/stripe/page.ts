import { Elysia } from 'elysia'
import { type Html, html } from '../../../views/html.ts'
import { ending } from '../../../views/parts.ts'
import { amountOf } from '../../domain/money.ts'
import { pageResponse } from '../page-response.ts'
import type { Session, StripePayments } from './payments.ts'

/** Stripe's test cards that are refused, with the reasons that buyers read. */
const refusals: Record<string, string> = {
  '4000000000000002': 'Your card was declined.',
  '4000000000009995': 'Your card has insufficient funds.',
  '4000000000000069': 'Your card has expired.',
  '4000000000000127': 'Your card’s security code is incorrect.',
  '4000000000000119': 'An error occurred while processing your card. Try again in a little bit.',
}
/** The cards whose payments the buyer has to confirm at the bank. */
const confirmed = ['4000002760003184', '4000000000003220']
const CARD = /^[0-9]{13,19}$/

type PageOf = (page: { title: string; body: Html }) => string

const amountText = ({ amount_total: amount, currency }: Session): string => {
  const code = currency.toUpperCase()
  return `${amountOf(BigInt(amount), code)} ${code}`
}

const head = (session: Session): Html => html`<header class="summary"><p class="merchant">${session.name}</p>
<h1 class="amount">${amountText(session)}</h1>
<p class="hint">This page simulates Stripe’s payment page. No money moves.</p></header>`

const button = (name: string, label: string, isQuiet = false): Html =>
  html`<p class="open">
<button class="button${isQuiet && ' quiet'}" name="by" value="${name}">${label}</button></p>`

const openPage = (session: Session, problem: string | null): Html => html`<div class="card">${head(session)}
${problem && html`<p class="message warn" role="alert">${problem}</p>`}
<form method="post"><div class="field"><label for="card">Card number</label>
<p class="hint" id="card-hint">4242 4242 4242 4242 pays, 4000 0000 0000 0002 is declined. Stripe’s other test
cards work, too.</p>
<input id="card" name="card" inputmode="numeric" autocomplete="off" value="4242 4242 4242 4242"
aria-describedby="card-hint"></div>
${button('card', 'Pay')}${button('debit', 'Pay by bank debit, which takes days', true)}</form>
${session.cancel_url && html`<p><a href="${session.cancel_url}">Back</a></p>`}</div>`

const confirmPage = (session: Session, card: string): Html => html`<div class="card">${head(session)}
<p>Your bank asks you to confirm the payment.</p>
<form method="post"><input type="hidden" name="card" value="${card}">
${button('confirm', 'Confirm')}${button('refuse', 'Refuse', true)}</form></div>`

const debitPage = (session: Session): Html => html`<div class="card">${head(session)}
<p>The debit is on its way.</p>
<form method="post">${button('arrive', 'The bank pays')}
${button('return', 'The bank returns it', true)}</form></div>`

const overPage = (title: string, text: string): Html =>
  html`<div class="card">${ending('warn', title, html`<p>${text}</p>`, 'h1')}</div>`

const donePage = (session: Session): Html => html`<div class="card">${head(session)}
<p>You’re all done here. This payment is complete.</p>
<form method="post">${button('dispute', 'Dispute the payment with the bank', true)}
${session.intent?.disputed && button('won', 'The shop wins the dispute', true)}</form></div>`

function bodyOf(session: Session | null, problem: string | null = null): Html {
  if (session === null) return overPage('Nothing here', 'This payment page does not exist.')
  if (session.status === 'expired') return overPage('This page has expired', 'Go back to the shop.')
  if (session.intent?.status === 'processing') return debitPage(session)
  if (session.status === 'complete') return donePage(session)
  return openPage(session, problem)
}

/** The payment page that a buyer is redirected to. */
export function hostedPages(payments: StripePayments, pageOf: PageOf) {
  const show = (body: Html, status = 200): Response =>
    pageResponse(pageOf({ title: 'Pay with Stripe', body }), status)
  const leave = (session: Session): Response =>
    new Response(null, { status: 303, headers: { location: session.success_url } })

  async function pay(session: Session, card: string, by: string): Promise<Response> {
    const problem = by === 'refuse' ? 'Your bank refused the payment.' : refusals[card]
    if (!CARD.test(card) || problem) return show(openPage(session, problem ?? 'Enter a card number.'), 402)
    if (confirmed.includes(card) && by !== 'confirm') return show(confirmPage(session, card))
    await payments.pay(session, { card })
    return leave(session)
  }

  return new Elysia()
    .get('/stripe/pay/:id', ({ params }) => {
      const session = payments.current(params.id)
      return show(bodyOf(session), session ? 200 : 404)
    })
    .post('/stripe/pay/:id', async ({ params, body }) => {
      const session = payments.current(params.id)
      const { by = '', card = '' } = (body ?? {}) as { by?: string; card?: string }
      if (session?.intent?.status === 'processing') {
        await payments.finish(session, by === 'arrive')
        return leave(session)
      }
      if (session?.status === 'complete' && (by === 'dispute' || by === 'won')) {
        await payments.dispute(session, by === 'won' ? 'won' : undefined)
        return show(bodyOf(payments.current(session.id)))
      }
      if (session?.status !== 'open') return show(bodyOf(session), 410)
      if (by !== 'debit') return pay(session, card.replaceAll(/\s/g, ''), by)
      await payments.pay(session, 'debit')
      return leave(session)
    })
}
