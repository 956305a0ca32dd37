import { afterEach, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { isBrowserMissing } from '../support/chromium.ts'
import { waysOf } from '../support/whole.ts'
import { addAxe } from './axe.ts'
import { makePages, secretsOf } from './pages.ts'
import { describeInBrowser, ORDER, useSite } from './server.ts'
import { faultsIn, unfold, type Visit, visitAll } from './visit.ts'

const BUDGET_BYTES = 30_000
const REQUESTS_MAX = 3
const YEAR_SECONDS = 31_536_000

const site = useSite()
let visits: Visit[] = []
let foreignRequests: string[] = []

if (!isBrowserMissing) {
  beforeAll(async () => {
    const pages = await makePages(site)
    const { context, watch } = await site.buyer({ reducedMotion: 'no-preference' })
    visits = await visitAll(site, pages, context, watch)
    foreignRequests = watch.foreignRequests
  }, 60_000)
}
afterEach(() => site.closePages())

/** Sandbox pages stand in for pages of a provider. */
const isOurs = ({ name }: Visit): boolean => !name.startsWith('sandbox')

/** The problems by page; a problem that all pages have is listed once. */
function gather(found: [name: string, problem: string][]): Record<string, string[]> {
  const named = Map.groupBy(found, ([, problem]) => problem)
  return Object.fromEntries([...named].map(([problem, pairs]) => [problem, pairs.map(([name]) => name)]))
}

/** Excludes the root of the server, which belongs to no shop. */
const isOfShop = (visit: Visit): boolean => isOurs(visit) && visit.name !== 'home'

type Check = (visit: Visit) => (string | false)[]

const problemsOf = (all: Visit[], check: Check) =>
  gather(
    all.flatMap(visit =>
      check(visit).flatMap((problem): [string, string][] =>
        problem === false ? [] : [[visit.name, problem]],
      ),
    ),
  )

/** The pages are inspected in parts, so that no test takes long on a slow machine. */
const PARTS = 6

/** Opens each page of a part again with everything unfolded, and collects the problems that are found. */
async function inspect(page: Page, part: number, find: (page: Page, at: number) => Promise<string[]>) {
  const found: [string, string][] = []
  for (const [at, { name, path }] of visits.entries()) {
    if (at % PARTS !== part) continue
    await page.goto(path)
    await unfold(page)
    for (const problem of await find(page, at)) found.push([name, problem])
  }
  return gather(found)
}

const looks = [
  ['light', 390],
  ['dark', 1280],
  ['light', 1280],
  ['dark', 390],
] as const

describeInBrowser('every page', () => {
  test('shows what happened and what to do, a reference, and a link onward', () => {
    expect(
      problemsOf(visits, visit => {
        const { answer, text, expectedText, status, linksTo, links } = visit
        const reference = status === 200 ? text.includes(ORDER) : /Request ID [0-9a-f-]{36}/.test(text)
        return [
          answer.status !== status && `answered with ${answer.status}`,
          !expectedText.test(text) && `says ${text}`,
          isOfShop(visit) && !reference && 'no reference',
          linksTo !== null && !links.includes(linksTo) && `no link to ${linksTo}`,
          isOfShop(visit) &&
            status === 200 &&
            !links.some(link => link?.startsWith('mailto:help@shop.example')) &&
            'nobody to ask',
          !text.includes('Sandbox') && 'no banner of the sandbox',
        ]
      }),
    ).toEqual({})
  })

  test('runs only its own script, logs no error and requests nothing from other servers', () => {
    expect(
      problemsOf(visits.filter(isOurs), ({ answer, problems, status }) => {
        const policy = answer.headers.get('content-security-policy') ?? ''
        // Chromium itself logs one message for a page with an error status.
        const ownText = problems.filter(text => status !== 200 && text.includes(`status of ${status}`))
        const others = problems.filter(text => !ownText.includes(text))
        return [
          ...others,
          ownText.length > 1 && 'an error within an error page',
          !policy.startsWith("default-src 'none'") && `policy ${policy}`,
          /unsafe-|\*|https?:|script-src[^;]*data:/.test(policy) && `policy ${policy}`,
          !policy.includes("frame-ancestors 'none'") && 'may be framed',
          answer.headers.get('cache-control') !== 'no-store' && 'may be stored',
          answer.headers.get('referrer-policy') !== 'no-referrer' && 'sends a referrer',
          answer.headers.get('x-content-type-options') !== 'nosniff' && 'may be sniffed',
        ]
      }),
    ).toEqual({})
    expect(problemsOf(visits, ({ problems, status }) => (status === 200 ? problems : []))).toEqual({})
    expect(foreignRequests).toEqual([])
  })

  test('contains no provider URLs, callback URLs or secrets', () => {
    const secrets = secretsOf(site)
    expect(secrets.length).toBeGreaterThan(20)
    expect(
      problemsOf(visits.filter(isOurs), ({ sources }) =>
        secrets.map(secret => sources.some(source => source.includes(secret)) && `holds ${secret}`),
      ),
    ).toEqual({})
  })

  test(`needs at most ${REQUESTS_MAX} requests and ${BUDGET_BYTES} compressed bytes`, () => {
    expect(
      problemsOf(visits, ({ bytes, requests }) => [
        bytes > BUDGET_BYTES && `${bytes} bytes`,
        bytes < 1000 && 'not measured',
        requests.length > REQUESTS_MAX && `asks for ${requests}`,
      ]),
    ).toEqual({})
  })

  test('has assets that may be cached forever, compressed with brotli', async () => {
    const [, ...assets] = visits[0]!.requests
    expect(assets).toHaveLength(2)
    for (const url of assets) {
      const { headers, status } = await site.demo.call('GET', new URL(url).pathname, {
        headers: { 'accept-encoding': 'gzip, deflate, br, zstd' },
      })
      const cache = headers.get('cache-control') ?? ''
      expect([status, headers.get('content-encoding'), /\bimmutable\b/.test(cache)]).toEqual([
        200,
        'br',
        true,
      ])
      expect(Number(/max-age=(\d+)/.exec(cache)?.[1])).toBeGreaterThanOrEqual(YEAR_SECONDS)
    }
  })

  // Accessible in light and dark, at 390 and 1280 pixels; fits 320 too, and text of twice the size.
  const parts = Array.from({ length: PARTS }, (_, part) => [part + 1])
  test.each(parts)('has no accessibility problems and fits without scrolling, part %d', async part => {
    const { context } = await site.buyer()
    await addAxe(context)
    const found = await inspect(await context.newPage(), part - 1, (page, at) =>
      faultsIn(page, waysOf(looks, at)),
    )
    expect(found).toEqual({})
  })
})
