import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { type ProviderFactory, providerFactories } from '../../src/boot/providers.ts'
import type { MethodTerms } from '../../src/domain/catalogue.ts'
import { meansOf } from '../../src/providers/paygate/means.ts'
import { startApp } from '../support/app.ts'
import { closePages, isBrowserMissing, openChromium } from '../support/chromium.ts'
import { givenMerchant, givenOrder } from '../support/given.ts'
import { newFolder } from '../support/process.ts'
import { isWhole, waysOf } from '../support/whole.ts'
import { words } from '../support/words.ts'
import { axeProblems, axeSource } from './axe.ts'
import { describeInBrowser } from './server.ts'
import { measure, misfits, unfold } from './visit.ts'

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
async function startLargeShop() {
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

let browser: Browser
let shop: Awaited<ReturnType<typeof startLargeShop>>
let paths: string[] = []

if (!isBrowserMissing) {
  beforeAll(async () => {
    ;[browser, shop] = await Promise.all([openChromium(), startLargeShop()])
    paths = [await shop.orderPath(), await shop.productPath()]
  })
  afterAll(async () => {
    await closePages(browser)
    await shop?.close()
  })
}

async function open(path: string, width = 390): Promise<Page> {
  const viewport = { width, height: 844 }
  const context = await browser.newContext({ baseURL: shop.url, reducedMotion: 'reduce', viewport })
  const page = await context.newPage()
  await page.goto(path)
  return page
}

const namesOf = async (rows: Locator): Promise<string[]> =>
  (await rows.allInnerTexts()).map(text => text.trim().replace(/\s+/g, ' '))

const providerRows = (page: Page) => page.locator('[aria-labelledby=by-provider] .methods > li')
const coinRows = (page: Page) => page.locator('[aria-labelledby=by-crypto] .methods:not(.networks) > li')

describeInBrowser('30 providers and 30 coins', () => {
  test('are all available: the best ones in sight, the others in two unfoldable parts', async () => {
    const page = await open(paths[0]!)
    expect([await providerRows(page).count(), await coinRows(page).count()]).toEqual([30, 30])
    const ways = await namesOf(providerRows(page).filter({ visible: true }))
    expect(ways.map(name => name.replace(/ (?:through .*|Opens in a new tab)$/i, ''))).toEqual([
      ...['Card', 'Cash App Pay', 'iDEAL', 'Interac e-Transfer', 'Bank transfer'],
    ])
    const coins = await namesOf(coinRows(page).filter({ visible: true }))
    expect(coins.map(name => name.split(' ')[0])).toEqual(
      words(`
      Bitcoin Ethereum USD Tether Litecoin Dogecoin
    `),
    )
    await page.context().close()
  })

  test('leave crypto on the first screen of a phone, and the product form on two screens', async () => {
    const page = await open(paths[0]!, 320)
    const isWithin = async (screens: number, what: Locator) => {
      for (const width of [320, 390]) {
        await page.setViewportSize({ width, height: 844 })
        expect((await what.boundingBox())!.y).toBeLessThan(screens * 844)
      }
    }
    await isWithin(1, page.getByRole('heading', { name: 'Crypto' }))
    await page.goto(paths[1]!)
    await isWithin(2, page.getByRole('button', { name: 'Continue to payment' }))
    await page.context().close()
  })

  test('are found by a word: the name of a provider, card brand, coin, ticker or network', async () => {
    const page = await open(paths[0]!)
    const field = page.getByRole('searchbox')
    const visible = page.locator('.methods > li').filter({ visible: true })
    const found = async (words: string): Promise<string> => {
      await field.fill(words)
      return (await namesOf(visible)).join('\n')
    }
    expect(await found('topper')).toMatch(/^Card through Topper[^\n]*$/)
    expect(await found('google pay')).toMatch(/MoonPay/)
    expect(await found('google pay')).not.toMatch(/ChangeNOW|Bitcoin/)
    expect(await found('link')).toMatch(/LINK.*Ethereum.*Polygon/s)
    expect(await found('eth')).not.toMatch(/Tether[^\n]*TRON|USDT · TRON/)
    expect(await found('eth')).toMatch(/Ethereum.*USDT · Ethereum \(ERC20\)/s)
    expect(await found('usdc poly')).toMatch(/USDC · Polygon/)
    expect(await found('(')).not.toBe('')
    await found('link')
    const boxes = page.locator('.methods').filter({ visible: true })
    for (const box of await boxes.all()) expect((await box.boundingBox())!.height).toBeGreaterThan(40)
    expect(await found('shells')).toBe('')
    expect(await page.getByText('No payment methods found.').isVisible()).toBe(true)
    await page.context().close()
  })

  test('fit 320, 390 and 1280 pixels, folded and unfolded', async () => {
    for (const path of paths) {
      const page = await open(path)
      expect(await misfits(page)).toEqual([])
      await page.reload()
      await unfold(page)
      expect(await misfits(page)).toEqual([])
      await page.context().close()
    }
  })

  test('have no accessibility problems, and an icon each', async () => {
    const source = axeSource()
    for (const [at, path] of paths.entries()) {
      const page = await open(path)
      await unfold(page)
      const bare = page.locator('.methods li').filter({ hasNot: page.locator('.chip, .icon') })
      expect(await namesOf(bare)).toEqual([])
      await page.evaluate(source)
      for (const colorScheme of waysOf(['light', 'dark'] as const, at)) {
        await page.emulateMedia({ colorScheme })
        // If there is only one look, all rules count; otherwise the dark scheme only changes the contrast.
        expect(await axeProblems(page, isWhole ? colorScheme : 'light')).toEqual([])
      }
      await page.context().close()
    }
  })

  // Scripts other than the Latin one take two or three bytes for a letter.
  test.each(['en', 'th'])('need at most 3 requests and 30,000 compressed bytes in %s', async language => {
    const page = await open('/')
    const seen = await measure(await page.context().newCDPSession(page))
    for (const path of paths.map(one => `${one}?lang=${language}`)) {
      Object.assign(seen, { bytes: 0, requests: [], left: 0 })
      await page.goto(path)
      for (let turns = 0; seen.left > 0 && turns < 40; turns++) await Bun.sleep(10)
      expect(seen.requests.length).toBe(3)
      expect(seen.bytes).toBeGreaterThan(10_000)
      expect(seen.bytes).toBeLessThan(30_000)
    }
    await page.context().close()
  })
})
