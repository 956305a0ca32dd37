import { afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { isBrowserMissing } from '../support/chromium.ts'
import { axeFaults, axeSource } from './axe.ts'
import { makePages, secretsOf } from './pages.ts'
import { describeInBrowser, ORDER, useStand } from './server.ts'
import { misfits, unfold, type Visit, visitAll } from './visit.ts'

setDefaultTimeout(60_000)

const BUDGET_BYTES = 25 * 1024
const REQUESTS_MAX = 3
const YEAR_SECONDS = 31_536_000

const stand = useStand()
let visits: Visit[] = []
let strangers: string[] = []

if (!isBrowserMissing) {
  beforeAll(async () => {
    const pages = await makePages(stand)
    const { context, watch } = await stand.buyer()
    visits = await visitAll(stand, pages, context, watch)
    strangers = watch.strangers
  }, 60_000)
}
afterEach(() => stand.closePages())

/** Those of the sandbox stand for somebody else's. */
const isOurs = ({ name }: Visit): boolean => !name.startsWith('sandbox')

/** What is wrong with which pages: a fault of all of them is told once. */
function gather(found: [name: string, fault: string][]): Record<string, string[]> {
  const named = Map.groupBy(found, ([, fault]) => fault)
  return Object.fromEntries([...named].map(([fault, pairs]) => [fault, pairs.map(([name]) => name)]))
}

type Check = (visit: Visit) => (string | false)[]

const faultsOf = (all: Visit[], check: Check) =>
  gather(
    all.flatMap(visit =>
      check(visit).flatMap((fault): [string, string][] => (fault === false ? [] : [[visit.name, fault]])),
    ),
  )

/** Opens each page again, unfolded, and gathers what a look finds. */
async function look(page: Page, find: (page: Page) => Promise<string[]>) {
  const found: [string, string][] = []
  for (const { name, path } of visits) {
    await page.goto(path)
    await unfold(page)
    for (const fault of await find(page)) found.push([name, fault])
  }
  return gather(found)
}

describeInBrowser('every page', () => {
  test('says what happened and what to do, bears a reference, and leads on', () => {
    expect(
      faultsOf(visits, visit => {
        const { answer, text, says, status, leadsTo, links } = visit
        const reference = status === 200 ? text.includes(ORDER) : /Reference [0-9a-f-]{36}/.test(text)
        return [
          answer.status !== status && `answered with ${answer.status}`,
          !says.test(text) && `says ${text}`,
          isOurs(visit) && !reference && 'no reference',
          leadsTo !== null && !links.includes(leadsTo) && `no link to ${leadsTo}`,
          isOurs(visit) && status === 200 && !links.includes('mailto:help@shop.example') && 'nobody to ask',
          !text.includes('Sandbox') && 'no banner of the sandbox',
        ]
      }),
    ).toEqual({})
  })

  test('runs no script but its own, complains of nothing, and asks nobody else', () => {
    expect(
      faultsOf(visits.filter(isOurs), ({ answer, faults, status }) => {
        const policy = answer.headers.get('content-security-policy') ?? ''
        // Chromium itself tells once of a page that was answered with an error.
        const ownWords = faults.filter(text => status !== 200 && text.includes(`status of ${status}`))
        const others = faults.filter(text => !ownWords.includes(text))
        return [
          ...others,
          ownWords.length > 1 && 'an error within an error page',
          !policy.startsWith("default-src 'none'") && `policy ${policy}`,
          /unsafe-|\*|https?:|script-src[^;]*data:/.test(policy) && `policy ${policy}`,
          !policy.includes("frame-ancestors 'none'") && 'may be framed',
          answer.headers.get('cache-control') !== 'no-store' && 'may be stored',
          answer.headers.get('referrer-policy') !== 'no-referrer' && 'tells where it leads from',
          answer.headers.get('x-content-type-options') !== 'nosniff' && 'may be sniffed',
        ]
      }),
    ).toEqual({})
    expect(faultsOf(visits, ({ faults, status }) => (status === 200 ? faults : []))).toEqual({})
    expect(strangers).toEqual([])
  })

  test('holds nothing of providers, callbacks and secrets', () => {
    const secrets = secretsOf(stand)
    expect(secrets.length).toBeGreaterThan(20)
    expect(
      faultsOf(visits.filter(isOurs), ({ sources }) =>
        secrets.map(secret => sources.some(source => source.includes(secret)) && `holds ${secret}`),
      ),
    ).toEqual({})
  })

  test(`comes in at most ${REQUESTS_MAX} requests and ${BUDGET_BYTES} compressed bytes`, () => {
    expect(
      faultsOf(visits, ({ bytes, requests }) => [
        bytes > BUDGET_BYTES && `${bytes} bytes`,
        bytes < 1000 && 'not measured',
        requests.length > REQUESTS_MAX && `asks for ${requests}`,
      ]),
    ).toEqual({})
  })

  test('has assets that may be kept for ever, compressed with brotli', async () => {
    const [, ...assets] = visits[0]!.requests
    expect(assets).toHaveLength(2)
    for (const url of assets) {
      const { headers, status } = await stand.demo.call('GET', new URL(url).pathname, {
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

  test('fits 320, 390 and 1280 pixels, and text of twice its size, without scrolling sideways', async () => {
    const { context } = await stand.buyer()
    expect(await look(await context.newPage(), misfits)).toEqual({})
  })

  test('has nothing that axe finds, light and dark, 390 and 1280 wide', async () => {
    const { context } = await stand.buyer({ reducedMotion: 'reduce' })
    const source = axeSource()
    const found = await look(await context.newPage(), async page => {
      await page.evaluate(source)
      const faults: string[] = []
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        for (const width of [390, 1280]) {
          await page.setViewportSize({ width, height: 900 })
          for (const fault of await axeFaults(page, colorScheme))
            faults.push(`${colorScheme} ${width} ${fault}`)
        }
      }
      return faults
    })
    expect(found).toEqual({})
  })
})
