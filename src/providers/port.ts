import type { MethodTerms, ProviderCoin } from '../domain/catalogue.ts'
import type { FeePercent } from '../domain/fee.ts'
import type { Json } from '../domain/metadata.ts'
import type { Amount } from '../domain/money.ts'
import type { ReversalKind, ReversalStatus } from '../domain/reversal.ts'
import type { UpstreamFault } from '../domain/upstream-fault.ts'
import type { ChargeAccounts } from './port/accounts.ts'

export { AccountProblem, type ChargeAccounts, type ConnectRequest } from './port/accounts.ts'

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

/** The provider is unavailable, or it refused the request. The message is for the log, never for a buyer. */
export class ProviderError extends Error {
  constructor(
    readonly kind: 'unavailable' | 'refused',
    message: string,
    /** the usual fault of the provider, if it is one */
    readonly fault: UpstreamFault | null = null,
  ) {
    super(message)
  }
}

/** A callback without a valid proof. It is answered with 403 and changes nothing. */
export class InvalidProof extends Error {}

/** A request to a callback URL, unchanged: proofs cover the exact query or body. */
export interface Inbound {
  method: string
  /** without the question mark */
  query: string
  headers: Headers
  body: Uint8Array
}

/**
 * The attempt that a callback claims to be about. The claim proves nothing: the secret is compared with the
 * attempt's before `receive` is called, and a reference is public.
 */
export type CallbackTarget =
  | { attemptId: string; secret: string }
  | { reference: string }
  /** what happened later to a payment, by its `txIn`; acknowledged and ignored if the payment is unknown */
  | { paymentId: string }

/** What an adapter may know of an attempt that is a charge. */
interface ChargeAttempt {
  attemptId: string
  /** the paid account, as `Charge` named it */
  account: string
  /**
   * Whether the buyer may still pay: the order waits for this amount, and its time is not over. Read at the
   * moment of the call, for providers where a buyer only approves a payment, and Florin takes it.
   */
  isWanted(): Promise<boolean>
  /** The provider's ID of the payment that was reported for this attempt; null if there is none. */
  paymentId(): Promise<string | null>
}

/** The adapter's view of an attempt that it opened. */
export interface ProviderAttempt {
  callbackUrl: string
  /** the provider's ID of the payment; may be secret */
  reference: string
  /** where a forwarded coin is collected */
  address: string | null
  assetId: string
  charge?: ChargeAttempt
  /** the merchant's credentials for this provider; null unless it takes charges */
  credentials: Json
}

/** What the provider takes back of a payment: a refund, or a dispute of the buyer with their bank. */
export interface ProviderReversal {
  /** the provider's ID, unique among its reversals */
  reference: string
  kind: ReversalKind
  status: Exclude<ReversalStatus, 'asked'>
  amount: Amount
  currency: string
  /** the `refundId` of a refund that Florin asked for; null for all others */
  refundId: string | null
}

/** A reversal with the provider's ID of the payment. */
export interface PaymentReversal extends ProviderReversal {
  paymentId: string
}

export interface ProviderPayment {
  /**
   * `pending`: the buyer has paid, and the money is on its way, as with direct debits. `failed`: for good.
   * `expired`: nobody can pay on this page any more, but on a new one.
   */
  status: 'settled' | 'pending' | 'failed' | 'expired'
  /** what proves the report */
  proof: 'signature' | 'status_lookup'
  /** the buyer's transaction; for a charge, the provider's payment ID */
  txIn: string | null
  /** the transaction that pays the merchant */
  txOut: string | null
  /** "polygon/usdc" for a coin; `fiatAssetId` of the currency for a charge */
  assetId: string
  /** whole coins, or the amount in the charge's currency, as a decimal string */
  amount: string
  /** the report as received, without secrets */
  evidence: Json
  /** everything that was taken back of a settled payment */
  reversals?: readonly ProviderReversal[]
}

export interface ChargeRequest {
  /** equal in all tries for an attempt: an idempotency key */
  attemptId: string
  methodKey: string
  amount: Amount
  currency: string
  email: string
  /** what the buyer pays for: the shop and the number of the order */
  title: string
  /** "en", "pt-BR" */
  language: string
  /** when the buyer first asked for this page: equal in all tries, unless they are far apart */
  startedAt: number
  /** nobody should be able to pay after this time */
  expiresAt: number
  credentials: Json
  /** the same for all charges of this provider, without secrets */
  callbackUrl: string
  /** where the buyer's browser goes after the payment; to arrive there proves nothing */
  returnUrl: string
  /** where it goes if the buyer does not pay */
  cancelUrl: string
}

export interface Charge {
  /** the provider's payment page */
  url: string
  /** names the charge in callbacks and status look-ups; unique */
  reference: string
  /** the paid account, as the merchant knows it; not secret */
  account: string
}

