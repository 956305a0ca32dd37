import { afterEach, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { readQr } from './qr.ts'
import { BACK, describeInBrowser, textOf, titled, useSite } from './server.ts'

const site = useSite()

async function open(path: string): Promise<Page> {
  const { context } = await site.buyer({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(path)
  return page
}

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).click()
const refreshOf = (page: Page) =>
  page.locator('meta[http-equiv=refresh]').getAttribute('content', { timeout: 500 })

/** Buttons that need a script must be hidden. */
const deadButtons = (page: Page) =>
  page
    .locator('button:visible')
    .evaluateAll(buttons => buttons.filter(button => !(button as HTMLButtonElement).form).length)

afterEach(() => site.closePages())

describeInBrowser('a buyer without JavaScript', () => {
  test('pays with a coin on one of several networks, using only forms and links', async () => {
    const { id, path } = await site.order()
    const page = await open(path)
    expect(await deadButtons(page)).toBe(0)
    await page.locator('summary', { hasText: 'USDT' }).click()
    await press(page, /^USDT · TRON [(]TRC20[)]/)
    expect(new URL(page.url()).pathname).toBe(path)
    const { attempt } = await site.status(id)
    expect(attempt.assetId).toBe('trc20/usdt')
    expect(await readQr(site.browser, page.locator('.qr svg'))).toBe(attempt.address)
    expect(await textOf(page)).toContain(attempt.address)
    expect(await textOf(page)).toContain(`Pay before ${attempt.lockedUntil.slice(11, 16)} UTC`)
    expect(Number.parseInt((await refreshOf(page)) ?? '', 10)).toBeWithin(5, 61)
    expect(await deadButtons(page)).toBe(0)

    await page.getByRole('link', { name: 'Send test coins' }).click()
    await press(page, 'Send unconfirmed')
    await page.getByRole('link', { name: 'Back to checkout' }).click()
    await site.advance()
    await press(page, 'Check now')
    expect(await titled(page, 'Payment detected').isVisible()).toBe(true)
    expect(Number.parseInt((await refreshOf(page)) ?? '', 10)).toBeWithin(5, 61)

    await site.simulate(id, 'paid')
    await site.advance()
    await press(page, 'Check now')
    expect(await titled(page, 'Paid').isVisible()).toBe(true)
    expect(await page.locator('meta[http-equiv=refresh]').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Back to Corner Coffee' }).getAttribute('href')).toBe(BACK)
    expect((await site.status(id)).status).toBe('PAID')
  })

  test('pays by card in another tab and presses "Check now"', async () => {
    const { id, path } = await site.order()
    const page = await open(path)
    const link = page.getByRole('link', { name: /MoonPay/ })
    const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click()])
    await tab.waitForLoadState()
    await page.reload()
    expect(await textOf(page)).toContain('Waiting for MoonPay')
    expect(Number.parseInt((await refreshOf(page)) ?? '', 10)).toBeWithin(5, 61)
    await press(page, 'Check now')
    expect(await textOf(page)).toContain('Waiting for MoonPay')
    await press(tab, 'Pay')
    await press(page, 'Check now')
    expect(await titled(page, 'Paid').isVisible()).toBe(true)
    expect((await site.status(id)).status).toBe('PAID')
  })

  test('pays half and then the rest', async () => {
    const { id, path } = await site.order()
    const page = await open(path)
    await press(page, /Litecoin/)
    await site.simulate(id, 'underpaid')
    await site.advance()
    await press(page, 'Check now')
    const { attempt } = await site.status(id)
    expect(attempt).toMatchObject({ state: 'underpaid', amount: '0.3125', receivedAmount: '0.15625' })
    expect(await titled(page, '0.15625 LTC left to pay').isVisible()).toBe(true)
    expect(await page.locator('#address').innerText()).toBe(attempt.address)
    await site.simulate(id, 'paid')
    await site.advance()
    await press(page, 'Check now')
    expect(await titled(page, 'Paid').isVisible()).toBe(true)
  })

  test('lets the time run out, gets a new amount, and changes to another method', async () => {
    const { id, path } = await site.order()
    const page = await open(path)
    await page.getByText('More coins').click()
    await press(page, /Bitcoin Cash/)
    const { attempt } = await site.status(id)
    await site.advance(1801)
    await press(page, 'Check now')
    expect(await titled(page, 'The time to pay has run out').isVisible()).toBe(true)
    await press(page, /^Get a new .* price$/)
    const fresh = (await site.status(id)).attempt
    expect(fresh.address).not.toBe(attempt.address)
    expect(await page.locator('#address').innerText()).toBe(fresh.address)
    await page.getByRole('link', { name: 'Pay another way' }).click()
    expect(await titled(page, 'Crypto').isVisible()).toBe(true)
    await page.getByRole('link', { name: /Back to the payment/ }).click()
    expect(await page.locator('#address').innerText()).toBe(fresh.address)
  })

  test('presses a button of an outdated page and gets an error with a link back', async () => {
    const { id, path } = await site.order()
    const page = await open(path)
    const key = site.demo.output.liveKey
    const cancelled = await site.demo.call('POST', `/v1/orders/${id}/cancel`, { key, body: {} })
    expect(cancelled.status).toBe(200)
    await press(page, /Dogecoin/)
    expect(await textOf(page)).toMatch(/CANCELLED|cancelled/)
    expect(await textOf(page)).toMatch(/Request ID [0-9a-f-]{36}/)
    await page.getByRole('link', { name: 'Back to the payment' }).click()
    expect(await titled(page, /cancelled/).isVisible()).toBe(true)
    expect(await page.getByRole('link', { name: 'Back to Corner Coffee' }).getAttribute('href')).toBe(BACK)
  })

  test('finds a provider that does not respond and goes back to choose another', async () => {
    const { id, path } = await site.order()
    const page = await open(path)
    const outage = (down: boolean) =>
      site.demo.call('POST', '/sandbox/outage', { body: { upstream: 'provider', down } })
    await outage(true)
    try {
      await page.getByText('More payment methods').click()
      const link = page.getByRole('link', { name: /Wert/ })
      const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click()])
      await tab.waitForLoadState()
      expect(await textOf(tab)).toMatch(/provider/)
      expect(await textOf(tab)).toMatch(/Request ID [0-9a-f-]{36}/)
      await tab.getByRole('link', { name: 'Back to the payment' }).click()
      await tab.getByRole('button', { name: /Dogecoin/ }).click()
      expect(await tab.locator('.qr').isVisible()).toBe(true)
    } finally {
      await outage(false)
    }
    expect((await site.status(id)).attempt.assetId).toBe('doge')
  })
})
