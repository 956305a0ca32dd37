import { beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { isBrowserMissing } from '../support/chromium.ts'
import { isWhole, waysOf } from '../support/whole.ts'
import { addAxe, axeProblems } from './axe.ts'
import { useDashboard } from './dashboard.ts'
import { describeInBrowser, textOf, useSite } from './server.ts'
import { overhang, unfold } from './visit.ts'

const site = useSite()
const open = useDashboard(site)

beforeAll(async () => {
  if (isBrowserMissing) return
  const { id } = await site.order()
  await site.openCrypto(id)
  await site.simulate(id, 'paid')
  await site.check(id)
  await site.order({}, true)
}, 60_000)

const looks = [
  ['light', 390],
  ['dark', 1280],
] as const

/** The problems of the width at both sizes; with FLORIN_TEST_WHOLE, also of accessibility at this one. */
async function faultsOf(page: Page, width: number, colorScheme: 'light' | 'dark'): Promise<string[]> {
  const faults: string[] = []
  for (const each of [width === 390 ? 1280 : 390, width]) {
    await page.setViewportSize({ width: each, height: 844 })
    const over = await overhang(page)
    if (over !== 0) faults.push(`${each}: ${over} pixels too wide`)
  }
  // The walk through the dashboard checks the accessibility of these pages too.
  return isWhole ? [...faults, ...(await axeProblems(page, colorScheme))] : faults
}

describeInBrowser('the pages for developers and notices', () => {
  test.each(looks)('fit and are accessible: %s, %p pixels wide', async (colorScheme, width) => {
    const { page, watch } = await open('/dashboard/deliveries', {
      colorScheme,
      viewport: { width, height: 844 },
    })
    if (isWhole) await addAxe(page.context())
    await page.goto('/dashboard/deliveries')
    const one = await page.locator('td a[href^="/dashboard/deliveries/"]').first().getAttribute('href')
    const paths = ['developers', 'webhook', 'webhooks', 'deliveries', 'test-orders', 'audit', 'notices'].map(
      name => `/dashboard/${name}`,
    )
    for (const [at, path] of [...paths, one!].entries()) {
      if (!waysOf(looks, at).some(([scheme]) => scheme === colorScheme)) continue
      await page.goto(path)
      await unfold(page)
      expect([path, await faultsOf(page, width, colorScheme)]).toEqual([path, []])
    }
    expect([watch.problems, watch.foreignRequests]).toEqual([[], []])
  })

  test('create a key without JavaScript, with the keyboard alone', async () => {
    const { page } = await open('/dashboard', { javaScriptEnabled: false })
    await page.goto('/dashboard/developers')
    await page.locator('#label').focus()
    await page.keyboard.type('Keyboard')
    await page.keyboard.press('Enter')
    expect(await textOf(page, '#new-key')).toMatch(/florin_live_[0-9A-Za-z]{48}/)
    expect(await textOf(page, 'table')).toContain('Keyboard')
  })
})
