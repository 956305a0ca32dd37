import { beforeAll, expect, test } from 'bun:test'
import { isBrowserMissing } from '../support/chromium.ts'
import { isWhole } from '../support/whole.ts'
import { asOwner, looks, problemsOfAll, useDashboard } from './dashboard.ts'
import { describeInBrowser, textOf, useSite } from './server.ts'

const site = useSite()

/** The pages that the walk through the dashboard opens with the same rows. */
const walked = /^(?:list|new order|open order|paid order|short order|customers|customer)$/
/** The paths of pages that have something to show. */
const paths: Record<string, string> = {}

const open = useDashboard(site, asOwner)
beforeAll(async () => {
  if (isBrowserMissing) return
  const unpaid = await site.order({ externalId: 'OPEN-1', metadata: { cart: 'x'.repeat(80) } })
  const paid = await site.order({ externalId: `PAID-${'1'.repeat(60)}`, amount: '1234567.00' })
  await site.openCrypto(paid.id)
  await site.simulate(paid.id, 'paid')
  await site.check(paid.id)
  const short = await site.order({ externalId: 'SHORT-1' })
  await site.openCrypto(short.id, 'polygon/usdc')
  await site.simulate(short.id, 'underpaid')
  await site.check(short.id)
  await site.advance(3 * 3600)
  await site.check(short.id)
  const key = site.demo.output.liveKey
  const { customerId } = (await site.demo.call('GET', `/v1/orders/${paid.id}`, { key })).json.data
  Object.assign(paths, {
    list: '/dashboard/orders',
    filtered: '/dashboard/orders?status=PAID&status=UNPAID&currency=USD&min=1&q=buyer',
    'filter that is not valid': '/dashboard/orders?currency=X1',
    'nothing found': '/dashboard/orders?q=nothing-at-all',
    'new order': '/dashboard/orders/new',
    'open order': `/dashboard/orders/${unpaid.id}`,
    'paid order': `/dashboard/orders/${paid.id}`,
    'short order': `/dashboard/orders/${short.id}`,
    customers: '/dashboard/customers',
    customer: `/dashboard/customers/${customerId}`,
  })
}, 60_000)

describeInBrowser('the pages of orders and customers', () => {
  test.each(looks)('have no accessibility problems, and fit: %s, %s', async (colorScheme, language) => {
    const { page, watch } = await open('/dashboard/orders', { colorScheme })
    const shown = Object.entries(paths).filter(([name]) => isWhole || !walked.test(name))
    expect(await problemsOfAll(page, shown, [colorScheme, language], 'light')).toEqual([])
    const wrongFilter = /400 [(]Bad Request[)]/
    expect(watch.problems.filter(problem => !wrongFilter.test(problem))).toEqual([])
    expect(watch.foreignRequests).toEqual([])
  })

  test('work without JavaScript: create an order, find it, note, cancel', async () => {
    const { page } = await open('/dashboard/orders', { javaScriptEnabled: false })
    await page.getByRole('link', { name: 'New order' }).first().click()
    await page.getByLabel('Amount', { exact: true }).fill('12,50')
    await page.getByLabel('Order number').fill('BY-HAND-7')
    await page.getByRole('button', { name: 'Create the order' }).click()
    expect(await textOf(page)).toContain('The order is created. Send its link to the customer.')
    expect(await page.getByRole('img', { name: 'QR code of the payment link' }).isVisible()).toBe(true)
    await page.goto('/dashboard/orders')
    await page.getByLabel('Search', { exact: true }).fill('by-hand')
    await page.getByRole('button', { name: 'Show orders' }).click()
    await page.waitForURL(url => url.searchParams.get('q') === 'by-hand')
    expect(await page.locator('tbody tr').count()).toBe(1)
    await page.locator('tbody a').first().click()
    await page.getByText('Add a note').click()
    await page.getByLabel('Note', { exact: true }).fill('They called.')
    await page.getByRole('button', { name: 'Save the note' }).click()
    expect(await textOf(page)).toContain('They called.')
    await page.locator('summary', { hasText: 'Cancel the order' }).click()
    await page.getByRole('button', { name: 'Cancel the order' }).click()
    expect(await textOf(page)).toContain('The order is cancelled.')
  })

  test('have URLs that can be sent to others: without confirmations of past actions, and without empty filters', async () => {
    const { page } = await open('/dashboard/orders')
    await page.getByLabel('Search', { exact: true }).fill('nobody')
    await page.getByRole('button', { name: 'Show orders' }).click()
    await page.waitForURL(/[/]orders[?]/)
    expect(new URL(page.url()).search).toBe('?q=nobody')
    const { id } = await site.order({})
    await page.goto(`/dashboard/orders/${id}?done=created`)
    await page.getByText('The order is created.').waitFor()
    await page.waitForURL(`**/dashboard/orders/${id}`)
  })

  test('show a new order without a reload', async () => {
    const { page } = await open('/dashboard/orders')
    await page.clock.install()
    await page.goto('/dashboard/orders')
    await site.order({ externalId: 'LIVE-7' })
    const shown = page.getByText('LIVE-7')
    expect(await shown.count()).toBe(0)
    await page.clock.runFor(16_000)
    await shown.waitFor()
  })

  test('show a payment without a reload, and leave open parts and entered text as they are', async () => {
    const order = await site.order({ externalId: 'LIVE-8' })
    await site.openCrypto(order.id)
    const { page, watch } = await open('/dashboard/orders')
    await page.clock.install()
    await page.goto(`/dashboard/orders/${order.id}`)
    await page.getByText('Add a note').click()
    const note = page.getByLabel('Note', { exact: true })
    await note.fill('They called')
    await site.simulate(order.id, 'paid')
    await site.check(order.id)
    // The browser reports that a page is hidden while another one covers it, so the test sets this state.
    const setHidden = (isHidden: boolean) =>
      page.evaluate(value => {
        Object.defineProperty(document, 'hidden', { configurable: true, value })
        document.dispatchEvent(new Event('visibilitychange'))
      }, isHidden)
    const asked: string[] = []
    let answered = 0
    page.on('request', request => void asked.push(request.url()))
    page.on('requestfinished', () => {
      answered += 1
    })
    await setHidden(true)
    await page.clock.runFor(30_000)
    expect(asked).toEqual([])
    await setHidden(false)
    await page.getByRole('status').filter({ hasText: 'Paid' }).waitFor()
    await page.keyboard.type(' again.')
    expect(await note.inputValue()).toBe('They called again.')
    expect(await page.locator('#form-notes').getAttribute('open')).toBe('')
    const before = asked.length
    for (let seconds = 0; seconds < 60; seconds += 5) {
      await page.clock.runFor(5000)
      // The answer needs real time: without it, a minute of the page's clock is a timeout.
      while (answered < asked.length) await Bun.sleep(10)
    }
    expect(asked.length - before).toBeLessThanOrEqual(4)
    expect(watch.problems).toEqual([])
  })
})
