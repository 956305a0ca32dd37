import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { readQr } from './qr.ts'
import { BACK, describeInBrowser, textOf, titled, useStand } from './server.ts'

setDefaultTimeout(60_000)

const stand = useStand()

async function open(path: string): Promise<Page> {
  const { context } = await stand.buyer({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(path)
  return page
}

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).click()
const refreshOf = (page: Page) =>
  page.locator('meta[http-equiv=refresh]').getAttribute('content', { timeout: 500 })

/** Buttons that only a script could bring to life must not be shown. */
const deadButtons = (page: Page) =>
  page
    .locator('button:visible')
    .evaluateAll(buttons => buttons.filter(button => !(button as HTMLButtonElement).form).length)

afterEach(() => stand.closePages())

describeInBrowser('a buyer without JavaScript', () => {
  test('pays in a coin of several networks by forms and links alone', async () => {
    const { id, path } = await stand.order()
    const page = await open(path)
    expect(await deadButtons(page)).toBe(0)
    await page.locator('summary', { hasText: 'USDT' }).click()
    await press(page, /^TRON/)
    expect(new URL(page.url()).pathname).toBe(path)
    const { attempt } = await stand.status(id)
    expect(attempt.assetId).toBe('trc20/usdt')
    expect(await readQr(stand.browser, page.locator('.qr svg'))).toBe(attempt.uri)
    expect(await textOf(page)).toContain(attempt.address)
    expect(await textOf(page)).toContain(`until ${attempt.lockedUntil.slice(11, 16)} UTC`)
    expect(Number(await refreshOf(page))).toBeWithin(5, 61)
    expect(await deadButtons(page)).toBe(0)

    await page.getByRole('link', { name: 'Send test coins' }).click()
    await press(page, 'Send unconfirmed')
    await page.getByRole('link', { name: 'Back to checkout' }).click()
    await stand.advance()
    await press(page, 'Check now')
    expect(await titled(page, 'Payment seen').isVisible()).toBe(true)
    expect(Number(await refreshOf(page))).toBeWithin(5, 61)

    await stand.simulate(id, 'paid')
    await stand.advance()
    await press(page, 'Check now')
    expect(await titled(page, 'Paid').isVisible()).toBe(true)
    expect(await page.locator('meta[http-equiv=refresh]').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Back to Corner Coffee' }).getAttribute('href')).toBe(BACK)
    expect((await stand.status(id)).status).toBe('PAID')
  })

  test('pays by card in another tab, and checks', async () => {
    const { id, path } = await stand.order()
    const page = await open(path)
    const link = page.getByRole('link', { name: /MoonPay/ })
    const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click()])
    await tab.waitForLoadState()
    await page.reload()
    expect(await textOf(page)).toContain('Waiting for MoonPay')
    expect(Number(await refreshOf(page))).toBeWithin(5, 61)
    await press(page, 'Check now')
    expect(await textOf(page)).toContain('Waiting for MoonPay')
    await press(tab, 'Pay')
    await press(page, 'Check now')
    expect(await titled(page, 'Paid').isVisible()).toBe(true)
    expect((await stand.status(id)).status).toBe('PAID')
  })

  test('pays half, and then the rest', async () => {
    const { id, path } = await stand.order()
    const page = await open(path)
    await press(page, /Litecoin/)
    await stand.simulate(id, 'underpaid')
    await stand.advance()
    await press(page, 'Check now')
    const { attempt } = await stand.status(id)
    expect(attempt).toMatchObject({ state: 'underpaid', amount: '0.3125', receivedAmount: '0.15625' })
    expect(await titled(page, 'Still due: 0.15625 LTC').isVisible()).toBe(true)
    expect(await page.locator('#address').innerText()).toBe(attempt.address)
    await stand.simulate(id, 'paid')
    await stand.advance()
    await press(page, 'Check now')
    expect(await titled(page, 'Paid').isVisible()).toBe(true)
  })

  test('comes too late, takes a fresh amount, changes to another method', async () => {
    const { id, path } = await stand.order()
    const page = await open(path)
    await press(page, /Bitcoin Cash/)
    const { attempt } = await stand.status(id)
    await stand.advance(1801)
    await press(page, 'Check now')
    expect(await titled(page, 'The time for this payment is over').isVisible()).toBe(true)
    await press(page, /Fresh amount/)
    const fresh = (await stand.status(id)).attempt
    expect(fresh.address).not.toBe(attempt.address)
    expect(await page.locator('#address').innerText()).toBe(fresh.address)
    await page.getByRole('link', { name: 'Pay another way' }).click()
    expect(await titled(page, 'Crypto').isVisible()).toBe(true)
    await page.getByRole('link', { name: /Back to the payment/ }).click()
    expect(await page.locator('#address').innerText()).toBe(fresh.address)
  })

  test('presses on an old page what is not possible any more, and is told so with the way back', async () => {
    const { id, path } = await stand.order()
    const page = await open(path)
    const key = stand.demo.told.liveKey
    const cancelled = await stand.demo.call('POST', `/v1/orders/${id}/cancel`, { key, body: {} })
    expect(cancelled.status).toBe(200)
    await press(page, /Dogecoin/)
    expect(await textOf(page)).toMatch(/CANCELLED|cancelled/)
    expect(await textOf(page)).toMatch(/Reference [0-9a-f-]{36}/)
    await page.getByRole('link', { name: 'Back to the payment' }).click()
    expect(await titled(page, /cancelled/).isVisible()).toBe(true)
    expect(await page.getByRole('link', { name: 'Back to Corner Coffee' }).getAttribute('href')).toBe(BACK)
  })

  test('meets a provider that does not answer, and goes back to choose another', async () => {
    const { id, path } = await stand.order()
    const page = await open(path)
    const outage = (down: boolean) =>
      stand.demo.call('POST', '/sandbox/outage', { body: { upstream: 'provider', down } })
    await outage(true)
    try {
      const link = page.getByRole('link', { name: /Wert/ })
      const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click()])
      await tab.waitForLoadState()
      expect(await textOf(tab)).toMatch(/provider/)
      expect(await textOf(tab)).toMatch(/Reference [0-9a-f-]{36}/)
      await tab.getByRole('link', { name: 'Back to the payment' }).click()
      await tab.getByRole('button', { name: /Dogecoin/ }).click()
      expect(await tab.locator('.qr').isVisible()).toBe(true)
    } finally {
      await outage(false)
    }
    expect((await stand.status(id)).attempt.assetId).toBe('doge')
  })
})
