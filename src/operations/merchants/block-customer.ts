import type { Customer } from '../../domain/customer.ts'
import type { World } from '../context.ts'
import { checkEmail } from './create.ts'
import { readMerchant } from './read.ts'

/** Keeps a customer, known or not yet known, from starting payments with a merchant; or allows it again. */
export async function blockCustomer(
  world: World,
  merchantId: string,
  email: string,
  blocked: boolean,
): Promise<Customer> {
  checkEmail(email)
  await readMerchant(world, merchantId)
  return world.storage.write(async tables => {
    const now = world.clock()
    const known = await tables.customers.findByEmail(merchantId, email)
    const blockedAt = blocked ? (known?.blockedAt ?? now) : null
    if (known) {
      await tables.customers.setBlocked(known.id, blockedAt)
      return { ...known, blockedAt }
    }
    const customer = { id: world.ids.uuid(), merchantId, email, blockedAt, createdAt: now }
    await tables.customers.insert(customer)
    return customer
  })
}
