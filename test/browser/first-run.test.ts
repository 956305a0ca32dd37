import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { isBrowserMissing, launchChromium } from '../support/chromium.ts'
import { EVM_WALLET } from '../support/given.ts'
import { endProcesses, FLORIN, runCli, startProcess } from '../support/process.ts'
import { axeProblems, axeSource } from './axe.ts'
import { describeInBrowser } from './server.ts'

setDefaultTimeout(90_000)

const words = {
  en: {
    setUp: 'Set up your shop',
    progress: (done: number) => `${done} of 5 steps`,
    payTest: 'Create and pay a test order',
    paid: 'Paid',
  },
  de: {
    setUp: 'Richten Sie Ihren Shop ein',
    progress: (done: number) => `${done} von 5 Schritten`,
    payTest: 'Testbestellung anlegen und bezahlen',
    paid: 'Bezahlt',
  },
}

let browser: Browser

if (!isBrowserMissing) {
  beforeAll(async () => {
    browser = await launchChromium()
  }, 30_000)
  afterEach(endProcesses, 30_000)
  afterAll(() => browser?.close(), 30_000)
}

/** A server without a shop, and the link by which its first person enters. */
async function newServer() {
  const server = await startProcess(FLORIN, ['serve'], { FLORIN_SANDBOX: 'true', FLORIN_LOG_LEVEL: 'error' })
  const settings = { FLORIN_DATA_DIR: server.dataDir, FLORIN_SANDBOX: 'true' }
  const { stdout } = await runCli(['user', 'create', '--email', 'me@shop.example', '--json'], settings)
  return { server, path: new URL(JSON.parse(stdout).link).pathname }
}

/** What is wrong with the page that is open: too wide, or not accessible. Without scripts, axe never ends. */
async function problemsOf(page: Page, isScripted: boolean): Promise<string[]> {
  const place = new URL(page.url()).pathname
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  if (isScripted) await page.evaluate(axeSource())
  const found = isScripted ? await axeProblems(page, 'light') : []
  return [...(over > 0 ? [`${over} pixels too wide`] : []), ...found].map(problem => `${place}: ${problem}`)
}

const submit = (page: Page, action: string) => page.locator(`form[action="${action}"] button`).first().click()

describeInBrowser('the first run, from the link to a paid test order', () => {
  test.each([
    [390, true, 'en'],
    [1280, true, 'de'],
    [390, false, 'de'],
    [1280, false, 'en'],
  ] as const)('at %p pixels, with scripts: %p, in %s', async (width, javaScriptEnabled, language) => {
    const { server, path } = await newServer()
    const context = await browser.newContext({
      baseURL: server.url,
      locale: language,
      javaScriptEnabled,
      reducedMotion: 'reduce',
      viewport: { width, height: 844 },
    })
    context.setDefaultTimeout(15_000)
    const page = await context.newPage()
    const text = words[language]
    const main = page.locator('main')
    const problems: string[] = []
    const look = async () => problems.push(...(await problemsOf(page, javaScriptEnabled)))

    await page.goto(path)
    await look()
    await page.locator('input[name=password]').fill('correct horse battery')
    await page.locator('main form button').first().click()
    await page.waitForURL('**/dashboard/setup')
    await look()
    await page.locator('input[name=name]').fill('Corner Coffee')
    await submit(page, '/dashboard/setup')
    await page.waitForURL(/\/dashboard$/)
    await main.getByRole('heading', { name: text.setUp }).waitFor()
    expect(await main.innerText()).toContain(text.progress(0))
    await look()

    await main.locator('a.button[href="/dashboard/payouts"]').click()
    await page.waitForURL('**/dashboard/payouts')
    await look()
    await main.locator('a[href="/dashboard/payouts/evm"]').click()
    await page.locator('[name=text]').fill(EVM_WALLET.toLowerCase())
    await look()
    await submit(page, '/dashboard/payouts/evm/check')
    await page.locator('input[name=compared]').check()
    expect(await main.innerText()).toContain(EVM_WALLET)
    await look()
    await submit(page, '/dashboard/payouts/evm/save')
    await page.waitForURL(/\/dashboard\/payouts[?]/)
    await look()

    await page.goto('/dashboard')
    expect(await main.innerText()).toContain(text.progress(1))
    const skip = '//li[.//input[@value="webhook"]]//form[@action="/dashboard/setup/skip"]//button'
    await page.locator(skip).click()
    await main.getByText(text.progress(2)).waitFor()
    await main.getByRole('button', { name: text.payTest }).click()
    await page.waitForURL(/\/dashboard\/orders\/[0-9a-f-]{36}$/)
    await main.getByText(text.paid, { exact: true }).first().waitFor()
    await look()
    await page.goto('/dashboard')
    expect(await main.innerText()).toContain(text.progress(3))
    expect(problems).toEqual([])
    await context.close()
  })
})
