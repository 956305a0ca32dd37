import type { MethodTerms, ProviderCoin } from '../domain/catalogue.ts'
import type { FeePercent } from '../domain/fee.ts'
import type { Json } from '../domain/metadata.ts'
import type { Amount } from '../domain/money.ts'
import type { ReversalKind, ReversalStatus } from '../domain/reversal.ts'
import type { UpstreamFault } from '../domain/upstream-fault.ts'
import type { ChargeAccounts } from './port/accounts.ts'

export { AccountProblem, type ChargeAccounts, type ConnectRequest } from './port/accounts.ts'

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

/**
 * The error if a provider is unavailable, or refused a request. The message is for the log, never for a
 * buyer.
 */
export class ProviderError extends Error {
  constructor(
    readonly kind: 'unavailable' | 'refused',
    message: string,
    /** usual fault of the provider; null if the error is not a usual fault */
    readonly fault: UpstreamFault | null = null,
  ) {
    super(message)
  }
}

/** The error for a callback without a valid proof. The callback is answered with 403 and changes nothing. */
export class InvalidProof extends Error {}

/** A request to a callback URL, unchanged: proofs cover the exact query or body. */
export interface Inbound {
  method: string
  /** query without the question mark */
  query: string
  headers: Headers
  body: Uint8Array
}

/**
 * The attempt that a callback claims to be about. The claim proves nothing: a secret is compared with that of
 * the attempt before `receive` is called, and a reference is public.
 */
export type CallbackTarget =
  | { attemptId: string; secret: string }
  | { reference: string }
  /**
   * for an event after the payment, by the payment's `txIn`; acknowledged and ignored if the payment is
   * unknown
   */
  | { paymentId: string }

/** The part of an attempt that an adapter may know if the attempt is a charge. */
interface ChargeAttempt {
  attemptId: string
  /** the account that is paid: `account` of the `Charge` */
  account: string
  /**
   * True if the buyer may still pay: the order waits for this amount and has not expired. Reads the current
   * state at each call, for providers where a buyer only approves a payment and Florin captures it.
   */
  isWanted(): Promise<boolean>
  /** The provider's ID of the payment that was reported for this attempt; null if no payment was reported. */
  paymentId(): Promise<string | null>
}

/** The adapter's view of an attempt that it opened. */
export interface ProviderAttempt {
  callbackUrl: string
  /** provider's ID of the payment, which may be secret */
  reference: string
  /** address where a forwarded coin is collected */
  address: string | null
  assetId: string
  charge?: ChargeAttempt
  /** the merchant's credentials for this provider; null unless the provider takes charges */
  credentials: Json
}

/**
 * Money of a payment that the provider takes back: by a refund, or by a dispute of the buyer with their bank.
 */
export interface ProviderReversal {
  /** provider's ID of the reversal, unique among the provider's reversals */
  reference: string
  kind: ReversalKind
  status: Exclude<ReversalStatus, 'asked'>
  amount: Amount
  currency: string
  /** `refundId` of a refund that Florin asked for; null for other reversals */
  refundId: string | null
}

/** A reversal, and the provider's ID of the payment that it takes back. */
export interface PaymentReversal extends ProviderReversal {
  paymentId: string
}

export interface ProviderPayment {
  /**
   * `pending`: the buyer has paid, and the money is on its way, as with direct debits. `failed`: the payment
   * has failed for good. `expired`: nobody can pay on this page any more, but a new page can be opened.
   */
  status: 'settled' | 'pending' | 'failed' | 'expired'
  /** proof of the report */
  proof: 'signature' | 'status_lookup'
  /** buyer's transaction; for a charge, the provider's ID of the payment */
  txIn: string | null
  /** transaction that pays the merchant */
  txOut: string | null
  /** asset such as "polygon/usdc" for a coin; `fiatAssetId` of the currency for a charge */
  assetId: string
  /** whole coins, or the amount in the charge's currency, as a decimal string */
  amount: string
  /** the report as received, without secrets */
  evidence: Json
  /** all reversals of a settled payment */
  reversals?: readonly ProviderReversal[]
}

export interface ChargeRequest {
  /** idempotency key, which is equal in all tries for an attempt */
  attemptId: string
  methodKey: string
  amount: Amount
  currency: string
  email: string
  /** text for the buyer: the shop and the number of the order */
  title: string
  /** language tag, such as "en" or "pt-BR" */
  language: string
  /**
   * time when the buyer first asked for this page. Repeated tries of one opening have the same time, so that
   * an adapter can repeat its request exactly
   */
  startedAt: number
  /** time after which nobody should be able to pay */
  expiresAt: number
  credentials: Json
  /** URL for callbacks, without secrets; the same for all charges of this provider */
  callbackUrl: string
  /** URL to which the buyer's browser returns after the payment; that it returns proves nothing */
  returnUrl: string
  /** URL to which the browser returns if the buyer does not pay */
  cancelUrl: string
}

export interface Charge {
  /** URL of the provider's payment page */
  url: string
  /** unique name of the charge in callbacks and status look-ups */
  reference: string
  /** account that is paid, as the merchant knows it; not secret */
  account: string
}

