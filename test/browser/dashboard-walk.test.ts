import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { isAllowed } from '../../src/domain/user.ts'
import { closePages, isBrowserMissing, openChromium } from '../support/chromium.ts'
import {
  type DashboardRoute,
  dashboardRoutes,
  PASSWORD,
  type Person,
  signInAs,
} from '../support/dashboard.ts'
import { type FullShop, givenFullShop, pathsOf, startFullApp } from '../support/full-shop.ts'
import { isWhole, waysOf } from '../support/whole.ts'
import { addAxe, axeProblems } from './axe.ts'
import { describeInBrowser, textOf } from './server.ts'
import { measure, overhang, unfold } from './visit.ts'

const PAGE_BYTES_MAX = 60 * 1024
const PAGE_REQUESTS_MAX = 4

let browser: Browser
let full: Awaited<ReturnType<typeof startFullApp>>
let shop: FullShop
let server: ReturnType<typeof Bun.serve>

if (!isBrowserMissing) {
  beforeAll(async () => {
    ;[browser, full] = await Promise.all([openChromium(), startFullApp()])
    shop = await givenFullShop(full)
    server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: full.florin.http.fetch })
  })
  afterAll(async () => {
    await closePages(browser)
    await server?.stop(true)
    await full?.close()
  })
}

/** A browser that sends the cookie of a person. Its reports are recorded. */
async function open(person: Person | null, options: BrowserContextOptions = {}) {
  const baseURL = `http://127.0.0.1:${server.port}`
  const context = await browser.newContext({ baseURL, reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(30_000)
  const [name = '', value = ''] = person?.cookie.split('=') ?? []
  if (person) await context.addCookies([{ name, value, url: baseURL }])
  const problems: string[] = []
  context.on('console', message => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  context.on('weberror', error => problems.push(String(error.error())))
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', event => {
      // biome-ignore lint/suspicious/noConsole: the test reads the browser's console
      console.error(`CSP ${event.violatedDirective} ${event.blockedURI}`)
    })
  })
  return { context, page: await context.newPage(), problems }
}

/** Files to download and parts of pages are left out. */
const isPage = ({ method, path }: DashboardRoute): boolean =>
  method === 'GET' && !/(?:\.csv|\/part|\/reports\/books)$/.test(path)

/** The pages that a role may open, with some rows each. */
async function pathsFor(role: 'owner' | 'staff' | 'viewer' | null, rowsMax = 1): Promise<string[]> {
  const rows = shop.rowsOf(role ? shop[role] : shop.owner)
  return (await dashboardRoutes(full))
    .filter(isPage)
    .filter(({ access }) =>
      role ? access !== 'public' && isAllowed(access!, role, false) : access === 'public',
    )
    .flatMap(({ path }) => pathsOf(path, rows).slice(0, rowsMax))
}

/** Tables that are marked as fitting any page and still have to be scrolled. */
const cutTables = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.scroll:has(> table:is(.blocks, .stacked, .figures-table))')]
      .filter(one => one.scrollWidth > one.clientWidth + 1)
      .map(one => `${one.scrollWidth} > ${one.clientWidth}`),
  )

interface Look {
  colorScheme: 'light' | 'dark'
  language: 'en' | 'de'
}

const looks: Look[] = [
  { colorScheme: 'light', language: 'en' },
  { colorScheme: 'dark', language: 'de' },
]

/** The paths in the order in which they were first opened. */
const numbers = new Map<string, number>()

/**
 * The sizes, color schemes and languages in which a page is checked. If one is picked for each page, every
 * role gets the same one, so that equal pages are checked once.
 */
function looksOf(path: string): readonly Look[] {
  const number = numbers.get(path) ?? numbers.size
  numbers.set(path, number)
  return waysOf(looks, number)
}

/** The paths that were checked, and the contents that they showed. */
const known = { paths: new Set<string>(), mains: new Set<string>() }

/** True if another role got the same page content (the menu aside), so that it need not be checked again. */
async function isKnown(person: Person | null, path: string, { language }: Look): Promise<boolean> {
  if (!person) return false
  const { text } = await person.get(`${path}?lang=${language}`)
  const main = `${language} ${path} ${/<main.*<\/main>/s.exec(text)?.[0]}`
  const isOld = known.mains.has(main)
  known.mains.add(main)
  return isOld
}

/**
 * The parts of the page that do not fit; the problems of all axe rules, once for each path. With
 * FLORIN_TEST_WHOLE, later visits check contrast, which the scheme changes.
 */
async function faultsOf(page: Page, path: string): Promise<string[]> {
  const faults: string[] = []
  const isFirst = !known.paths.has(path)
  known.paths.add(path)
  await unfold(page)
  const widths = page.viewportSize()?.width === 1280 ? [1280, 390] : [390, 1280]
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 })
    const over = await overhang(page)
    if (over > 0) faults.push(`${width}: ${over} pixels too wide`)
    for (const cut of await cutTables(page)) faults.push(`${width}: a table is cut off: ${cut}`)
  }
  if (!isFirst && !isWhole) return faults
  return [...faults, ...(await axeProblems(page, isFirst ? 'light' : 'dark'))]
}

async function walk(person: Person | null, paths: string[]): Promise<string[]> {
  const faults: string[] = []
  for (const look of looks) {
    const ofLook = paths.filter(path => looksOf(path).includes(look))
    faults.push(...(await walkIn(look, person, ofLook)))
  }
  return faults
}

