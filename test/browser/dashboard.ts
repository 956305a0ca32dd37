import { beforeAll } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { isBrowserMissing } from '../support/chromium.ts'
import { runCli } from '../support/process.ts'
import { waysOf } from '../support/whole.ts'
import { addAxe, axeProblems } from './axe.ts'
import type { Site, Watch } from './server.ts'
import { overhang, unfold } from './visit.ts'

/** Signs in by the link that the demo prints, which is valid for three days. */
async function byFirstLink(site: Site, page: Page): Promise<void> {
  await page.goto(site.demo.output.dashboardUrl)
  await page.locator('form button').first().click()
  await page.locator('nav.menu').waitFor({ state: 'attached' })
}

/** Signs in as a new owner of the shop. */
export async function asOwner({ demo }: Site, page: Page): Promise<void> {
  const owner = ['--email', 'owner@shop.example', '--merchant', demo.output.merchantId, '--role', 'owner']
  const { stdout } = await runCli(['user', 'create', ...owner, '--json'], { FLORIN_DATA_DIR: demo.dataDir })
  await page.goto(new URL(JSON.parse(stdout).link).pathname)
  await page.getByLabel('Password').fill('correct horse battery')
  await page.locator('main form button').click()
  await page.waitForURL('/dashboard')
}

/** Signs in once for a file. The function that it returns opens a page in a new browser that is signed in. */
export function useDashboard(site: Site, signIn = byFirstLink) {
  let storageState: NonNullable<BrowserContextOptions['storageState']>
  beforeAll(async () => {
    if (isBrowserMissing) return
    const { context } = await site.buyer()
    await signIn(site, await context.newPage())
    storageState = await context.storageState()
    await context.close()
  }, 60_000)
  return async (path: string, options: BrowserContextOptions = {}): Promise<{ page: Page; watch: Watch }> => {
    const { context, watch } = await site.buyer({ storageState, ...options })
    const page = await context.newPage()
    await page.goto(path)
    return { page, watch }
  }
}

const WIDTHS = [390, 1280]

type Scheme = 'light' | 'dark'

/** With FLORIN_TEST_WHOLE, each page is checked in both looks, otherwise in one of them. */
export const looks: [colorScheme: Scheme, language: string][] = [
  ['light', 'en'],
  ['dark', 'de'],
]

/**
 * The problems of the present page, on a phone and on a wide screen, with the contrasts of a color scheme.
 */
export async function problemsOf(page: Page, name: string, at: number, scheme: Scheme): Promise<string[]> {
  const problems: string[] = []
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 })
    const over = await overhang(page)
    if (over > 0) problems.push(`${name} at ${width}: ${over} pixels too wide`)
    if (!waysOf(WIDTHS, at).includes(width)) continue
    for (const one of await axeProblems(page, scheme)) problems.push(`${name} at ${width}: ${one}`)
  }
  return problems
}

/** The problems of pages in one of both looks, with everything unfolded. */
export async function problemsOfAll(
  page: Page,
  paths: [name: string, path: string][],
  [colorScheme, language]: (typeof looks)[number],
  contrast = colorScheme,
): Promise<string[]> {
  await addAxe(page.context())
  const problems: string[] = []
  for (const [at, [name, path]] of paths.entries()) {
    if (!waysOf(looks, at).some(([scheme]) => scheme === colorScheme)) continue
    await page.goto(`${path}${path.includes('?') ? '&' : '?'}lang=${language}`)
    await unfold(page)
    problems.push(...(await problemsOf(page, name, at >> 1, contrast)))
  }
  return problems
}
