import type { AddressSource } from '../../../domain/address-source.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { notifyOf } from '../../merchants/steps/notify.ts'

const POOL_LOW = 10

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

/** Notifies when a pool that was empty or low has addresses again. A new pool was neither. */
export async function noticeRefill(
  context: NoticeContext,
  tables: Tables,
  { id, merchantId, network }: AddressSource,
  before: { free: number; all: number },
): Promise<void> {
  const { free } = await tables.sources.countAddresses(id)
  const wasEmpty = before.free === 0 && before.all > 0
  const wasLow = before.free <= POOL_LOW && before.all > POOL_LOW
  if (free === before.free || !(wasEmpty || (wasLow && free > POOL_LOW))) return
  const isLow = free <= POOL_LOW
  await notifyOf(context, tables, merchantId, { about: 'pool_refilled', network, free, isLow })
}
