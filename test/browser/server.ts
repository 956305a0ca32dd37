import { afterAll, beforeAll, describe, expect } from 'bun:test'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { closePages, isBrowserMissing, openChromium } from '../support/chromium.ts'
import { startDemo } from '../support/demo.ts'
import { endProcesses, type RunningProcess } from '../support/process.ts'

/** A describe block whose tests need Chromium. */
export const describeInBrowser = describe.skipIf(isBrowserMissing)

export const BACK = 'https://shop.example/thanks'
export const ORDER = 'ORDER-7'

/** The problems and requests that a browser reported about pages. */
export interface Watch {
  problems: string[]
  /** requests to other servers */
  foreignRequests: string[]
}

/** A demo server and a browser, shared by the tests of one file. */
export class Site {
  browser!: Browser
  demo!: RunningProcess
  readonly #contexts: BrowserContext[] = []

  async open(): Promise<void> {
    const [browser, demo] = await Promise.all([
      openChromium(),
      startDemo({ FLORIN_LOG_LEVEL: 'error', FLORIN_PUBLIC_RATE_LIMIT: '0' }),
    ])
    this.browser = browser
    this.demo = demo
  }

  async close(): Promise<void> {
    await closePages(this.browser)
    await endProcesses()
  }

  async closePages(): Promise<void> {
    for (const context of this.#contexts.splice(0)) await context.close()
  }

  /**
   * A new browser context for one buyer; its requests and errors are recorded. Nothing moves by default: while
   * a test waits, an animation would take the processor from other tests.
   */
  async buyer(options: BrowserContextOptions = {}): Promise<{ context: BrowserContext; watch: Watch }> {
    const context = await this.browser.newContext({
      baseURL: this.demo.url,
      reducedMotion: 'reduce',
      ...options,
    })
    this.#contexts.push(context)
    context.setDefaultTimeout(30_000)
    const watch: Watch = { problems: [], foreignRequests: [] }
    context.on('console', message => {
      if (['error', 'warning'].includes(message.type())) watch.problems.push(message.text())
    })
    context.on('weberror', error => watch.problems.push(String(error.error())))
    context.on('request', request => {
      const url = request.url()
      if (!url.startsWith('data:') && !url.startsWith(`${this.demo.url}/`)) watch.foreignRequests.push(url)
    })
    return { context, watch }
  }

  /** Creates an order; a test order with a test key. */
  async order(change: object = {}, isTest = false): Promise<{ id: string; path: string }> {
    const { liveKey, testKey } = this.demo.output
    const answer = await this.demo.call('POST', isTest ? '/v1/test/orders' : '/v1/orders', {
      key: isTest ? testKey : liveKey,
      body: {
        amount: '25.00',
        currency: 'USD',
        paymentMethodsKeys: ['*'],
        customer: { email: 'buyer@example.com' },
        description: 'Two bags of house blend',
        externalId: ORDER,
        returnUrl: BACK,
        ...change,
      },
    })
    expect(answer.status).toBe(201)
    const { orderUUID: id, checkoutUrl } = answer.json.data
    expect(checkoutUrl).toBe(`${this.demo.url}/pay/${id}`)
    return { id, path: new URL(checkoutUrl).pathname }
  }

  async openCrypto(id: string, asset = 'btc'): Promise<void> {
    expect((await this.demo.call('POST', `/pay/${id}/crypto`, { form: { asset } })).status).toBe(303)
  }

  async provision(id: string, method = 'moonpay'): Promise<string> {
    const answer = await this.demo.call('GET', `/payment/process/${id}?method=${method}`)
    expect(answer.status).toBe(303)
    return answer.headers.get('location')!
  }

  async simulate(orderUUID: string, outcome: string, more: object = {}): Promise<void> {
    const body = { orderUUID, outcome, ...more }
    const answer = await this.demo.call('POST', '/sandbox/simulate', { body })
    expect(answer.status).toBe(202)
  }

  /** Moves the server's clock; after six seconds the next page view checks for payments. */
  async advance(advanceSeconds = 6): Promise<void> {
    await this.demo.call('POST', '/sandbox/clock', { body: { advanceSeconds } })
  }

  async check(id: string): Promise<void> {
    await this.advance()
    expect((await this.demo.call('POST', `/pay/${id}/check`)).status).toBe(303)
  }

  /** Like `turnsTo`, but moves both clocks; the page's clock must be installed. */
  async soonTurnsTo(shown: Locator): Promise<void> {
    for (let polls = 0; polls < 6 && !(await shown.isVisible()); polls++) {
      await this.advance()
      await shown.page().clock.runFor(5300)
      await shown.waitFor({ timeout: 400 }).catch(() => {})
    }
    expect(await shown.isVisible()).toBe(true)
  }

  async status(id: string) {
    const headers = { accept: 'application/json' }
    return (await this.demo.call('GET', `/pay/${id}/status`, { headers })).json.data
  }
}

/** The server and browser of one file: opened before its tests and always closed after them. */
export function useSite(): Site {
  const site = new Site()
  if (!isBrowserMissing) {
    beforeAll(() => site.open(), 120_000)
    afterAll(() => site.close(), 60_000)
  }
  return site
}

/** The visible text of a part of the page. */
export const textOf = async (page: Page, selector = 'main'): Promise<string> =>
  (await page.locator(selector).innerText()).replace(/\s+/g, ' ').trim()

/** The heading of the part that the page shows now. */
export const titled = (page: Page, title: string | RegExp): Locator =>
  page.locator('#checkout').getByRole('heading', { name: title, exact: typeof title === 'string' })

/** Waits in real time until the element is shown, without a click or a reload. */
export const turnsTo = (shown: Locator): Promise<void> => shown.waitFor({ timeout: 40_000 })
