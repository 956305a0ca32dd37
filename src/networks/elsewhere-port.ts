import type { Asset } from '../domain/asset.ts'
import type { Json } from '../domain/metadata.ts'
import type { OwnAddress } from './sweep-port.ts'

/** The balance of an address in one asset. */
export interface Balance {
  assetId: string
  amountAtomic: bigint
}

/** Reads addresses that were allocated for another chain and exist on this chain too. */
export interface SameAddresses {
  /**
   * Returns the balances in all assets of the chain, by address, without empty addresses. Usually takes one
   * request. Throws NetworkError when no endpoint is usable.
   */
  balances(addresses: string[]): Promise<ReadonlyMap<string, readonly Balance[]>>
  /**
   * Makes the cursor of a watch that finds everything an address has received since a time, in milliseconds
   * since 1970 UTC. Throws NetworkError when no endpoint is usable, or when no endpoint knows the balance of
   * an account at that time.
   */
  cursorSince(asset: Asset, own: OwnAddress, since: number): Promise<Json>
}
