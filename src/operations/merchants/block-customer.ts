import type { Customer } from '../../domain/customer.ts'
import type { Context } from '../context.ts'
import { checkEmail } from './create.ts'
import { getMerchant } from './read.ts'

/** Blocks or unblocks a customer of a merchant. The customer need not exist yet. */
export async function blockCustomer(
  context: Pick<Context, 'storage' | 'clock' | 'ids'>,
  merchantId: string,
  email: string,
  blocked: boolean,
): Promise<Customer> {
  checkEmail(email)
  await getMerchant(context, merchantId)
  return context.storage.write(async tables => {
    const now = context.clock()
    const known = await tables.customers.findByEmail(merchantId, email)
    const blockedAt = blocked ? (known?.blockedAt ?? now) : null
    if (known) {
      await tables.customers.setBlocked(known.id, blockedAt)
      return { ...known, blockedAt }
    }
    const customer = { id: context.ids.uuid(), merchantId, email, blockedAt, createdAt: now }
    await tables.customers.insert(customer)
    return customer
  })
}
