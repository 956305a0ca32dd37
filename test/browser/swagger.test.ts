import { expect, test } from 'bun:test'
import { waysOf } from '../support/whole.ts'
import { axeProblems, axeSource } from './axe.ts'
import { describeInBrowser, useSite } from './server.ts'

const site = useSite()

async function open(colorScheme: 'light' | 'dark' = 'light') {
  const { context, watch } = await site.buyer({ colorScheme })
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', event => {
      // biome-ignore lint/suspicious/noConsole: the test reads the browser's console
      console.error(`CSP ${event.violatedDirective} ${event.blockedURI}`)
    })
  })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  await page.goto('/swagger')
  await page.locator('.opblock').first().waitFor()
  return { page, watch }
}

describeInBrowser('the page of the API’s document', () => {
  test('shows every operation using only its own files, under a policy without inline code', async () => {
    const { page, watch } = await open()
    const { paths } = (await site.demo.call('GET', '/swagger/json')).json
    const count = Object.values(paths).flatMap(operations => Object.keys(operations as object)).length
    // Webhooks are shown like operations.
    expect(await page.locator('.opblock').count()).toBe(count + 6)
    expect([watch.problems, watch.foreignRequests]).toEqual([[], []])
    const { headers } = await site.demo.call('GET', '/swagger', { headers: { accept: 'text/html' } })
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
    expect(policy).not.toContain('unsafe')
  })

  test('an operation can be opened, its schemas viewed, and called with a key', async () => {
    const { page, watch } = await open()
    await page.locator('.btn.authorize').first().click()
    const byKey = page.locator('.auth-container', { hasText: 'X-API-Key' })
    await byKey.locator('input').fill(site.demo.output.liveKey)
    await byKey.locator('.auth-btn-wrapper .authorize').click()
    await byKey.locator('.auth-btn-wrapper .btn-done').click()
    const wallet = page.locator('#operations-Merchant-readWallet')
    await wallet.locator('.opblock-summary').click()
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

  test.each(waysOf(['light', 'dark'] as const, 0))(
    'has no accessibility problem that axe finds: %s',
    async scheme => {
      const { page } = await open(scheme)
      await page.locator('#operations-Merchant-readWallet .opblock-summary').click()
      await page.evaluate(axeSource())
      expect(await axeProblems(page, scheme)).toEqual([])
      const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
      const [red] = background.match(/\d+/g) ?? []
      expect(Number(red) < 128).toBe(scheme === 'dark')
    },
  )
})
