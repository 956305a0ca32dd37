import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { closePages, isBrowserMissing, openChromium } from '../support/chromium.ts'
import { EVM_WALLET } from '../support/given.ts'
import { pngOf } from '../support/make-png.ts'
import { endProcesses, FLORIN, runCli, startProcess } from '../support/process.ts'
import { isWhole } from '../support/whole.ts'
import { addAxe, axeProblems } from './axe.ts'
import { describeInBrowser } from './server.ts'

setDefaultTimeout(90_000)

const words = {
  en: {
    step: (number: number) => `Step ${number} of 6`,
    paid: 'Paid: $1.00',
    skipped: '1 step of the setup',
  },
  de: {
    step: (number: number) => `Schritt ${number} von 6`,
    paid: 'Bezahlt: 1,00\u00a0€',
    skipped: '1 Schritt der Einrichtung',
  },
}

/** The number of clicks that `.github/docs/dashboard.md` promises to a shop keeper without a server. */
const CLICKS = 10

let browser: Browser

if (!isBrowserMissing) {
  beforeAll(async () => {
    browser = await openChromium()
  }, 120_000)
  afterEach(endProcesses, 30_000)
  afterAll(() => closePages(browser), 30_000)
}

/** A server without a shop, and the code that its first person enters. */
async function newServer() {
  const server = await startProcess(FLORIN, ['serve'], { FLORIN_SANDBOX: 'true', FLORIN_LOG_LEVEL: 'error' })
  const settings = { FLORIN_DATA_DIR: server.dataDir, FLORIN_SANDBOX: 'true' }
  const { stdout } = await runCli(['user', 'code', '--json'], settings)
  return { server, code: JSON.parse(stdout).code as string }
}

/** The problems of the open page: too wide, or not accessible. Without scripts, axe never finishes. */
async function problemsOf(page: Page, isScripted: boolean): Promise<string[]> {
  const place = new URL(page.url()).pathname
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  const found = isScripted ? await axeProblems(page, 'light') : []
  return [...(over > 0 ? [`${over} pixels too wide`] : []), ...found].map(problem => `${place}: ${problem}`)
}

/** A person who sets up a shop. Their clicks and the pages that follow are counted. */
class Newcomer {
  readonly problems: string[] = []
  clicks = 0

  constructor(
    readonly page: Page,
    readonly isScripted: boolean,
  ) {}

  /** Clicks a link or button that leads to another page, and checks that page. */
  async follow(selector: string, url: string | RegExp): Promise<void> {
    this.clicks++
    await this.page.locator(selector).first().click()
    await this.page.waitForURL(url)
    this.problems.push(...(await problemsOf(this.page, this.isScripted)))
  }

  submit(action: string, url: string | RegExp): Promise<void> {
    return this.follow(`form[action="${action}"] button`, url)
  }

  /** Follows the button that continues after a finished step. */
  goOn(url: string | RegExp): Promise<void> {
    return this.follow('.guide-foot a.button:not(.quiet)', url)
  }

  fill(name: string, text: string): Promise<void> {
    return this.page.locator(`[name="${name}"]`).fill(text)
  }

  text(): Promise<string> {
    return this.page.locator('main').innerText()
  }
}

const STOPS_MAX = 60

/** The element that has the focus if the focus is not visible; otherwise null. */
const unseenFocus = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const focused = document.activeElement
    if (!focused || focused === document.body) return null
    const { outlineStyle, outlineWidth } = getComputedStyle(focused)
    const { top, bottom, left, right } = focused.getBoundingClientRect()
    const isInView = bottom > top && right > left && bottom > 0 && right > 0
    const isOnScreen = isInView && top < innerHeight && left < innerWidth
    const isMarked = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0
    return isOnScreen && isMarked ? null : `${location.pathname}: ${focused.outerHTML.slice(0, 100)}`
  })

/** A person without a mouse. */
class Typist {
  readonly unseen: string[] = []

  constructor(readonly page: Page) {}

  /** Moves the focus from element to element until one matches. */
  async tabTo(selector: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    for (let stops = 0; stops < STOPS_MAX; stops++) {
      await this.page.keyboard.press(key)
      const unseen = await unseenFocus(this.page)
      if (unseen !== null) this.unseen.push(unseen)
      const isThere = await this.page.evaluate(
        wanted => document.activeElement?.matches(wanted) ?? false,
        selector,
      )
      if (isThere) return
    }
    throw new Error(`No stop of the keyboard at ${this.page.url()} is ${selector}`)
  }

  async type(name: string, text: string): Promise<void> {
    await this.tabTo(`[name="${name}"]`)
    await this.page.keyboard.type(text)
  }

  async press(selector: string, url: string | RegExp): Promise<void> {
    await this.tabTo(selector)
    await this.page.keyboard.press('Enter')
    await this.page.waitForURL(url)
  }

  submit(action: string, url: string | RegExp): Promise<void> {
    return this.press(`form[action="${action}"] button`, url)
  }
}

const ON = '.guide-foot a.button:not(.quiet)'

