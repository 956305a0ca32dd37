import type { AddressSource, Script, SetUpKind, SourceKind } from '../domain/address-source.ts'
import type { Asset, WalletNetwork } from '../domain/asset.ts'
import type { Json } from '../domain/metadata.ts'
import type { PayoutCheck } from '../domain/payout-check.ts'
import type { WalletFault } from '../domain/wallet-fault.ts'
import type { Accounts } from './accounts-port.ts'
import type { SameAddresses } from './elsewhere-port.ts'
import type { MovingFees } from './fees-port.ts'
import type { NetworkError } from './network-errors.ts'
import type { OwnAddress, Recipe, SweepRequest, Swept } from './sweep-port.ts'

export type * from './accounts-port.ts'
export type * from './elsewhere-port.ts'
export type * from './fees-port.ts'
export * from './network-errors.ts'
export type * from './sweep-port.ts'
export type * from './web-socket-port.ts'

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

/** One endpoint in the settings: "esplora+https://…". */
export interface EndpointUrl {
  protocol: string
  url: string
}

/** The parts that every network is made from. */
export interface NetworkOptions {
  /** the part of the assets' ids before the slash: "polygon" */
  chain: string
  /** the assets of this chain */
  assets: readonly Asset[]
  /** the preferred endpoint first */
  endpoints: readonly EndpointUrl[]
  fetch: Fetch
  /** milliseconds since 1970 UTC */
  clock: () => number
  /** headers of every request to an endpoint, such as an API key */
  headersOf?: (url: string) => Record<string, string>
  /**
   * The health of an endpoint for one use, such as `tokens`. Returns the same object each time, so that
   * networks that are made again after a change of settings remember it.
   */
  healthOf?: (url: string, use?: string) => EndpointHealth
}

/** The recent successes and failures of one endpoint. */
export interface EndpointHealth {
  /** other endpoints are preferred until this time, in milliseconds since 1970 UTC */
  retryAfter: number
  /** the number of failures in a row */
  failures: number
  /** the error of the last use; null if the last use worked */
  lastError: NetworkError | null
  /** the time when the endpoint last worked, in milliseconds since 1970 UTC; null if it never did */
  workedAt: number | null
}

/** The place of an address in a source that a merchant set up. */
export interface Position extends Pick<AddressSource, 'key' | 'script' | 'payoutAddress'> {
  index: number
  address: string
}

export interface AddressRequest {
  attemptId: string
  asset: Asset
  /** the merchant's payout wallet on the asset's network, already validated; null without one */
  payoutAddress: string | null
  kind: SourceKind
  /** the place of the address; null for kinds that need only the payout wallet */
  position: Position | null
}

/** A validated extended public key of an account. */
export interface AccountKey {
  key: string
  script: Script | null
  /** questions that the key leaves open; usually none */
  warnings: WalletFault[]
  /** the first address of each other script that the key could be for, to compare with a wallet */
  others: { script: Script; address: string }[]
}

export interface OwnedAddress {
  address: string
  /** the kind of source, and everything that is needed to reach the money again */
  source: Json
}

/** A payment target that a network is asked to open for one attempt. */
export interface OpenRequest {
  attemptId: string
  asset: Asset
  /** an address from the merchant's sources; null where an account issues the target */
  own: OwnedAddress | null
  /** the merchant's account with the service that issues the target, where there is no address */
  account?: string
  dueAtomic: bigint
  /** the name of the shop, as the buyer's wallet shows it */
  label: string
  /** the end of the quote, in milliseconds since 1970 UTC */
  lockedUntil: number
}

interface Target {
  /** the URI that a wallet app opens */
  uri: string
  /** the kind of source, and everything that is needed to reach the money again */
  source: Json
  /** the cursor for the first scan */
  cursor: Json
  /** an identifier of the payment, where the address does not identify it */
  reference?: string
  /** the time when the network stops accepting the payment, in milliseconds since 1970 UTC */
  expiresAt?: number
}

/** The address that a buyer pays to, or an invoice that already contains the amount. */
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
  /** the number of endpoints that must report a payment before it is final */
  requiredEndpoints: number
  /** the amount due; in a flood, payments below a thousandth of it may stay unread */
  dueAtomic?: bigint
  /** true to scan with another endpoint than the last scan, which may have left something out */
  elsewhere?: boolean
}

/** A transfer to the payout wallet, from an address that Florin allocated to an attempt. */
export interface Outflow {
  txId: string
  assetId: string
  height: number
}

/** A payment, as the chain reports it now. */
export interface DetectedPayment {
  /** the transaction's ID, or an ID made by the network that is the same in every scan */
  txId: string
  /** the output, log or instruction within the transaction */
  txIndex: string
  /** the asset that arrived, which may not be the one that was asked for */
  assetId: string
  amountAtomic: bigint
  /** 0 while the payment is in no block */
  confirmations: number
  /** true if the payment is deep enough in its chain to settle */
  final: boolean
  /** true if only one of the endpoints that have to agree reports the payment as final */
  isDisputed?: boolean
  height: number | null
  /** the buyer's transaction, to show in an explorer; null where the payment has none */
  txIn: string | null
  /** the time of the block, but at most that of this scan, also without a block; ms since 1970 UTC */
  paidAt: number
  /** true if the time of the block cannot be read, so that `paidAt` is the time of this scan */
  isUndated?: boolean
  /**
   * the outputs that the payment's transaction spends, where a transaction with a common input would replace
   * it. A long list is cut.
   */
  inputs?: readonly string[]
  evidence: Json
}

