import { afterAll, afterEach, beforeAll } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import { type OpenShop, openShop } from '../networks/checkout-scene.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { isBrowserMissing, openChromium } from '../support/chromium.ts'
import { EVM_WALLET } from '../support/given.ts'

const row = (id: string, decimals: number, contract?: string) => ({
  id,
  network: 'evm',
  chainId: 31337,
  decimals,
  confirmations: 3,
  ...(contract && { contract }),
})

interface Opening<W> {
  /** puts the wallet into the page */
  announce: (wallet: W) => void
  wallet: W | null
  /** cookie of a person who is signed in; left out for a buyer */
  cookie?: string
  /** true to mine at once what the wallet sends */
  isMining?: boolean
}

interface Scene {
  anvil: Anvil
  shop: OpenShop
  /** the contract of a token */
  token: string
  /** Opens a page of the shop in a browser of its own, with a wallet or none. The node signs for the wallet. */
  open<W>(path: string, opening: Opening<W>): Promise<Page>
}

/** Opens a shop with a chain of its own, for the tests of a file. */
export function useWallets(): Scene {
  const scene = {} as Scene
  const closing: (() => unknown)[] = []
  let context: BrowserContext | null = null
  beforeAll(async () => {
    if (isBrowserMissing) return
    const anvil = await startAnvil()
    closing.unshift(() => anvil.stop())
    const token = await anvil.deploy('TestTether')
    const shop = await openShop({
      environment: { FLORIN_ETHEREUM_URL: anvil.url },
      assets: [row('ethereum/usdt', 6, token), row('ethereum/eth', 18)],
      rates: { 'ethereum/usdt': { USD: '1' }, 'ethereum/eth': { USD: '2500' } },
      cryptoWallets: { evm: EVM_WALLET },
    })
    closing.unshift(() => shop.close())
    const fetch = (request: Request) => shop.app.florin.http.handle(request)
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch })
    closing.unshift(() => server.stop(true))
    const browser = await openChromium()
    async function open<W>(path: string, { announce, wallet, cookie = '', isMining }: Opening<W>) {
      context = await browser.newContext({ baseURL: server.url.href })
      const [name = '', value = ''] = cookie.split('=')
      if (cookie) await context.addCookies([{ name, value, url: server.url.href }])
      const page = await context.newPage()
      await page.exposeFunction('node', async (call: { method: string; params?: unknown[] }) => {
        const method = call.method === 'eth_requestAccounts' ? 'eth_accounts' : call.method
        const answer = await anvil.rpc(method, call.params ?? [])
        if (isMining && method === 'eth_sendTransaction') await anvil.mine()
        return answer
      })
      if (wallet) await page.addInitScript(announce as (given: unknown) => void, wallet)
      await page.goto(path)
      return page
    }
    Object.assign(scene, { anvil, token, shop, open })
  })
  afterEach(async () => {
    await context?.close()
    context = null
  })
  afterAll(async () => {
    for (const close of closing) await close()
  })
  return scene
}
