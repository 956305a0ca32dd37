import { beforeAll } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { isBrowserMissing } from '../support/chromium.ts'
import { runCli } from '../support/process.ts'
import type { Site, Watch } from './server.ts'

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
