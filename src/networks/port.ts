import type { AddressSource, Script, SetUpKind, SourceKind } from '../domain/address-source.ts'
import type { Asset, WalletNetwork } from '../domain/asset.ts'
import type { Awaitable } from '../domain/awaitable.ts'
import type { Json } from '../domain/metadata.ts'
import type { PayoutCheck } from '../domain/payout-check.ts'
import { faultOfStatus, type UpstreamFault } from '../domain/upstream-fault.ts'
import type { WalletFault } from '../domain/wallet-fault.ts'
import type { SameAddresses } from './elsewhere-port.ts'
import type { OwnAddress, Recipe, SweepRequest, Swept } from './sweep-port.ts'

export type * from './elsewhere-port.ts'
export type * from './sweep-port.ts'

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

/** One endpoint in the settings: "esplora+https://…". */
export interface EndpointUrl {
  protocol: string
  url: string
}

/** What every network is made from. */
export interface NetworkOptions {
  /** the part of the assets' ids before the slash: "polygon" */
  chain: string
  /** those of this chain */
  assets: readonly Asset[]
  /** the preferred one first */
  endpoints: readonly EndpointUrl[]
  fetch: Fetch
  /** milliseconds since 1970 UTC */
  clock: () => number
  /** headers of every request to an endpoint, such as an API key */
  headersOf?: (url: string) => Record<string, string>
  /** what is known about an endpoint for one use; the same object each time */
  healthOf?: (url: string, use?: string) => EndpointHealth
}

/** How an endpoint worked recently. */
export interface EndpointHealth {
  /** other endpoints come first until then */
  retryAfter: number
  failures: number
  /** null if the last use worked */
  lastError: NetworkError | null
  /** when it last worked, milliseconds since 1970 UTC; null if it never did */
  workedAt: number | null
}

/** The chain cannot be read now. This never means that nothing was paid. */
export class NetworkError extends Error {
  /** what is wrong with the endpoint, if it is a usual fault */
  readonly fault: UpstreamFault | null = null
}

/**
 * The endpoint follows its chain, but cannot tell what arrived at these addresses, for example because its
 * answers contradict each other. Other addresses on the chain can be read.
 */
export class Undecided extends NetworkError {}

/** The endpoint does not know the newest blocks. */
export class Behind extends NetworkError {
  override readonly fault = 'behind'
}

/** The endpoint answered with a status of HTTP that is an error. */
export class StatusError extends NetworkError {
  override readonly fault: UpstreamFault | null
  constructor(message: string, status: number) {
    super(message)
    this.fault = faultOfStatus(status)
  }
}

/** The endpoint's response cannot be read. */
export class Malformed extends NetworkError {
  override readonly fault = 'malformed'
}

/** An address by its place in a source that a merchant set up. */
export interface Position extends Pick<AddressSource, 'key' | 'script' | 'payoutAddress'> {
  index: number
  address: string
}

export interface AddressRequest {
  attemptId: string
  asset: Asset
  /** the merchant's payout wallet on the asset's network, already checked; null where there is none */
  payoutAddress: string | null
  kind: SourceKind
  /** null for the kinds that need only the payout wallet */
  position: Position | null
}

/** An account's extended public key, checked and ready to derive addresses from. */
export interface AccountKey {
  key: string
  script: Script | null
  /** where it is ambiguous */
  warnings: WalletFault[]
  /** the first address of each other script that the network has, to compare with a wallet */
  others: { script: Script; address: string }[]
}

export interface OwnedAddress {
  address: string
  /** the kind of source, and all that is needed to reach the money again */
  source: Json
}

/** What a network is asked to open for one attempt. */
export interface OpenRequest {
  attemptId: string
  asset: Asset
  /** from the merchant's sources; null where the network issues the target itself */
  own: OwnedAddress | null
  /** atomic */
  dueAtomic: bigint
  /** who is paid, as the buyer's wallet shows it */
  label: string
  /** when the amount is no longer valid, milliseconds since 1970 UTC */
  lockedUntil: number
}

interface Target {
  /** what a wallet app opens */
  uri: string
  /** the kind of source, and all that is needed to reach the money again */
  source: Json
  /** where the first scan begins */
  cursor: Json
  /** what identifies the payment, where that is not the address */
  reference?: string
  /** when the network stops accepting the payment, milliseconds since 1970 UTC */
  expiresAt?: number
}

/** What a buyer pays to: an address, or an invoice that already contains the amount. */
export type PaymentTarget = Target & ({ address: string } | { invoice: string })

/** One payment target to scan. */
export interface Watch {
  attemptId: string
  asset: Asset
  /** the address or invoice of the target */
  address: string
  /** the target's reference, where it has one */
  reference?: string
  /** the target's source */
  source: Json
  cursor: Json
  /** how many endpoints must report a payment before it is final */
  requiredEndpoints: number
  /** what is asked for; of very many payments, those of less than a thousandth of it may stay unread */
  dueAtomic?: bigint
  /** not by the endpoint that looked last, if another one answers: it may show what that one leaves out */
  elsewhere?: boolean
}

/** A transfer from an address of ours to the payout wallet. */
export interface Outflow {
  txId: string
  assetId: string
  height: number
}

