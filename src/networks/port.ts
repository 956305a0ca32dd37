import type { AddressSource, Script, SetUpKind, SourceKind } from '../domain/address-source.ts'
import type { Asset, WalletNetwork } from '../domain/asset.ts'
import type { Json } from '../domain/metadata.ts'

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

/** What an operator named for a chain: "esplora+https://…". */
export interface EndpointUrl {
  protocol: string
  url: string
}

/** What every watcher of a chain is made of. */
export interface WatcherOptions {
  /** the part of the assets' ids before the slash: "polygon" */
  chain: string
  /** those of this chain */
  assets: readonly Asset[]
  /** tried in turn */
  endpoints: readonly EndpointUrl[]
  fetch: Fetch
  /** milliseconds since 1970 UTC */
  clock: () => number
}

/** The chain cannot be heard now: not the same as "not paid". */
export class NetworkError extends Error {}

/** The place of an address in what a merchant set up. */
export interface Position extends Pick<AddressSource, 'key' | 'script' | 'payoutAddress'> {
  index: number
  address: string
}

export interface AddressRequest {
  attemptId: string
  asset: Asset
  /** the merchant's plain payout wallet of the asset's network, already checked; null where there is none */
  payoutAddress: string | null
  kind: SourceKind
  /** null for the kinds that need no more than the payout wallet */
  position: Position | null
}

/** What a merchant pasted, found fit to derive addresses from. */
export interface AccountKey {
  key: string
  script: Script | null
  /** sentences for whoever gave it, where it does not tell all that it should */
  warnings: string[]
  /** the first address of each other script that the network knows, to compare with a wallet */
  others: { script: Script; address: string }[]
}

export interface OwnedAddress {
  address: string
  /** the kind of source, and all that is needed to reach the money again */
  source: Json
}

/** One address to look at. */
export interface Watch {
  attemptId: string
  asset: Asset
  address: string
  /** as it was kept with the address */
  source: Json
  cursor: Json
  /** how many endpoints have to tell of a payment before it is final */
  requiredEndpoints: number
}

/** Money that left an address of ours for the payout wallet. */
export interface Outflow {
  txId: string
  assetId: string
  height: number
}

/** One payment as the chain tells it now. */
export interface DetectedPayment {
  /** the payment's own id on its chain; where a chain gives none, one that is the same at every look */
  txId: string
  /** output, log or instruction inside of it */
  txIndex: string
  /** the asset that arrived, which may be another than the one watched for */
  assetId: string
  /** atomic */
  amount: bigint
  /** 0 while only seen */
  confirmations: number
  /** deep enough for the asset to settle */
  final: boolean
  height: number | null
  /** the transaction that can be looked up; null where the chain shows none */
  txIn: string | null
  paidAt: number
  evidence: Json
}

export interface WatchResult {
  attemptId: string
  /** every payment at or above `completeFrom` */
  detectedPayments: DetectedPayment[]
  /** what was known at or above this height, and is not among the sightings, has gone from the chain */
  completeFrom: number
  cursor: Json
  /** final ones since the last look; missing where an address is the merchant's own, or none is told */
  outflows?: Outflow[]
}

/** One of our own addresses, with what was kept of how it came to be. */
export interface OwnAddress {
  attemptId: string
  address: string
  source: Json
}

/** A coin or token, which the table need not know. */
export type Token = Pick<Asset, 'id' | 'decimals' | 'contract'>

/** What lies on one address now. */
export interface Holding {
  attemptId: string
  address: string
  /** where alone it can go */
  payoutAddress: string
  /** whether the contract that moves it is in its place; null where none is needed */
  isDeployed: boolean | null
  token: Token
  /** atomic */
  amount: bigint
  /** why it cannot be moved now; null where it can */
  stuckReason: string | null
}

/** A transaction for any wallet to sign and send. It brings no money. */
export interface EvmSweepCall {
  kind: 'evm'
  attemptId: string
  action: 'deploy' | 'flush'
  /** what is flushed; null for a deployment */
  assetId: string | null
  chainId: number
  to: string
  data: string
  /** what it is expected to use; by experience where the node could not tell */
  gas: number
}

export interface SolanaInstruction {
  program: string
  accounts: { address: string; isSigner: boolean; isWritable: boolean }[]
  /** base64 */
  content: string
}

