import { afterEach, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { waysOf } from '../support/whole.ts'
import { axeSource } from './axe.ts'
import { describeInBrowser, textOf, titled, useSite } from './server.ts'
import { faultsIn } from './visit.ts'

const site = useSite()
afterEach(() => site.closePages())

async function product(change: object = {}): Promise<string> {
  const answer = await site.demo.call('POST', '/v1/products', {
    key: site.demo.output.liveKey,
    body: {
      name: 'House blend',
      description: 'A bag of 250 g, whole bean',
      allowPriceOverride: false,
      orderTemplate: { amount: '25.00', currency: 'USD', paymentMethodsKeys: ['*'] },
      ...change,
    },
  })
  expect(answer.status).toBe(201)
  return new URL(answer.json.data.checkoutUrl).pathname
}

async function open(path: string, options: object = {}): Promise<Page> {
  const { context } = await site.buyer(options)
  const page = await context.newPage()
  await page.goto(path)
  return page
}

/** The different places where lines of some texts begin: the left or, in Arabic, the right. */
const startsOf = (page: Page, selector: string): Promise<number[]> =>
  page.locator(selector).evaluateAll(elements => {
    const edge = document.documentElement.dir === 'rtl' ? 'right' : 'left'
    const starts = elements.flatMap(element => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return [...range.getClientRects()].filter(({ width }) => width > 1).map(rect => Math.round(rect[edge]))
    })
    return [...new Set(starts)]
  })

/** Sends the form, and waits for the page that follows. */
async function press(page: Page): Promise<void> {
  const following = page.waitForEvent('domcontentloaded')
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await following
}

describeInBrowser('a buyer of a product', () => {
  test.each([true, false])('gets to a crypto payment (JavaScript: %s)', async javaScriptEnabled => {
    const page = await open(await product(), { javaScriptEnabled })
    expect(await textOf(page)).toMatch(/Corner Coffee House blend \$25\.00 A bag of 250 g, whole bean/)
    await page.getByLabel('Email').fill('buyer@example.com')
    await page.getByLabel(/Crypto/).check()
    await press(page)
    expect(await titled(page, 'Crypto').isVisible()).toBe(true)
    expect(await textOf(page)).toContain('House blend')
  })

  test.each(['en', 'ar'])(
    'reads names and lines of both directions aligned to one edge (%s)',
    async locale => {
      const name = 'قهوة عربية ممتازة'
      const description = 'مرحبا بالعالم\nRoasted on Mondays'
      const page = await open(await product({ name, description }), { locale })
      expect(await startsOf(page, '.product .what, .product h1 bdi')).toHaveLength(1)
      expect(await page.locator('.product .what').innerText()).toBe(description)
      await page.locator('#email').fill('buyer@example.com')
      await page.locator('input[value=crypto]').check()
      await page.locator('form .button').click()
      await page.locator('.unfolded .item').waitFor()
      expect(await startsOf(page, '.unfolded .item :is(.what, .hint)')).toHaveLength(1)
      expect(await page.locator('.unfolded .item .hint').innerText()).toBe(description)
    },
  )

  test.each([
    ['en', 'قهوة عربية ممتازة'],
    ['ar', 'House blend'],
  ])('reads the purchase below its heading on the receipt (%s)', async (locale, description) => {
    const { id, path } = await site.order({ description })
    await site.openCrypto(id)
    await site.simulate(id, 'paid')
    await site.check(id)
    const page = await open(`${path}/receipt`, { locale })
    expect(await startsOf(page, '.bought tr > :first-child')).toHaveLength(1)
  })

  test('gets to the page of the order, which redirects to the chosen card method', async () => {
    const page = await open(await product())
    await page.getByLabel('Email').fill('buyer@example.com')
    await page.getByLabel('Name').fill('Sam Buyer')
    await page.getByLabel(/MoonPay/).check()
    await press(page)
    expect(new URL(page.url()).pathname).toMatch(/^\/pay\//)
    const next = page.getByRole('link', { name: /Continue to MoonPay/ })
    const [tab] = await Promise.all([page.context().waitForEvent('page'), next.click()])
    await tab.waitForLoadState()
    expect(await textOf(tab)).toMatch(/MoonPay.*25/)
    expect(new URL(tab.url()).pathname).toContain('/sandbox/gateway/')
  })

  test('enters their own price and sees the error beside the field', async () => {
    const page = await open(await product({ allowPriceOverride: true }), { javaScriptEnabled: false })
    await page.getByLabel('Email').fill('buyer@example.com')
    await page.getByLabel('Amount').fill('7,500')
    await page.getByLabel('Currency').selectOption('EUR')
    await page.getByLabel(/Crypto/).check()
    await press(page)
    const amount = page.getByLabel('Amount')
    expect(await amount.getAttribute('aria-invalid')).toBe('true')
    expect(await textOf(page, '#amount-error')).toMatch(/Enter an amount/)
    expect(await page.getByLabel('Email').inputValue()).toBe('buyer@example.com')
    expect(await page.getByLabel(/Crypto/).isChecked()).toBe(true)
    await amount.fill('7.5')
    await press(page)
    expect(await textOf(page)).toContain('€7.50')
  })
})

const schemes = ['light', 'dark'] as const
const WIDTHS = [1280, 320, 390]
const looks = schemes.flatMap(colorScheme => WIDTHS.map(width => [colorScheme, width] as const))

/** The problems of a page at every width, and in every colour scheme or in the one whose turn it is. */
async function problemsOf(page: Page, at: number): Promise<string[]> {
  await page.evaluate(axeSource())
  return faultsIn(page, waysOf(looks, at))
}

describeInBrowser('a product’s page has no accessibility problems and fits its screen', () => {
  test('with a long name', async () => {
    const page = await open(await product({ name: 'x'.repeat(120) }), { reducedMotion: 'reduce' })
    expect(await problemsOf(page, 2)).toEqual([])
  })

  test('with errors beside its fields', async () => {
    const page = await open(await product({ allowPriceOverride: true }), { reducedMotion: 'reduce' })
    await page.evaluate(() => document.querySelector('form')?.setAttribute('novalidate', ''))
    await press(page)
    expect(await page.locator('.field-error').count()).toBe(2)
    expect(await problemsOf(page, 3)).toEqual([])
  })
})
