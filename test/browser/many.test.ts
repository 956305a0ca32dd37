import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { closePages, isBrowserMissing, openChromium } from '../support/chromium.ts'
import { isWhole, waysOf } from '../support/whole.ts'
import { words } from '../support/words.ts'
import { axeProblems, axeSource } from './axe.ts'
import { startLargeShop } from './many.ts'
import { describeInBrowser } from './server.ts'
import { measure, misfits, unfold } from './visit.ts'

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

  test('leave crypto on the first screen of a phone, and the product form on two', async () => {
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
