import { join } from 'node:path'
import type { Merchant } from '../domain/merchant.ts'
import { presentOrder } from '../http/present/order.ts'
import { changeWallet } from '../operations/change-wallet.ts'
import { createKey, revokeKey } from '../operations/create-key.ts'
import { createMerchant } from '../operations/create-merchant.ts'
import { createOrder } from '../operations/create-order.ts'
import { createProducts } from '../operations/create-products.ts'
import { listKeys, listMerchants } from '../operations/read-merchants.ts'
import type { NewProduct } from '../operations/read-product-request.ts'
import type { World } from '../operations/world.ts'
import type { Running } from '../server.ts'
import { SettingsFault } from '../settings/read.ts'
import type { Settings } from '../settings/table.ts'
import { type Cli, command } from './cli.ts'
import { start, untilStopped } from './serve.ts'

const EMAIL = 'demo@florin.example'

/** Well-known addresses of their networks, so that nobody takes them for his own. */
const payoutWallets = {
  evm: '0x000000000000000000000000000000000000dEaD',
  btc: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  ltc: 'LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9',
  doge: 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L',
  bitcoincash: 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
  solana: 'mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN',
  trc20: 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH',
}

/** One whose price buyers may change, and one whose price stands. */
const demoProducts: NewProduct[] = [
  {
    name: 'House blend, 1 kg',
    description: 'Whole bean, roasted on Tuesdays',
    allowPriceOverride: false,
    orderTemplate: { amount: '24.00', currency: 'USD', paymentMethodsKeys: ['*'], metadata: { sku: 'HB-1' } },
  },
  {
    name: 'Tip jar',
    description: 'As much as you like, for the roasters',
    imageDisplaySize: 256,
    orderTemplate: { amount: '5.00', currency: 'USD', paymentMethodsKeys: ['*'] },
  },
]

async function demoMerchant(world: World): Promise<Merchant> {
  const known = (await listMerchants(world)).find(({ email }) => email === EMAIL)
  if (known) return known
  const merchant = await createMerchant(world, { email: EMAIL, name: 'Corner Coffee', feePercent: '1' })
  await changeWallet(world, merchant.id, { cryptoWallets: payoutWallets })
  await createProducts(world, merchant.id, demoProducts, index => `/${index}`)
  return merchant
}

/** Keys cannot be shown twice, so every demo has its own and ends the last one's. */
async function demoKeys(world: World, merchantId: string) {
  for (const key of await listKeys(world, merchantId)) {
    if (key.revokedAt === null) await revokeKey(world, merchantId, key.id)
  }
  const live = await createKey(world, { merchantId, mode: 'live' })
  const test = await createKey(world, { merchantId, mode: 'test' })
  return { liveKey: live.text, testKey: test.text }
}

const demoOrder = (world: World, merchantId: string) =>
  createOrder(world, merchantId, {
    amount: '25.00',
    currency: 'USD',
    paymentMethodsKeys: ['*'],
    customer: { email: 'buyer@example.com', fullName: 'Sam Buyer' },
    description: 'Two bags of house blend, whole bean',
    externalId: 'DEMO-1',
  })

const curlLine = (url: string, key: string): string => `curl ${url}/v1/orders \\
  -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' \\
  -d '{"amount": "12.50", "currency": "USD", "paymentMethodsKeys": ["*"],
       "customer": {"email": "buyer@example.com"}}'`

/** The demo takes another port where the usual one is in use and none was asked for. */
async function startSomewhere(cli: Cli, settings: Settings): Promise<Running> {
  try {
    return await start(cli, settings)
  } catch (error) {
    if (!(error instanceof SettingsFault) || cli.terminal.environment.FLORIN_PORT) throw error
    return start(cli, { ...settings, port: 0 })
  }
}

export const demo = (cli: Cli) =>
  command('demo', 'start with a sandbox in place of every upstream, and all that is needed to try it').action(
    async ({ json }: { json?: boolean }) => {
      const base = cli.settings()
      const logLevel = cli.terminal.environment.FLORIN_LOG_LEVEL ? base.logLevel : 'warn'
      const settings = { ...base, sandbox: true, logLevel, dataDir: join(base.dataDir, 'demo') } as const
      const running = await startSomewhere(cli, settings)
      const { world } = running.florin
      const merchant = await demoMerchant(world)
      const keys = await demoKeys(world, merchant.id)
      const order = presentOrder(await demoOrder(world, merchant.id), world.policy.checkoutUrl)
      const answer = { url: running.url, merchantId: merchant.id, ...keys, checkoutUrl: order.checkoutUrl }
      cli.terminal.print(json ? JSON.stringify(answer) : text(answer))
      await untilStopped(running)
    },
  )

const text = (answer: { url: string; merchantId: string; liveKey: string; checkoutUrl: string }): string => `
Florin runs in its sandbox: no real money moves.

Open this order's checkout and pay it, by card or in crypto:

  ${answer.checkoutUrl}

Create another order, as your shop's server would:

${curlLine(answer.url, answer.liveKey)}

Merchant ${answer.merchantId}. Stop with Ctrl-C.`
