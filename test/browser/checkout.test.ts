import { afterEach, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { readQr } from './qr.ts'
import { BACK, describeInBrowser, textOf, titled, turnsTo, useSite, type Watch } from './server.ts'

const site = useSite()

/** A page with JavaScript and clipboard access that counts its loads. */
async function open(
  path: string,
  isRealTime = false,
): Promise<{ page: Page; watch: Watch; loads: () => number }> {
  const { context, watch } = await site.buyer({ permissions: ['clipboard-read', 'clipboard-write'] })
  await context.route(`${new URL(BACK).origin}/**`, route => route.fulfill({ body: 'the shop' }))
  if (!isRealTime) await context.clock.install()
  const page = await context.newPage()
  let loads = 0
  page.on('load', () => loads++)
  await page.goto(path)
  return { page, watch, loads: () => loads }
}

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
const waitingFor = (page: Page, name: string) => page.locator('.wait', { hasText: `Waiting for ${name}` })
const announced = (page: Page) => page.locator('#live').textContent()
const seconds = async (page: Page) => {
  const [minutes, rest] = (await page.locator('time[data-countdown]').innerText()).split(':')
  return Number(minutes) * 60 + Number(rest)
}

afterEach(() => site.closePages())

describeInBrowser('a buyer with JavaScript', () => {
  test('pays with a coin on one of several networks, from the choice to the link back to the shop', async () => {
    const { id, path } = await site.order()
    const { page, watch, loads } = await open(path, true)
    expect(await textOf(page)).toMatch(/Corner Coffee.*\$25\.00.*Two bags of house blend.*ORDER-7/)

    const coin = page.locator('details', { has: page.locator('summary', { hasText: 'USDC' }) })
    const onPolygon = coin.getByRole('button', { name: /Polygon/ })
    expect(await onPolygon.isVisible()).toBe(false)
    await coin.locator('summary').click()
    await onPolygon.click()
    await page.waitForURL(`**${path}`)

    const { attempt } = await site.status(id)
    expect(attempt).toMatchObject({ assetId: 'polygon/usdc', amount: '25', state: 'waiting' })
    expect(await readQr(site.browser, page.locator('.qr svg'))).toBe(attempt.address)
    expect(await page.getByRole('link', { name: 'Open in wallet' }).getAttribute('href')).toBe(attempt.uri)
    const seen = await textOf(page)
    for (const text of [attempt.address, attempt.amount, 'USDC', 'Polygon']) expect(seen).toContain(text)

    await page.getByRole('button', { name: 'Copy the amount' }).click()
    expect(await clipboard(page)).toBe(attempt.amount)
    expect(await announced(page)).toBe('Copied')
    await page.getByRole('button', { name: 'Copy the address' }).click()
    expect(await clipboard(page)).toBe(attempt.address)

    const left = (Date.parse(attempt.lockedUntil) - Date.now()) / 1000
    const first = await seconds(page)
    expect(Math.abs(first - left)).toBeLessThan(30)
    await page.waitForTimeout(2100)
    expect(first - (await seconds(page))).toBeWithin(1, 60)

    const wallet = await page.context().newPage()
    const send = await page.getByRole('link', { name: 'Send test coins' }).getAttribute('href')
    await wallet.goto(send!)
    expect(await textOf(wallet)).toContain(attempt.address)
    const before = loads()
    await wallet.getByRole('button', { name: 'Send unconfirmed' }).click()
    await turnsTo(titled(page, 'Payment detected'))
    expect(await announced(page)).toMatch(/Payment detected/)
    expect((await site.status(id)).attempt.state).toBe('confirming')
    expect(await page.locator('.qr').count()).toBe(0)

    // An open payment is checked every half minute, even if no page is open.
    await site.simulate(id, 'paid')
    await site.advance(31)
    await turnsTo(titled(page, 'Paid'))
    expect(await announced(page)).toBe('Paid')
    expect(loads()).toBe(before)
    expect(await site.status(id)).toMatchObject({ status: 'PAID', provisioningStatus: 'SETTLED' })
    expect(await textOf(page)).toMatch(/25 USDC.*ORDER-7|ORDER-7.*25 USDC/)
    await page.waitForTimeout(300)
    expect(await page.locator('#checkout').getAttribute('hx-get')).toBe(null)
    expect(watch).toEqual({ problems: [], foreignRequests: [] })

    const back = page.getByRole('link', { name: 'Back to Corner Coffee' })
    expect(await back.getAttribute('href')).toBe(BACK)
    await back.click()
    await page.waitForURL(BACK)
  })

  test('pays by card in a new tab, and the first tab then shows that it is paid', async () => {
    const { id, path } = await site.order()
    const { page, watch, loads } = await open(path, true)
    const link = page.getByRole('link', { name: /MoonPay/ })
    expect(await link.getAttribute('rel')).toContain('noopener')
    const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click()])
    await tab.getByRole('button', { name: 'Pay', exact: true }).waitFor()
    await tab.getByRole('button', { name: 'Pay', exact: true }).click()
    await tab.getByText('answered with status 200').waitFor()
    await turnsTo(titled(page, 'Paid'))
    expect(await announced(page)).toBe('Paid')
    expect(loads()).toBe(1)
    expect(await site.status(id)).toMatchObject({ status: 'PAID' })
    expect(watch).toEqual({ problems: [], foreignRequests: [] })
  })

  test('pays too little by card: the page says so and the order stays unpaid', async () => {
    const { id, path } = await site.order()
    const { page, watch } = await open(path)
    await page.getByText('More payment methods').click()
    const link = page.getByRole('link', { name: /Transak/ })
    const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click()])
    await tab.getByRole('button', { name: 'Pay half' }).click()
    await tab.getByText('answered with status 200').waitFor()
    const money = page.locator('#checkout').getByText('Received $12.50 of $25.00 · $12.50 left')
    await site.soonTurnsTo(money)
    expect(await announced(page)).toContain('Received $12.50 of $25.00')
    expect((await site.status(id)).status).toBe('UNPAID')
    expect(watch).toEqual({ problems: [], foreignRequests: [] })
  })

  test('is declined by card, chooses again and pays', async () => {
    const { id, path } = await site.order()
    const { page } = await open(path)
    await page.getByText('More payment methods').click()
    const card = page.getByRole('link', { name: /Banxa/ })
    const [tab] = await Promise.all([page.context().waitForEvent('page'), card.click()])
    await site.soonTurnsTo(waitingFor(page, 'Banxa'))
    expect(await announced(page)).toMatch(/Waiting for Banxa/)
    await tab.getByRole('button', { name: 'Decline' }).click()
    await tab.getByText('answered with status 200').waitFor()
    await site.soonTurnsTo(titled(page, 'Crypto'))
    expect((await site.status(id)).status).toBe('UNPAID')
    await page.getByText('More payment methods').click()
    const other = page.getByRole('link', { name: /Wert/ })
    const [second] = await Promise.all([page.context().waitForEvent('page'), other.click()])
    await second.getByRole('button', { name: 'Pay', exact: true }).click()
    await second.getByText('answered with status 200').waitFor()
    await site.soonTurnsTo(titled(page, 'Paid'))
  })

  test('is declined by the only method of the order: the order fails and the page says so', async () => {
    const { id, path } = await site.order({ paymentMethodsKeys: ['stripe'] })
    const { page } = await open(path)
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: /Stripe/ }).click(),
    ])
    await tab.getByRole('button', { name: 'Decline' }).click()
    await site.soonTurnsTo(titled(page, 'The payment failed'))
    expect((await site.status(id)).status).toBe('FAILED')
    expect(await page.getByRole('link', { name: 'Back to Corner Coffee' }).getAttribute('href')).toBe(BACK)
  })

  test('pays half, sees what is left to pay to the same address, and pays the rest', async () => {
    const { id, path } = await site.order()
    await site.openCrypto(id, 'btc')
    const { attempt } = await site.status(id)
    const { page } = await open(path)
    await page.getByRole('link', { name: 'Send test coins' }).click()
    const half = '0.0002'
    await page.getByLabel(/Amount/).fill(half)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('link', { name: 'Back to checkout' }).click()
    await site.soonTurnsTo(titled(page, /left to pay$/))
    const rest = (Number(attempt.amount) * 1e8 - Number(half) * 1e8).toFixed(0)
    const remainingAtomic = (Number(rest) / 1e8).toFixed(8).replace(/0+$/, '')
    expect(await page.locator('#amount').innerText()).toBe(remainingAtomic)
    expect(await page.locator('#address').innerText()).toBe(attempt.address)
    const code = await readQr(site.browser, page.locator('.qr svg'))
    expect(code).toContain(attempt.address)
    expect(code).toContain(remainingAtomic)
    await page.getByRole('link', { name: 'Send test coins' }).click()
    expect(await page.getByLabel(/Amount/).inputValue()).toBe(remainingAtomic)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('link', { name: 'Back to checkout' }).click()
    await site.advance()
    await page.getByRole('button', { name: 'Check now' }).click()
    await titled(page, 'Paid').waitFor()
    expect((await site.status(id)).status).toBe('PAID')
  })

  test('gets a new amount and address with one click after the time has run out', async () => {
    const { id, path } = await site.order()
    await site.openCrypto(id, 'ltc')
    const { attempt: first } = await site.status(id)
    const { page, watch } = await open(path)
    await site.advance(1801)
    await site.soonTurnsTo(titled(page, 'The time to pay has run out'))
    expect(await announced(page)).toBe('The time to pay has run out')
    expect(await page.locator('.qr').count()).toBe(0)
    await page.getByRole('button', { name: /^Get a new .* price$/ }).click()
    await page.locator('.qr').waitFor()
    const { attempt: second } = await site.status(id)
    expect(second.address).not.toBe(first.address)
    expect(Date.parse(second.lockedUntil) - Date.parse(first.lockedUntil)).toBeGreaterThan(1800_000)
    expect(await page.locator('#address').innerText()).toBe(second.address)
    expect(await readQr(site.browser, page.locator('.qr svg'))).toBe(second.uri)
    expect(await seconds(page)).toBeWithin(1700, 1801)
    expect(watch).toEqual({ problems: [], foreignRequests: [] })
  })

  test('opens the other methods and returns to the payment that was started', async () => {
    const { id, path } = await site.order()
    await site.openCrypto(id, 'btc')
    const { page } = await open(path)
    await page.getByRole('link', { name: 'Pay another way' }).click()
    await titled(page, 'Crypto').waitFor()
    await page.getByRole('link', { name: /Back to the payment/ }).click()
    await page.locator('.qr').waitFor()
    await page.getByRole('link', { name: 'Pay another way' }).click()
    await page.getByRole('button', { name: /Dogecoin/ }).click()
    await page.locator('.qr').waitFor()
    expect((await site.status(id)).attempt.assetId).toBe('doge')
    await page.getByRole('link', { name: /address only/ }).click()
    await page.waitForURL(/address/)
    const { attempt } = await site.status(id)
    expect(await readQr(site.browser, page.locator('.qr svg'))).toBe(attempt.address)
  })
})
