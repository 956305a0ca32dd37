import type { WalletNetwork } from '../../domain/asset.ts'
import type { Context } from '../context.ts'
import { findPool } from './steps/find-pool.ts'
import { isPoolLow } from './steps/pool-notices.ts'

/** How many of the next addresses are shown. */
const NEXT_SHOWN = 5

/** The addresses of a merchant's pool on one network. */
interface PoolState {
  /** whether buyers are given its addresses */
  isActive: boolean
  /** not given to a buyer yet */
  free: number
  /** given to a buyer, and nothing has arrived */
  reserved: number
  /** given to a buyer, and something has arrived */
  used: number
  isLow: boolean
  /** those that the next buyers get */
  next: string[]
}

/** How full a merchant's pool is. One that was never set up is empty. */
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