async function walkIn(look: Look, person: Person | null, paths: string[]): Promise<string[]> {
  const { context, page, problems } = await open(person, { colorScheme: look.colorScheme })
  await addAxe(context)
  const network = await measure(await context.newCDPSession(page))
  const faults: string[] = []
  for (const path of paths) {
    if (await isKnown(person, path, look)) continue
    Object.assign(network, { bytes: 0, requests: [], left: 0 })
    problems.length = 0
    const answer = await page.goto(`${path}?lang=${look.language}`)
    for (let turns = 0; network.left > 0 && turns < 40; turns++) await Bun.sleep(10)
    const found = [...problems]
    if (answer?.status() !== 200) found.push(`status ${answer?.status()}`)
    if (network.bytes > PAGE_BYTES_MAX) found.push(`${network.bytes} bytes`)
    if (network.bytes === 0) found.push('nothing was measured')
    if (network.requests.length > PAGE_REQUESTS_MAX) found.push(`asks for ${network.requests.join()}`)
    found.push(...(await faultsOf(page, path)))
    faults.push(...found.map(fault => `${path}: ${fault}`))
  }
  await context.close()
  return faults
}

/** The numbers of the parts into which a list is split, because one test for all of it can time out. */
const partsOf = (count: number): number[] => Array.from({ length: count }, (_, part) => part)

const inPart = (paths: string[], part: number, count: number): string[] =>
  paths.filter((_, at) => at % count === part)

describeInBrowser('every page of the dashboard fits, is accessible and light', () => {
  test.each(partsOf(4))('the pages of staff, part %d', async part => {
    const paths = await pathsFor('staff', 1)
    expect(paths.length).toBeGreaterThan(10)
    expect(await walk(shop.staff, inPart(paths, part, 4))).toEqual([])
  })

  test.each(partsOf(2))('the pages of a viewer, part %d', async part => {
    const paths = await pathsFor('viewer', 1)
    expect(paths.length).toBeGreaterThan(10)
    expect(await walk(shop.viewer, inPart(paths, part, 2))).toEqual([])
  })

  test.each(partsOf(8))('the pages of an owner, part %d', async part => {
    const paths = await pathsFor('owner', 9)
    expect(paths.length).toBeGreaterThan(40)
    expect(await walk(shop.owner, inPart(paths, part, 8))).toEqual([])
  })

  test.each(partsOf(2))('the pages of an operator, part %d', async part => {
    const operator = await signInAs(full, 'operator', null)
    const paths = (await dashboardRoutes(full))
      .filter(route => isPage(route) && route.access === 'operator')
      .flatMap(({ path }) => pathsOf(path, shop.rowsOf(shop.owner)))
    expect(paths).toContain('/dashboard/setup')
    expect(await walk(operator, inPart(paths, part, 2))).toEqual([])
  })

  test('the pages before signing in', async () => {
    const paths = await pathsFor(null)
    const isHalfway = (path: string) => path === '/dashboard/sign-in/code'
    // Once there are users, the welcome page of a new server redirects to the sign-in page.
    const ofStrangers = paths.filter(path => !isHalfway(path) && path !== '/dashboard/welcome')
    expect(await walk(null, ofStrangers)).toEqual([])
    expect(await walk(shop.halfway, paths.filter(isHalfway))).toEqual([])
  })
})

/** The element that has the focus, and whether its focus is visible. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    const box = element.getBoundingClientRect()
    const text = element.innerText?.trim() || element.getAttribute('aria-label') || ''
    const name = element.getAttribute('name') ?? ''
    const isMarked = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0
    return { text, name, href: element.getAttribute('href') ?? '', isVisible: isMarked && box.height > 0 }
  })

type Focused = Awaited<ReturnType<typeof focused>>

/** Presses Tab until something has the focus. On the way, the focus has to be visible. */
async function tabTo(page: Page, isMeant: (element: Focused) => boolean): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    const element = await focused(page)
    expect([page.url(), element, element.isVisible]).toEqual([page.url(), element, true])
    if (isMeant(element)) return
  }
  throw new Error(`Tab does not lead there on ${page.url()}`)
}

describeInBrowser('the keyboard alone is enough', () => {
  test.each([true, false])(
    'to sign in, find an order, write a note and sign out: JavaScript %p',
    async javaScriptEnabled => {
      const { page } = await open(null, { javaScriptEnabled, viewport: { width: 390, height: 844 } })
      const press = async (key: string) => {
        await Promise.all([page.waitForEvent('domcontentloaded'), page.keyboard.press(key)])
      }
      await page.goto('/dashboard/sign-in')
      await tabTo(page, ({ name }) => name === 'email')
      await page.keyboard.type(shop.staff.email)
      await tabTo(page, ({ name }) => name === 'password')
      await page.keyboard.type(PASSWORD)
      await press('Enter')
      await page.waitForURL('**/dashboard')
      await tabTo(page, ({ text }) => text === 'Menu')
      await page.keyboard.press('Space')
      await tabTo(page, ({ text }) => text === 'Orders')
      await press('Enter')
      await page.waitForURL('**/dashboard/orders')
      const [order] = shop.rowsOf(shop.staff)['orders/:order'] ?? []
      await tabTo(page, ({ href }) => href === `/dashboard/orders/${order}`)
      await press('Enter')
      await page.waitForURL(`**/dashboard/orders/${order}`)
      await tabTo(page, ({ text }) => text === 'Add a note')
      await page.keyboard.press('Space')
      await tabTo(page, ({ name }) => name === 'text')
      const note = `With the keyboard, JavaScript ${javaScriptEnabled}.`
      await page.keyboard.type(note)
      await tabTo(page, ({ text }) => text === 'Save the note')
      await press('Space')
      await page.waitForURL('**?done=noted')
      expect(await textOf(page)).toContain(note)
      await tabTo(page, ({ text }) => text === 'Menu')
      await page.keyboard.press('Enter')
      await tabTo(page, ({ text }) => text === 'Sign out')
      await press('Enter')
      await page.waitForURL('**/dashboard/sign-in**')
    },
  )
})
