import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { type App, startApp } from '../support/app.ts'
import { closePages, isBrowserMissing, openChromium } from '../support/chromium.ts'
import { check, givenOrder, givenShop, openCrypto, type Shop, simulate } from '../support/given.ts'
import { describeInBrowser } from './server.ts'

// Tests the checkout on pages of another origin, embedded by /florin.js.

const serve = (answer: (request: Request) => Response | Promise<Response>) =>
  Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: answer })

let app: App
let shop: Shop
let browser: Browser
const florin = serve(request => {
  const { pathname, search } = new URL(request.url)
  return app.florin.http.fetch(new Request(`http://localhost${pathname}${search}`, request))
})
const base = `http://127.0.0.1:${florin.port}`
const ofShop = `<!doctype html><h1>Corner Coffee</h1><div id="pay"></div><script src="${base}/florin.js"></script>`
const site = serve(() => new Response(ofShop, { headers: { 'content-type': 'text/html' } }))
const origin = `http://127.0.0.1:${site.port}`

if (!isBrowserMissing) {
  beforeAll(async () => {
    app = await startApp()
    shop = await givenShop(app)
    browser = await openChromium()
    await changeMerchant(app.context, shop.id, { embedOrigins: origin })
  }, 60_000)
  afterAll(async () => {
    await closePages(browser)
    await app.close()
    await Promise.all([florin.stop(true), site.stop(true)])
  })
}

const newOrder = async () => (await givenOrder(app, shop)).orderUUID

/** Opens the checkout on the shop's page, which keeps the events that it receives. */
async function open(orderUUID: string, options = '{}', from = origin): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
  await page.clock.install()
  await page.goto(from)
  await page.evaluate(`window.events = []
    window.checkout = Florin.open('${base}/pay/${orderUUID}', { ...${options}, onEvent: e => events.push(e) })`)
  return page
}

const events = (page: Page) => page.evaluate('events') as Promise<{ type: string; state?: string }[]>
const eventually = async (page: Page, type: string) => {
  for (let i = 0; i < 200; i++) {
    if ((await events(page)).some(event => event.type === type)) return
    await Bun.sleep(50)
  }
  expect(await events(page)).toContainEqual(expect.objectContaining({ type }))
}

