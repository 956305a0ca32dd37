import { Refusal } from '../domain/errors.ts'
import type { Notification } from '../domain/notification.ts'
import type { UnmatchedRow } from '../storage/port.ts'
import { readMerchant } from './read-merchants.ts'
import type { World } from './world.ts'

const LIST_MAX = 500

/** Payments that settled nothing, newest first: money that a merchant has to decide about. */
export async function listUnmatched(world: World, merchantId: string): Promise<UnmatchedRow[]> {
  await readMerchant(world, merchantId)
  return world.storage.read(tables => tables.unmatched.list(merchantId, LIST_MAX))
}

/** The merchant has dealt with it: refunded it, or booked it elsewhere. */
export async function resolveUnmatched(world: World, merchantId: string, id: string): Promise<void> {
  const isThere = await world.storage.write(tables => tables.unmatched.resolve(merchantId, id, world.clock()))
  if (!isThere) throw new Refusal('not_found', 'There is no unmatched payment with this id.')
}

export async function listNotifications(world: World, merchantId: string): Promise<Notification[]> {
  await readMerchant(world, merchantId)
  return world.storage.read(tables => tables.notifications.list(merchantId, LIST_MAX))
}
