import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import type { Answer } from '../support/app.ts'
import { axeProblems } from './axe.ts'
import type { BuyerPage } from './pages.ts'
import type { Site, Watch } from './server.ts'

/**
 * A page in every form in which it can be inspected: as a buyer sees it, as a browser gets it, and as its
 * source.
 */
export interface Visit extends BuyerPage {
  answer: Answer
  text: string
  links: (string | null)[]
  /** everything that the server sends for the page: its HTML, its part and its status */
  sources: string[]
  /** problems that the browser reported */
  problems: string[]
  bytes: number
  requests: string[]
}

const asPerson = { accept: 'text/html' }

/** Counts the requests of a page and their compressed bytes, without a cache. */
export async function measure(network: CDPSession) {
  await network.send('Network.enable')
  await network.send('Network.setCacheDisabled', { cacheDisabled: true })
  const seen = { bytes: 0, requests: [] as string[], left: 0 }
  // Pictures of the shop do not count: the shop decides how large they are.
  const pictures = new Set<string>()
  network.on('Network.requestWillBeSent', ({ request, requestId }) => {
    if (new URL(request.url).pathname.startsWith('/images/')) pictures.add(requestId)
    if (request.url.startsWith('data:') || pictures.has(requestId)) return
    seen.requests.push(request.url)
    seen.left++
  })
  network.on('Network.loadingFinished', ({ encodedDataLength, requestId }) => {
    if (encodedDataLength === 0 || pictures.has(requestId)) return
    seen.bytes += encodedDataLength
    seen.left--
  })
  return seen
}

/** Opens each page in a new browser without a cache. */
export async function visitAll(site: Site, pages: BuyerPage[], context: BrowserContext, watch: Watch) {
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', event => {
      // biome-ignore lint/suspicious/noConsole: the test reads the browser's console
      console.error(`CSP ${event.violatedDirective} ${event.blockedURI}`)
    })
  })
  const page = await context.newPage()
  const seen = await measure(await context.newCDPSession(page))
  const visits: Visit[] = []
  for (const buyerPage of pages) {
    Object.assign(seen, { bytes: 0, requests: [], left: 0 })
    watch.problems = []
    await page.goto(buyerPage.path)
    for (let turns = 0; seen.left > 0 && turns < 40; turns++) await Bun.sleep(10)
    const { bytes, requests } = seen
    visits.push({
      ...buyerPage,
      ...(await read(site, page, buyerPage.path)),
      bytes,
      requests,
      problems: watch.problems,
    })
  }
  await page.close()
  return visits
}

async function read(site: Site, page: Page, path: string) {
  const status = `${path.split('?')[0]}/status`
  const [answer, part, facts] = await Promise.all([
    site.demo.call('GET', path, { headers: asPerson }),
    site.demo.call('GET', status, { headers: { 'hx-request': 'true' } }),
    site.demo.call('GET', status),
  ])
  const { text, links } = await page.evaluate(() => ({
    text: document.body.innerText,
    links: [...document.querySelectorAll('a')].map(link => link.getAttribute('href')),
  }))
  return {
    answer,
    text: text.replace(/\s+/g, ' '),
    links,
    sources: [answer.text, part.text, facts.text, await page.content()],
  }
}

/**
 * Opens everything on a page that can be unfolded. It uses no locator, because the first one on a page makes
 * Playwright load a script into it, which takes as long as opening the page.
 */
export const unfold = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true
  })

/** The number of pixels by which the page is wider than the screen. */
export const overhang = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth)

/** Like a browser's text zoom: only fonts grow. */
const doubleTextSize = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const elements = [...document.querySelectorAll<HTMLElement>('body, body *')]
    const sizes = elements.map(element => Number.parseFloat(getComputedStyle(element).fontSize))
    for (const [i, element] of elements.entries()) {
      if (element.style) element.style.fontSize = `${(sizes[i] ?? 16) * 2}px`
    }
  })

/** The parts that do not fit the present width. */
const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const over = document.documentElement.scrollWidth - innerWidth
    const clipped = [...document.querySelectorAll<HTMLElement>('main *:not(.unseen, .unseen *, svg, svg *)')]
      .filter(element => element.scrollWidth > element.clientWidth + 1)
      .filter(element => getComputedStyle(element).overflowX !== 'visible')
      .map(element => `clips ${element.outerHTML.slice(0, 80)}`)
    return over > 0 ? [`${over} pixels too wide`, ...clipped] : clipped
  })

/**
 * The parts that do not fit at three widths, and at two with text of twice the size. `others` adds other
 * problems at each of the three widths.
 */
export async function misfits(
  page: Page,
  others: (width: number) => Promise<string[]> = async () => [],
): Promise<string[]> {
  const problems: string[] = []
  const inspect = async (widths: number[], how: string, find: (width: number) => Promise<string[]>) => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 844 })
      for (const problem of await find(width)) problems.push(`${width}${how}: ${problem}`)
    }
  }
  // The last width is that with which the next page begins, because each change of the width lays out and
  // paints a page again.
  await inspect([1280, 320, 390], '', async width => [...(await tooWide(page)), ...(await others(width))])
  await doubleTextSize(page)
  await inspect([390, 1280], ' with text of twice its size', () => tooWide(page))
  return problems
}

export type Look = readonly [colorScheme: 'light' | 'dark', width: number]

/** The parts that do not fit, or are not accessible in one of these looks. The page must have axe. */
export const faultsIn = (page: Page, looks: readonly Look[]): Promise<string[]> =>
  misfits(page, async width => {
    const faults: string[] = []
    for (const [colorScheme] of looks.filter(([, one]) => one === width)) {
      await page.emulateMedia({ colorScheme })
      // A single look is checked with all rules. Of several, a dark one is checked only for its contrast.
      const found = await axeProblems(page, looks.length === 1 ? 'light' : colorScheme)
      faults.push(...found.map(problem => `${colorScheme}: ${problem}`))
    }
    return faults
  })
