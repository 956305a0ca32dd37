import { beforeAll, expect, test } from 'bun:test'
import { isBrowserMissing } from '../support/chromium.ts'
import { pngOf } from '../support/make-png.ts'
import { isWhole } from '../support/whole.ts'
import { looks, problemsOfAll, useDashboard } from './dashboard.ts'
import { describeInBrowser, textOf, useSite } from './server.ts'

const site = useSite()
const open = useDashboard(site)
/** The pages that the walk through the dashboard opens with as many rows. */
const walked = /^(?:inbox|product|new product|settings)$/
/** The paths of pages that have something to show. */
const paths: Record<string, string> = {}

beforeAll(async () => {
  if (isBrowserMissing) return
  const short = await site.order({ externalId: `SHORT-${'1'.repeat(50)}` })
  await site.openCrypto(short.id, 'polygon/usdc')
  await site.simulate(short.id, 'underpaid')
  await site.check(short.id)
  await site.advance(3 * 3600)
  await site.check(short.id)
  const key = site.demo.output.liveKey
  const { items } = (await site.demo.call('GET', '/v1/products', { key })).json.data
  Object.assign(paths, {
    inbox: '/dashboard/unmatched',
    'all payments': '/dashboard/unmatched?status=all',
    products: '/dashboard/products?state=all',
    product: `/dashboard/products/${items[0].productUUID}`,
    'new product': '/dashboard/products/new',
    settings: '/dashboard/settings',
  })
}, 60_000)

describeInBrowser('the pages of products, unmatched payments and settings', () => {
  test.each(looks)('have no accessibility problems, and fit: %s, %s', async (colorScheme, language) => {
    const { page, watch } = await open('/dashboard', { colorScheme })
    const shown = Object.entries(paths).filter(([name]) => isWhole || !walked.test(name))
    expect(
      await problemsOfAll(page, shown, [colorScheme, language], isWhole ? colorScheme : 'light'),
    ).toEqual([])
    expect([watch.problems, watch.foreignRequests]).toEqual([[], []])
  })

  test('crop an image in the browser to the size that the server accepts', async () => {
    const { page } = await open('/dashboard/products/new')
    await page.getByLabel('Name', { exact: true }).fill('Wide mug')
    await page.getByLabel('Price', { exact: true }).fill('9,50')
    const file = { name: 'wide.png', mimeType: 'image/png', buffer: pngOf(1200, 900) }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByText('The middle of the image is used').waitFor()
    await page.getByRole('button', { name: 'Create the product' }).click()
    await page.getByText('The product is created.').waitFor()
    const size = await page
      .getByRole('img', { name: 'Wide mug' })
      .evaluate(async (image: HTMLImageElement) => {
        await image.decode()
        return [image.naturalWidth, image.naturalHeight]
      })
    expect(size).toEqual([800, 800])
  })

  test('work without JavaScript: a product, its archive, a note on a payment, the logo', async () => {
    const { page } = await open('/dashboard/products/new', { javaScriptEnabled: false })
    const upload = (width: number) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: pngOf(width, width) })
    await page.getByLabel('Name', { exact: true }).fill('Plain mug')
    await page.getByLabel('Price', { exact: true }).fill('9.50')
    await upload(640)
    await page.getByRole('button', { name: 'Create the product' }).click()
    expect(await textOf(page)).toContain('exactly 800 × 800 pixels')
    await upload(800)
    await page.getByRole('button', { name: 'Create the product' }).click()
    expect(await textOf(page)).toContain('The product is created.')
    expect(await page.getByRole('img', { name: 'QR code of the link' }).isVisible()).toBe(true)
    await page.goto('/dashboard/products?q=plain')
    await page.getByLabel('Choose Plain mug').check()
    await page.getByRole('button', { name: 'Archive selected' }).click()
    expect(await textOf(page)).toContain('Customers can no longer order it')
    await page.goto('/dashboard/unmatched')
    const short = page.locator('li.card', { hasText: 'SHORT-1' })
    await short.locator('summary', { hasText: 'Mark as resolved' }).click()
    await short.getByLabel('Note').fill('Sent back by hand.')
    await short.getByRole('button', { name: 'Mark as resolved' }).click()
    expect(await textOf(page)).toContain('The payment is resolved.')
    await page.goto('/dashboard/unmatched?status=resolved')
    expect(await textOf(page)).toContain('Sent back by hand.')
    await page.goto('/dashboard/settings')
    await upload(64)
    // This person signed in three hours ago, so the form asks for the password.
    await page.getByLabel('Your password').fill(site.demo.output.password)
    await page.getByRole('button', { name: 'Save' }).click()
    expect(await textOf(page)).toContain('Saved.')
    expect(await page.locator('.look image').count()).toBe(1)
  })
})
