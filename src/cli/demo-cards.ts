import type { Running } from '../boot/serve.ts'
import type { Merchant } from '../domain/merchant.ts'
import type { Context } from '../operations/context.ts'
import { connectAccount, connectable, listAccounts } from '../operations/merchants/connect-account.ts'
import { createMerchant } from '../operations/merchants/create.ts'
import { listMerchants } from '../operations/merchants/read.ts'
import { createUser } from '../operations/people/create-user.ts'
import { createEnterLink } from '../operations/people/links.ts'
import { findOrMake, orderToPay } from './demo-orders.ts'
import { linkUrl } from './user.ts'

const EMAIL = 'roastery@florin.example'

/** Keys that the sandbox's stand-ins for card providers take, by provider. */
const demoKeys: Record<string, { key: string; clientId?: string }> = {
  stripe: { key: 'rk_test_CornerRoastery_demo' },
  mollie: { key: 'test_Roasterydemodemodemodemo' },
  paypal: { key: 'secretdemodemodemodemodemo', clientId: 'CornerRoasterydemodemodemo' },
}

export interface DemoCards {
  merchantId: string
  /** page of an order that can be paid with each of the shop's accounts */
  checkoutUrl: string
  dashboardUrl: string
}

async function cardMerchant(context: Context): Promise<Merchant> {
  const known = (await listMerchants(context)).find(({ email }) => email === EMAIL)
  return known ?? createMerchant(context, { email: EMAIL, name: 'Corner Roastery', feePercent: '0' })
}

async function connectAll(context: Context, merchantId: string): Promise<void> {
  const connected = new Set((await listAccounts(context, merchantId)).map(({ provider }) => provider))
  for (const providerId of connectable(context)) {
    const keys = demoKeys[providerId]
    if (keys === undefined || connected.has(providerId)) continue
    await connectAccount(context, { merchantId, providerId, webhookSecret: null, ...keys })
  }
}

/**
 * Sets up a second shop, which takes cards into accounts of its own with every card provider. The first shop
 * has none: beside such accounts, `*` would no longer offer its gateway. Returns null if that fails, such as
 * while a setting names a provider's real API.
 */
export async function openDemoCards(running: Running, passwordHash: string): Promise<DemoCards | null> {
  const { context } = running.florin
  try {
    const { id: merchantId } = await cardMerchant(context)
    await connectAll(context, merchantId)
    const { user } = await createUser(context, { email: EMAIL, merchantId, role: 'owner' })
    const change = { passwordHash, updatedAt: context.clock() }
    await context.storage.write(tables => tables.users.update(user.id, change))
    const order = await findOrMake(running, merchantId, 'ROAST-1', orderToPay)
    return {
      merchantId,
      checkoutUrl: `${context.policy.checkoutUrl}/pay/${order}`,
      dashboardUrl: linkUrl(context, await createEnterLink(context, user.id)),
    }
  } catch (error) {
    context.log.warn({ error: String(error) }, 'demo.cards.failed')
    return null
  }
}
