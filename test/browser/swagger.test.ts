import { beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { isBrowserMissing } from '../support/chromium.ts'
import { waysOf } from '../support/whole.ts'
import { axeProblems, axeSource } from './axe.ts'
import { describeInBrowser, useSite, type Watch } from './server.ts'

const site = useSite()
/** All tests share one page: it is the heaviest, and takes over a second to open. */
let page: Page
let watch: Watch

async function open(): Promise<void> {
  const buyer = await site.buyer()
  const { context } = buyer
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', event => {
      // biome-ignore lint/suspicious/noConsole: the test reads the browser's console
      console.error(`CSP ${event.violatedDirective} ${event.blockedURI}`)
    })
  })
  watch = buyer.watch
  page = await context.newPage()
  // On a busy machine, Swagger needs longer than 20 seconds for the whole API.
  page.setDefaultTimeout(50_000)
  await page.goto('/swagger')
  await page.locator('.opblock').first().waitFor()
}

if (!isBrowserMissing) beforeAll(open, 60_000)

/** Opens an operation, and returns it. */
async function openOperation() {
  const operation = page.locator('#operations-Merchant-readWallet')
  if ((await operation.locator('.opblock-body').count()) === 0)
    await operation.locator('.opblock-summary').click()
  return operation
}

describeInBrowser('the page of the API’s document', () => {
  test('shows every operation using only its own files, under a policy without inline code', async () => {
    const { paths, webhooks } = (await site.demo.call('GET', '/swagger/json')).json
    const count = Object.values(paths).flatMap(operations => Object.keys(operations as object)).length
    // Webhooks are shown like operations.
    expect(await page.locator('.opblock').count()).toBe(count + Object.keys(webhooks).length)
    expect([watch.problems, watch.foreignRequests]).toEqual([[], []])
    const { headers } = await site.demo.call('GET', '/swagger', { headers: { accept: 'text/html' } })
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
    expect(policy).not.toContain('unsafe')
  })

  test.each(waysOf(['light', 'dark'] as const, 0))('has no accessibility problems: %s', async scheme => {
    await page.emulateMedia({ colorScheme: scheme })
    await openOperation()
    await page.evaluate(axeSource())
    expect(await axeProblems(page, scheme)).toEqual([])
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const [red] = background.match(/\d+/g) ?? []
    expect(Number(red) < 128).toBe(scheme === 'dark')
  })

  test('an operation can be opened, its schemas viewed, and called with a key', async () => {
    await page.locator('.btn.authorize').first().click()
    const byKey = page.locator('.auth-container', { hasText: 'X-API-Key' })
    await byKey.locator('input').fill(site.demo.output.liveKey)
    await byKey.locator('.auth-btn-wrapper .authorize').click()
    await byKey.locator('.auth-btn-wrapper .btn-done').click()
    const wallet = await openOperation()
    await wallet
      .getByRole('tab', { name: 'Schema' })
      .or(wallet.getByText('Schema', { exact: true }))
      .first()
      .click()
    await wallet.locator('.try-out__btn').click()
    await wallet.locator('.btn.execute').click()
    const answer = wallet.locator('.live-responses-table .response').first()
    await answer.waitFor()
    expect(await answer.innerText()).toContain('"success": true')
    expect([watch.problems, watch.foreignRequests]).toEqual([[], []])
  })
})
