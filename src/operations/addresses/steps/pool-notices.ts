import type { AddressSource } from '../../../domain/address-source.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { notifyOf } from '../../merchants/steps/notify.ts'

const POOL_LOW = 10

type NoticeContext = Pick<Context, 'clock' | 'ids'>

const ADVICE = 'Add more with florin wallet pool.'

/** Notifies once when the pool runs low and once when it is empty. */
export async function warnOfPool(
  context: NoticeContext,
  tables: Tables,
  { id, merchantId, network }: AddressSource,
): Promise<void> {
  const { free } = await tables.sources.countAddresses(id)
  if (free !== POOL_LOW && free !== 0) return
  const left = free === 0 ? 'No addresses are' : `Only ${free} addresses are`
  const text = `${left} left in the pool of ${network}. ${ADVICE}`
  await notifyOf(context, tables, merchantId, 'pool_low', text)
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
  const left = free === 1 ? '1 is left' : `${free} are left`
  const advice = free > POOL_LOW ? '' : ` ${ADVICE}`
  await notifyOf(
    context,
    tables,
    merchantId,
    'pool_low',
    `The pool of ${network} has addresses again: ${left}.${advice}`,
  )
}
