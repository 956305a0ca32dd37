import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ProviderFactory, providerFactories } from '../../src/boot/providers.ts'
import type { MethodTerms } from '../../src/domain/catalogue.ts'
import { meansOf } from '../../src/providers/paygate/means.ts'
import { startApp } from '../support/app.ts'
import { givenMerchant, givenOrder } from '../support/given.ts'
import { newFolder } from '../support/process.ts'

/** Providers of the gateway's list, ordered so that the best are not the first. */
const providers = [
  ['wert', 'Wert.io'],
  ['alchemypay', 'AlchemyPay.org'],
  ['banxa', 'Banxa.com'],
  ['binance', 'Binance.com'],
  ['bitnovo', 'Bitnovo.com'],
  ['cashapp', 'Cash App'],
  ['changenow', 'ChangeNOW.io'],
  ['coinbase', 'Coinbase.com'],
  ['finchpay', 'FinchPay.io'],
  ['guardarian', 'Guardarian.com'],
  ['ideal', 'iDEAL'],
  ['interac', 'Interac'],
  ['itez', 'itez.com'],
  ['kado', 'Kado.money'],
  ['klarna', 'Klarna'],
  ['kryptonim', 'Kryptonim.com'],
  ['mercuryo', 'Mercuryo.io'],
  ['moonpay', 'MoonPay.com'],
  ['particle', 'Particle.network'],
  ['paybis', 'Paybis.com'],
  ['paypal', 'PayPal'],
  ['rampnetwork', 'Ramp.network'],
  ['revolut', 'Revolut.com'],
  ['sardine', 'Sardine.ai'],
  ['simpleswap', 'SimpleSwap.io'],
  ['stripe', 'Stripe.com'],
  ['topper', 'Topper'],
  ['transak', 'Transak.com'],
  ['unlimit', 'Unlimit.com'],
  ['upi', 'UPI'],
] as const

/** Tokens that an operator adds in a file; they have no icons. With the built-in coins there are 30. */
const tokens = [
  ...['aave', 'ape', 'arb', 'bal', 'comp', 'crv', 'dai', 'ens', 'eurc', 'grt', 'ldo', 'link', 'mkr', 'op'],
  ...['pepe', 'pyusd', 'shib', 'uni', 'wbtc'],
]
const chains = { ethereum: 1, polygon: 137 }

const assetRows = tokens.flatMap((ticker, at) =>
  Object.entries(chains)
    .slice(0, 1 + (at % 2))
    .map(([chain, chainId]) => ({
      id: `${chain}/${ticker}`,
      network: 'evm',
      chainId,
      decimals: 18,
      contract: `0x${(0xa000 + at).toString(16).padStart(40, '0')}`,
    })),
)

const wallets = {
  evm: '0x1111111111111111111111111111111111111111',
  btc: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  ltc: 'LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9',
  doge: 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L',
  bitcoincash: 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
  solana: 'mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN',
  trc20: 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH',
}

const terms: MethodTerms[] = providers.map(([key, name]) => ({
  key,
  name,
  means: meansOf(key),
  minimum: null,
  currencies: null,
}))

/** The sandbox's gateway with a longer list of methods. */
const longGateway: ProviderFactory = (...parts) => {
  const provider = providerFactories.at(-1)!(...parts)!
  return { ...provider, forwarding: { ...provider.forwarding!, methods: async () => terms } }
}

/** A server whose shop offers 30 providers and 30 coins, for a browser. */
export async function startLargeShop() {
  const folder = newFolder()
  const file = join(folder, 'assets.json')
  writeFileSync(file, JSON.stringify(assetRows))
  const app = await startApp({ FLORIN_ASSETS_FILE: file }, { now: Date.now }, [longGateway])
  for (const { id: assetId } of assetRows) {
    const body = { assetId, currency: 'USD', rate: '2' }
    const { status, text } = await app.call('POST', '/sandbox/rates', { body })
    if (status !== 200) throw new Error(text)
  }
  const shop = await givenMerchant(app)
  await app.call('PUT', '/v1/wallet', { key: shop.live, body: { cryptoWallets: wallets } })
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: app.florin.http.fetch })
  return {
    url: `http://127.0.0.1:${server.port}`,
    async orderPath(change: object = {}): Promise<string> {
      const { orderUUID } = await givenOrder(app, shop, { externalId: 'ORDER-7', ...change })
      return `/pay/${orderUUID}`
    },
    async productPath(): Promise<string> {
      const orderTemplate = { amount: '25.00', currency: 'USD', paymentMethodsKeys: ['*'] }
      const body = { name: 'House blend', imageDisplaySize: 256, orderTemplate }
      const { json, text } = await app.call('POST', '/v1/products', { key: shop.live, body })
      if (!json?.data) throw new Error(text)
      return `/checkout/${json.data.productUUID}`
    },
    async close() {
      await server.stop(true)
      await app.close()
    },
  }
}
