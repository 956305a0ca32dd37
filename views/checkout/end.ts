import { type Html, html } from '../html.ts'
import { buttonLink, ending, time } from '../parts.ts'
import type { CheckoutModel, Part } from './model.ts'

type End = Extract<Part, { kind: 'paid' | 'expired' | 'cancelled' | 'failed' | 'blocked' }>

const titles: Record<End['kind'], string> = {
  paid: 'Paid',
  expired: 'This order has expired',
  cancelled: 'This order was cancelled',
  failed: 'The payment failed',
  blocked: 'Payment not possible',
}

const paidMessage = (merchantName: string, { coins, method }: Extract<End, { kind: 'paid' }>): string => {
  if (coins !== null) return `You paid ${coins} to ${merchantName}.`
  return method === null ? `You paid ${merchantName}.` : `You paid ${merchantName} with ${method}.`
}

/** What happened and what to do next. */
function messages({ merchantName }: CheckoutModel, end: End): string[] {
  switch (end.kind) {
    case 'paid':
      return [paidMessage(merchantName, end), 'Thank you!']
    case 'expired':
      if (end.received !== null) {
        return [
          `We received ${end.received}, which doesn’t cover this order.`,
          `Contact ${merchantName} before you pay again.`,
        ]
      }
      return [
        'It wasn’t paid in time.',
        'If you have already paid, don’t order again: your payment will still be detected.',
        'Otherwise, go back to the shop and order again.',
      ]
    case 'cancelled':
      return ['You were not charged.']
    case 'failed':
      return ['The payment provider declined the payment. Go back to the shop and order again.']
    case 'blocked':
      return [`${merchantName} can’t accept this payment.`]
  }
}

/** A finished order, with the way back to the shop. */
export function endPart(model: CheckoutModel, end: End): Html {
  const isPaid = end.kind === 'paid'
  const contact =
    isPaid || (end.kind === 'expired' && end.received !== null)
      ? []
      : [`Contact ${model.merchantName} if you have questions.`]
  const body = html`<p>${[...messages(model, end), ...contact].join(' ')}</p>
${isPaid && html`<p class="when">${time(end.paidAt)}</p>`}
${model.returnUrl && buttonLink(model.returnUrl, `Back to ${model.merchantName}`)}`
  return ending(isPaid ? 'good' : 'warn', titles[end.kind], body)
}
