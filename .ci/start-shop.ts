// A shop that takes cards and Lightning, for the starts that a build measures.
import { openFlorin } from '../src/boot/compose.ts'
import { makeLog } from '../src/boot/log.ts'
import { realPlatform } from '../src/boot/platform.ts'
import { LIGHTNING } from '../src/domain/lightning.ts'
import { setUpLightning } from '../src/operations/addresses/lightning.ts'
import { createMerchant } from '../src/operations/merchants/create.ts'
import { setProviderAccount } from '../src/operations/merchants/provider-account.ts'
import { readSettings } from '../src/settings/read.ts'

/** Nothing listens there: a build asks nobody. */
const NOWHERE = '127.0.0.1:1'

/** The settings of a server with such a shop. */
export const shopSettings = {
  FLORIN_STRIPE_URL: `http://${NOWHERE}`,
  FLORIN_MOLLIE_URL: `http://${NOWHERE}`,
  FLORIN_PAYPAL_URL: `http://${NOWHERE}`,
}

const made = 'Made0for0builds'.repeat(2)
const accounts = {
  stripe: { key: `rk_live_${made}`, account: 'acct_build', name: 'Shop', webhook: null },
  mollie: { key: `live_${made}`, account: 'pfl_build', name: 'Shop', methods: ['ideal', 'creditcard'] },
  paypal: { clientId: made, key: `${made}1`, account: 'BUILD', name: 'Shop', webhook: null },
}

/** Creates a database whose shop has accounts that are looked at when a server starts. */
export async function makeStartShop(dataDir: string): Promise<void> {
  const settings = readSettings({ ...shopSettings, FLORIN_DATA_DIR: dataDir })
  const use = { as: 'command', mayCreate: true } as const
  const { context, close } = await openFlorin(
    settings,
    realPlatform(makeLog('silent')),
    `http://${NOWHERE}`,
    undefined,
    use,
  )
  try {
    const { id: merchantId } = await createMerchant(context, { name: 'Shop', email: 'shop@example.com' })
    for (const [providerId, credentials] of Object.entries(accounts))
      await setProviderAccount(context, { merchantId, providerId, credentials })
    const account = { kind: 'address', account: `shop@${NOWHERE}`, host: NOWHERE, node: '02' } as const
    await setUpLightning(context, merchantId, { account, secret: null })
    // A day after the accounts were connected, the next start looks at all of them.
    const dueAt = context.clock()
    await context.storage.write(async ({ jobs }) => {
      for (const subject of Object.keys(accounts))
        await jobs.schedule({ kind: 'reversals.find', subject, lane: `reversals:${subject}`, dueAt })
      await jobs.schedule({ kind: 'lightning.watch', subject: 'all', lane: LIGHTNING, dueAt })
    })
  } finally {
    await close()
  }
}
