// Writes a picture of every page, for people to look at. It is not a test, and the pictures are not kept:
// FOLDER=/tmp/pictures ONLY=choose npm run screenshots
import { beforeAll, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { runCli } from '../support/process.ts'
import { makePages } from './pages.ts'
import { useSite } from './server.ts'

setDefaultTimeout(600_000)

const folder = process.env.FOLDER ?? 'screenshots'
const only = new RegExp(process.env.ONLY ?? '.')
const languages = (process.env.LANGUAGES ?? 'en,de,ar').split(',')
const schemes = (process.env.SCHEMES ?? 'light,dark').split(',') as ('light' | 'dark')[]
const widths = (process.env.WIDTHS ?? '390,1280').split(',').map(Number)

const LONG = 'Kaffeerösterei-Donaudampfschifffahrtsgesellschaft & مقهى الزاوية للقهوة المختصة'

const site = useSite()
let pages: { name: string; path: string }[] = []

beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  pages = await makePages(site)
  const { data } = (await site.demo.call('GET', '/v1/products', { key: site.demo.output.liveKey })).json
  for (const { productUUID, name } of data.items) {
    pages.push({ name: `product ${name}`, path: `/checkout/${productUUID}` })
  }
  const large = await site.order({ amount: '1234567890123.45', currency: 'EUR', description: LONG.repeat(3) })
  pages.push({ name: 'long', path: large.path })
}, 600_000)

/** Each combination of language, colors and width. */
const variants = languages.flatMap(locale =>
  schemes.flatMap(colorScheme => widths.map(width => ({ locale, colorScheme, width }))),
)

test('every page', async () => {
  for (const { locale, colorScheme, width } of variants) {
    const { context } = await site.buyer({ colorScheme, locale, viewport: { width, height: 844 } })
    const page = await context.newPage()
    for (const { name, path } of pages.filter(one => only.test(one.name))) {
      if (name === 'long') await rename(LONG)
      await page.goto(path)
      const file = `${name.replace(/\W+/g, '-')}-${width}-${locale}-${colorScheme}.png`
      await page.screenshot({ path: join(folder, file), fullPage: true })
      if (name === 'long') await rename('Corner Coffee')
    }
  }
})

const rename = (name: string) =>
  runCli(['merchant', 'set', site.demo.output.merchantId, '--name', name], {
    FLORIN_DATA_DIR: site.demo.dataDir,
  })
