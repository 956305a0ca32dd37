import { afterEach, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { runCli } from '../support/process.ts'
import { describeInBrowser, textOf, titled, useSite } from './server.ts'

const site = useSite()
afterEach(() => site.closePages())

async function open(path: string, options: object = {}): Promise<Page> {
  const { context } = await site.buyer(options)
  await context.clock.install()
  const page = await context.newPage()
  await page.goto(path)
  return page
}

async function product(): Promise<string> {
  const body = {
    name: 'House blend',
    allowPriceOverride: false,
    orderTemplate: { amount: '25.00', currency: 'USD', paymentMethodsKeys: ['*'] },
  }
  const answer = await site.demo.call('POST', '/v1/products', { key: site.demo.output.liveKey, body })
  return new URL(answer.json.data.checkoutUrl).pathname
}

const newTab = async (page: Page, name: RegExp): Promise<Page> => {
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name }).click(),
  ])
  await tab.waitForLoadState()
  return tab
}

describeInBrowser('a buyer of a product who pays by card', () => {
  test('keeps the page of the order, which then shows that it is paid and links back to the shop', async () => {
    const page = await open(await product())
    await page.getByLabel('Email').fill('buyer@example.com')
    await page.getByLabel(/MoonPay/).check()
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await page.waitForURL('**/pay/*')
    const tab = await newTab(page, /Continue to MoonPay/)
    await tab.getByRole('button', { name: 'Pay', exact: true }).click()
    await tab.getByText('answered with status 200').waitFor()
    await site.soonTurnsTo(titled(page, 'Paid'))
    expect(await textOf(page)).toMatch(/MoonPay/)
  })

  test('without JavaScript, sees the payment on the page that was left open', async () => {
    const page = await open(await product(), { javaScriptEnabled: false })
    await page.getByLabel('Email').fill('buyer@example.com')
    await page.getByLabel(/MoonPay/).check()
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    const tab = await newTab(page, /Continue to MoonPay/)
    const refresh = await page.locator('meta[http-equiv=refresh]').getAttribute('content')
    expect(Number.parseInt(refresh ?? '', 10)).toBeWithin(5, 31)
    await tab.getByRole('button', { name: 'Pay', exact: true }).click()
    await titled(page, 'Paid').waitFor({ timeout: 35_000 })
  })
})

describeInBrowser('a buyer whose card is declined', () => {
  test.each([true, false])(
    'reads that it was declined, above the other methods (JavaScript: %s)',
    async javaScriptEnabled => {
      const { path } = await site.order()
      const page = await open(path, { javaScriptEnabled })
      const tab = await newTab(page, /^Card through MoonPay/)
      await tab.getByRole('button', { name: 'Decline' }).click()
      await tab.waitForLoadState()
      if (javaScriptEnabled) await site.soonTurnsTo(titled(page, /MoonPay.* declined the payment/))
      else await page.reload()
      expect(await textOf(page)).toMatch(
        /MoonPay\S* declined the payment.*didn’t go through.*another method/i,
      )
      if (javaScriptEnabled) {
        expect(await page.locator('#live').textContent()).toMatch(/MoonPay\S* declined the payment/)
      }
      // The next try of the buyer is made with another provider.
      expect(
        await page
          .getByRole('link', { name: /^Card through / })
          .first()
          .innerText(),
      ).not.toContain('MoonPay')
    },
  )
})

describeInBrowser('a buyer who pays with a coin', () => {
  test.each([true, false])(
    'sees the coin’s network in the title and in a warning (JavaScript: %s)',
    async js => {
      const { id, path } = await site.order()
      await site.openCrypto(id, 'polygon/usdc')
      const page = await open(path, { javaScriptEnabled: js })
      const title = titled(page, 'Pay 25 USDC on Polygon')
      expect((await title.boundingBox())!.height).toBeGreaterThan(15)
      const warning = page.locator('.network')
      expect(await warning.innerText()).toMatch(/only USDC on the Polygon network/)
      const colours = await warning.evaluate(box => [
        getComputedStyle(box).backgroundColor,
        getComputedStyle(box.parentElement!).backgroundColor,
      ])
      expect(colours[0]).not.toBe(colours[1])
    },
  )

  test('reads on an expired order what arrived, and whom to ask', async () => {
    const { id, path } = await site.order({ expiresAt: new Date(Date.now() + 1200_000).toISOString() })
    await site.openCrypto(id, 'ltc')
    await site.simulate(id, 'underpaid')
    await site.check(id)
    await site.advance(9 * 24 * 3600)
    await site.check(id)
    const page = await open(path)
    expect(await titled(page, /expired/).isVisible()).toBe(true)
    const said = await textOf(page)
    for (const part of ['Received $12.50 of $25.00', '0.15625 LTC']) expect(said).toContain(part)
    expect(said).toMatch(/Contact Corner Coffee.*refund/)
    expect(said).not.toMatch(/order again\./)
  })
})

const WIDTHS = [320, 390, 1280]

