import type { MethodTerms, ProviderCoin } from '../domain/catalogue.ts'
import type { FeePercent } from '../domain/fee.ts'
import type { Json } from '../domain/metadata.ts'
import type { Amount } from '../domain/money.ts'
import type { UpstreamFault } from '../domain/upstream-fault.ts'

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

/** The provider is unavailable, or it refused the request. The message is for the log, never for a buyer. */
export class ProviderError extends Error {
  constructor(
    readonly kind: 'unavailable' | 'refused',
    message: string,
    /** what is wrong with the provider, if it is a usual fault */
    readonly fault: UpstreamFault | null = null,
  ) {
    super(message)
  }
}

/** A callback without a valid proof. It is answered with 403 and changes nothing. */
export class InvalidProof extends Error {}

/** A request to a callback URL, as it arrived: proofs cover the exact query or body. */
export interface Inbound {
  method: string
  /** the query string, without the question mark */
  query: string
  headers: Headers
  body: Uint8Array
}

/**
 * The attempt that a callback claims to be about. The claim proves nothing by itself: a secret is compared
 * with the attempt's before `receive` is called, and a reference is public.
 */
export type CallbackTarget = { attemptId: string; secret: string } | { reference: string }

/** What an adapter gets to know about an attempt that it opened. */
export interface ProviderAttempt {
  callbackUrl: string
  /** the provider's own id of the payment; may be a secret */
  reference: string
  /** where a forwarded coin is collected */
  address: string | null
  assetId: string
  /** the merchant's credentials for this provider; null unless it takes charges */
  credentials: Json
}

/** One payment as a provider reports it. */
export interface ProviderPayment {
  status: 'settled' | 'failed'
  /** what proves the report */
  proof: 'signature' | 'status_lookup'
  /** the buyer's transaction; for a charge, the provider's id of the payment */
  txIn: string | null
  /** the transaction that pays the merchant */
  txOut: string | null
  /** "polygon/usdc" for a coin; `fiatAssetId` of the currency for a charge */
  assetId: string
  /** whole coins, or the amount in the charge's currency, as a decimal string */
  amount: string
  /** the report as it was received, without secrets */
  evidence: Json
}

export interface ChargeRequest {
  /** the same for every try of one attempt: an idempotency key */
  attemptId: string
  methodKey: string
  amount: Amount
  currency: string
  email: string
  credentials: Json
  /** the same for all charges of this provider; carries no secret */
  callbackUrl: string
  /** where the buyer's browser goes after the payment */
  returnUrl: string
}

export interface Charge {
  /** the provider's payment page */
  url: string
  /** names the charge in callbacks and status look-ups; unique to the charge */
  reference: string
  /** the merchant's account that is paid, as the merchant knows it; not a secret */
  account: string
}

export interface ChargeRefund {
  /** the same for every try of one refund: an idempotency key */
  refundId: string
  attempt: ProviderAttempt
  /** the provider's id of the payment that settled the order */
  paymentId: string
  amount: Amount
  currency: string
  reason: string
}

/**
 * Takes an amount in the order's own currency into the merchant's account with the provider, as a card
 * processor does. It settles at exactly that amount.
 */
export interface FiatCharge {
  /** The methods that buyers can use now. Throws ProviderError. */
  methods(): Promise<MethodTerms[]>
  /** What is wrong with a merchant's credentials, as "must be …"; null if they can be stored. */
  credentialsError(credentials: Json): string | null
  /** Opens a charge. Throws ProviderError. */
  open(request: ChargeRequest): Promise<Charge>
  /**
   * Pays money back. Florin calls it for every refund that is recorded of a payment of this provider, so
   * that merchants must not refund it at the provider as well. An adapter that leaves it out keeps refunds
   * what they are otherwise: records of what was paid back elsewhere.
   */
  refund?(refund: ChargeRefund): Promise<void>
}

export interface AddressRequest {
  /** the payout wallet: the order's EVM wallet for a page, the one of the coin's network for an address */
  payoutAddress: string
  feePercent: FeePercent
  /** unique to the attempt, and carries its secret; a request with the same one may be repeated */
  callbackUrl: string
}

export interface PageRequest extends AddressRequest {
  methodKey: string
  amount: Amount
  currency: string
  email: string
}

/** An address that the provider forwards from. */
export interface ForwardingAddress {
  address: string
  reference: string
  /** whether the platform's fee is split off from the payout */
  feeSplit: boolean
}

/** A payment page whose payment reaches the merchant as a coin. */
export interface ForwardingPage extends ForwardingAddress {
  url: string
  /** the coin that is paid out */
  assetId: string
  decimals: number
  /** what the order is worth in that coin */
  dueAtomic: bigint
  /** the least that settles: the provider deducts its own fees */
  thresholdAtomic: bigint
  /** the least that settles where the buyer has no way to pay the rest */
  floorAtomic: bigint
}

/** Collects a payment, and forwards it as a coin to a payout wallet of the merchant's. */
export interface CoinForwarding {
  /** Whether orders for its methods need an EVM payout wallet. */
  readonly needsEvmWallet: boolean
  /** The coin that its payment pages pay out, to the EVM payout wallet. */
  readonly paidIn: string
  /** The methods that have a payment page now. Throws ProviderError. */
  methods(): Promise<MethodTerms[]>
  /** Opens a payment page. Throws ProviderError. */
  openPage(request: PageRequest): Promise<ForwardingPage>
  /** The assets that it opens addresses for, with their minimums. Throws ProviderError. */
  coins(): Promise<ProviderCoin[]>
  /** Opens an address for one asset. Throws ProviderError. */
  openAddress(assetId: string, request: AddressRequest): Promise<ForwardingAddress>
}

/** A payment provider. It has one of the two capabilities, or both. */
export interface Provider {
  /** part of its callback URLs */
  readonly id: string
  readonly charge?: FiatCharge
  readonly forwarding?: CoinForwarding
  readonly callbackMethod: 'GET' | 'POST'
  /** the body of the answer to an accepted callback, duplicates included */
  readonly acknowledgement: string
  /**
   * Reads which attempt a callback is about, before anything is verified; null for a callback that is about
   * no payment, which is acknowledged and ignored. Throws InvalidProof.
   */
  identify(inbound: Inbound): CallbackTarget | null
  /**
   * Verifies a callback and reads it. Throws InvalidProof, and ProviderError if the proof needs a status
   * look-up that fails.
   */
  receive(inbound: Inbound, attempt: ProviderAttempt): Promise<ProviderPayment[]>
  /** Fetches the present state of a payment; empty while it is unpaid. Throws ProviderError. */
  lookup(attempt: ProviderAttempt): Promise<ProviderPayment[]>
}

export interface Providers {
  all: readonly Provider[]
  find(id: string): Provider | undefined
}
