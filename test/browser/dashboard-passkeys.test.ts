import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { createMerchant } from '../../src/operations/merchants/create.ts'
import { type App, startApp } from '../support/app.ts'
import { codeAt } from '../support/authenticator.ts'
import { closePages, isBrowserMissing, openChromium } from '../support/chromium.ts'
import { PASSWORD, type Person, signInAs } from '../support/dashboard.ts'
import { waysOf } from '../support/whole.ts'
import { axeProblems, axeSource } from './axe.ts'
import { describeInBrowser, textOf } from './server.ts'

/** The name of a passkey of this browser on the page, such as "Chrome, Linux". */
const NAME = /(?:Safari|Chrome), \w+/

let browser: Browser
let app: App
let merchantId = ''
let server: ReturnType<typeof Bun.serve>
let url = ''

if (!isBrowserMissing) {
  beforeAll(async () => {
    server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: request => app.florin.http.fetch(request) })
    url = `http://localhost:${server.port}`
    ;[browser, app] = await Promise.all([openChromium(), startApp({ FLORIN_DASHBOARD_URL: url })])
    merchantId = (await createMerchant(app.context, { email: 'shop@example.com', name: 'Shop' })).id
  })
  afterEach(() => closePages(browser))
  afterAll(async () => {
    await server?.stop(true)
    await app?.close()
  })
}

/** A page with the problems that the browser reported. */
async function open(options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(30_000)
  const problems: string[] = []
  context.on('console', message => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  context.on('weberror', error => problems.push(String(error.error())))
  const page = await context.newPage()
  page.on('dialog', dialog => void dialog.accept())
  return { context, page, problems }
}

/** Gives a page a device for passkeys. */
async function withDevice(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    verifies: (isUserVerified: boolean) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    credentials: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
  }
}

async function signedIn(page: Page, person: Person): Promise<void> {
  const [name = '', value = ''] = person.cookie.split('=')
  await page.context().addCookies([{ name, value, url }])
}

/** Uses the keyboard alone: tabs to the element with this name, and presses Enter. */
async function press(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab')
    const found = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement
      const { outlineStyle } = getComputedStyle(element)
      const text = element.getAttribute('aria-label') ?? element.innerText?.trim()
      return { text, isMarked: outlineStyle !== 'none' }
    })
    expect([found, found.isMarked]).toEqual([found, true])
    if (found.text === name) return page.keyboard.press('Enter')
  }
  throw new Error(`Tab does not lead to ${name} on ${page.url()}`)
}

/** The parts of the page, as it is, that do not fit or are not accessible. */
async function faultsOf(page: Page): Promise<string[]> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  await page.evaluate(axeSource())
  return [...(over > 0 ? [`${over} pixels too wide`] : []), ...(await axeProblems(page, 'light'))]
}