describeInBrowser('a page', () => {
  test('fits a phone although the name of the merchant is one long word', async () => {
    const merchant = ['merchant', 'set', site.demo.output.merchantId, '--name']
    const settings = { FLORIN_DATA_DIR: site.demo.dataDir }
    await runCli([...merchant, 'x'.repeat(128)], settings)
    try {
      const { path } = await site.order()
      for (const where of [path, await product()]) {
        const page = await open(where)
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 844 })
          expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThan(1)
        }
      }
    } finally {
      await runCli([...merchant, 'Corner Coffee'], settings)
    }
  })

  test('grows with the reader’s font size, with all parts in proportion', async () => {
    const { id, path } = await site.order()
    await site.openCrypto(id, 'btc')
    const page = await open(path)
    await page.setViewportSize({ width: 390, height: 844 })
    const sizes = () =>
      page.evaluate(() =>
        ['body', '#address', '#amount', '.lines dt', '.button', '.reference', 'h1', 'h2'].map(selector =>
          Number.parseFloat(getComputedStyle(document.querySelector(selector)!).fontSize),
        ),
      )
    const before = await sizes()
    await page.addStyleTag({ content: ':root { font-size: 200% }' }).catch(() => {})
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
    })
    const after = await sizes()
    expect(after.map((size, at) => size / before[at]!)).toEqual(after.map(() => 2))
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThan(1)
    const amount = await page.locator('#amount').evaluate(element => {
      const { height } = element.getBoundingClientRect()
      return height / Number.parseFloat(getComputedStyle(element).fontSize)
    })
    expect(amount).toBeLessThan(2)
  })

  test('of a product with an open price fits a phone with 200 % zoom', async () => {
    const body = {
      name: 'Tip',
      allowPriceOverride: true,
      orderTemplate: { amount: '5.00', currency: 'USD', paymentMethodsKeys: ['*'] },
    }
    const answer = await site.demo.call('POST', '/v1/products', { key: site.demo.output.liveKey, body })
    const page = await open(new URL(answer.json.data.checkoutUrl).pathname)
    await page.setViewportSize({ width: 195, height: 422 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThan(1)
  })

  test('shows an amount of 19 digits on one line', async () => {
    const { path } = await site.order({ amount: '9999999999999999.99', paymentMethodsKeys: ['*'] })
    const page = await open(path)
    await page.setViewportSize({ width: 390, height: 844 })
    const lines = await page.locator('h1.amount').evaluate(heading => {
      const range = document.createRange()
      range.selectNodeContents(heading)
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
    })
    expect(lines).toBe(1)
  })

  test('has fields and focus rings with a contrast of 3:1', async () => {
    const page = await open(await product())
    const ratios = () =>
      page.evaluate(() => {
        const colour = (name: string) => {
          const probe = document.createElement('i')
          probe.style.color = `var(${name})`
          document.body.append(probe)
          const [r, g, b] = getComputedStyle(probe)
            .color.match(/[\d.]+/g)!
            .map(Number)
            .map(one => one / 255)
            .map(one => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
          probe.remove()
          return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
        }
        const contrast = (a: string, b: string) => {
          const [dark, light] = [colour(a), colour(b)].sort((x, y) => x - y)
          return (light! + 0.05) / (dark! + 0.05)
        }
        return ['--card', '--paper'].flatMap(back => [contrast('--edge', back), contrast('--ring', back)])
      })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(Math.min(...(await ratios()))).toBeGreaterThanOrEqual(3)
    }
    const border = await page.getByLabel('Email').evaluate(field => getComputedStyle(field).borderColor)
    const card = await page.locator('.card').evaluate(box => getComputedStyle(box).borderColor)
    expect(border).not.toBe(card)
  })

  test('has links of at least 24 pixels to press', async () => {
    const { id, path } = await site.order()
    await site.openCrypto(id, 'btc')
    const page = await open(path)
    for (const name of [/Pay another way/, /Show the address only/]) {
      const box = await page.getByRole('link', { name }).boundingBox()
      expect([name.source, box!.height >= 40]).toEqual([name.source, true])
    }
  })
})

describeInBrowser('a buyer who chooses a coin whose network cannot be reached', () => {
  const outage = (down: boolean) =>
    site.demo.call('POST', '/sandbox/outage', { body: { upstream: 'chain', down } })

  test.each([true, false])('is redirected to the choice (JavaScript: %s)', async javaScriptEnabled => {
    const { path } = await site.order()
    const page = await open(path, { javaScriptEnabled })
    const notice = page.getByText('We can’t reach Dogecoin right now. Choose another way to pay')
    await outage(true)
    try {
      await page.getByRole('button', { name: /Dogecoin/ }).click()
      await notice.waitFor()
      await page.reload()
      await notice.waitFor()
      expect(new URL(page.url()).pathname).toBe(path)
    } finally {
      await outage(false)
    }
    await page.getByRole('button', { name: /Litecoin/ }).click()
    expect(await page.locator('.qr').isVisible()).toBe(true)
  })
})
