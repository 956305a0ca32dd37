import { type Customer, checkNamed } from '../../domain/customer.ts'
import { type AuditContext, recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { checkEmail } from '../merchants/create.ts'
import { getMerchant } from '../merchants/read.ts'

/** Blocks or unblocks a customer of a merchant. The customer need not exist yet. */
export async function blockCustomer(
  context: AuditContext & Pick<Context, 'storage'>,
  merchantId: string,
  email: string,
  blocked: boolean,
): Promise<Customer> {
  checkEmail(email)
  checkNamed(email)
  await getMerchant(context, merchantId)
  return context.storage.write(async tables => {
    const now = context.clock()
    const known = await tables.customers.findByEmail(merchantId, email)
    const blockedAt = blocked ? (known?.blockedAt ?? now) : null
    const isNew = known === null
    const customer = known
      ? { ...known, blockedAt }
      : { id: context.ids.uuid(), merchantId, email, blockedAt, createdAt: now }
    if (isNew) await tables.customers.insert(customer)
    else await tables.customers.setBlocked(customer.id, blockedAt)
    // The entry contains no email address: an address can be erased, but the audit log cannot.
    await recordAudit(context, tables, {
      merchantId,
      action: blocked ? 'customer.blocked' : 'customer.unblocked',
      subject: `customer:${customer.id}`,
      before: { blocked: known !== null && known.blockedAt !== null },
      after: { blocked },
    })
    return customer
  })
}
