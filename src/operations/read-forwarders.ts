import type { Attempt } from '../domain/attempt.ts'
import type { OwnAddress, Recipe } from '../networks/port.ts'
import type { PageStart } from '../storage/port.ts'
import { readMerchant } from './read-merchants.ts'
import type { World } from './world.ts'

/** An attempt whose money has to be moved on from its address: by a contract of ours, or by a seed. */
export interface Forwarder {
  attempt: Attempt
  own: OwnAddress
  recipe: Recipe
}

const ORDERS_AT_ONCE = 200

/** Every such address that a merchant's buyers were given, those of the newest orders first. */
export async function readForwarders(world: World, merchantId: string): Promise<Forwarder[]> {
  await readMerchant(world, merchantId)
  const found: Forwarder[] = []
  for (let after: PageStart | null | undefined = null; after !== undefined; ) {
    const page = await pageAfter(world, merchantId, after)
    found.push(...page.attempts.flatMap(attempt => forwarderOf(world, attempt)))
    after = page.next
  }
  return found
}

/** The attempts of so many orders; and where the next page starts, undefined on the last. */
const pageAfter = (world: World, merchantId: string, after: PageStart | null) =>
  world.storage.read(async tables => {
    const orders = (await tables.orders.list({ merchantId }, ORDERS_AT_ONCE, after)).map(({ order }) => order)
    const last = orders.at(-1)
    return {
      attempts: await tables.attempts.listOfAll(orders.map(({ id }) => id)),
      next: last && orders.length === ORDERS_AT_ONCE ? { at: last.createdAt, id: last.id } : undefined,
    }
  })

function forwarderOf(world: World, attempt: Attempt): Forwarder[] {
  const { id, address, addressSource } = attempt
  if (address === null) return []
  const own = { attemptId: id, address, source: addressSource }
  const recipe = world.networks.recipe(own)
  return recipe ? [{ attempt, own, recipe }] : []
}
