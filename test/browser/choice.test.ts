import { afterEach, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isBrowserMissing } from '../support/chromium.ts'
import { pngOf } from '../support/make-png.ts'
import { newFolder, runCli } from '../support/process.ts'
import { axeProblems, axeSource } from './axe.ts'
import { describeInBrowser, useSite } from './server.ts'

const site = useSite()
const settings = () => ({ FLORIN_DATA_DIR: site.demo.dataDir })
const set = (...options: string[]) =>
  runCli(['merchant', 'set', site.demo.output.merchantId, ...options], settings())

if (!isBrowserMissing) {
  beforeAll(async () => {
    const logo = join(newFolder(), 'logo.png')
    writeFileSync(logo, pngOf(200, 80))
    await set('--logo', logo, '--color', '#ffd400', '--terms-url', 'https://shop.example/terms')
    await set('--privacy-url', 'https://shop.example/privacy')
  }, 120_000)
}
afterEach(() => site.closePages())

describeInBrowser('the page of a shop', () => {
  test('has its logo, its color and its links, and text that can be read on bright yellow', async () => {
    const { path } = await site.order()
    for (const colorScheme of ['light', 'dark'] as const) {
      const { context, watch } = await site.buyer({ colorScheme, reducedMotion: 'reduce' })
      const page = await context.newPage()
      await page.goto(path)
      const size = await page.locator('.order img.logo').evaluate(image => {
        const { complete, naturalWidth, width, height } = image as HTMLImageElement
        return { complete, naturalWidth, ratio: width / height }
      })
      expect(size).toEqual({ complete: true, naturalWidth: 200, ratio: 2.5 })
      const button = await page.evaluate(() =>
        getComputedStyle(document.documentElement).getPropertyValue('--button'),
      )
      expect(button).toBe('#ffd400')
      const links = await page
        .locator('footer a')
        .evaluateAll(all => all.map(link => link.getAttribute('href')))
      expect(links).toEqual(
        expect.arrayContaining(['https://shop.example/terms', 'https://shop.example/privacy']),
      )
      await page.evaluate(axeSource())
      expect(await axeProblems(page, colorScheme)).toEqual([])
      expect(watch).toEqual({ problems: [], foreignRequests: [] })
    }
  })

  test('shows the order beside the payment on wide screens, and as one line that unfolds on phones', async () => {
    const { path } = await site.order()
    const { context } = await site.buyer()
    const page = await context.newPage()
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(path)
    const order = (await page.locator('.order').boundingBox())!
    const payment = (await page.locator('#checkout .card').boundingBox())!
    expect(order.x + order.width).toBeLessThanOrEqual(payment.x)
    expect(await page.locator('.unfolded').getByText('Two bags of house blend').isVisible()).toBe(true)

    await page.setViewportSize({ width: 390, height: 844 })
    expect((await page.locator('.order').boundingBox())!.height).toBeLessThan(130)
    const folded = page.locator('.fold').getByText('Two bags of house blend')
    expect(await folded.isVisible()).toBe(false)
    await page.locator('.fold summary').click()
    expect(await folded.isVisible()).toBe(true)
    await page.waitForResponse(response => response.url().includes('/status'), { timeout: 16_000 })
    expect(await folded.isVisible()).toBe(true)
  })
})

describeInBrowser('the choice', () => {
  test('has one card with the provider in small print, and the others behind "More payment methods"', async () => {
    const { path } = await site.order()
    const { context } = await site.buyer()
    const page = await context.newPage()
    await page.goto(path)
    const cards = page.getByRole('link', { name: /^Card through / })
    expect(await cards.filter({ visible: true }).count()).toBe(1)
    expect(await cards.first().innerText()).toContain('MoonPay')
    await page.getByText('More payment methods').click()
    expect(await cards.filter({ visible: true }).count()).toBeGreaterThan(3)
  })

  test('can be filtered if it is long, and has no dead field without JavaScript', async () => {
    const { path } = await site.order()
    const { context } = await site.buyer()
    const page = await context.newPage()
    await page.goto(path)
    const rows = page.locator('.methods > li').filter({ visible: true })
    const before = await rows.count()
    const field = page.getByRole('searchbox', { name: 'Search payment methods' })
    await field.fill('tron')
    const found = (await rows.allInnerTexts()).join('\n')
    expect(found).toContain('USDT · TRON (TRC20)')
    expect(found).not.toMatch(/Card|Bitcoin|Polygon/)
    await field.fill('transak')
    expect(await rows.allInnerTexts()).toEqual([expect.stringContaining('Transak')])
    await field.fill('shells')
    expect(await rows.count()).toBe(0)
    expect(await page.getByText('No payment methods found.').isVisible()).toBe(true)
    await field.fill('')
    expect(await rows.count()).toBe(before)

    const plain = await (await site.buyer({ javaScriptEnabled: false })).context.newPage()
    await plain.goto(path)
    expect(await plain.getByRole('searchbox').count()).toBe(0)
  })

  test('begins with the method that this browser last paid by, with and without JavaScript', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { context } = await site.buyer({ javaScriptEnabled })
      const page = await context.newPage()
      await page.goto((await site.order()).path)
      await page.locator('summary', { hasText: 'USDT' }).click()
      await page.getByRole('button', { name: /TRON/ }).click()
      await page.goto((await site.order()).path)
      const first = page.locator('.methods').first()
      expect(await first.getByRole('button').first().innerText()).toContain('USDT · TRON (TRC20)')
    }
  })
})

describeInBrowser('the page of a product', () => {
  const productPath = async (): Promise<string> => {
    const { data } = (await site.demo.call('GET', '/v1/products', { key: site.demo.output.liveKey })).json
    return `/checkout/${data.items.find(({ name }: { name: string }) => /blend/.test(name)).productUUID}`
  }

  test('has a description and a preview for links, and may be indexed unless the shop forbids it', async () => {
    const { context } = await site.buyer()
    const page = await context.newPage()
    const path = await productPath()
    await page.goto(path)
    const meta = (name: string) =>
      page
        .locator(`meta[name="${name}"], meta[property="${name}"]`)
        .evaluateAll(([first]) => first?.getAttribute('content'))
    expect(await meta('description')).toBe('Whole bean, roasted on Tuesdays')
    expect(await meta('og:title')).toBe('House blend, 1 kg')
    expect(await meta('og:url')).toBe(`${site.demo.url}${path}`)
    expect(await page.locator('meta[name=robots]').count()).toBe(0)
    await set('--searchable', 'no')
    await page.reload()
    expect(await meta('robots')).toContain('noindex')
    await set('--searchable', 'yes')
    await page.goto((await site.order()).path)
    expect(await meta('robots')).toContain('noindex')
  })
})
