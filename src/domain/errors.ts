/** Every error code, with its HTTP status and its default message. */
export const refusals = {
  validation_error: [400, 'The request is invalid.'],
  unauthorized: [401, 'Missing API key. Send it in the X-API-Key header.'],
  invalid_api_key: [401, 'Invalid API key: it is malformed, unknown or revoked.'],
  insufficient_scope: [403, 'This API key does not have the required scope.'],
  live_key_required: [403, 'This operation requires a live API key.'],
  wallet_override_disabled: [
    403,
    'Orders cannot set receivingWallet. Allow it with orderWalletOverrideEnabled in PUT /v1/wallet.',
  ],
  customer_blocked: [403, 'This customer is blocked and cannot pay.'],
  merchant_suspended: [403, 'This merchant is suspended.'],
  forbidden: [403, 'You are not allowed to do this.'],
  not_found: [404, 'Not found.'],
  order_not_cancellable: [409, 'This order can no longer be cancelled.'],
  order_not_forcible: [409, 'Only an unpaid order can be marked as paid.'],
  order_not_payable: [409, 'This order can no longer be paid.'],
  idempotency_key_reused: [409, 'This Idempotency-Key was already used with a different request.'],
  conflict: [409, 'The current state does not allow this.'],
  body_too_large: [413, 'The request body is too large.'],
  payout_wallet_required: [422, 'No EVM payout wallet. Set payoutWallet with PUT /v1/wallet first.'],
  crypto_not_configured: [
    422,
    'Crypto checkout is not configured. Set cryptoWallets and includeCrypto with PUT /v1/wallet first.',
  ],
  method_not_offered: [422, 'This payment method is not available for this order.'],
  order_not_refundable: [409, 'Only an order with a verified payment can be refunded.'],
  refund_exceeds_remaining: [422, 'The amount is higher than what can still be refunded.'],
  price_override_not_allowed: [422, 'This product does not allow a different price.'],
  product_not_available: [422, 'There is no active product with this id.'],
  destination_not_allowed: [422, 'The URL must point to a public server.'],
  rate_limited: [429, 'Too many requests. Please wait before you try again.'],
  internal_error: [
    500,
    'Something went wrong on the server. The request id helps to find the cause in its log.',
  ],
  storage_unavailable: [503, 'The server cannot store anything at the moment. Try again in a minute.'],
  provider_unavailable: [502, 'The payment provider is not responding. Try again in a few minutes.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type RefusalCode = keyof typeof refusals

/** An expected error, not a bug: it carries the code, the message and the details that the caller may see. */
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

/** Something has changed since it was read. Storage runs a write that throws this again. */
export class LostRace extends Refusal {
  constructor() {
    super('conflict', 'Another request changed this at the same time. Try again.')
  }
}

/** Throws LostRace if a compare-and-set found another state. */
export function mustWin(won: boolean): void {
  if (!won) throw new LostRace()
}

/** A validation error. `path` points to the field and is empty, or "/", for the request as a whole. */
export function invalid(path: string, rule: string): Refusal {
  const message = path.length > 1 ? `${path}: ${rule}` : `The request ${rule}`
  return new Refusal('validation_error', message, [{ path, rule }])
}

/** Throws when a condition does not hold. This is a bug: the request is answered with 500 and logged. */
export function assert(condition: unknown, expectation: string): asserts condition {
  if (!condition) throw new Error(`Assertion failed: ${expectation}`)
}