describeInBrowser('passkeys', () => {
  test.each(waysOf([390, 1280], 0))(
    'are added, used and removed with the keyboard alone, %p pixels wide',
    async width => {
      const person = await signInAs(app, 'owner', merchantId)
      const { page, problems } = await open({ viewport: { width, height: 844 } })
      const device = await withDevice(page)
      await signedIn(page, person)
      await page.goto('/dashboard/account')
      await press(page, 'Add a passkey')
      await page.waitForURL('**/account/passkeys/new')
      expect(await faultsOf(page)).toEqual([])
      await press(page, 'Create the passkey')
      await page.waitForURL('**/account?done=passkeyAdded')
      expect(await textOf(page, '#passkeys')).toMatch(NAME)
      expect(await faultsOf(page)).toEqual([])
      expect((await device.credentials()).length).toBe(1)

      await page.context().clearCookies()
      await page.goto('/dashboard/sign-in?next=/dashboard/orders')
      expect(await faultsOf(page)).toEqual([])
      await press(page, 'Sign in with a passkey')
      await page.waitForURL(({ pathname }) => pathname === '/dashboard/orders')
      await page.goto('/dashboard/account')
      expect(await textOf(page, '#passkeys')).not.toContain('Never')

      await press(page, 'Add a passkey')
      await page.waitForURL('**/account/passkeys/new')
      await press(page, 'Create the passkey')
      await page.getByText('already has a passkey').waitFor()
      expect(await faultsOf(page)).toEqual([])
      await page.goto('/dashboard/account')
      const [name] = NAME.exec(await textOf(page, '#passkeys'))!
      await press(page, `Remove the passkey ${name}`)
      await page.waitForURL('**/account?done=passkeyRemoved')
      await page.context().clearCookies()
      await page.goto('/dashboard/sign-in')
      await press(page, 'Sign in with a passkey')
      await page.getByText('The passkey could not be used').waitFor()
      expect(problems.filter(text => !/401|409/.test(text))).toEqual([])
    },
  )

  test('are the second factor, prove who a person is, and are refused without a check of the person', async () => {
    const person = await signInAs(app, 'owner', merchantId)
    const { page } = await open({ viewport: { width: 390, height: 844 } })
    const device = await withDevice(page)
    await signedIn(page, person)
    await page.goto('/dashboard/account')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: 'Create the passkey' }).click()
    await page.waitForURL('**/account?done=passkeyAdded')
    await page.getByRole('button', { name: 'Ask for a passkey' }).click()
    await page.locator('#recovery-codes').waitFor()
    app.time.now += 31 * 60_000
    await page.goto('/dashboard/account')
    await page.getByRole('button', { name: 'Make new recovery codes' }).click()
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Use a passkey instead' }).click()
    await page.locator('#recovery-codes').waitFor()

    await page.context().clearCookies()
    await page.goto('/dashboard/sign-in')
    await page.locator('#email').fill(person.email)
    await page.locator('#password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/sign-in/code**')
    expect(await faultsOf(page)).toEqual([])
    await device.verifies(false)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('The browser used no passkey').waitFor()
    await device.verifies(true)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL('**/dashboard')
  })

  test('show a message without JavaScript, where the password still signs in', async () => {
    const person = await signInAs(app, 'owner', merchantId)
    const { page } = await open({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
    await page.goto('/dashboard/sign-in')
    expect(await textOf(page)).toContain('Passkeys need JavaScript')
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0)
    await page.locator('#email').fill(person.email)
    await page.locator('#password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/dashboard')
    await page.goto('/dashboard/account')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    expect(await textOf(page)).toContain('Passkeys need JavaScript')
  })

  test('name the address at which they work, on pages at another address of the server', async () => {
    const { page } = await open()
    await withDevice(page)
    await page.goto(`http://127.0.0.1:${server.port}/dashboard/sign-in`)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText(`Passkeys work only at ${url}`).waitFor()
  })
})

describeInBrowser('an authenticator app', () => {
  test.each([true, false])(
    'is set up, signs in, and is switched off: JavaScript %p',
    async javaScriptEnabled => {
      const person = await signInAs(app, 'owner', merchantId)
      const { page } = await open({ javaScriptEnabled, viewport: { width: 390, height: 844 } })
      await signedIn(page, person)
      await page.goto('/dashboard/account')
      await page.getByRole('button', { name: 'Set up an app' }).click()
      const secret = /(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}/.exec(await textOf(page))![0].replaceAll(' ', '')
      const enter = async (steps: number) => {
        await page.locator('#code').fill(codeAt(secret, Math.floor(app.time.now / 30_000) + steps))
        await page.keyboard.press('Enter')
      }
      if (javaScriptEnabled) expect(await faultsOf(page)).toEqual([])
      await enter(0)
      await page.locator('#recovery-codes').waitFor()
      if (javaScriptEnabled) expect(await faultsOf(page)).toEqual([])
      await page.context().clearCookies()
      await page.goto('/dashboard/sign-in')
      await page.locator('#email').fill(person.email)
      await page.locator('#password').fill(PASSWORD)
      await page.keyboard.press('Enter')
      await page.waitForURL('**/sign-in/code**')
      await enter(0)
      await page.getByText('The code is wrong').waitFor()
      await enter(1)
      await page.waitForURL('**/dashboard')
      await page.goto('/dashboard/account')
      await page.getByRole('button', { name: 'Switch off' }).click()
      await page.waitForURL('**/account?done=secondFactor')
    },
  )
})

describeInBrowser('the page for operators', () => {
  test.each(waysOf([390, 1280], 1))('fits and is accessible, %p pixels wide', async width => {
    const operator = await signInAs(app, 'operator', merchantId)
    const { page, problems } = await open({ viewport: { width, height: 844 } })
    await signedIn(page, operator)
    await page.goto('/dashboard/server')
    await page.locator('#people details').evaluateAll(all => {
      for (const details of all) (details as HTMLDetailsElement).open = true
    })
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Suspend' }).first().click()
    await page.waitForURL('**/server?done=suspended')
    expect(await faultsOf(page)).toEqual([])
    expect(problems).toEqual([])
  })
})