/** A transaction for the payout wallet to sign: no other can move what lies on addresses of its seeds. */
export interface SolanaSweepCall {
  kind: 'solana'
  /** whose addresses it empties */
  attemptIds: string[]
  assetId: string
  /** the payout wallet: signs, pays the fee, and receives */
  signer: string
  instructions: SolanaInstruction[]
  /** all of it but the signature, in base64, as wallets take it; void about a minute later */
  transaction: string
}

export type SweepCall = EvmSweepCall | SolanaSweepCall

/** What lies on addresses of one chain, and the calls that move it, in the order to be sent. */
export interface Swept {
  holdings: Holding[]
  calls: SweepCall[]
}

export interface SweepRequest {
  addresses: OwnAddress[]
  /**
   * the one that it lies on, of which a chain may have several where an operator's file moves a part of the
   * table; null where chains have none
   */
  chainId: number | null
  /** an asset of the chain, or the chain, a slash and a contract; null for all assets of the chain */
  assetId: string | null
  /** whether so much of a token is to be moved */
  isWorth(token: Token, amount: bigint): boolean
}

/** How to get money from a forwarder without this program. */
export interface ForwarderRecipe {
  kind: 'create2'
  /** the contract that creates by CREATE2 what stands at the address */
  deployer: string
  salt: string
  initCode: string
  payoutAddress: string
  /** calldata for the deployer */
  deployData: string
  /** calldata for the address, once deployed */
  flushCoinData: string
  /** the same before 20 bytes of a token's contract */
  flushTokenPrefix: string
}

/** How the payout wallet gets money from an address made by a seed of it, without this program. */
export interface SeedRecipe {
  kind: 'seed'
  payoutAddress: string
  seed: string
  /** the owner that goes into the address beside both */
  program: string
}

export type Recipe = ForwarderRecipe | SeedRecipe

/** One chain: its addresses, and what arrives at them. */
export interface Network {
  readonly chain: string
  /** Why an asset cannot be offered now; null when it can. Never throws. */
  unavailableReason(asset: Asset): Promise<string | null>
  /**
   * From where the watch of an address begins that is given out now: what came before is not counted. Throws
   * NetworkFault when the chain cannot be heard.
   */
  startWatch(asset: Asset, own: OwnAddress): Promise<Json>
  /** Looks at many addresses at once. Throws NetworkFault when the chain cannot be heard. */
  scan(watches: Watch[]): Promise<WatchResult[]>
  /**
   * Looks what lies on addresses of its own, and writes the calls that move it to the payout wallets; sends
   * none. Missing where no money is real. Throws NetworkFault when the chain cannot be heard.
   */
  sweep?(request: SweepRequest): Promise<Swept>
}

export interface Networks {
  assets: readonly Asset[]
  asset(id: string): Asset | undefined
  /** How many endpoints of a chain can tell of a payment. */
  endpointCount(chain: string): number
  /** The watcher of a chain; undefined where none is configured. */
  of(chain: string): Network | undefined
  isAddress(network: WalletNetwork, address: string): boolean
  /** The one spelling of an address that `isAddress` accepted. */
  canonical(network: WalletNetwork, address: string): string
  /** Whether a merchant can set up a kind of source on a network. */
  acceptsSource(network: WalletNetwork, kind: SetUpKind): boolean
  /**
   * The kinds of source that addresses of an asset can come from, the best first; without a payout wallet
   * only those that a merchant sets up.
   */
  sourceKinds(asset: Asset, payoutAddress: string | null): readonly SourceKind[]
  /** The address of one attempt, of a kind that its asset and payout wallet allow. */
  address(request: AddressRequest): OwnedAddress
  /** An address of an account or a view key, by its index. */
  derive(source: Pick<AddressSource, 'network' | 'key' | 'script' | 'payoutAddress'>, index: number): string
  /** Checks an account's extended public key. Throws a Refusal that says what to do. */
  readAccountKey(network: WalletNetwork, text: string, script: Script | null): AccountKey
  /** A warning where a text has the form of something that can spend; null where it has not. */
  privateKeyWarning(network: WalletNetwork, text: string): string | null
  /** What is wrong with a private view key for a payout wallet; null when it fits. */
  viewKeyError(payoutAddress: string, viewKey: string): string | null
  /** By what an attempt kept of its address, asking no chain; null where the merchant holds its key. */
  recipe(own: OwnAddress): Recipe | null
  /**
   * What a wallet app opens: BIP21, ERC-681, Solana Pay and their kin. `atomic` is exactly what is verified.
   */
  uri(asset: Asset, address: string, atomic: bigint, label: string): string
}
