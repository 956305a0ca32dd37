import { type Html, html } from '../html.ts'
import type { CheckoutModel, Part } from './model.ts'

type End = Extract<Part, { kind: 'paid' | 'expired' | 'cancelled' | 'failed' | 'blocked' }>

interface Words {
  title: string
  text: string
  tone: 'good' | 'warn'
}

const ask = ({ merchantName }: CheckoutModel): string => `Ask ${merchantName} if you have questions.`

function wordsOf(model: CheckoutModel, end: End): Words {
  switch (end.kind) {
    case 'paid':
      return {
        title: 'Paid',
        text: `${model.merchantName} has your payment${end.paidWith ? ` with ${end.paidWith}` : ''}. Thank you!`,
        tone: 'good',
      }
    case 'expired':
      return {
        title: 'This order has expired',
        text: `It was not paid in time. Go back to the shop and order again. If you have paid, it will still be found: keep your receipt. ${ask(model)}`,
        tone: 'warn',
      }
    case 'cancelled':
      return {
        title: 'This order was cancelled',
        text: `${end.reason ? `Reason: ${end.reason}. ` : ''}Nothing was charged. ${ask(model)}`,
        tone: 'warn',
      }
    case 'failed':
      return {
        title: 'The payment failed',
        text: `The provider did not take the payment, and nothing was charged. Go back to the shop and order again. ${ask(model)}`,
        tone: 'warn',
      }
    case 'blocked':
      return {
        title: 'Payment is not possible',
        text: `${model.merchantName} does not take payments for this order from you. ${ask(model)}`,
        tone: 'warn',
      }
  }
}

/** What happened, what to do, and the way back. */
export function endPart(model: CheckoutModel, end: End): Html {
  const { title, text, tone } = wordsOf(model, end)
  return html`<div class="state end ${tone}" data-announce="${title}">
<div class="sign" aria-hidden="true"></div>
<h2>${title}</h2>
<p>${text}</p>
${end.kind === 'paid' && html`<p class="when"><time datetime="${end.paidAt}">${end.paidAt.slice(0, 16).replace('T', ' ')} UTC</time></p>`}
${model.returnUrl && html`<p class="open"><a class="button" href="${model.returnUrl}">Back to ${model.merchantName}</a></p>`}
</div>`
}
