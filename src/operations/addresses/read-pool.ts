import type { AddressSource } from '../../domain/address-source.ts'
import type { WalletNetwork } from '../../domain/asset.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { isPoolLow } from './steps/pool-notices.ts'

/** Number of addresses shown of those that buyers get next. */
const NEXT_SHOWN = 5

/** The addresses of a merchant's pool on one network. */
interface PoolState {
  /** true if buyers get addresses of this pool */
  isActive: boolean
  /** number of addresses that no buyer was given yet */
  free: number
  /** number of addresses that a buyer was given, without any payment */
  reserved: number
  /** number of addresses that a buyer was given, with a payment */
  used: number
  isLow: boolean
  /** the addresses that the next buyers get */
  next: string[]
}

/** State of a merchant's pool. A pool that was never set up is empty. */
export const readPool = (
  { storage }: Pick<Context, 'storage'>,
  merchantId: string,
  network: WalletNetwork,
): Promise<PoolState> =>
  storage.read(async tables => {
    const pool = await findPool(tables, merchantId, network)
    if (!pool) return { isActive: false, free: 0, reserved: 0, used: 0, isLow: false, next: [] }
    const { all, free } = await tables.sources.countAddresses(pool.id)
    const used = await tables.sources.countPaid(pool.id)
    const next = await tables.sources.listFree(pool.id, NEXT_SHOWN)
    const isLow = pool.active && isPoolLow(free)
    return { isActive: pool.active, free, reserved: all - free - used, used, isLow, next }
  })

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
