import { type Browser, chromium } from 'playwright-core'
import { atEnd } from './at-end.ts'
import { isMissing, programOf } from './programs.ts'

/**
 * A new frame for each document, even of the same site, takes a third of the time of opening it. Playwright's own
 * list, which this one replaces, has the others that matter here.
 */
const switchedOff = [
  'RenderDocument',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'Translate',
]

/** Scripts of a page run once, so to optimize them takes longer than it saves: axe needs a fifth less without. */
const engine = ['--no-opt', '--no-maglev', '--no-flush-bytecode', '--single-threaded']

const args = [
  `--disable-features=${switchedOff.join()}`,
  `--js-flags=${engine.join()}`,
  // One for the pages of a context: without it, another waits for the next page, and most contexts have only one.
  '--renderer-process-limit=1',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Elsewhere than in CI, where every test has to run, browser tests need a browser to be run. */
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
 * A Chromium without a window, for all files of a process: it has no cookies, storage or cache but those of a
 * context. Throws where there is no Chromium.
 */
export async function openChromium(): Promise<Browser> {
  if (!(await launched)?.isConnected()) launched = launch()
  return launched!
}

/** Call this in `afterAll` of every file that opens Chromium, so that the next one finds no page of it. */
export async function closePages(browser: Browser | undefined): Promise<void> {
  await Promise.all((browser?.contexts() ?? []).map(context => context.close()))
}
