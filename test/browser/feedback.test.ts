import { afterEach, expect, test } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import { runCli } from '../support/process.ts'
import { describeInBrowser, textOf, titled, useSite } from './server.ts'

const POLL_MS = 5300

const site = useSite()
afterEach(() => site.closePages())

async function open(path: string, options: object = {}): Promise<{ page: Page; context: BrowserContext }> {
  const { context } = await site.buyer(options)
  await context.clock.install()
  const page = await context.newPage()
  await page.goto(path)
  return { page, context }
}

async function openCoin(asset = 'btc', options: object = {}) {
  const { id, path } = await site.order()
  await site.openCrypto(id, asset)
  return { id, path, ...(await open(path, options)) }
}

/** Long enough for the next of the polls that a page sends every few seconds. */
const nextPoll = (page: Page) => page.clock.runFor(POLL_MS)
const live = (page: Page) => page.locator('[role=status]').textContent()
const checkNow = (page: Page) => page.getByRole('button', { name: 'Check now' })

describeInBrowser('"Check now"', () => {
  test('reports when it checked and what it found, and keeps the page', async () => {
    const { page } = await openCoin()
    let loads = 0
    page.on('load', () => loads++)
    await checkNow(page).click()
    await page.locator('.checked').waitFor()
    expect(await textOf(page, '.checked')).toMatch(
      /^Checked at \d+:\d\d:\d\d.* No payment detected on Bitcoin yet\.$/,
    )
    expect(await live(page)).toMatch(/Checked at .*No payment detected/)
    expect(loads).toBe(0)
    expect(new URL(page.url()).search).toBe('')
  })

  test('reports when it checked and what it found without JavaScript too', async () => {
    const { page } = await openCoin('ltc', { javaScriptEnabled: false })
    await checkNow(page).click()
    expect(await textOf(page, '.checked')).toMatch(
      /^Checked at \d\d:\d\d:\d\d UTC\. No payment detected on Litecoin yet\.$/,
    )
  })

  test('keeps the address while offline and says that the connection is lost', async () => {
    const { page, context } = await openCoin()
    const address = await page.locator('#address').innerText()
    await context.setOffline(true)
    await checkNow(page).click()
    const lost = page.getByRole('alert').getByText(/Connection lost/)
    await lost.waitFor()
    expect(await page.locator('#address').innerText()).toBe(address)
    await context.setOffline(false)
    await nextPoll(page)
    await lost.waitFor({ state: 'hidden' })
  })
})

describeInBrowser('a payment', () => {
  test('is shown by the next poll, appears in the title of the tab, and gets the focus', async () => {
    const { id, page } = await openCoin()
    await page.getByRole('button', { name: 'Copy the amount' }).focus()
    await site.advance()
    await site.simulate(id, 'pending')
    await nextPoll(page)
    await titled(page, 'Payment detected').waitFor()
    expect(await page.title()).toMatch(/^Payment detected/)
    const focused = () => page.evaluate(() => document.activeElement?.closest('#checkout') !== null)
    expect(await focused()).toBe(true)
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
    await checkNow(page).focus()
    await site.simulate(id, 'paid')
    await site.advance(31)
    await site.soonTurnsTo(titled(page, 'Paid'))
    expect(await page.title()).toMatch(/^✓ Paid/)
    expect(await focused()).toBe(true)
  })
})

describeInBrowser('a connection that is lost', () => {
  test('is shown, and the message disappears once the server answers again', async () => {
    const { page, context } = await openCoin()
    await context.setOffline(true)
    const lost = page.getByRole('alert').getByText(/Connection lost/)
    await nextPoll(page)
    await lost.waitFor()
    expect(await page.locator('.qr').isVisible()).toBe(true)
    await context.setOffline(false)
    await nextPoll(page)
    await lost.waitFor({ state: 'hidden' })
  })
})

describeInBrowser('a shop that is suspended', () => {
  test('no longer asks for a payment on a page that is open', async () => {
    const { page } = await openCoin()
    const { merchantId } = site.demo.output
    const turn = (change: string) =>
      runCli(['merchant', change, merchantId], { FLORIN_DATA_DIR: site.demo.dataDir })
    expect((await turn('suspend')).exitCode).toBe(0)
    try {
      await nextPoll(page)
      await page.getByText('This shop isn’t accepting payments right now.').waitFor()
      expect(await page.locator('#address').count()).toBe(0)
    } finally {
      await turn('resume')
    }
  })
})

describeInBrowser('a copy button', () => {
  test.each([
    ['when the clipboard refuses', () => Promise.reject(new DOMException('denied'))],
    ['without a clipboard, as on plain http', undefined],
  ])('still copies or selects %s, and shows it', async (_, writeText) => {
    const { id, path } = await site.order()
    await site.openCrypto(id, 'btc')
    const { context, watch } = await site.buyer()
    const page = await context.newPage()
    await page.addInitScript(refuses => {
      const clipboard = refuses ? { writeText: () => Promise.reject(new DOMException('denied')) } : undefined
      Object.defineProperty(navigator, 'clipboard', { value: clipboard })
    }, writeText !== undefined)
    await page.goto(path)
    const button = page.getByRole('button', { name: /the address/ })
    await button.click()
    await button.getByText(/^(Copied|Selected)/).waitFor({ timeout: 1500 })
    expect(await live(page)).toMatch(/^(Copied|Selected)/)
    const selected = await page.evaluate(() => getSelection()?.toString())
    expect(selected).toBe(await page.locator('#address').innerText())
    expect(watch.problems).toEqual([])
  })

  test('shows "Copied"', async () => {
    const { page } = await openCoin('btc', { permissions: ['clipboard-read', 'clipboard-write'] })
    const button = page.getByRole('button', { name: /the amount/ })
    await button.click()
    await button.getByText(/^Copied/).waitFor({ timeout: 1500 })
    await page.clock.runFor(2200)
    expect(await button.innerText()).toMatch(/^Copy\b/)
  })
})

describeInBrowser('"I sent it on another network"', () => {
  const ask = (page: Page) => page.getByRole('button', { name: 'I sent it on another network' })

  test.each([{}, { javaScriptEnabled: false }])('reports what was found there, with %p', async options => {
    const { id, page } = await openCoin('ethereum/usdc', options)
    await site.simulate(id, 'paid', { assetId: 'polygon/usdc', amount: '10' })
    await ask(page).click()
    await page.getByText('We found 10 USDC on Polygon.').waitFor()
    expect(await textOf(page)).toContain('Received $10.00 of $25.00 · $15.00 left')
  })

  test('is not offered for a coin whose address exists on one network only', async () => {
    const { page } = await openCoin('btc')
    expect(await ask(page).count()).toBe(0)
  })
})