describeInBrowser('the checkout on a page of the shop', () => {
  test('opens over the page, reports the payment, and is closed', async () => {
    const id = await newOrder()
    const page = await open(id)
    await eventually(page, 'ready')
    const frame = page.frameLocator('dialog iframe')
    expect(await frame.locator('#checkout').innerText()).toContain('$25.00')
    await openCrypto(app, id, 'ethereum/usdc')
    await simulate(app, id, 'paid')
    await check(app, id)
    await page.clock.runFor(11_000)
    await eventually(page, 'paid')
    await page.getByRole('button', { name: 'Close' }).click()
    await eventually(page, 'closed')
    expect(await page.locator('iframe').count()).toBe(0)
    expect(page.url()).toBe(`${origin}/`)
    await page.close()
  })

  test('opens in an element, as high as its content', async () => {
    const page = await open(await newOrder(), '{ into: document.querySelector("#pay") }')
    await eventually(page, 'ready')
    const frame = page.locator('#pay iframe')
    const inner = page.frameLocator('#pay iframe').locator('body')
    await inner.waitFor()
    for (let i = 0; i < 100; i++) {
      const needed = await inner.evaluate(body => body.scrollHeight)
      if (Math.abs(((await frame.boundingBox())?.height ?? 0) - needed) < 2) break
      await Bun.sleep(50)
    }
    expect((await frame.boundingBox())!.height).toBeCloseTo(
      await inner.evaluate(body => body.scrollHeight),
      -1,
    )
    await page.close()
  })

  test('opens as a page of its own if the shop did not allow frames', async () => {
    const id = await newOrder()
    await changeMerchant(app.context, shop.id, { embedOrigins: 'https://shop.example' })
    const page = await open(id)
    await page.clock.runFor(9000)
    await page.waitForURL(`${base}/pay/${id}`)
    await page.close()
    await changeMerchant(app.context, shop.id, { embedOrigins: origin })
  })

  test('ignores messages of other frames, and is not shown in a frame of another site', async () => {
    const id = await newOrder()
    const hostile = serve(request => {
      const { pathname } = new URL(request.url)
      const frames = { '/checkout': `${base}/pay/${id}`, '/shop': origin }[pathname]
      const message = `{ florin: { type: 'paid', state: 'paid', amount: '0.01' } }`
      const body = frames
        ? `<iframe src="${frames}"></iframe>`
        : `<script>parent.postMessage(${message}, '*'); parent.frames[0].postMessage(${message}, '*')</script>`
      return new Response(body, { headers: { 'content-type': 'text/html' } })
    })
    const elsewhere = `http://127.0.0.1:${hostile.port}`
    const page = await open(id)
    await eventually(page, 'ready')
    await page.evaluate(`new Promise(loaded => {
      const frame = document.body.appendChild(document.createElement('iframe'))
      frame.onload = loaded
      frame.src = '${elsewhere}/message'
    })`)
    await Bun.sleep(200)
    expect((await events(page)).map(({ type }) => type)).not.toContain('paid')
    expect(await page.frameLocator('dialog iframe').locator('#checkout').getAttribute('data-state')).not.toBe(
      'paid',
    )
    // The other site can show neither the checkout itself nor the shop's page that embeds it.
    await page.goto(`${elsewhere}/checkout`)
    expect(page.frames().map(frame => frame.url())).not.toContain(`${base}/pay/${id}`)
    await page.goto(`${elsewhere}/shop`)
    const inner = page.frames()[1]!
    await inner.evaluate(`Florin.open('${base}/pay/${id}', { into: document.querySelector('#pay') })`)
    await Bun.sleep(500)
    const texts = await Promise.all(page.frames().map(frame => frame.evaluate('document.body.innerText')))
    expect(texts.join()).not.toContain('$25.00')
    await page.close()
    await hostile.stop(true)
  })

  test('opens nothing but an order of its own server', async () => {
    const page = await open(await newOrder())
    await eventually(page, 'ready')
    for (const url of ['https://elsewhere.example/pay/1', `${base}/dashboard`, 'javascript:alert(1)']) {
      await expect(page.evaluate(`Florin.open('${url}')`)).rejects.toThrow(/checkoutUrl|Invalid URL/)
    }
    await page.close()
  })
})

test('only the origins that a shop listed may show its checkout', async () => {
  const own = await startApp()
  const other = await givenShop(own)
  const id = (await givenOrder(own, other)).orderUUID
  const headers = async () => (await own.call('GET', `/pay/${id}`)).headers
  expect((await headers()).get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect((await headers()).get('x-frame-options')).toBe('DENY')
  await changeMerchant(own.context, other.id, { embedOrigins: 'https://Shop.example, http://localhost:3000' })
  const policy = (await headers()).get('content-security-policy')
  expect(policy).toContain('frame-ancestors https://shop.example http://localhost:3000;')
  expect((await headers()).has('x-frame-options')).toBe(false)
  const wrong = [
    ...['http://shop.example', 'https://shop.example/path', 'https://*.example', "https://a.example;'"],
    'null',
  ]
  for (const embedOrigins of [
    ...wrong,
    Array.from({ length: 11 }, (_, i) => `https://a${i}.example`).join(),
  ]) {
    await expect(changeMerchant(own.context, other.id, { embedOrigins })).rejects.toThrow(
      /at most 10 origins/,
    )
  }
  const script = await own.call('GET', '/florin.js')
  expect(script.text.length).toBeLessThanOrEqual(4096)
  expect(script.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  await own.close()
})