/** One payment, as the chain reports it now. */
export interface DetectedPayment {
  /** the payment's id on its chain, or one of our own that is the same in every scan */
  txId: string
  /** output, log or instruction within the transaction */
  txIndex: string
  /** the asset that arrived, which may not be the one that was asked for */
  assetId: string
  amountAtomic: bigint
  /** 0 while the payment is in no block */
  confirmations: number
  /** deep enough for the asset to settle */
  final: boolean
  height: number | null
  /** the transaction to show in an explorer; null where the chain has none */
  txIn: string | null
  paidAt: number
  /** its block has no time that can be read: `paidAt` is the time of the look */
  isUndated?: boolean
  /**
   * What its transaction spends, where another transaction that spends it too would replace this one. A part
   * of it where it is long.
   */
  inputs?: readonly string[]
  evidence: Json
}

export interface WatchResult {
  attemptId: string
  /** every payment at or above `completeFrom` */
  detectedPayments: DetectedPayment[]
  /** a known payment at or above this height that is not among the detected ones has left the chain */
  completeFrom: number
  cursor: Json
  /** who was asked, as people may read it; missing where there is no such endpoint */
  endpoint?: string
  /** whether there is more to read than one scan reads, as after a flood of tiny payments */
  isPartial?: boolean
  /** final ones since the last scan; missing for the merchant's own addresses, and where none are reported */
  outflows?: Outflow[]
}

/** What a chain says about the address of a payout wallet. */
export type PayoutState = Pick<PayoutCheck, 'isContract' | 'coinRefusal'>

/** One chain, and what arrives at the payment targets on it. */
export interface Network {
  readonly chain: string
  /** Why an asset cannot be offered now; null when it can. Never throws. */
  unavailableReason(asset: Asset): Awaitable<string | null>
  /**
   * Opens what the buyer of one attempt pays to. What arrived before does not count. Throws NetworkError when
   * no endpoint is usable.
   */
  open(request: OpenRequest): Promise<PaymentTarget>
  /**
   * What has arrived at many targets. A watch that cannot be decided on now is left out. Throws NetworkError
   * when no endpoint is usable.
   */
  scan(watches: Watch[]): Promise<WatchResult[]>
  /**
   * The balances of addresses that Florin gave out, and the calls that move them to the payout wallets. Sends
   * nothing. Missing where Florin cannot write such calls. Throws NetworkError when no endpoint is usable.
   */
  sweep?(request: SweepRequest): Promise<Swept>
  /**
   * What is at the address of a payout wallet. Missing where every address can be paid out to. Throws
   * NetworkError when no endpoint is usable.
   */
  inspectPayout?(asset: Asset, address: string): Promise<PayoutState>
  /**
   * How much of an asset each address has received, or holds now where the chain keeps balances; null where
   * the endpoint does not report it. Missing where none does. Throws NetworkError when no endpoint is usable.
   */
  amountsAt?(asset: Asset, addresses: string[]): Promise<(bigint | null)[]>
  /**
   * Why each of these addresses is not a wallet that can be paid; null for one that is. Missing where only
   * the address itself shows it. Throws NetworkError when no endpoint is usable.
   */
  walletProblems?(addresses: string[]): Promise<(WalletFault | null)[]>
  /** Missing where no other chain has the same addresses. */
  sameAddresses?: SameAddresses
}

export interface Networks {
  assets: readonly Asset[]
  asset(id: string): Asset | undefined
  /** How many different endpoints that find payments in an asset are configured. */
  endpointCount(asset: Asset): number
  /** The network of a chain; undefined where no endpoint is configured. */
  of(chain: string): Network | undefined
  isAddress(network: WalletNetwork, address: string): boolean
  /**
   * Why nobody could spend what is sent to an address that `isAddress` accepted; null where no reason is
   * known. Asks no endpoint.
   */
  unspendable(network: WalletNetwork, address: string): WalletFault | null
  /** The canonical spelling of an address that `isAddress` accepted. */
  canonical(network: WalletNetwork, address: string): string
  /** Whether a merchant can set up a kind of source on a network. */
  acceptsSource(network: WalletNetwork, kind: SetUpKind): boolean
  /** Why an address cannot be in a pool; null if it can. Asks no endpoint. */
  poolProblem(network: WalletNetwork, address: string): WalletFault | null
  /**
   * The kinds of source for payments in an asset, the best first. Without a payout wallet, only those that do
   * not need one.
   */
  sourceKinds(asset: Asset, payoutAddress: string | null): readonly SourceKind[]
  /** The address of one attempt, of a kind that `sourceKinds` returned. */
  address(request: AddressRequest): OwnedAddress
  /** An address of an account or a view key, by its index. */
  derive(source: Pick<AddressSource, 'network' | 'key' | 'script' | 'payoutAddress'>, index: number): string
  /** Checks an account's extended public key. Throws a Refusal that says what to do. */
  readAccountKey(network: WalletNetwork, text: string, script: Script | null): AccountKey
  /** A warning where a text looks like a private key or a seed phrase; null where it does not. */
  privateKeyWarning(network: WalletNetwork, text: string): string | null
  /** What is wrong with a private view key for a payout wallet; null when it fits. */
  viewKeyFault(payoutAddress: string, viewKey: string): WalletFault | null
  /** How to reach the money at an address without Florin; null where the merchant has its key. */
  recipe(own: OwnAddress): Recipe | null
  /** What a wallet app opens, such as a BIP21, ERC-681 or Solana Pay URI, for exactly this amount. */
  uri(asset: Asset, address: string, atomic: bigint, label: string): string
}
