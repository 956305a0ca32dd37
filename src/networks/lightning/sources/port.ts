import type { WalletFaultKind } from '../../../domain/wallet-fault.ts'
import { AccountError, type Fetch } from '../../port.ts'
import type { WebSocketOpener } from '../../web-socket-port.ts'

/** What a source uses of the outside. */
export interface SourceTools {
  /** reaches public hosts only, and those that the operator allows; follows no redirects */
  fetch: Fetch
  openSocket: WebSocketOpener
  /** milliseconds since 1970 UTC */
  clock: () => number
}

/** What an invoice is for. */
interface InvoiceRequest {
  amountMsat: bigint
  /** shown by the buyer's wallet; a Lightning address has a description of its own */
  description: string
  expiryS: number
}

/** An invoice of a source. Nothing in it has been checked. */
export interface IssuedInvoice {
  text: string
  /** the payment hash, if the source names it beside the invoice: lower-case hex */
  paymentHash: string | null
  /** by which its state is asked for */
  handle: string
}

/** What a source accepts, and how it issues an invoice. */
export interface Offer {
  minMsat: bigint
  maxMsat: bigint
  /** SHA-256 of what an invoice may describe by its hash; null for the hash of the description */
  metadataHash: string | null
  issue(request: InvoiceRequest): Promise<IssuedInvoice>
}

/** The invoice whose state is asked for. */
interface AskedInvoice {
  text: string
  paymentHash: string
  amountMsat: bigint
}

/** The state of an invoice, as its source reports it. */
export interface InvoiceState {
  isSettled: boolean
  /** what arrived; null where the source does not tell, since it is the amount of the invoice */
  receivedMsat: bigint | null
  /** lower-case hex; null where the source does not tell */
  preimage: string | null
}

export const unsettled: InvoiceState = { isSettled: false, receivedMsat: null, preimage: null }

/** Issues invoices, and reports their states. Its methods throw NetworkError. */
export interface InvoiceSource {
  /**
   * What makes a settlement true: `preimage`, if the source learns it from the payment, or the `state`, where
   * the merchant's own node knows the preimage from the start.
   */
  proof: 'preimage' | 'state'
  /** Refuses a secret that could move money, or lacks a right. Missing for sources without a secret. */
  checkRights?(): Promise<void>
  offer(): Promise<Offer>
  /** An answer about another invoice is an error. */
  look(handle: string, invoice: AskedInvoice): Promise<InvoiceState>
}

type LightningFault = Extract<WalletFaultKind, `lightning${string}`>

/** A source that cannot be used, for a reason that pages say in words of their own. */
export const sourceError = (
  kind: Exclude<LightningFault, 'lightningPrivate'>,
  message: string,
): AccountError => new AccountError({ kind }, message)

const MSAT = 1000n
/** All bitcoins that will ever be. */
const ALL_MSAT = 21_000_000n * 100_000_000n * MSAT

/** A node accepts every amount, and describes a payment as Florin asks. */
export const nodeOffer = (issue: Offer['issue']): Offer => ({
  minMsat: MSAT,
  maxMsat: ALL_MSAT,
  metadataHash: null,
  issue,
})
