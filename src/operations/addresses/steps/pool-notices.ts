import type { AddressSource } from '../../../domain/address-source.ts'
import type { Tables } from '../../../storage/port.ts'
import type { AuditContext } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import { authorOf } from '../../notices/author.ts'
import { notifyOf } from '../../notices/notify.ts'

const POOL_LOW = 10

/** True if a pool needs more addresses soon. */
export const isPoolLow = (free: number): boolean => free <= POOL_LOW

type NoticeContext = Pick<Context, 'clock' | 'ids'>

/** Notifies once when the pool runs low and once when it is empty. */
export async function warnOfPool(
  context: NoticeContext,
  tables: Tables,
  { id, merchantId, network }: AddressSource,
): Promise<void> {
  const { free } = await tables.sources.countAddresses(id)
  if (free !== POOL_LOW && free !== 0) return
  await notifyOf(context, tables, merchantId, { about: 'pool_low', network, free })
}

/** Notifies when addresses were taken out so that a pool is now low or empty. */
export async function noticeDrain(
  context: NoticeContext,
  tables: Tables,
  { id, merchantId, network, active }: AddressSource,
  before: { free: number },
): Promise<void> {
  const { free } = await tables.sources.countAddresses(id)
  const isNew = free === 0 ? before.free > 0 : isPoolLow(free) && !isPoolLow(before.free)
  if (active && isNew) await notifyOf(context, tables, merchantId, { about: 'pool_low', network, free })
}

/**
 * Notifies the merchant of a changed pool as of a changed payout wallet, because money goes to its addresses.
 */
export async function noticePoolChange(
  context: AuditContext,
  tables: Tables,
  { merchantId, network }: AddressSource,
  change: { added: number } | { takenOut: number },
): Promise<void> {
  const author = await authorOf(context, tables)
  const facts =
    'added' in change ? { count: change.added, isAdded: true } : { count: change.takenOut, isAdded: false }
  await notifyOf(context, tables, merchantId, { about: 'pool_changed', ...author, network, ...facts })
}

/** Notifies when a pool that was empty or low has addresses again. A new pool was neither empty nor low. */
export async function noticeRefill(
  context: NoticeContext,
  tables: Tables,
  { id, merchantId, network }: AddressSource,
  before: { free: number; all: number },
): Promise<void> {
  const { free } = await tables.sources.countAddresses(id)
  const wasEmpty = before.free === 0 && before.all > 0
  const wasLow = isPoolLow(before.free) && before.all > POOL_LOW
  if (free === before.free || !(wasEmpty || (wasLow && !isPoolLow(free)))) return
  const isLow = isPoolLow(free)
  await notifyOf(context, tables, merchantId, { about: 'pool_refilled', network, free, isLow })
}