export interface ChargeRefund {
  /** equal in all tries for a refund, which may be days apart */
  refundId: string
  /** the provider's ID of this refund, if it has answered before: then it is only looked up */
  reference: string | null
  attempt: ProviderAttempt
  /** the provider's ID of the payment that settled the order */
  paymentId: string
  amount: Amount
  currency: string
  reason: string
}

/**
 * Takes an amount in the order's own currency into the merchant's account with the provider, like a card
 * processor. It settles at exactly that amount.
 */
export interface FiatCharge {
  /** The methods that are available now. Throws ProviderError. */
  methods(): Promise<MethodTerms[]>
  /** Checks a merchant's credentials. Returns the problem, as "must be …"; null if they can be stored. */
  credentialsError(credentials: Json): string | null
  /** How a shop connects its account; missing if people cannot. */
  accounts?: ChargeAccounts
  /** Opens a charge. Throws ProviderError. */
  open(request: ChargeRequest): Promise<Charge>
  /**
   * Makes sure that nobody can pay on a page any more, and returns what a look-up then says: that it was
   * paid, or that it has expired. Throws ProviderError.
   */
  close?(attempt: ProviderAttempt): Promise<ProviderPayment[]>
  /**
   * Pays money back, once for each `refundId`. Without this method, merchants pay back at the provider.
   * Throws ProviderError.
   */
  refund?(refund: ChargeRefund): Promise<ProviderReversal>
  /**
   * Lists what was taken back of all payments of an account since a time, as it is now. Payments are looked
   * up for some weeks only, and callbacks can be lost. Throws ProviderError.
   */
  listReversals?(credentials: Json, since: number): Promise<PaymentReversal[]>
}

export interface AddressRequest {
  /** the payout wallet: the order's EVM wallet for a page, the wallet of the coin's network for an address */
  payoutAddress: string
  feePercent: FeePercent
  /** unique to the attempt and contains its secret; a request with the same URL may be repeated */
  callbackUrl: string
}

export interface PageRequest extends AddressRequest {
  methodKey: string
  amount: Amount
  currency: string
  email: string
}

export interface ForwardingAddress {
  address: string
  reference: string
  /** true if the platform's fee is split off from the payout */
  feeSplit: boolean
}

/** A payment page whose payments reach the merchant as a coin. */
export interface ForwardingPage extends ForwardingAddress {
  url: string
  /** the coin that is paid out */
  assetId: string
  decimals: number
  /** value of the order in that coin */
  dueAtomic: bigint
  /** least amount that settles: the provider deducts its own fees */
  thresholdAtomic: bigint
  /** least amount that settles if the buyer cannot pay the rest */
  floorAtomic: bigint
}

/** Collects a payment and forwards it as a coin to a payout wallet. */
export interface CoinForwarding {
  /** True if orders for its methods need an EVM payout wallet. */
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
  /** true if it takes charges, and only for shops that have connected accounts of their own */
  readonly hasOwnAccounts?: true
  readonly charge?: FiatCharge
  readonly forwarding?: CoinForwarding
  readonly callbackMethod: 'GET' | 'POST'
  /** body of the answer to an accepted callback, including duplicates */
  readonly acknowledgement: string
  /**
   * What a callback about an unknown reference gets: `again` asks the provider to call once more, since the
   * callback may have been faster than the record of the reference. `ignored`, the answer to any other, shows
   * strangers nothing. By default, it is forbidden.
   */
  readonly unknownReference?: 'again' | 'ignored'
  /**
   * Reads which attempt a callback is about, before anything is verified. Returns null if it is about no
   * payment: it is acknowledged and ignored. Throws InvalidProof.
   */
  identify(inbound: Inbound): CallbackTarget | null
  /**
   * Verifies and reads a callback. Throws InvalidProof, and ProviderError if the proof needs a status look-up
   * that fails. A provider whose callbacks have no signature looks the payment up after each one.
   */
  receive(inbound: Inbound, attempt: ProviderAttempt): Promise<ProviderPayment[]>
  /**
   * Fetches the current state of a payment; empty while it is unpaid. Takes a payment that the buyer has
   * approved, if it is still wanted. Throws ProviderError.
   */
  lookup(attempt: ProviderAttempt): Promise<ProviderPayment[]>
}

/** What is known of a provider with accounts of shops before its code is loaded. */
export type OwnAccountFacts = Required<
  Pick<Provider, 'id' | 'callbackMethod' | 'acknowledgement' | 'unknownReference' | 'hasOwnAccounts'>
>

export interface Providers {
  /** those that shops can be paid through */
  all: readonly Provider[]
  /** also finds the simulated provider of test orders */
  find(id: string): Provider | undefined
}
