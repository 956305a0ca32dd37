import { beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type Person, signInAs } from '../support/dashboard.ts'
import { EVM_WALLET } from '../support/given.ts'
import { axeProblems, axeSource } from './axe.ts'
import { describeInBrowser, textOf } from './server.ts'
import { useWallets } from './wallets.ts'

const PATH = '/dashboard/payouts/sweep'
const scene = useWallets()
let owner: Person

interface FakeWallet {
  chainId: string
  /** the number of transactions after which the wallet refuses one, and the code of the error */
  refusal: { after: number; code: number } | null
}

/** A wallet as extensions put it into a page. The accounts of the node are unlocked, so the node signs. */
function announce({ chainId, refusal }: FakeWallet) {
  const asked: { method: string; params?: unknown[] }[] = []
  let current = chainId
  let left = refusal?.after ?? 0
  let isRefusing = refusal !== null
  const provider = {
    async request(call: { method: string; params?: [{ chainId: string }] }) {
      asked.push(call)
      if (call.method === 'wallet_switchEthereumChain') {
        current = call.params?.[0].chainId ?? current
        return null
      }
      if (call.method === 'eth_chainId') return current
      if (call.method === 'eth_sendTransaction' && isRefusing && left-- === 0) {
        isRefusing = false
        throw Object.assign(new Error('refused'), { code: refusal?.code })
      }
      return (window as unknown as { node(call: object): Promise<unknown> }).node(call)
    },
  }
  Object.assign(window, { asked })
  const detail = Object.freeze({ info: { uuid: 'a-wallet', name: 'Fox <b>Wallet</b>' }, provider })
  addEventListener('eip6963:requestProvider', () => {
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  })
}

const sent = (page: Page): Promise<{ params: Record<string, string>[] }[]> =>
  page.evaluate(() =>
    (window as unknown as { asked: { method: string; params: Record<string, string>[] }[] }).asked.filter(
      ({ method }) => method === 'eth_sendTransaction',
    ),
  )

/** An owner's page in a browser with a wallet, or without one. Sent transactions are mined at once. */
const open = (path: string, wallet: FakeWallet | null): Promise<Page> =>
  scene.open(path, { announce, wallet, cookie: owner.cookie, isMining: true })

/** A buyer's address that holds five tokens. */
async function funded(): Promise<string> {
  const { anvil, shop, token } = scene
  const { address } = await shop.opened('ethereum/usdt', 6)
  await anvil.sendToken(token, address, 5_000_000n)
  await anvil.mine(4)
  return address
}

/** Expects the page to fit on a phone and on a wide screen. */
async function expectToFit(page: Page): Promise<void> {
  await page.evaluate(axeSource())
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    expect(await axeProblems(page, 'light')).toEqual([])
  }
}

const button = (page: Page) => page.getByRole('button', { name: 'Sign with Fox <b>Wallet</b>' })

describeInBrowser('moving funds to the payout wallets', () => {
  beforeAll(async () => {
    owner = await signInAs(scene.shop.app, 'owner', scene.shop.shop.id)
  })

  test('reads no chain until an owner looks, and shows if there is nothing to move', async () => {
    const page = await open(PATH, null)
    expect(await textOf(page)).not.toContain('There is nothing')
    await page.getByRole('button', { name: 'Look for funds' }).click()
    expect(await textOf(page)).toContain('There is nothing on 0 addresses.')
    await page.goto(`${PATH}?look=yes&asset=nonsense`)
    expect(await textOf(page)).toContain('Enter a coin such as ethereum/usdc')
  })

  test('has the wallet sign all transactions in order, on the right network', async () => {
    const { anvil, shop, token } = scene
    const addresses = [await funded(), await funded()]
    const before = await anvil.balanceOf(token, EVM_WALLET)
    const page = await open(`${PATH}?look=yes`, { chainId: '0x1', refusal: null })
    const shown = await textOf(page)
    for (const address of addresses) expect(shown).toContain(address)
    await button(page).click()
    await page.getByText('All 4 are sent.').waitFor()
    await anvil.mine(4)
    expect((await anvil.balanceOf(token, EVM_WALLET)) - before).toBe(10_000_000n)
    expect((await sent(page)).every(({ params }) => params[0]?.value === '0x0')).toBe(true)
    await page.waitForLoadState('networkidle')
    await page.reload()
    expect(await textOf(page)).toContain('There is nothing on')
    // The script notes each transaction, so that its fee is read from the chain.
    await shop.app.jobs.settle()
    await page.reload()
    expect(await page.locator('#history tbody tr').allInnerTexts()).toHaveLength(4)
  })

  test('continues after a transaction that the owner refused, and sends nothing twice', async () => {
    const { anvil, token } = scene
    const address = await funded()
    const before = await anvil.balanceOf(token, EVM_WALLET)
    const page = await open(`${PATH}?look=yes`, { chainId: '0x7a69', refusal: { after: 1, code: 4001 } })
    expect(await textOf(page)).toContain(address)
    await button(page).click()
    await page.getByText('You refused in your wallet. 1 of 2 are sent').waitFor()
    expect(await anvil.balanceOf(token, EVM_WALLET)).toBe(before)
    await button(page).click()
    await page.getByText('All 2 are sent.').waitFor()
    await anvil.mine()
    expect(await anvil.balanceOf(token, EVM_WALLET)).toBe(before + 5_000_000n)
    // The deployment, the refused transaction, and its repetition.
    expect(await sent(page)).toHaveLength(3)
  })

  test('shows the transactions if there is no wallet, fits, and has no accessibility problems', async () => {
    await funded()
    const page = await open(`${PATH}?look=yes`, null)
    expect(await textOf(page)).toContain('No wallet was found in this browser.')
    await page.getByText('Show the transactions').click()
    const calls = JSON.parse(await page.locator('pre').first().innerText())
    expect(calls.map(({ action }: { action: string }) => action)).toEqual(['deploy', 'flush'])
    await expectToFit(page)
  })

  test('shows that a network has no endpoint, fits, and has no accessibility problems', async () => {
    const page = await open('/dashboard/payouts/btc', null)
    // An operator can choose endpoints: see test/networks/chosen-endpoints.test.ts.
    expect(await textOf(page)).toContain('Needs an endpoint for this network.')
    await expectToFit(page)
    await page.goto('/dashboard/payouts/evm')
    // Ethereum has an endpoint on this server.
    expect(await page.locator('h3').allInnerTexts()).not.toContain('Ethereum')
    await expectToFit(page)
  })

  test('has a small script', async () => {
    const text = await Bun.file(`${import.meta.dir}/../../views/dashboard/sweep-wallet.js`).text()
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096)
  })
})
