import { type Attempt, type OwnAttempt, sourceKindOf } from '../../domain/attempt.ts'
import type { PageStart } from '../../domain/page.ts'
import type { OwnAddress, Recipe } from '../../networks/port.ts'
import type { Context } from '../context.ts'
import { getMerchant } from '../merchants/read.ts'

/** An address that a buyer's payment was allocated, and the origin of the address. */
export interface IssuedAddress {
  attempt: OwnAttempt
  own: OwnAddress
  /** instructions to move its funds; null for the merchant's own address */
  recipe: Recipe | null
}

/** An address whose funds need a sweep: a forwarder contract or a seed address. */
export interface Forwarder extends IssuedAddress {
  recipe: Recipe
}

const ORDERS_AT_ONCE = 200

/** Lists the forwarders that were allocated to a merchant's buyers, newest orders first. */
export const listForwarders = async (
  context: Pick<Context, 'storage' | 'networks'>,
  merchantId: string,
): Promise<Forwarder[]> =>
  (await listIssuedAddresses(context, merchantId)).filter(
    (given): given is Forwarder => given.recipe !== null,
  )

/** Lists all addresses that were allocated to a merchant's buyers, newest orders first. */
export async function listIssuedAddresses(
  context: Pick<Context, 'storage' | 'networks'>,
  merchantId: string,
): Promise<IssuedAddress[]> {
  await getMerchant(context, merchantId)
  const found: IssuedAddress[] = []
  for (let after: PageStart | null | undefined = null; after !== undefined; ) {
    const page = await pageAfter(context, merchantId, after)
    found.push(...page.attempts.flatMap(attempt => givenOf(context, attempt)))
    after = page.next
  }
  return found
}

/** The attempts of one page of orders, and the start of the next page (undefined after the last). */
const pageAfter = (context: Pick<Context, 'storage'>, merchantId: string, after: PageStart | null) =>
  context.storage.read(async tables => {
    const orders = (await tables.orders.list({ merchantId }, ORDERS_AT_ONCE, after)).map(({ order }) => order)
    const last = orders.at(-1)
    return {
      attempts: await tables.attempts.listOfOrders(orders.map(({ id }) => id)),
      next: last && orders.length === ORDERS_AT_ONCE ? { at: last.createdAt, id: last.id } : undefined,
    }
  })

/** The address of an attempt and its origin; empty for an address of a provider or of the sandbox. */
export function givenOf(context: Pick<Context, 'networks'>, attempt: Attempt): IssuedAddress[] {
  if (attempt.provider !== null || sourceKindOf(attempt) === 'sandbox') return []
  const { id, address, addressSource } = attempt
  const own = { attemptId: id, address, source: addressSource }
  return [{ attempt, own, recipe: context.networks.recipe(own) }]
}
