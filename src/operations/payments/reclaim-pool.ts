import type { AddressSource } from '../../domain/address-source.ts'
import type { WalletNetwork } from '../../domain/asset.ts'
import type { Attempt } from '../../domain/attempt.ts'
import { Refusal } from '../../domain/errors.ts'
import { LOCK_MS, WATCH_MS } from '../../domain/quote.ts'
import type { Tables } from '../../storage/port.ts'
import { noticeRefill } from '../addresses/steps/pool-notices.ts'
import { sourceSubject } from '../audit/audited-source.ts'
import { type AuditContext, recordAudit } from '../audit/record.ts'
import { getMerchant } from '../merchants/read.ts'
import { type CheckContext, checkAttempts } from './check-attempts.ts'

/** The time that an address stays with its attempt after the watch of the attempt has ended. */
const REST_MS = 30 * 24 * 3600_000
const ATTEMPTS_AT_ONCE = 200

interface Reclaimed {
  reclaimed: number
  /** kept with their attempts, because the chain could not be read or because money has arrived */
  kept: number
  free: number
}

/**
 * Frees the addresses of a pool that were never paid, 30 days after they were last watched. The chain is read
 * again first: an address where anything arrived stays with its attempt. The address of an attempt that was
 * deleted with its order is freed too, because it had received nothing.
 */
export async function reclaimPool(
  context: CheckContext & AuditContext,
  merchantId: string,
  network: WalletNetwork,
): Promise<Reclaimed> {
  await getMerchant(context, merchantId)
  const now = context.clock()
  const { pools, ids } = await context.storage.read(async tables => {
    const own = await tables.sources.listOf(merchantId)
    const pools = own.filter(source => source.kind === 'pool' && source.network === network)
    const unpaid = await Promise.all(pools.map(({ id }) => tables.sources.listUnpaid(id, now - REST_MS)))
    const before = now - REST_MS - LOCK_MS - WATCH_MS
    const deleted = await Promise.all(pools.map(({ id }) => tables.sources.listDeleted(id, before)))
    return { pools, ids: [...unpaid.flat(), ...deleted.flat()] }
  })
  const [pool] = pools
  if (!pool) throw new Refusal('not_found', `The merchant has no pool on ${network}.`)
  let reclaimed = 0
  for (let next = 0; next < ids.length; next += ATTEMPTS_AT_ONCE) {
    const some = ids.slice(next, next + ATTEMPTS_AT_ONCE)
    await checkAttempts(context, some)
    reclaimed += await context.storage.write(tables => reclaim(context, tables, pool, some))
  }
  const { free } = await context.storage.read(tables => tables.sources.countAddresses(pool.id))
  return { reclaimed, kept: ids.length - reclaimed, free }
}

const isReclaimable = ({ checkedAt, watchUntil, receivedAtomic, state }: Attempt): boolean =>
  checkedAt !== null && checkedAt >= watchUntil + REST_MS && receivedAtomic === 0n && state !== 'settled'

async function reclaim(
  context: AuditContext,
  tables: Tables,
  pool: AddressSource,
  ids: string[],
): Promise<number> {
  const now = context.clock()
  const before = await tables.sources.countAddresses(pool.id)
  const { free } = before
  let reclaimed = 0
  for (const id of ids) {
    const attempt = await tables.attempts.find(id)
    if (attempt && !isReclaimable(attempt)) continue
    if ((await tables.incomingPayments.listOf(id)).length > 0) continue
    if (!(await tables.sources.reclaim(id))) continue
    if (attempt) await tables.attempts.update(id, { reclaimedAt: now, updatedAt: now })
    reclaimed += 1
  }
  await recordAudit(context, tables, {
    merchantId: pool.merchantId,
    action: 'address_source.reclaimed',
    subject: sourceSubject(pool),
    before: { free },
    after: { free: free + reclaimed },
  })
  await noticeRefill(context, tables, pool, before)
  return reclaimed
}
