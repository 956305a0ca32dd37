import { afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { isBrowserMissing } from '../support/chromium.ts'
import { waysOf } from '../support/whole.ts'
import { addAxe, axeProblems } from './axe.ts'
import { describeInBrowser, useSite } from './server.ts'

const site = useSite()
const paths: Record<'receipt' | 'paid' | 'open' | 'underpaid' | 'confirming' | 'choice', string> = {
  receipt: '',
  paid: '',
  open: '',
  underpaid: '',
  confirming: '',
  choice: '',
}

const LONG = 'Hand-picked single-origin house blend, whole bean, roasted on Tuesdays '.repeat(4)

async function openOrder(outcome?: string): Promise<{ id: string; path: string }> {
  const order = await site.order({ description: LONG })
  await site.openCrypto(order.id)
  if (outcome !== undefined) await site.simulate(order.id, outcome)
  await site.check(order.id)
  return order
}

async function refund(id: string, amount: string): Promise<void> {
  const headers = { 'idempotency-key': `refund-${amount}` }
  const request = { key: site.demo.output.liveKey, headers, body: { amount, reason: 'one bag' } }
  expect((await site.demo.call('POST', `/v1/orders/${id}/refunds`, request)).status).toBe(201)
}

if (!isBrowserMissing) {
  beforeAll(async () => {
    const paid = await openOrder('paid')
    for (const amount of ['1.00', '1.01', '1.02', '1.03', '1.04', '1.05']) await refund(paid.id, amount)
    paths.receipt = `${paid.path}/receipt`
    paths.paid = paid.path
    paths.open = (await openOrder()).path
    paths.underpaid = (await openOrder('underpaid')).path
    paths.confirming = (await openOrder('pending')).path
    paths.choice = (await site.order({ description: LONG })).path
  }, 60_000)
}
afterEach(() => site.closePages())

type Media = Parameters<Page['emulateMedia']>[0]

const usual = {
  media: 'screen',
  colorScheme: 'light',
  forcedColors: 'none',
  reducedMotion: 'reduce',
} as const

/** Shows a page in the tab of the test that runs. */
let show: (path: string, media: Media) => Promise<Page>

beforeEach(async () => {
  if (isBrowserMissing) return
  const { context } = await site.buyer({ viewport: { width: 794, height: 1123 } })
  await addAxe(context)
  const page = await context.newPage()
  show = async (path, media) => {
    await page.emulateMedia({ ...usual, ...media })
    await page.goto(path)
    return page
  }
})

const pagesOf = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0

describeInBrowser('on paper', () => {
  test('a receipt with six refunds and an order are one page each, of A4 and of Letter', async () => {
    for (const [at, [name, path]] of Object.entries(paths).entries()) {
      const page = await show(path, { media: 'print' })
      for (const format of waysOf(['A4', 'Letter'], at)) {
        const pdf = await page.pdf({ format, preferCSSPageSize: true })
        expect([name, format, pagesOf(pdf)]).toEqual([name, format, 1])
      }
    }
  })

  test('a page is dark on light, even if the screen is dark, and has no buttons', async () => {
    for (const [name, path] of Object.entries(paths)) {
      const page = await show(path, { media: 'print', colorScheme: 'dark' })
      const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
      expect([name, paper]).toEqual([name, 'rgb(255, 255, 255)'])
      // For the dark scheme, only the contrast is checked.
      expect([name, await axeProblems(page, 'dark')]).toEqual([name, []])
      if (name === 'choice') continue
      const pressed = page.locator('button, .button, input, summary').filter({ visible: true })
      expect([name, await pressed.count()]).toEqual([name, 0])
    }
  })

  test('a receipt shows what was bought, paid and refunded, and an open order shows where to pay', async () => {
    const receipt = await show(paths.receipt, { media: 'print' })
    const shown = await receipt.locator('main').innerText()
    for (const text of [
      ...['Corner Coffee', 'ORDER-7', 'Hand-picked', 'Bitcoin', '−$1.05', 'Total after refunds'],
    ])
      expect(shown).toContain(text)
    expect(shown).toMatch(/Paid on\s+\w+ \d+, \d{4}, \d\d:\d\d (?:[A-Z]{2,5}|GMT[+-][\d:]+)/)
    const order = await show(paths.open, { media: 'print' })
    const amount = await order.locator('#amount').boundingBox()
    const lines = await order.locator('.unfolded').boundingBox()
    expect(amount).not.toBeNull()
    expect(lines!.width).toBeGreaterThan(500)
    expect(await order.locator('.qr svg').isVisible()).toBe(true)
    expect(await order.locator('main').innerText()).toContain('ORDER-7')
    const until = await order.locator('[data-countdown]').evaluate(time => ({
      shown: getComputedStyle(time, '::before').content,
      countdown: getComputedStyle(time).fontSize,
    }))
    expect(until).toEqual({ shown: expect.stringMatching(/^"Pay before \d\d:\d\d UTC"$/), countdown: '0px' })
  })
})

describeInBrowser('with forced colors', () => {
  test('boxes, buttons and the progress of a payment keep their edges', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const media = { forcedColors: 'active', colorScheme } as const
      const page = await show(paths.open, media)
      const ink = await page.evaluate(() => getComputedStyle(document.body).color)
      const edge = (selector: string) =>
        page
          .locator(selector)
          .first()
          .evaluate(element => {
            const { borderTopWidth, borderTopColor } = getComputedStyle(element)
            return `${borderTopWidth} ${borderTopColor}`
          })
      for (const selector of ['.card', '.state.warn', '.button', '.copy'])
        expect([selector, await edge(selector)]).toEqual([selector, expect.stringMatching(/^1px rgb\(/)])
      expect(await edge('.state.warn')).toBe(`1px ${ink}`)
      const bar = await page.locator('.bar').evaluate(element => getComputedStyle(element).backgroundImage)
      expect(bar).toContain('gradient')
      const confirming = await show(paths.confirming, media)
      expect(await confirming.locator('progress').isVisible()).toBe(true)
    }
  })
})

describeInBrowser('motion', () => {
  const moving = (page: Page) => page.evaluate(() => document.getAnimations().length)

  test('is a small pulse, and absent for people who prefer less motion', async () => {
    const page = await show(paths.open, { reducedMotion: 'no-preference' })
    expect(await moving(page)).toBe(1)
    for (const path of Object.values(paths))
      expect(await moving(await show(path, { reducedMotion: 'reduce' }))).toBe(0)
  })
})
