import { checkNamed } from '../../domain/customer.ts'
import { erasedEmail, eraser, spellingsOf } from '../../domain/erasure.ts'
import { Refusal } from '../../domain/errors.ts'
import { testShopOf } from '../../domain/test-shop.ts'
import { type TableOfBuyers, tablesOfBuyers } from '../../storage/port.ts'
import { type AuditContext, recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { checkEmail } from '../merchants/create.ts'
import { getMerchant } from '../merchants/read.ts'

type EraseContext = AuditContext & Pick<Context, 'storage'>

interface Person {
  merchantId: string
  email: string
  /** null if no customer has the address; texts may still contain it */
  customerId: string | null
  replacement: string
}

export interface Erasure {
  /** replacement of the address; null if nothing contained it */
  replacement: string | null
  orders: number
  /** number of rows other than orders that contained the address */
  mentions: number
  /** true if the database was rewritten, so that nothing remains of the old rows */
  compacted: boolean
}

/** Max rows per write, so that a server's writes do not wait for long. */
const ROWS_AT_ONCE = 100

/**
 * Replaces the personal data of a merchant's customer everywhere. Sums, hashes and IDs stay. It can be
 * repeated, even after an interruption, because the customer's own row is replaced last.
 */
export async function eraseCustomer(
  context: EraseContext,
  merchantId: string,
  email: string,
): Promise<Erasure> {
  checkEmail(email)
  checkNamed(email)
  if (/@erased[.]invalid$/i.test(email))
    throw new Refusal('conflict', 'This address stands for a customer who was erased.')
  await getMerchant(context, merchantId)
  const live = await eraseIn(context, merchantId, email)
  const tests = await eraseIn(context, testShopOf(merchantId), email)
  return {
    replacement: live.replacement ?? tests.replacement,
    orders: live.orders + tests.orders,
    mentions: live.mentions + tests.mentions,
    compacted: await context.storage.compact(),
  }
}

/** Erases a customer of a merchant, or of its test shop. */
async function eraseIn(
  context: EraseContext,
  merchantId: string,
  email: string,
): Promise<Omit<Erasure, 'compacted'>> {
  const person = await context.storage.read(async tables => {
    const customer = await tables.customers.findByEmail(merchantId, email)
    const number = customer ? await tables.personalData.nextNumber(merchantId) : 0
    return { merchantId, email, customerId: customer?.id ?? null, replacement: erasedEmail(number) }
  })
  const orders = await eraseOrders(context, person)
  let mentions = 0
  for (const table of tablesOfBuyers) mentions += await eraseMentions(context, person, table)
  const isFound = person.customerId !== null || mentions > 0
  if (isFound) await finish(context, person, orders + mentions)
  return { replacement: isFound ? person.replacement : null, orders, mentions }
}

async function eraseOrders({ storage }: EraseContext, { customerId, replacement }: Person): Promise<number> {
  if (customerId === null) return 0
  for (let orders = 0; ; ) {
    const some = await storage.write(tables =>
      tables.personalData.eraseOrders(customerId, replacement, ROWS_AT_ONCE),
    )
    orders += some
    if (some < ROWS_AT_ONCE) return orders
  }
}

async function eraseMentions(
  { storage }: EraseContext,
  { merchantId, email, replacement }: Person,
  table: TableOfBuyers,
): Promise<number> {
  const erase = eraser(email, replacement)
  const spellings = spellingsOf(email)
  let erased = 0
  for (let after: string | undefined = ''; after !== undefined; ) {
    const ids: string[] = await storage.read(tables =>
      tables.personalData.listMentions(table, merchantId, spellings, ROWS_AT_ONCE, after ?? ''),
    )
    erased += await storage.write(async tables => {
      let changed = 0
      for (const id of ids) if (await tables.personalData.rewrite(table, id, erase)) changed++
      return changed
    })
    after = ids.length === ROWS_AT_ONCE ? ids.at(-1) : undefined
  }
  return erased
}

/** Replaces the customer's own row. The same write also covers orders that were created in the meantime. */
async function finish(
  context: EraseContext,
  { merchantId, customerId, replacement }: Person,
  rows: number,
): Promise<void> {
  await context.storage.write(async tables => {
    if (customerId !== null) {
      while ((await tables.personalData.eraseOrders(customerId, replacement, ROWS_AT_ONCE)) > 0);
      await tables.personalData.eraseCustomer(customerId, replacement)
    }
    // The log must not contain the address, so it only names the erased customer.
    await recordAudit(context, tables, {
      merchantId,
      action: 'customer.erased',
      subject: `customer:${customerId ?? replacement}`,
      before: null,
      after: { replacement, rows },
    })
  })
}
