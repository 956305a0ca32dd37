import { afterEach, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContextOptions, devices, type Page } from 'playwright-core'
import { isBrowserMissing } from '../support/chromium.ts'
import { pngOf } from '../support/make-png.ts'
import { newFolder, runCli } from '../support/process.ts'
import { makePages } from './pages.ts'
import { describeInBrowser, useSite } from './server.ts'
import { misfits, unfold } from './visit.ts'

const site = useSite()
let pages: { name: string; path: string }[] = []

if (!isBrowserMissing) {
  beforeAll(async () => {
    pages = await makePages(site)
  }, 60_000)
}
afterEach(() => site.closePages())

const { userAgent, viewport, deviceScaleFactor, isMobile, hasTouch } = devices['Pixel 7']!
const phone = { userAgent, viewport, deviceScaleFactor, isMobile, hasTouch }

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const { context } = await site.buyer({ ...phone, ...options })
  const page = await context.newPage()
  await page.goto(path)
  return page
}

const set = (...changes: string[]) =>
  runCli(['merchant', 'set', site.demo.output.merchantId, ...changes], {
    FLORIN_DATA_DIR: site.demo.dataDir,
  })

const topOf = async (page: Page, selector: string): Promise<number> =>
  (await page.locator(selector).last().boundingBox())?.y ?? Number.NaN

describeInBrowser('a phone', () => {
  test.each([
    ['with a finger', {}],
    ['without JavaScript', { javaScriptEnabled: false }],
    ['that claims to have a mouse', { hasTouch: false, isMobile: false }],
  ])('%s shows the address before the code, which the phone itself cannot scan', async (_, options) => {
    const { id, path } = await site.order()
    await site.openCrypto(id, 'ethereum/usdc')
    const page = await open(path, options)
    const code = await topOf(page, '.qr svg')
    expect(await topOf(page, '.actions .button')).toBeLessThan(code)
    expect(await topOf(page, '#address')).toBeLessThan(code)
  })

  test('has no buttons or links lower than 43 pixels', async () => {
    const page = await open('/')
    const small: string[] = []
    for (const { name, path } of pages) {
      await page.goto(path)
      const found = await page
        .locator('button, .button, summary, input, select, .look, .other a, .back a, figcaption a')
        .evaluateAll(all =>
          all
            .map(one => ({ text: one.textContent?.trim() ?? '', ...one.getBoundingClientRect().toJSON() }))
            .filter(({ height }) => height > 0 && height < 43)
            .map(({ text, height }) => `${text}: ${height}`),
        )
      if (!name.startsWith('sandbox')) small.push(...found.map(one => `${name}: ${one}`))
    }
    expect(small).toEqual([])
  })

  test('fits a name of one long word on every page', async () => {
    await set('--name', 'x'.repeat(128))
    try {
      const page = await open('/')
      const found: string[] = []
      for (const { name, path } of pages) {
        await page.goto(path)
        await unfold(page)
        found.push(...(await misfits(page)).map(problem => `${name}: ${problem}`))
      }
      expect(found).toEqual([])
    } finally {
      await set('--name', 'Corner Coffee')
    }
  })

  test('breaks the name of the shop between words, beside a logo and a long amount', async () => {
    const logo = join(newFolder(), 'logo.png')
    writeFileSync(logo, pngOf(400, 100))
    await set('--logo', logo)
    const { path } = await site.order({ amount: '9999999.99', paymentMethodsKeys: ['*'] })
    const page = await open(path)
    const broken = await page.locator('.merchant').evaluate(({ firstChild: text }) =>
      [...(text?.textContent ?? '').matchAll(/\S+/g)].filter(({ 0: word, index }) => {
        const range = document.createRange()
        range.setStart(text!, index)
        range.setEnd(text!, index + word.length)
        return range.getClientRects().length > 1
      }),
    )
    expect(broken).toEqual([])
    // A word that is longer than the line is broken with a hyphen.
    const hyphens = await page.locator('.merchant').evaluate(name => getComputedStyle(name).hyphens)
    expect(hyphens).toBe('auto')
  })
})
