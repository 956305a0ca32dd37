import { afterEach, expect, test } from 'bun:test'
import { waysOf } from '../support/whole.ts'
import { describeInBrowser, useSite } from './server.ts'

/** The most that a page may shift while it loads, in Lighthouse's unit. */
const SHIFT_MAX = 0.01
const SCRIPT_LATE_MS = 400

const site = useSite()
afterEach(() => site.closePages())

interface Shift {
  value: number
  sources: { node: Element | null }[]
}

/** The layout shift of a page on a phone that loads the script late, and the elements that moved. */
async function shiftsOf(path: string, locale: string): Promise<{ sum: number; moved: string[] }> {
  const viewport = { width: 390, height: 844 }
  const { context } = await site.buyer({ locale, viewport, isMobile: true, hasTouch: true })
  const page = await context.newPage()
  await page.route('**/assets/*.js', async route => {
    await Bun.sleep(SCRIPT_LATE_MS)
    await route.continue()
  })
  await page.addInitScript(() => {
    const seen = { sum: 0, moved: [] as string[] }
    Object.assign(globalThis, { seen })
    new PerformanceObserver(list => {
      for (const { value, sources } of list.getEntries() as unknown as Shift[]) {
        seen.sum += value
        seen.moved.push(...sources.map(({ node }) => node?.outerHTML?.slice(0, 60) ?? ''))
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto(path)
  const script = page.locator('[data-countdown].running, .filter:not([hidden]), [data-print]:not([hidden])')
  if ((await page.locator('[data-countdown], .filter, [data-print]').count()) > 0)
    await script.first().waitFor()
  await Bun.sleep(300)
  return page.evaluate(() => (globalThis as unknown as { seen: { sum: number; moved: string[] } }).seen)
}

async function orderThatIs(outcome: 'underpaid' | 'paid'): Promise<string> {
  const { id, path } = await site.order()
  await site.openCrypto(id)
  await site.simulate(id, outcome)
  await site.check(id)
  return path
}

/** Functions that make a page and return its path, by the name of the page. */
const pages = {
  choice: async () => (await site.order()).path,
  open: async () => {
    const { id, path } = await site.order()
    await site.openCrypto(id, 'polygon/usdc')
    return path
  },
  underpaid: () => orderThatIs('underpaid'),
  receipt: async () => `${await orderThatIs('paid')}/receipt`,
}

describeInBrowser('while the script is loading', () => {
  test.each(Object.entries(pages).map(([name, make], at) => [name, make, at] as const))(
    'a page does not shift while it loads: %s',
    async (_, make, at) => {
      for (const locale of waysOf(['en', 'de', 'ru', 'ar'], at)) {
        const { sum, moved } = await shiftsOf(await make(), locale)
        expect([locale, sum <= SHIFT_MAX ? [] : moved]).toEqual([locale, []])
      }
    },
  )

  test('a page without JavaScript shows until when to pay, and has no dead buttons', async () => {
    const { id, path } = await site.order()
    await site.openCrypto(id)
    const page = await (await site.buyer({ javaScriptEnabled: false })).context.newPage()
    await page.goto(path)
    expect(await page.getByText(/Pay before \d\d:\d\d UTC \(in \d\d minutes\)/).isVisible()).toBe(true)
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0)
  })
})