/** A payment that `endpoint` reports and nothing confirms. */
export interface Unproven extends Pick<DetectedPayment, 'assetId' | 'amountAtomic' | 'paidAt'> {
  /** the transaction; null for an invoice whose service says that it was paid, and does not prove it */
  txId: string | null
  endpoint: string
}

export interface WatchResult {
  attemptId: string
  /** all payments in blocks from `completeFrom` on, unconfirmed payments, and some older payments */
  detectedPayments: DetectedPayment[]
  /**
   * the height from which the scan is complete: a stored payment at or above it that was not detected has
   * left the chain
   */
  completeFrom: number
  /** the height of the newest block that the scan read: a stored payment above it may still exist */
  completeTo?: number
  cursor: Json
  /** the name of the endpoint that was asked, without secrets; missing for a network without endpoints */
  endpoint?: string
  /** payments that only one endpoint reports, although that takes a second one or a proof */
  unproven?: readonly Unproven[]
  /** true if there is more to read than one scan reads, for example after a flood of tiny payments */
  isPartial?: boolean
  /** the final outflows since the last scan; missing for addresses that the merchant has the key of */
  outflows?: Outflow[]
}

/** The state of a payout wallet's address on one chain. */
export type PayoutState = Pick<PayoutCheck, 'isContract' | 'coinRefusal'>

/** Opens payment targets on one chain, and finds the payments to them. */
export interface Network {
  readonly chain: string
  /** Returns the reason why an asset cannot be offered now; null if it can. Never throws. */
  unavailableReason(asset: Asset): Promise<string | null>
  /**
   * Opens a payment target for one attempt. Earlier payments to it do not count. Throws NetworkError when no
   * endpoint is usable.
   */
  open(request: OpenRequest): Promise<PaymentTarget>
  /**
   * Finds the payments to many targets. A watch that cannot be decided on now has no result. Throws Undecided
   * if the chain can be read but no watch can be decided on, and NetworkError when no endpoint is usable.
   */
  scan(watches: Watch[]): Promise<WatchResult[]>
  /**
   * Reads the balances of allocated addresses, and writes the transactions that move them to the payout
   * wallets. Sends nothing. Missing on chains where all money arrives in the merchant's wallet. Throws
   * NetworkError when no endpoint is usable.
   */
  sweep?(request: SweepRequest): Promise<Swept>
  /**
   * The fees of the transactions that `sweep` writes, for the chain ID of an asset. Missing where `sweep` is
   * missing.
   */
  movingFees?(chainId: number | null): MovingFees
  /**
   * Reads the state of a payout wallet's address. Missing where every valid address can be paid out to.
   * Throws NetworkError when no endpoint is usable.
   */
  inspectPayout?(asset: Asset, address: string): Promise<PayoutState>
  /**
   * Reads how much of an asset each address has received, or holds now on chains with balances, in atomic
   * units; null where the endpoint does not report it. Missing where no endpoint reports it. Throws
   * NetworkError when no endpoint is usable.
   */
  amountsAt?(asset: Asset, addresses: string[]): Promise<(bigint | null)[]>
  /**
   * Asks the chain for the reason why each address cannot be paid; null for an address that can be paid.
   * Missing on chains where the address alone shows this. Throws NetworkError when no endpoint is usable.
   */
  walletProblems?(addresses: string[]): Promise<(WalletFault | null)[]>
  /**
   * Reads addresses that were allocated for another chain. Missing where no other chain has the same
   * addresses.
   */
  sameAddresses?: SameAddresses
  /** The accounts of merchants. Missing where payments go to addresses. */
  accounts?: Accounts
}

export interface Networks {
  assets: readonly Asset[]
  asset(id: string): Asset | undefined
  /** The number of different endpoints that are configured and find payments in an asset. */
  endpointCount(asset: Asset): number
  /** The network of a chain; undefined where no endpoint is configured. */
  of(chain: string): Network | undefined
  isAddress(network: WalletNetwork, address: string): boolean
  /**
   * The reason why nobody could spend money at an address that `isAddress` accepted; null where no reason is
   * known. Asks no endpoint.
   */
  unspendable(network: WalletNetwork, address: string): WalletFault | null
  /** The canonical spelling of an address that `isAddress` accepted. */
  canonical(network: WalletNetwork, address: string): string
  /** True if a merchant can set up this kind of source on the network. */
  acceptsSource(network: WalletNetwork, kind: SetUpKind): boolean
  /** The reason why an address cannot be in a pool; null if it can. Asks no endpoint. */
  poolProblem(network: WalletNetwork, address: string): WalletFault | null
  /**
   * The kinds of source for payments in an asset, the best first. Without a payout wallet, only the kinds
   * that do not need it.
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
  /** The fault of a private view key for a payout wallet; null if they belong together. */
  viewKeyFault(payoutAddress: string, viewKey: string): WalletFault | null
  /** The steps that reach the money at an address without Florin; null where the merchant has its key. */
  recipe(own: OwnAddress): Recipe | null
  /** The URI that a wallet app opens for exactly this amount, by BIP21, ERC-681, Solana Pay and so on. */
  uri(asset: Asset, address: string, atomic: bigint, label: string): string
}
