import { type Browser, chromium } from 'playwright-core'
import { isMissing, programOf } from './programs.ts'

const args = [
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

/** Starts Chromium without a window; throws where there is none. */
export const launchChromium = async (): Promise<Browser> =>
  chromium.launch({ executablePath: programOf('chromium'), args })