export interface ChargeRefund {
  /** idempotency key, which is equal in all tries for a refund; tries may be days apart */
  refundId: string
  /** provider's ID of this refund, if the provider has answered before: then the refund is only looked up */
  reference: string | null
  attempt: ProviderAttempt
  /** provider's ID of the payment that settled the order */
  paymentId: string
  amount: Amount
  currency: string
  reason: string
}

/**
 * Takes an amount in the order's own currency into the merchant's account with the provider, like a card
 * processor. A charge is settled by exactly that amount.
 */
export interface FiatCharge {
  /** The methods that are available now. Throws ProviderError. */
  methods(): Promise<MethodTerms[]>
  /** Checks a merchant's credentials. Returns the problem, as "must be …"; null if they can be stored. */
  credentialsError(credentials: Json): string | null
  /** The accounts that shops connect; missing if people cannot connect any. */
  accounts?: ChargeAccounts
  /** Opens a charge. Throws ProviderError. */
  open(request: ChargeRequest): Promise<Charge>
  /**
   * Makes sure that nobody can pay on a page any more. Returns the result of a look-up after that: the
   * payment was made, or it has expired. Throws ProviderError.
   */
  close?(attempt: ProviderAttempt): Promise<ProviderPayment[]>
  /**
   * Pays money back, once for each `refundId`. If a provider lacks this method, merchants pay back at the
   * provider. Throws ProviderError.
   */
  refund?(refund: ChargeRefund): Promise<ProviderReversal>
  /**
   * Lists the reversals of all payments of an account since a time, in their present state. This is needed
   * because payments are looked up only for some weeks, and callbacks can be lost. Throws ProviderError.
   */
  listReversals?(credentials: Json, since: number): Promise<PaymentReversal[]>
}

export interface AddressRequest {
  /** payout wallet: the order's EVM wallet for a page, the wallet of the coin's network for an address */
  payoutAddress: string
  feePercent: FeePercent
  /**
   * URL that is unique to the attempt and contains its secret; a request with the same URL may be repeated
   */
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
  /** coin that is paid out */
  assetId: string
  decimals: number
  /** value of the order in that coin */
  dueAtomic: bigint
  /** least amount that settles, since the provider deducts its own fees */
  thresholdAtomic: bigint
  /** least amount that settles if the buyer cannot pay the rest */
  floorAtomic: bigint
}

/** Collects payments and forwards them as coins to a payout wallet. */
export interface CoinForwarding {
  /** True if orders for the provider's methods need an EVM payout wallet. */
  readonly needsEvmWallet: boolean
  /** The coin that the provider's payment pages pay out, to the EVM payout wallet. */
  readonly paidIn: string
  /** The methods that have a payment page now. Throws ProviderError. */
  methods(): Promise<MethodTerms[]>
  /** Opens a payment page. Throws ProviderError. */
  openPage(request: PageRequest): Promise<ForwardingPage>
  /** The assets for which the provider opens addresses, with their minimums. Throws ProviderError. */
  coins(): Promise<ProviderCoin[]>
  /** Opens an address for one asset. Throws ProviderError. */
  openAddress(assetId: string, request: AddressRequest): Promise<ForwardingAddress>
}

/** A payment provider. It has one of the capabilities `charge` and `forwarding`, or both. */
export interface Provider {
  /** ID of the provider, which is part of its callback URLs */
  readonly id: string
  /** true if the provider takes charges, and only for shops that have connected accounts of their own */
  readonly hasOwnAccounts?: true
  readonly charge?: FiatCharge
  readonly forwarding?: CoinForwarding
  readonly callbackMethod: 'GET' | 'POST'
  /** body of the answer to an accepted callback, including duplicates */
  readonly acknowledgement: string
  /**
   * The answer to a callback about an unknown reference. `again` asks the provider to call once more, since
   * the callback may have been faster than the record of the reference. `ignored` is the same answer as to
   * any other callback, so it shows strangers nothing. By default, the callback is refused as forbidden.
   */
  readonly unknownReference?: 'again' | 'ignored'
  /**
   * Reads which attempt a callback is about, before anything is verified. Returns null if the callback is
   * about no payment; it is then acknowledged and ignored. Throws InvalidProof.
   */
  identify(inbound: Inbound): CallbackTarget | null
  /**
   * Verifies and reads a callback. Throws InvalidProof, and ProviderError if the proof needs a status look-up
   * that fails. A provider whose callbacks have no signature looks the payment up after each callback.
   */
  receive(inbound: Inbound, attempt: ProviderAttempt): Promise<ProviderPayment[]>
  /**
   * Fetches the current state of a payment; empty while nobody has paid. If the buyer has only approved the
   * payment, first captures it, if `isWanted` still says so. Throws ProviderError.
   */
  lookup(attempt: ProviderAttempt): Promise<ProviderPayment[]>
}

/** The facts about a provider with accounts of shops that are known before its code is loaded. */
export type OwnAccountFacts = Required<
  Pick<Provider, 'id' | 'callbackMethod' | 'acknowledgement' | 'unknownReference' | 'hasOwnAccounts'>
>

export interface Providers {
  /** providers through which shops can be paid */
  all: readonly Provider[]
  /** finds a provider by its ID, including the simulated one of test orders */
  find(id: string): Provider | undefined
}
