import type { Asset } from '../domain/asset.ts'
import type { Json } from '../domain/metadata.ts'
import type { OwnAddress } from './sweep-port.ts'

/** What an address holds of one asset. */
export interface Balance {
  assetId: string
  amountAtomic: bigint
}

/** Looks at addresses that were given out for another chain and exist on this one too. */
export interface SameAddresses {
  /**
   * What addresses hold of the assets of the chain, by address; nothing for an empty one. Usually takes one
   * request. Throws NetworkError when no endpoint is usable.
   */
  balances(addresses: string[]): Promise<ReadonlyMap<string, readonly Balance[]>>
  /**
   * The cursor of a watch that finds what an address has received since a time. Throws NetworkError when no
   * endpoint is usable, or none knows what an account held then.
   */
  cursorSince(asset: Asset, own: OwnAddress, since: number): Promise<Json>
}
