import type { ProviderCoin, ProviderMethod } from '../domain/catalogue.ts'
import type { FeePercent } from '../domain/fee.ts'
import type { Json } from '../domain/metadata.ts'
import type { Amount } from '../domain/money.ts'

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

/**
 * The provider did not do what was asked: it is away, or it refused. Nothing of its answer reaches a buyer.
 */
export class ProviderError extends Error {
  constructor(
    readonly kind: 'unavailable' | 'refused',
    message: string,
  ) {
    super(message)
  }
}

/** A callback whose proof is missing or wrong: answered with 403, and nothing of it is believed. */
export class InvalidProof extends Error {}

export interface ProvisionRequest {
  attemptId: string
  methodKey: string
  amount: Amount
  currency: string
  email: string
  /** the merchant's payout wallet: the EVM one for a page, that of the asset's network for an address */
  payoutAddress: string
  feePercent: FeePercent
  /** unique to the attempt and carrying its secret; repeating a request with the same one is safe */
  callbackUrl: string
}

/** A payment page that is ready for the buyer. */
export interface Provisioned {
  url: string
  /** by which the provider knows the payment; secret */
  ref: string
  /** where the provider collects before it pays out */
  address: string
  /** whether a nonzero fee was accepted as a split */
  feeSplit: boolean
  /** what will arrive: asset, its decimals, and the atomic amount that the order is worth */
  assetId: string
  decimals: number
  dueAtomic: bigint
}

/** A crypto address that the provider forwards from. */
export interface ProvisionedAddress {
  address: string
  ref: string
  feeSplit: boolean
}

export interface Inbound {
  /** the query string exactly as received, without the question mark */
  rawQuery: string
  header(name: string): string | null
}

export interface StoredAttempt {
  callbackUrl: string
  ref: string
  address: string | null
  assetId: string
}

/** What a provider says of one payment. */
export interface ProviderPayment {
  status: 'settled' | 'failed'
  /** which proof stands behind it */
  proof: 'signature' | 'status_lookup'
  txIn: string | null
  txOut: string | null
  /** our id of the asset that arrived: "polygon/usdc" */
  assetId: string
  /** whole coins, as a decimal text */
  amount: string
  evidence: Json
}

export interface Provider {
  readonly id: string
  /** What answers a callback that was understood, duplicates too. */
  readonly acknowledgement: string
  /** The methods that are active now. Throws ProviderFault. */
  methods(): Promise<ProviderMethod[]>
  /** What an amount is worth in US dollars, as a decimal text. Throws ProviderFault. */
  inDollars(amount: Amount, currency: string): Promise<string>
  /** Makes a payment page ready. Throws ProviderFault. */
  provision(request: ProvisionRequest): Promise<Provisioned>
  /** Those of our assets that the provider has addresses for, with its minimums. Throws ProviderFault. */
  coins(): Promise<ProviderCoin[]>
  /** An address of one coin that forwards to the payout address. Throws ProviderFault. */
  openAddress(assetId: string, request: ProvisionRequest): Promise<ProvisionedAddress>
  /** Reads a callback. Throws InvalidProof, and ProviderFault where the proof needs a look-up that fails. */
  receive(inbound: Inbound, attempt: StoredAttempt): Promise<ProviderPayment[]>
  /** Asks for the present state of a payment; empty while it is unpaid. Throws ProviderFault. */
  lookup(attempt: StoredAttempt): Promise<ProviderPayment[]>
}

export interface Providers {
  all: readonly Provider[]
  find(id: string): Provider | undefined
}
