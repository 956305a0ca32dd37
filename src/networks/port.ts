import type { Asset, WalletNetwork } from '../domain/asset.ts'
import type { Json } from '../domain/metadata.ts'

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

/** The chain cannot be heard now: not the same as "not paid". */
export class NetworkFault extends Error {}

export interface AddressRequest {
  attemptId: string
  asset: Asset
  /** the merchant's plain payout wallet of the asset's network, already checked */
  payoutAddress: string
}

export interface OpenedAddress {
  address: string
  /** the kind of source, and all that is needed to reach the money again */
  source: Json
  /** from where the watch begins */
  cursor: Json
}

/** One address to look at. */
export interface Watch {
  attemptId: string
  asset: Asset
  address: string
  cursor: Json
}

/** One payment as the chain tells it now. */
export interface Sighting {
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

export interface Watched {
  attemptId: string
  /** every payment at or above `completeFrom` */
  sightings: Sighting[]
  /** what was known at or above this height, and is not among the sightings, has gone from the chain */
  completeFrom: number
  cursor: Json
}

/** One chain: its addresses, and what arrives at them. */
export interface Network {
  readonly chain: string
  /** Why an asset cannot be offered now; null when it can. Never throws. */
  fault(asset: Asset): Promise<string | null>
  /** An address of its own for one attempt. Throws NetworkFault when the chain cannot be heard. */
  open(request: AddressRequest): Promise<OpenedAddress>
  /** Looks at many addresses at once. Throws NetworkFault when the chain cannot be heard. */
  check(watches: Watch[]): Promise<Watched[]>
}

export interface Networks {
  assets: readonly Asset[]
  asset(id: string): Asset | undefined
  /** The watcher of a chain; undefined where none is configured. */
  of(chain: string): Network | undefined
  isAddress(network: WalletNetwork, address: string): boolean
  /**
   * What a wallet app opens: BIP21, ERC-681, Solana Pay and their kin. `atomic` is exactly what is verified.
   */
  uri(asset: Asset, address: string, atomic: bigint, label: string): string
}
