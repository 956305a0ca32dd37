import { beforeAll, expect, test } from 'bun:test'
import { isBrowserMissing } from '../support/chromium.ts'
import { isWhole, waysOf } from '../support/whole.ts'
import { axeProblems, axeSource } from './axe.ts'
import { useDashboard } from './dashboard.ts'
import { describeInBrowser, textOf, useSite } from './server.ts'
import { overhang } from './visit.ts'

const site = useSite()
const open = useDashboard(site)

beforeAll(async () => {
  if (isBrowserMissing) return
  for (const amount of ['120.00', '35.50']) {
    const { id } = await site.order({ amount })
    await site.openCrypto(id)
    await site.simulate(id, 'paid')
    await site.check(id)
  }
}, 60_000)

const looks = [
  ['light', 390],
  ['dark', 390],
  ['light', 1280],
  ['dark', 1280],
] as const

describeInBrowser('the reports of the dashboard', () => {
  // If there is only one look, it is the one that the walk through the dashboard leaves out.
  test.each(waysOf(looks, 0))('fit and are accessible: %s, %p pixels wide', async (colorScheme, width) => {
    const viewport = { width, height: 844 }
    const { page, watch } = await open('/dashboard/reports', { colorScheme, viewport })
    for (const each of isWhole ? [width] : [1280, width]) {
      await page.setViewportSize({ width: each, height: 844 })
      expect([each, await overhang(page)]).toEqual([each, 0])
      const bar = await page.locator('.chart rect.up').last().boundingBox()
      expect(bar?.height).toBeGreaterThan(50)
    }
    const labels = await page.locator('.axis li').allInnerTexts()
    expect(labels.length).toBeGreaterThan(1)
    await page.evaluate(axeSource())
    expect(await axeProblems(page, colorScheme)).toEqual([])
    expect([watch.problems, watch.foreignRequests]).toEqual([[], []])
  })

  test('change their period, rows and days without JavaScript, and can be downloaded', async () => {
    const { page } = await open('/dashboard/reports', { javaScriptEnabled: false })
    await page.getByRole('link', { name: 'This year' }).click()
    expect(await textOf(page, '.chips a[aria-current] >> nth=0')).toBe('This year')
    await page.getByRole('link', { name: 'By week' }).click()
    expect(new URL(page.url()).search).toBe('?period=year&by=week')
    const [today] = new Date(await page.evaluate(() => Date.now())).toISOString().split('T')
    await page.locator('#from').fill('2026-01-01')
    await page.locator('form.days button').click()
    expect(new URL(page.url()).searchParams.get('from')).toBe('2026-01-01')
    expect((await page.locator('#to').inputValue()) >= String(today)).toBe(true)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'The same for programs (CSV)' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^accounts-2026-01-01-.*\.csv$/)
    expect(await Bun.file(await download.path()).text()).toMatch(/\r\npayment,/)
  })

  test('can be printed with bars and figures', async () => {
    const { page } = await open('/dashboard/reports')
    await page.emulateMedia({ media: 'print' })
    expect((await page.locator('.chart rect.up').last().boundingBox())?.height).toBeGreaterThan(50)
    expect(await page.locator('#periods').isVisible()).toBe(true)
  })
})
