import type { AddressSource } from '../../../domain/address-source.ts'
import type { WalletNetwork } from '../../../domain/asset.ts'
import type { Tables } from '../../../storage/port.ts'

/** A merchant's pool on a network, active or not; null if there is none. */
export async function findPool(
  tables: Tables,
  merchantId: string,
  network: WalletNetwork,
): Promise<AddressSource | null> {
  const pools = (await tables.sources.listOf(merchantId)).filter(
    source => source.kind === 'pool' && source.network === network,
  )
  return pools.find(({ active }) => active) ?? pools[0] ?? null
}
