import { afterAll, beforeAll, describe, expect } from 'bun:test'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { isBrowserMissing, launchChromium } from '../support/chromium.ts'
import { endProcesses, FLORIN, type RunningProcess, startProcess } from '../support/process.ts'

/** A describe block whose tests need Chromium. */
export const describeInBrowser = describe.skipIf(isBrowserMissing)

export const BACK = 'https://shop.example/thanks'
export const ORDER = 'ORDER-7'

/** What a browser complained of, of pages that have nothing to be complained of. */
export interface Watch {
  faults: string[]
  /** requests to any other place than the server */
  strangers: string[]
}

/** A demo server and a browser, which the tests of one file share. */
export class Stand {
  browser!: Browser
  demo!: RunningProcess
  readonly #contexts: BrowserContext[] = []

  async open(): Promise<void> {
    const [browser, demo] = await Promise.all([
      launchChromium(),
      startProcess(FLORIN, ['demo'], { FLORIN_LOG_LEVEL: 'error' }),
    ])
    this.browser = browser
    this.demo = demo
  }

  async close(): Promise<void> {
    await this.browser?.close()
    await endProcesses()
  }

  async closePages(): Promise<void> {
    for (const context of this.#contexts.splice(0)) await context.close()
  }

  /** A browser of a buyer of his own, who is watched. */
  async buyer(options: BrowserContextOptions = {}): Promise<{ context: BrowserContext; watch: Watch }> {
    const context = await this.browser.newContext({ baseURL: this.demo.url, ...options })
    this.#contexts.push(context)
    context.setDefaultTimeout(15_000)
    const watch: Watch = { faults: [], strangers: [] }
    context.on('console', message => {
      if (['error', 'warning'].includes(message.type())) watch.faults.push(message.text())
    })
    context.on('weberror', error => watch.faults.push(String(error.error())))
    context.on('request', request => {
      const url = request.url()
      if (!url.startsWith('data:') && !url.startsWith(`${this.demo.url}/`)) watch.strangers.push(url)
    })
    return { context, watch }
  }

  async order(change: object = {}): Promise<{ id: string; path: string }> {
    const answer = await this.demo.call('POST', '/v1/orders', {
      key: this.demo.told.liveKey,
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

  async simulate(orderUUID: string, outcome: string): Promise<void> {
    const answer = await this.demo.call('POST', '/sandbox/simulate', { body: { orderUUID, outcome } })
    expect(answer.status).toBe(202)
  }

  /** Moves the server's clock; six seconds are enough for the next demand to look upstream. */
  async advance(advanceSeconds = 6): Promise<void> {
    await this.demo.call('POST', '/sandbox/clock', { body: { advanceSeconds } })
  }

  async check(id: string): Promise<void> {
    await this.advance()
    expect((await this.demo.call('POST', `/pay/${id}/check`)).status).toBe(303)
  }

  /** The same as `turnsTo` where both clocks run faster: the page's must be installed. */
  async soonTurnsTo(shown: Locator): Promise<void> {
    for (let polls = 0; polls < 6 && !(await shown.isVisible()); polls++) {
      await this.advance()
      await shown.page().clock.runFor(5100)
      await shown.waitFor({ timeout: 400 }).catch(() => {})
    }
    expect(await shown.isVisible()).toBe(true)
  }

  async status(id: string) {
    const headers = { accept: 'application/json' }
    return (await this.demo.call('GET', `/pay/${id}/status`, { headers })).json.data
  }
}

/** The stand of one file: open before its tests, closed after them whatever they do. */
export function useStand(): Stand {
  const stand = new Stand()
  if (!isBrowserMissing) {
    beforeAll(() => stand.open(), 30_000)
    afterAll(() => stand.close(), 30_000)
  }
  return stand
}

/** The words of a part of the page, as a person reads them. */
export const textOf = async (page: Page, selector = 'main'): Promise<string> =>
  (await page.locator(selector).innerText()).replace(/\s+/g, ' ').trim()

/** The title of what the page shows now, which is a heading of its own. */
export const titled = (page: Page, title: string | RegExp): Locator =>
  page.locator('#checkout').getByRole('heading', { name: title, exact: typeof title === 'string' })

/** Waits in real time until the page shows it by itself: nothing is clicked, nothing is loaded anew. */
export const turnsTo = (shown: Locator): Promise<void> => shown.waitFor({ timeout: 16_000 })
