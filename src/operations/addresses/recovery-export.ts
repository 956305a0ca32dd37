import type { Attempt } from '../../domain/attempt.ts'
import type { PageStart } from '../../domain/page.ts'
import type { OwnAddress, Recipe } from '../../networks/port.ts'
import type { Context } from '../context.ts'
import { getMerchant } from '../merchants/read.ts'

/** An address that a buyer was given, and where it came from. */
export interface IssuedAddress {
  attempt: Attempt
  own: OwnAddress
  /** how its money is moved on; null where it is the merchant's own address, so that it is his already */
  recipe: Recipe | null
}

/** An address whose money has to be moved on: by a contract of ours, or by a seed. */
export interface Forwarder extends IssuedAddress {
  recipe: Recipe
}

const ORDERS_AT_ONCE = 200

/** Every forwarder that a merchant's buyers were given, those of the newest orders first. */
export const listForwarders = async (context: Context, merchantId: string): Promise<Forwarder[]> =>
  (await listIssuedAddresses(context, merchantId)).filter(
    (given): given is Forwarder => given.recipe !== null,
  )

/** Every address that a merchant's buyers were given, those of the newest orders first. */
export async function listIssuedAddresses(context: Context, merchantId: string): Promise<IssuedAddress[]> {
  await getMerchant(context, merchantId)
  const found: IssuedAddress[] = []
  for (let after: PageStart | null | undefined = null; after !== undefined; ) {
    const page = await pageAfter(context, merchantId, after)
    found.push(...page.attempts.flatMap(attempt => givenOf(context, attempt)))
    after = page.next
  }
  return found
}

/** The attempts of so many orders; and where the next page starts, undefined on the last. */
const pageAfter = (context: Context, merchantId: string, after: PageStart | null) =>
  context.storage.read(async tables => {
    const orders = (await tables.orders.list({ merchantId }, ORDERS_AT_ONCE, after)).map(({ order }) => order)
    const last = orders.at(-1)
    return {
      attempts: await tables.attempts.listOfAll(orders.map(({ id }) => id)),
      next: last && orders.length === ORDERS_AT_ONCE ? { at: last.createdAt, id: last.id } : undefined,
    }
  })

function givenOf(context: Context, attempt: Attempt): IssuedAddress[] {
  const { id, address, addressSource, provider } = attempt
  const isSimulated = (addressSource as { kind?: string } | null)?.kind === 'sandbox'
  if (address === null || provider !== null || isSimulated) return []
  const own = { attemptId: id, address, source: addressSource }
  return [{ attempt, own, recipe: context.networks.recipe(own) }]
}
