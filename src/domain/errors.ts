/**
 * The one catalogue of refusals: each code with its HTTP status and the sentence used when none better is at
 * hand.
 */
const refusals = {
  validation_error: [400, 'The request is not valid.'],
  unauthorized: [401, 'Send your API key in the X-API-Key header.'],
  invalid_api_key: [401, 'This API key is malformed, unknown or revoked.'],
  insufficient_scope: [403, 'This API key lacks the scope that the operation needs.'],
  live_key_required: [403, 'This operation needs a live API key.'],
  wallet_override_disabled: [403, 'Order wallet overrides are not enabled. Enable them with PUT /v1/wallet.'],
  customer_blocked: [403, 'This customer is blocked from starting payments.'],
  merchant_suspended: [403, 'This merchant is suspended.'],
  forbidden: [403, 'This is not permitted.'],
  not_found: [404, 'There is nothing here.'],
  order_not_cancellable: [409, 'The order can no longer be cancelled.'],
  order_not_forcible: [409, 'Only an unpaid order can be forced to paid.'],
  order_not_payable: [409, 'The order does not take payments any more.'],
  idempotency_key_reused: [409, 'This Idempotency-Key was used with another request.'],
  conflict: [409, 'The present state does not allow this.'],
  body_too_large: [413, 'The request body is too large.'],
  payout_wallet_required: [422, 'Configure an EVM payout wallet with PUT /v1/wallet first.'],
  crypto_not_configured: [422, 'Configure a crypto wallet with PUT /v1/wallet, and includeCrypto, first.'],
  method_not_offered: [422, 'This payment method is not offered for the order.'],
  order_not_refundable: [409, 'Only an order that was paid by a verified settlement can be refunded.'],
  refund_exceeds_remaining: [422, 'The amount is more than what remains to be refunded.'],
  price_override_not_allowed: [422, 'The product does not allow another price.'],
  product_not_available: [422, 'There is no such active product.'],
  destination_not_allowed: [422, 'The URL must lead to a public destination.'],
  rate_limited: [429, 'Too many requests. Wait before you try again.'],
  internal_error: [500, 'Something went wrong on our side. The request id helps us to find it.'],
  provider_unavailable: [502, 'The payment provider does not answer at the moment. Try again shortly.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type RefusalCode = keyof typeof refusals

/**
 * A refusal is an expected answer, not a bug: it carries its code, its sentence and what the caller may know.
 */
export class Refusal extends Error {
  readonly status: number

  constructor(
    readonly code: RefusalCode,
    message?: string,
    readonly details?: unknown,
    readonly retryAfterSeconds?: number,
  ) {
    super(message ?? refusals[code][1])
    this.status = refusals[code][0]
  }
}

/** What was decided upon has changed meanwhile. Storage runs the work of a write again that throws this. */
export class LostRace extends Refusal {
  constructor() {
    super('conflict', 'Another request changed this at the same time. Try again.')
  }
}

/** Takes the answer of a compare-and-set. */
export function mustWin(won: boolean): void {
  if (!won) throw new LostRace()
}

export const invalid = (path: string, rule: string): Refusal =>
  new Refusal('validation_error', `${path || 'The request'}: ${rule}`, [{ path, rule }])

/** For what cannot happen: a bug, answered with 500 and logged whole. */
export function assert(condition: unknown, sentence: string): asserts condition {
  if (!condition) throw new Error(`Assertion failed: ${sentence}`)
}
