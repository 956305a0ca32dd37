import { afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { english, type Locale, locales } from '../../views/locale.ts'
import { isBrowserMissing } from '../support/chromium.ts'
import { waysOf } from '../support/whole.ts'
import { addAxe, axeProblems } from './axe.ts'
import { type BuyerPage, makePages } from './pages.ts'
import { describeInBrowser, textOf, useSite } from './server.ts'
import { misfits, unfold } from './visit.ts'

setDefaultTimeout(120_000)

const site = useSite()
let pages: BuyerPage[] = []
/** One page for all languages: each new browser would have to read axe again. */
let page: Page

async function product(): Promise<string> {
  const orderTemplate = { amount: '25.00', currency: 'USD', paymentMethodsKeys: ['*'] }
  const description = 'A bag of 250 g, whole bean'
  const answer = await site.demo.call('POST', '/v1/products', {
    key: site.demo.output.liveKey,
    body: { name: 'House Blend', description, allowPriceOverride: true, orderTemplate },
  })
  expect(answer.status).toBe(201)
  return new URL(answer.json.data.checkoutUrl).pathname
}

if (!isBrowserMissing) {
  beforeAll(async () => {
    // The pages of the sandbox are for developers.
    pages = (await makePages(site)).filter(({ name }) => !name.startsWith('sandbox'))
    pages.push({ name: 'product', path: await product(), status: 200, expectedText: /./, linksTo: null })
    const { context } = await site.buyer()
    await addAxe(context)
    page = await context.newPage()
  }, 60_000)
}

const readable = /\s(?:aria-label|data-announce|data-title|alt|placeholder|title)="([^"]*)"/g

/** The texts of a page, including those for screen readers. */
function saidBy(page: string): Set<string> {
  const body = page.replace(/<(script|style|svg|pre)\b[\s\S]*?<\/\1>/g, '')
  const texts = body.replace(/<[^>]*>/g, '\n').split('\n')
  const labels = [...body.matchAll(readable)].map(([, label = '']) => label)
  return new Set([...texts, ...labels].map(text => text.replace(/\s+/g, ' ').trim()))
}

const textsOf = (catalogue: unknown): string[] =>
  typeof catalogue === 'string'
    ? [catalogue]
    : typeof catalogue === 'object' && catalogue !== null
      ? Object.values(catalogue).flatMap(textsOf)
      : []

const descriptions = ['Two bags of house blend', 'A bag of 250 g, whole bean']
/** A word in lower case. Names of shops, providers and coins have no such word. */
const word = /(?<!\S)[a-z’]{3,}(?=[\s.,:!?]|$)/

const readPage = async (path: string, tag: string): Promise<string> => {
  const headers = { accept: 'text/html', 'accept-language': tag, 'accept-encoding': 'identity' }
  return (await site.demo.call('GET', path, { headers })).text
}

const englishPages = new Map<string, Promise<string>>()
const readEnglish = (path: string): Promise<string> => {
  const read = englishPages.get(path) ?? readPage(path, english.tag)
  englishPages.set(path, read)
  return read
}

/** The texts of a page that are in English although the catalogue has a translation. */
async function englishLeft({ path }: BuyerPage, { tag, texts }: Locale): Promise<string[]> {
  const [own, englishPage] = await Promise.all([readPage(path, tag), readEnglish(path)])
  const alike = new Set(textsOf(texts))
  const inEnglish = saidBy(englishPage)
  const source = new Set(textsOf(english.texts))
  return [...saidBy(own)].filter(
    text =>
      inEnglish.has(text) &&
      (word.test(text) || source.has(text)) &&
      !alike.has(text) &&
      !descriptions.includes(text),
  )
}

const others = locales.filter(locale => locale !== english)

/** The parts of the open page that do not fit or are not accessible. */
function problemsOf(page: Page, at: number): Promise<string[]> {
  const widths = waysOf([390, 1280], at)
  return misfits(page, async width => (widths.includes(width) ? axeProblems(page, 'translated') : []))
}

describeInBrowser('every page', () => {
  describe.each(others)('in $name', locale => {
    test('has no English text left', async () => {
      const found: Record<string, string[]> = {}
      for (const page of pages) {
        const left = await englishLeft(page, locale)
        if (left.length > 0) found[page.name] = left
      }
      expect(found).toEqual({})
    })
  })

  // These languages have longer words, no spaces, marks above and below letters, or run from right to left.
  // In halves, because on a busy computer all pages together take longer than one test may.
  test.each(
    others.flatMap(
      ({ tag }) =>
        [
          [tag, 1],
          [tag, 2],
        ] as const,
    ),
  )('fits its width and is accessible in %s, half %d', async (locale, half) => {
    await page.context().setExtraHTTPHeaders({ 'accept-language': locale })
    const found: Record<string, string[]> = {}
    const seen = [...pages.entries()].filter(([at]) => waysOf(others, at).some(({ tag }) => tag === locale))
    expect(seen).not.toEqual([])
    for (const [at, { name, path }] of seen.filter((_, index) => index % 2 === half - 1)) {
      await page.goto(path)
      expect(await page.evaluate(() => document.documentElement.lang)).toBe(locale)
      await unfold(page)
      const problems = await problemsOf(page, at)
      if (problems.length > 0) found[name] = problems
    }
    expect(found).toEqual({})
  })
})

describeInBrowser('the choice of a language', () => {
  afterEach(() => site.closePages())

  test('works without JavaScript and stays for the next page', async () => {
    const { path } = await site.order()
    const { context } = await site.buyer({ javaScriptEnabled: false, locale: 'en' })
    const page = await context.newPage()
    await page.goto(path)
    await page.locator('.languages summary').click()
    await page.getByRole('link', { name: 'Deutsch' }).click()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    await page.getByRole('button', { name: 'Bitcoin', exact: false }).first().click()
    expect(await textOf(page)).toContain('Warten auf Ihre Zahlung')
  })

  test('turns the page around for a language that is written from right to left', async () => {
    const { id, path } = await site.order()
    await site.openCrypto(id)
    const { context } = await site.buyer({ locale: 'ar' })
    const page = await context.newPage()
    await page.goto(path)
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
    const label = (await page.locator('.lines dt').first().boundingBox())!
    const copy = (await page.locator('.copy').first().boundingBox())!
    const amount = (await page.locator('#amount').boundingBox())!
    expect(amount.x).toBeGreaterThan(copy.x)
    expect(label.x + label.width).toBeCloseTo(amount.x + amount.width, -2)
    const direction = (selector: string) =>
      page.locator(selector).evaluate(element => getComputedStyle(element).direction)
    expect([await direction('#address'), await direction('#amount')]).toEqual(['ltr', 'ltr'])
  })

  test('also changes the texts of the script', async () => {
    const { id, path } = await site.order()
    await site.openCrypto(id)
    const { context } = await site.buyer({ locale: 'de', permissions: ['clipboard-write'] })
    const page = await context.newPage()
    await page.goto(path)
    await page.locator('.copy').first().click()
    await page.locator('.copy.done').waitFor()
    expect(await textOf(page, '.copy.done')).toStartWith('Kopiert')
    expect(await textOf(page, '#live')).toBe('Kopiert')
  })
})
