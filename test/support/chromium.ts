import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const HOW =
  'no Chromium was found. Install one (such as with: apt-get install chromium), or set CHROMIUM to its path.'

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** $CHROMIUM where it is set; else the usual place, or the PATH. */
export function findChromium(): string | null {
  const { CHROMIUM } = process.env
  if (CHROMIUM) return existsSync(CHROMIUM) ? CHROMIUM : null
  return existsSync('/usr/bin/chromium') ? '/usr/bin/chromium' : Bun.which('chromium')
}

const executablePath = findChromium()

/** Elsewhere than in CI, where every test has to run, browser tests need a browser to be run. */
export const isBrowserMissing = executablePath === null && process.env.CI !== 'true'

if (isBrowserMissing) process.stderr.write(`Browser tests are skipped: ${HOW}\n`)

/** Starts Chromium without a window; throws where there is none. */
export function launchChromium(): Promise<Browser> {
  if (executablePath === null) throw new Error(`Browser tests cannot run: ${HOW}`)
  return chromium.launch({ executablePath, args })
}
