import type { AddressSource, SourceAddress } from '../../domain/address-source.ts'
import type { WalletNetwork } from '../../domain/asset.ts'

/** How many addresses a source has. */
interface AddressCount {
  all: number
  /** not allocated to an attempt */
  free: number
  /** the highest position, or null if there are no addresses */
  last: number | null
}

export interface AddressSources {
  /** The sources of a merchant, oldest first. */
  listOf(merchantId: string): Promise<AddressSource[]>
  findByKey(network: WalletNetwork, key: string): Promise<AddressSource | null>
  insert(source: AddressSource): Promise<void>
  update(id: string, change: Partial<AddressSource>): Promise<void>
  /** The first free address of a source that is not in `excluded`. */
  findFree(sourceId: string, excluded?: string[]): Promise<SourceAddress | null>
  countAddresses(sourceId: string): Promise<AddressCount>
  findAddress(network: WalletNetwork, address: string): Promise<SourceAddress | null>
  insertAddress(address: SourceAddress): Promise<void>
  /** Allocates a free address to an attempt. Returns false if it is not free. */
  allocate(network: WalletNetwork, address: string, attemptId: string, at: number): Promise<boolean>
  /** Makes the address of an attempt free again if the attempt was never stored. */
  release(attemptId: string): Promise<void>
}
