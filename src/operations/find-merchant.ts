import { Refusal } from '../domain/errors.ts'
import type { World } from './world.ts'

/*
 * Whose an id is. For the operator's command line alone: every other caller knows its merchant, and names it,
 * so that one merchant's id is of no use to another.
 */

export async function merchantOfKey(world: World, id: string): Promise<string> {
  const key = await world.storage.read(tables => tables.keys.find(id))
  if (!key) throw new Refusal('not_found', 'There is no key with this id.')
  return key.merchantId
}

export async function merchantOfUnmatched(world: World, id: string): Promise<string> {
  const payment = await world.storage.read(tables => tables.unmatched.find(id))
  if (!payment) throw new Refusal('not_found', 'There is no unmatched payment with this id.')
  return payment.merchantId
}
