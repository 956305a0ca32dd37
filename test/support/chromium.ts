import { type Browser, chromium } from 'playwright-core'
import { atEnd } from './at-end.ts'
import { isMissing, programOf } from './programs.ts'
import { words } from './words.ts'

/**
 * Features to switch off. A new frame for each document, even of the same site, takes a third of the time of
 * opening it. This list replaces Playwright's own, so it repeats the entries that matter here.
 */
const switchedOff = words(`
  RenderDocument AvoidCorsURLLoaderRestartOnRedirect DestroyProfileOnBrowserClose HttpsUpgrades MediaRouter
  NetworkTimeServiceQuerying OptimizationHints PaintHolding ThirdPartyStoragePartitioning Translate
`)

/**
 * A page's scripts run once, so optimizing them takes longer than it saves: without it, axe takes a fifth
 * less time.
 */
const engine = ['--no-opt', '--no-maglev', '--no-flush-bytecode', '--single-threaded']

const args = [
  `--disable-features=${switchedOff.join()}`,
  `--js-flags=${engine.join()}`,
  // One process for the pages of a context. By default a second process waits for the next page, but most
  // contexts have only one page.
  '--renderer-process-limit=1',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Without a browser, the browser tests are skipped, except in CI, where every test has to run. */
export const isBrowserMissing = isMissing('Browser tests', 'chromium')

let launched: Promise<Browser> | null = null

async function launch(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: programOf('chromium'), args })
  const close = async () => {
    launched = null
    await browser.close()
  }
  atEnd(close)
  return browser
}

/**
 * A Chromium without a window, shared by all files of a process: cookies, storage and cache belong to
 * contexts. Throws if there is no Chromium.
 */
export async function openChromium(): Promise<Browser> {
  if (!(await launched)?.isConnected()) launched = launch()
  return launched!
}

/** Call it in `afterAll` of every file that opens Chromium, so that no page is left for the next file. */
export async function closePages(browser: Browser | undefined): Promise<void> {
  await Promise.all((browser?.contexts() ?? []).map(context => context.close()))
}
