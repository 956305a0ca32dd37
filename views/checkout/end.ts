import { type Html, html } from '../html.ts'
import type { Locale } from '../locale.ts'
import { buttonLink, ending, time } from '../parts.ts'
import { askElsewhere } from './elsewhere.ts'
import { checkNow, payUrl } from './links.ts'
import type { CheckoutModel, Part } from './model.ts'

type End = Extract<Part, { kind: 'paid' | 'expired' | 'cancelled' | 'failed' | 'blocked' }>

function paidMessage(
  { texts: { end } }: Locale,
  shop: string,
  { coins, method }: Extract<End, { kind: 'paid' }>,
): string {
  if (coins !== null) return end.paidCoins({ amount: coins, shop })
  return method === null ? end.paidShop({ shop }) : end.paidWith({ shop, method })
}

/** Sentences about the end of an order, and the next step. */
function messages(locale: Locale, { merchantName, others, blind }: CheckoutModel, end: End): string[] {
  const { end: texts } = locale.texts
  switch (end.kind) {
    case 'paid':
      return [
        paidMessage(locale, merchantName, end),
        end.refunded ? texts.refunded({ amount: end.refunded.amount, shop: merchantName }) : texts.thanks,
      ]
    case 'expired':
      if (end.hasReceived) return [texts.contactFirst({ shop: merchantName })]
      if (blind.length > 0) return []
      // The payments that can still be made are listed below.
      if (others.length > 0) return [texts.maybePaid]
      return [
        end.isEnded ? texts.closedEarly({ shop: merchantName }) : texts.notInTime,
        ...(end.isWatched ? [texts.maybePaid, texts.orderAgain] : [texts.goBack]),
      ]
    case 'cancelled':
      return [texts.notCharged]
    case 'failed':
      return [texts.declined]
    case 'blocked':
      return [texts.notAccepted({ shop: merchantName })]
  }
}

/** A finished order, with the way back to the shop. */
export function endPart(locale: Locale, model: CheckoutModel, end: End): Html {
  const { crypto, end: texts, page, receipt } = locale.texts
  const isPaid = end.kind === 'paid'
  const contact =
    isPaid || (end.kind === 'expired' && end.hasReceived)
      ? []
      : [texts.haveQuestions({ shop: model.merchantName })]
  const body = html`<p>${[...messages(locale, model, end), ...contact].join(' ')}</p>
${isPaid && html`<p class="when">${time(locale, end.paidAt)}</p>`}
${end.kind === 'expired' && end.isWatched && askElsewhere(locale, model)}
${model.returnUrl && buttonLink(model.returnUrl, page.backToShop({ shop: model.merchantName }))}
${end.kind === 'expired' && end.isWatched && checkNow(locale, model, crypto.notCovered)}
${isPaid && html`<p class="other"><a href="${payUrl(model)}/receipt">${receipt.show}</a></p>`}`
  return ending(isPaid ? 'good' : 'warn', titleOf(locale, end), body)
}

const titleOf = (locale: Locale, end: End): string => decidedTitle(locale, end) ?? locale.texts.end[end.kind]

/** The title of an order that its shop closed or refunded; null for every other order. */
export function decidedTitle({ texts: { end } }: Locale, part: Part): string | null {
  if (part.kind === 'paid' && part.refunded?.isFull) return end.refundedTitle
  return part.kind === 'expired' && part.isEnded ? end.closed : null
}
