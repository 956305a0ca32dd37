import type { Reason } from './reason.ts'

/** Every error code, with its HTTP status and its default message. */
export const refusals = {
  validation_error: [400, 'The request is invalid. See error.details for the fields to correct.'],
  unauthorized: [401, 'Missing API key. Send it in the X-API-Key header.'],
  invalid_api_key: [
    401,
    'This API key is malformed, unknown, expired or revoked. Check it, or create a new one ' +
      'with florin key create.',
  ],
  insufficient_scope: [403, 'This API key does not have the required scope. Use a key that has it.'],
  live_key_required: [403, 'Use a live API key (florin_live_…) for this operation.'],
  test_key_required: [403, 'Use a test API key (florin_test_…) for this operation.'],
  wallet_override_disabled: [
    403,
    'Orders cannot set receivingWallet. Allow it with orderWalletOverrideEnabled in PUT /v1/wallet.',
  ],
  customer_blocked: [403, 'This customer is blocked. To let them pay again, run florin customer unblock.'],
  merchant_suspended: [403, 'This merchant is suspended. Ask the operator of this server to resume it.'],
  forbidden: [
    403,
    'The object belongs to another merchant, the secret or signature of a callback is invalid, or the ' +
      'role of a person does not allow this. Check the ID and the API key.',
  ],
  not_found: [404, 'There is no such object or route. Check the ID and the path.'],
  method_not_allowed: [405, 'This address takes other methods. See the Allow header.'],
  order_not_cancellable: [
    409,
    'Only an UNPAID order can be cancelled, before a buyer starts to pay. Later, end it in the dashboard; ' +
      'if it is paid, record a refund.',
  ],
  order_not_forcible: [
    409,
    'Only an order with status UNPAID can be marked as paid manually. Create a new order instead.',
  ],
  order_not_endable: [409, 'Only an order with status UNPAID can be ended. Check its status.'],
  order_not_payable: [409, 'This order can no longer be paid. Create a new order.'],
  idempotency_key_reused: [
    409,
    'This Idempotency-Key was already used with a different request body. Use a new key for a new request.',
  ],
  conflict: [
    409,
    'The current state does not allow this operation. Get the object again and check its status.',
  ],
  body_too_large: [413, 'The request body is too large. Split it into several requests.'],
  payout_wallet_required: [422, 'No EVM payout wallet is set. Set payoutWallet with PUT /v1/wallet first.'],
  crypto_not_configured: [
    422,
    'This merchant has no payout wallet and no other source of addresses, or includeCrypto is ' +
      'false. Set cryptoWallets with PUT /v1/wallet, or run florin wallet --help.',
  ],
  method_not_offered: [422, 'This payment method is not available for this order. Choose another method.'],
  order_not_refundable: [
    409,
    'Only an order with a verified payment can be refunded, up to its amount. Check its refundStatus.',
  ],
  refund_exceeds_remaining: [
    422,
    'The amount is higher than what can still be refunded. Send a lower amount.',
  ],
  price_override_not_allowed: [422, 'This product has a fixed price. Leave out amount and currency.'],
  product_not_available: [422, 'There is no active product with this ID. It may be archived.'],
  destination_not_allowed: [
    422,
    'The URL must be a public HTTPS address. FLORIN_OUTBOUND_ALLOW can allow a private host.',
  ],
  rate_limited: [429, 'Too many requests. Wait for the number of seconds in the Retry-After header.'],
  internal_error: [
    500,
    'Something went wrong on the server. Search its log for the request ID to find the cause.',
  ],
  storage_unavailable: [
    503,
    'The server cannot store anything: its disk may be full or read-only. Wait for the number ' +
      'of seconds in the Retry-After header, then try again.',
  ],
  provider_unavailable: [502, 'The payment provider is not responding. Try again in a few minutes.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type RefusalCode = keyof typeof refusals

/** A field of a request that violates a rule. */
export interface InvalidField {
  /** JSON pointer; empty, or "/", for the whole request */
  path: string
  rule: string
}

/** The details of a refusal, besides its code and its message. */
interface RefusalFacts {
  /** reason of the refusal for pages, which explain it in the reader's language */
  reason?: Reason
  /** the fields to correct */
  details?: readonly InvalidField[]
  retryAfterSeconds?: number
}

/** An expected error, not a bug. Scripts read its code and its message, pages explain its reason. */
export class Refusal extends Error {
  readonly status: number
  readonly reason: Reason | null
  readonly details: readonly InvalidField[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    readonly code: RefusalCode,
    message?: string,
    { reason, details, retryAfterSeconds }: RefusalFacts = {},
  ) {
    super(message ?? refusals[code][1])
    this.status = refusals[code][0]
    this.reason = reason ?? null
    this.details = details
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/**
 * A refusal of a write because the data has changed since it was read. Storage repeats a write that throws
 * this error.
 */
export class LostRace extends Refusal {
  constructor() {
    const message = 'Another request changed this at the same time. Try again.'
    super('conflict', message, { reason: { kind: 'changed' } })
  }
}

/** A refusal of a form because another person has changed the data that it shows since it was opened. */
export const staleForm = (): Refusal => {
  const message = 'This was changed since the form was opened. Look again, then decide.'
  return new Refusal('conflict', message, { reason: { kind: 'stale_form' } })
}

export function mustWin(won: boolean): void {
  if (!won) throw new LostRace()
}

/** A validation error. `path` is the JSON pointer of the field; empty, or "/", for the whole request. */
export function invalid(path: string, rule: string, reason?: Reason): Refusal {
  const message = path.length > 1 ? `${path}: ${rule}` : `The request ${rule}`
  return new Refusal('validation_error', message, { details: [{ path, rule }], ...(reason && { reason }) })
}

/**
 * Throws if the condition is false, which is a bug: the request is answered with 500, and the error is
 * logged.
 */
export function assert(condition: unknown, expectation: string): asserts condition {
  if (!condition) throw new Error(`Assertion failed: ${expectation}`)
}

/** Returns the value. Throws like `assert` if it is missing; `expectation` says why that cannot happen. */
export function asserted<T>(value: T | null | undefined, expectation: string): T {
  assert(value !== null && value !== undefined, expectation)
  return value
}
