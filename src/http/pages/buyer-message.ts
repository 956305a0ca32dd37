import { type Refusal, type RefusalCode, refusals } from '../../domain/errors.ts'

/**
 * In place of the default messages, which are for developers. There is none for `customer_blocked`: a
 * stranger must not read whom a shop has blocked.
 */
const messages: Partial<Record<RefusalCode, string>> = {
  validation_error: 'This link or form is invalid. Go back, or ask the shop for a new link.',
  not_found: 'There is no page at this address.',
  order_not_payable: 'This order can no longer be paid. Go back to the shop and order again.',
  method_not_offered: 'This payment method isn’t available. Choose another method.',
  product_not_available: 'This product isn’t available. Go back to the shop and choose another one.',
  internal_error: 'Please try again. If it happens again, contact the shop with the request ID below.',
  provider_unavailable: 'Please try again in a few minutes.',
}

const isDefault = ({ code, message }: Refusal): boolean => message === refusals[code][1]

/** Their own messages name fields and states of the API. */
const forDevelopers: RefusalCode[] = ['validation_error', 'payout_wallet_required']

const waitMessage = (seconds: number | undefined): string =>
  seconds === undefined
    ? 'Please wait a minute, then try again.'
    : `Too many requests. Please try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`

/** An error as a page shows it to buyers, who cannot fix what only the shop can. */
export function buyerMessage(refusal: Refusal): string {
  if (refusal.code === 'rate_limited') return waitMessage(refusal.retryAfterSeconds)
  if (!isDefault(refusal) && !forDevelopers.includes(refusal.code)) return refusal.message
  return (
    messages[refusal.code] ??
    'The shop can’t accept this order right now. Try again later, or contact the shop.'
  )
}