describeInBrowser('the first run by keyboard', () => {
  test('ends at the overview, and the focus is always visible', async () => {
    const { server, code } = await newServer()
    const context = await browser.newContext({
      baseURL: server.url,
      locale: 'en',
      reducedMotion: 'reduce',
      viewport: { width: 390, height: 844 },
    })
    context.setDefaultTimeout(30_000)
    const page = await context.newPage()
    const me = new Typist(page)
    await page.goto('/')
    await me.type('code', code)
    await me.type('email', 'me@shop.example')
    await me.type('password', 'correct horse battery')
    await me.press('main form button', '**/dashboard/setup')
    await me.type('name', 'Corner Coffee')
    await me.submit('/dashboard/setup', '**/setup/payouts')
    await me.press('a[href="/dashboard/payouts/evm?from=setup"]', '**/payouts/evm?from=setup')
    await me.type('text', EVM_WALLET.toLowerCase())
    await me.submit('/dashboard/payouts/evm/check', '**/payouts/evm/check')
    const save = 'form[action="/dashboard/payouts/evm/save"] button'
    await me.tabTo(save)
    await me.tabTo('input[name=compared]', 'Shift+Tab')
    await page.keyboard.press('Space')
    await me.press(save, '**/setup/payouts?saved')
    await me.press(ON, '**/setup/webhook')
    await me.submit('/dashboard/setup/skip', '**/setup/product')
    await me.type('what', 'Coffee beans, 1 kg')
    await me.type('amount', '18.50')
    await me.submit('/dashboard/setup/product', '**/setup/product')
    await page.locator('.qr').waitFor()
    await me.press(ON, '**/setup/payment')
    await me.submit('/dashboard/setup/payment', '**/setup/payment')
    await page.getByText(words.en.paid).waitFor()
    await me.press(ON, /\/dashboard$/)
    expect(await page.locator('main').innerText()).toContain(words.en.skipped)
    expect(me.unseen).toEqual([])
    await context.close()
  })
})

/** The first two cover each width, each language, and a browser with and without scripts. */
const kinds = [
  [390, true, 'de'],
  [1280, false, 'en'],
  [390, true, 'en'],
  [1280, true, 'de'],
  [390, false, 'de'],
] as const

describeInBrowser('the first run, from the code to a paid test order', () => {
  test.each(isWhole ? kinds : kinds.slice(0, 2))(
    'at %p pixels, with scripts: %p, in %s',
    async (width, javaScriptEnabled, language) => {
      const { server, code } = await newServer()
      const context = await browser.newContext({
        baseURL: server.url,
        locale: language,
        timezoneId: 'America/Chicago',
        javaScriptEnabled,
        reducedMotion: 'reduce',
        viewport: { width, height: 844 },
      })
      context.setDefaultTimeout(30_000)
      if (javaScriptEnabled) await addAxe(context)
      const page = await context.newPage()
      const me = new Newcomer(page, javaScriptEnabled)
      const text = words[language]

      await page.goto('/')
      expect(await me.text()).toContain(text.step(1))
      me.problems.push(...(await problemsOf(page, javaScriptEnabled)))
      await me.fill('code', code)
      await me.fill('email', 'me@shop.example')
      await me.fill('password', 'correct horse battery')
      await me.follow('main form button', '**/dashboard/setup')
      expect(await me.text()).toContain(text.step(2))
      await me.fill('name', 'Corner Coffee')
      await me.fill('color', '#ffcc00')
      if (javaScriptEnabled) {
        expect(await page.locator('[data-look-name]').textContent()).toBe('Corner Coffee')
        expect(await page.locator('[data-look-color]').getAttribute('fill')).toBe('#ffcc00')
        expect(await page.locator('[data-look-ink]').getAttribute('fill')).toBe('#000000')
        // Larger than the server accepts.
        const logo = page.locator('input[type=file]')
        await logo.setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer: pngOf(2000, 500) })
        await logo.evaluate(async (input: HTMLInputElement) => {
          while (input.files?.[0]?.name !== 'logo.png') await new Promise(done => setTimeout(done, 50))
        })
      }
      await me.submit('/dashboard/setup', '**/setup/payouts')
      expect(await me.text()).toContain(text.step(3))

      await me.follow('a[href="/dashboard/payouts/evm?from=setup"]', '**/payouts/evm?from=setup')
      await me.fill('text', EVM_WALLET.toLowerCase())
      await me.submit('/dashboard/payouts/evm/check', '**/payouts/evm/check')
      expect(await me.text()).toContain(EVM_WALLET)
      await page.locator('input[name=compared]').check()
      await me.submit('/dashboard/payouts/evm/save', '**/setup/payouts?saved')
      await me.goOn('**/setup/webhook')
      expect(await me.text()).toContain(text.step(4))
      await me.submit('/dashboard/setup/skip', '**/setup/product')
      // A person who comes back continues where they were.
      await page.goto('/dashboard')
      await page.locator('main a.button:not(.quiet)').first().click()
      await page.waitForURL('**/setup/product')
      expect(await me.text()).toContain(text.step(5))
      await me.fill('what', 'Coffee beans, 1 kg')
      await me.fill('amount', '18.50')
      await me.submit('/dashboard/setup/product', '**/setup/product')
      await page.locator('.qr').waitFor()
      await me.goOn('**/setup/payment')
      expect(await me.text()).toContain(text.step(6))
      await me.submit('/dashboard/setup/payment', '**/setup/payment')
      await page.getByText(text.paid).waitFor()
      expect(me.clicks).toBe(CLICKS)
      await me.goOn(/\/dashboard$/)
      expect(await me.text()).toContain(text.skipped)
      const zones = { en: 'America/New_York', de: 'Europe/Berlin' }
      const zone = javaScriptEnabled ? 'America/Chicago' : zones[language]
      expect(await me.text()).toContain(zone)
      expect(me.problems).toEqual([])
      await context.close()
    },
  )
})
