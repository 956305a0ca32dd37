import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { closePages, isBrowserMissing, openChromium } from '../support/chromium.ts'
import { EVM_WALLET } from '../support/given.ts'
import { cleanEnvironment, FLORIN, newFolder } from '../support/process.ts'
import { isSigned, startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { describeInBrowser, textOf, titled, turnsTo } from './server.ts'

setDefaultTimeout(180_000)

const CONFIRMATIONS = 3
const ADDRESS = /0x[0-9a-fA-F]{40}/

let anvil: Anvil
let token: string
let coinbase: Bun.Server<undefined>
let folder: string
let browser: Browser
let server: ReturnType<typeof serveInTerminal>
let website: ReturnType<typeof startReceiver>

/** Starts a server in a terminal: only there does it print the link for the first person. */
function serveInTerminal(environment: Record<string, string>) {
  let printed = ''
  let isPrinted: (link: string) => void = () => {}
  const link = new Promise<string>(resolve => {
    isPrinted = resolve
  })
  const decoder = new TextDecoder()
  const child = Bun.spawn([...FLORIN, 'serve'], {
    cwd: folder,
    env: { ...cleanEnvironment(), ...environment },
    terminal: {
      cols: 200,
      data(_terminal, data) {
        printed += decoder.decode(data, { stream: true })
        const found = /(http:\S+[/]dashboard[/]link[/]\S+)/.exec(printed)?.[1]
        if (found) isPrinted(found)
      },
    },
  })
  const ended = child.exited.then(() => {
    throw new Error(`the server ended: ${printed}`)
  })
  ended.catch(() => {})
  return {
    link: () => Promise.race([link, ended]),
    async stop() {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

if (!isBrowserMissing) {
  beforeAll(async () => {
    anvil = await startAnvil()
    token = await anvil.deploy('TestTether')
    coinbase = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => Response.json({ data: { currency: 'USD', rates: { ETH: '0.0004', USDT: '1' } } }),
    })
    folder = newFolder()
    const asset = { network: 'evm', chainId: 31337, confirmations: CONFIRMATIONS }
    const usdt = { ...asset, id: 'ethereum/usdt', decimals: 6, contract: token }
    const usdc = { ...usdt, id: 'ethereum/usdc', contract: await anvil.deploy('TestUSD') }
    const eth = { ...asset, id: 'ethereum/eth', decimals: 18 }
    writeFileSync(join(folder, 'assets.json'), JSON.stringify([usdt, usdc, eth]))
    website = startReceiver()
    server = serveInTerminal({
      FLORIN_PORT: '0',
      FLORIN_DATA_DIR: join(folder, 'data'),
      FLORIN_ASSETS_FILE: join(folder, 'assets.json'),
      FLORIN_OUTBOUND_ALLOW: `${new URL(anvil.url).host},${website.host}`,
      FLORIN_COINBASE_URL: coinbase.url.href,
      FLORIN_LOG_LEVEL: 'error',
    })
    browser = await openChromium()
  }, 120_000)
  afterAll(async () => {
    await closePages(browser)
    await server?.stop()
    await website?.stop()
    await coinbase?.stop(true)
    await anvil?.stop()
  }, 60_000)
}

/** A page in a new browser, for one person. */
async function person(): Promise<Page> {
  const context = await browser.newContext({ locale: 'en', reducedMotion: 'reduce' })
  context.setDefaultTimeout(30_000)
  return context.newPage()
}

/** Presses a button, or follows a link, with this text. */
const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('main').locator('button:visible, a:visible').filter({ hasText: name }).first().click()

const fill = (page: Page, label: string | RegExp, text: string): Promise<void> =>
  page.getByLabel(label).fill(text)

/** Pays what the page of an order asks for, and returns the address. */
async function pay(buyer: Page, link: string, amount: bigint): Promise<string> {
  await buyer.goto(link)
  await press(buyer, 'USDT')
  await buyer.getByText('Waiting for your payment').waitFor()
  const [address = ''] = ADDRESS.exec(await textOf(buyer)) ?? []
  await anvil.sendToken(token, address, amount)
  await anvil.mine(1)
  return address
}

const linkFor = async (owner: Page): Promise<string> =>
  (await owner.getByRole('link', { name: 'View as a customer' }).getAttribute('href'))!

/** Waits for the event about an order, and returns its contents. */
async function paidEvent(count: number) {
  const paid = () => website.received.filter(({ json }) => json.type === 'order.paid')
  await until(() => paid().length >= count, 'the event of a paid order', 30_000)
  return paid().at(-1)!
}

describeInBrowser('the first real payment, with nothing but a browser after the start', () => {
  test('leads from the link in the terminal to an order that is paid on a chain', async () => {
    const owner = await person()
    await owner.goto(await server.link())
    await fill(owner, 'Email address', 'me@shop.example')
    await fill(owner, /^Password/, 'correct horse battery')
    await press(owner, 'Save and sign in')
    await fill(owner, 'Name of the shop', 'Corner Coffee')
    await press(owner, 'Create the shop and continue')

    await press(owner, 'Enter Ethereum')
    await fill(owner, 'Address or extended public key', EVM_WALLET.toLowerCase())
    await press(owner, 'Continue')
    await owner.getByText(EVM_WALLET).waitFor()
    await owner.getByRole('checkbox').check()
    await press(owner, 'Save')
    await press(owner, 'See what is missing')
    await press(owner, 'Choose one for Ethereum')
    await fill(owner, 'URL', anvil.url)
    await owner
      .locator('form', { has: owner.getByLabel('URL') })
      .getByRole('button')
      .click()
    await press(owner, 'Choose rates')
    await owner.getByRole('button', { name: /Coinbase/ }).click()
    await press(owner, 'Back')
    await owner.getByText(/^Customers can pay with .*USDT on Ethereum/).waitFor()
    await press(owner, 'Continue')
    await fill(owner, 'URL', website.url)
    await press(owner, 'Save and send a test event')
    await owner.getByText('Your website accepted the test event').waitFor()
    const secret = /whsec_\S+/.exec(await textOf(owner))?.[0] ?? ''
    expect(website.received.map(one => isSigned(one, secret))).toEqual([true])
    await press(owner, 'Continue')
    await owner.getByLabel(/payment link/i).check()
    await fill(owner, 'What is it?', 'Invoice 17')
    await fill(owner, 'Price', '18.50')
    await press(owner, 'Create it')
    const buyer = await person()
    const address = await pay(buyer, await linkFor(owner), 18_500_000n)
    await turnsTo(buyer.getByText(`1 of ${CONFIRMATIONS} confirmations`).first())
    await anvil.mine(CONFIRMATIONS)
    await turnsTo(titled(buyer, 'Paid'))
    expect(await textOf(buyer)).toContain('You paid 18.5 USDT to Corner Coffee')

    const event = await paidEvent(1)
    expect([isSigned(event, secret), isSigned(event, `${secret}x`)]).toEqual([true, false])
    expect(event.json).toMatchObject({ amount: '18.50', currency: 'USD' })

    await press(owner, 'Continue')
    await fill(owner, 'Amount in USD', '1.00')
    await press(owner, 'Create the order')
    await pay(buyer, await linkFor(owner), 1_000_000n)
    await anvil.mine(CONFIRMATIONS)
    await press(owner, 'Check now')
    await turnsTo(owner.getByText('Your shop works.'))
    const tried = await paidEvent(2)
    expect([isSigned(tried, secret), tried.json.amount]).toEqual([true, '1.00'])
    await press(owner, 'Go to your shop')

    await press(owner, 'All orders')
    const row = owner.getByRole('row', { name: 'Invoice 17' })
    expect(await row.innerText()).toMatch(/[$]18[.]50\s+Paid\s+USDT on Ethereum/)
    await row.getByRole('link').first().click()
    await owner.waitForURL(/[/]dashboard[/]orders[/]./)
    const order = await textOf(owner)
    for (const part of ['The order is paid', 'Fully paid', '$18.50', address]) expect(order).toContain(part)
  })
})
