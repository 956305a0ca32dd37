import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { describeInBrowser } from './server.ts'
import { useWallets } from './wallets.ts'

const scene = useWallets()

/** A wallet as extensions put it into a page. The accounts of the node are unlocked, so the node signs. */
function announce({ chainId, refuses }: { chainId: string; refuses: number | 'never' | null }) {
  const asked: { method: string; params?: unknown[] }[] = []
  const answers: unknown[] = []
  let current = chainId
  const provider = {
    async request(call: { method: string; params?: [{ chainId: string }] }) {
      asked.push(call)
      if (call.method === 'wallet_switchEthereumChain') {
        current = call.params?.[0].chainId ?? current
        return null
      }
      if (call.method === 'eth_chainId') return current
      const { node } = window as unknown as { node(call: object): Promise<unknown> }
      if (call.method !== 'eth_sendTransaction') return node(call)
      if (refuses === 'never') return new Promise(() => {})
      if (refuses !== null) throw Object.assign(new Error('refused'), { code: refuses })
      answers.push(await node(call))
      return answers.at(-1)
    },
  }
  Object.assign(window, { asked, answers })
  const detail = Object.freeze({ info: { uuid: 'a-wallet', name: 'Fox <b>Wallet</b>' }, provider })
  addEventListener('eip6963:requestProvider', () => {
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  })
}

const asked = (page: Page): Promise<{ method: string }[]> =>
  page.evaluate(() => (window as unknown as { asked: { method: string }[] }).asked)

/** A page of the shop in a browser with a wallet, or without one if it is null. */
const open = (path: string, wallet: Parameters<typeof announce>[0] | null): Promise<Page> =>
  scene.open(path, { announce, wallet })

describeInBrowser('a wallet in the browser', () => {
  for (const [assetId, decimals] of [
    ['ethereum/eth', 18],
    ['ethereum/usdt', 6],
  ] as const) {
    test(`pays exactly the amount due in ${assetId}, after it switched to the network`, async () => {
      const order = await scene.shop.opened(assetId, decimals)
      const page = await open(`/pay/${order.id}`, { chainId: '0x1', refuses: null })
      await page.getByRole('button', { name: 'Pay with Fox <b>Wallet</b>' }).click()
      await page.locator('.wallets', { hasText: 'Sent. This page changes' }).waitFor()
      await scene.anvil.mine(4)
      await scene.shop.check(order.id)
      expect(await scene.shop.getOrder(order.id)).toMatchObject({ status: 'PAID' })
      const methods = (await asked(page)).map(({ method }) => method)
      expect(methods.filter(method => method === 'wallet_switchEthereumChain')).toHaveLength(1)
      expect(methods.filter(method => method === 'eth_sendTransaction')).toHaveLength(1)
    })
  }

  test('remembers the sent transaction when the page is loaded again, and asks before it sends a second one', async () => {
    const order = await scene.shop.opened('ethereum/usdt', 6)
    const page = await open(`/pay/${order.id}`, { chainId: '0x7a69', refuses: null })
    const primary = page.getByRole('link', { name: 'Open in wallet' })
    const colorOf = () => primary.evaluate(link => getComputedStyle(link).backgroundColor)
    const filled = await colorOf()
    await page.getByRole('button', { name: /^Pay with Fox/ }).click()
    const note = page.locator('.wallets .hint')
    await note.filter({ hasText: 'Sent. This page changes' }).waitFor()
    const [hash] = await page.evaluate(() => (window as unknown as { answers: string[] }).answers)
    const short = `${hash?.slice(0, 10)}…${hash?.slice(-6)}`
    for (const path of [`/pay/${order.id}`, `/pay/${order.id}?lang=de`, `/pay/${order.id}?lang=en`]) {
      await page.goto(path)
      await note.filter({ hasText: short }).waitFor()
      expect(await note.getByRole('link').getAttribute('href')).toBe(`https://etherscan.io/tx/${hash}`)
    }
    await page.getByRole('link', { name: 'Pay another way' }).click()
    await page.getByRole('link', { name: /Back to the payment/ }).click()
    const again = page.getByRole('button', { name: /^Send again with Fox/ })
    await again.waitFor()
    expect(await page.getByRole('button', { name: /^Pay with Fox/ }).count()).toBe(0)
    expect(await colorOf()).not.toBe(filled)
    await again.click()
    expect(await note.innerText()).toContain('Send again only if')
    expect(await asked(page)).toEqual([])
    await page.getByRole('button', { name: /^Pay with Fox/ }).waitFor()

    await page.reload()
    await again.waitFor()
    await scene.anvil.mine(4)
    await scene.shop.check(order.id)
    await page.reload()
    expect(await page.locator('.wallets').count()).toBe(0)
  })

  test('works without the storage of the browser', async () => {
    const order = await scene.shop.opened('ethereum/eth', 18)
    const page = await open(`/pay/${order.id}`, { chainId: '0x7a69', refuses: null })
    await page.addInitScript(() => {
      Object.defineProperty(window, 'sessionStorage', {
        get() {
          throw new DOMException('denied', 'SecurityError')
        },
      })
    })
    await page.reload()
    await page.getByRole('button', { name: /^Pay with Fox/ }).click()
    await page.locator('.wallets', { hasText: 'Sent. This page changes' }).waitFor()
    expect(await page.getByRole('button', { name: /^Send again with Fox/ }).isEnabled()).toBe(true)
  })

  test('shows no error while the wallet waits for the buyer, or when the page is then loaded again', async () => {
    const order = await scene.shop.opened('ethereum/eth', 18)
    const page = await open(`/pay/${order.id}`, { chainId: '0x7a69', refuses: 'never' })
    const button = page.getByRole('button', { name: /^Pay with Fox/ })
    const colorOf = () => button.evaluate(one => getComputedStyle(one).backgroundColor)
    const filled = await colorOf()
    await button.click()
    expect([await button.isDisabled(), (await colorOf()) === filled]).toEqual([true, false])
    await page.reload()
    await page.getByRole('button', { name: /^Send again with Fox/ }).waitFor()
    expect(await page.locator('.wallets .hint').innerText()).toContain('Confirm the payment in your wallet')
  })

  test('shows that nothing was sent when the buyer refuses, and lets them try again', async () => {
    const order = await scene.shop.opened('ethereum/eth', 18)
    const page = await open(`/pay/${order.id}`, { chainId: '0x7a69', refuses: 4001 })
    const button = page.getByRole('button', { name: /^Pay with Fox/ })
    await button.click()
    await page.locator('.wallets', { hasText: 'Nothing was sent' }).waitFor()
    expect(await button.isEnabled()).toBe(true)
    expect(await asked(page)).not.toContainEqual(
      expect.objectContaining({ method: 'wallet_switchEthereumChain' }),
    )
  })

  test('loads its script only where a wallet announces itself', async () => {
    const order = await scene.shop.opened('ethereum/eth', 18)
    const page = await open(`/pay/${order.id}`, null)
    const scripts = () =>
      page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
    expect((await scripts()).filter(name => name.includes('/wallet-'))).toEqual([])
    await page.addInitScript(announce, { chainId: '0x1', refuses: null })
    await page.reload()
    await page.getByRole('button', { name: /^Pay with Fox/ }).waitFor()
    expect((await scripts()).filter(name => name.includes('/wallet-'))).toHaveLength(1)
  })

  test('is a small script', async () => {
    const text = await Bun.file(`${import.meta.dir}/../../views/wallet.js`).text()
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096)
  })
})
