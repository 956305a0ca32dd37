import type { WalletFaultKind } from '../../../domain/wallet-fault.ts'
import { AccountError, type Fetch } from '../../port.ts'
import type { WebSocketOpener } from '../../web-socket-port.ts'

/** The connections and the clock that a source uses. */
export interface SourceTools {
  /** reaches only public hosts, and those that the operator allows; follows no redirects */
  fetch: Fetch
  openSocket: WebSocketOpener
  /** milliseconds since 1970 UTC */
  clock: () => number
}

/** The properties of an invoice that a source is asked to issue. */
interface InvoiceRequest {
  amountMsat: bigint
  /** the text that the buyer's wallet shows; a Lightning address has a description of its own */
  description: string
  expiryS: number
}

/** An invoice of a source. Nothing in it has been checked. */
export interface IssuedInvoice {
  text: string
  /** the payment hash in lower-case hex; null if the source does not name it beside the invoice */
  paymentHash: string | null
  /** the URL or name by which the invoice's state is asked for */
  handle: string
}

/** The amounts that a source accepts, and the function that issues an invoice. */
export interface Offer {
  minMsat: bigint
  maxMsat: bigint
  /**
   * the only hash of a description that an invoice may contain; null for the hash of the requested
   * description
   */
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
  /**
   * the amount that arrived; null if the source does not report it, because it is the amount of the invoice
   */
  receivedMsat: bigint | null
  /** the preimage in lower-case hex; null if the source does not report it */
  preimage: string | null
}

export const unsettled: InvoiceState = { isSettled: false, receivedMsat: null, preimage: null }

/** Issues invoices, and reports their states. Its methods throw NetworkError. */
export interface InvoiceSource {
  /**
   * The proof of a settlement: `preimage`, if the source learns it from the payment, or `state`, if the
   * merchant's own node knows the preimage from the start.
   */
  proof: 'preimage' | 'state'
  /** Refuses a secret that could move money, or that lacks a right. Missing for sources without a secret. */
  checkRights?(): Promise<void>
  offer(): Promise<Offer>
  /** Reads the state of an invoice. Throws if the answer is about another invoice. */
  look(handle: string, invoice: AskedInvoice): Promise<InvoiceState>
}

type LightningFault = Extract<WalletFaultKind, `lightning${string}`>

/** The error for a source that cannot be used, for a reason that pages say in words of their own. */
export const sourceError = (
  kind: Exclude<LightningFault, 'lightningPrivate'>,
  message: string,
): AccountError => new AccountError({ kind }, message)

const MSAT = 1000n
/** The largest amount of an invoice: all bitcoins that will ever exist. */
const ALL_MSAT = 21_000_000n * 100_000_000n * MSAT

/** Makes the offer of a node, which accepts every amount, and describes a payment as Florin asks. */
export const nodeOffer = (issue: Offer['issue']): Offer => ({
  minMsat: MSAT,
  maxMsat: ALL_MSAT,
  metadataHash: null,
  issue,
})
