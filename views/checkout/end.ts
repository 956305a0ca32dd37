import { type Html, html } from '../html.ts'
import { buttonLink, ending, instant } from '../parts.ts'
import type { CheckoutModel, Part } from './model.ts'

type End = Extract<Part, { kind: 'paid' | 'expired' | 'cancelled' | 'failed' | 'blocked' }>

const titles: Record<End['kind'], string> = {
  paid: 'Paid',
  expired: 'This order has expired',
  cancelled: 'This order was cancelled',
  failed: 'The payment failed',
  blocked: 'Payment is not possible',
}

const shop = ({ merchantName }: CheckoutModel): string => merchantName

/** What happened, and what to do. */
function sentences(model: CheckoutModel, end: End): string[] {
  switch (end.kind) {
    case 'paid':
      return [`${shop(model)} has your payment${end.paidWith ? ` with ${end.paidWith}` : ''}.`, 'Thank you!']
    case 'expired':
      return [
        'It was not paid in time. Go back to the shop and order again.',
        'If you have paid, it will still be found: keep your receipt.',
      ]
    case 'cancelled':
      return ['Nothing was charged.']
    case 'failed':
      return [
        'The provider did not take the payment, and nothing was charged.',
        'Go back to the shop and order again.',
      ]
    case 'blocked':
      return [`${shop(model)} does not take payments for this order from you.`]
  }
}

/** The end of an order's way, and the way back to the shop. */
export function endPart(model: CheckoutModel, end: End): Html {
  const isPaid = end.kind === 'paid'
  const ask = isPaid ? [] : [`Ask ${shop(model)} if you have questions.`]
  const body = html`<p>${[...sentences(model, end), ...ask].join(' ')}</p>
${isPaid && html`<p class="when">${instant(end.paidAt)}</p>`}
${model.returnUrl && buttonLink(model.returnUrl, `Back to ${shop(model)}`)}`
  return ending(isPaid ? 'good' : 'warn', titles[end.kind], body)
}
