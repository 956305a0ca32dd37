import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createFirstLink } from '../../src/operations/people/links.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import type { App } from '../support/app.ts'
import { browserOf, cookieOf, PASSWORD, type Person } from '../support/dashboard.ts'
import { check, EVM_WALLET, openCrypto } from '../support/given.ts'
import { evmRow, startOver } from './checkout-scene.ts'

const CONFIRMATIONS = 3
/** The number of forms that `.github/docs/dashboard.md` promises until the first real payment. */
const FORMS = 9

let anvil: Anvil
let app: App
let token: string
let close: () => Promise<void>

beforeAll(async () => {
  anvil = await startAnvil()
  token = await anvil.deploy('TestTether')
  const usdc = await anvil.deploy('TestUSD')
  const options = {
    environment: { FLORIN_OUTBOUND_ALLOW: new URL(anvil.url).host },
    assets: [
      evmRow('ethereum/usdt', 6, { contract: token }),
      evmRow('ethereum/usdc', 6, { contract: usdc }),
      evmRow('ethereum/eth', 18),
    ],
  }
  ;({ app, close } = await startOver(options, {
    fetch: async url => {
      if (!url.startsWith('https://api.coinbase.com/')) throw new Error('nothing else is reached')
      return Response.json({ data: { currency: 'USD', rates: { ETH: '0.0004', USDT: '1' } } })
    },
  }))
})
afterAll(async () => {
  await close()
  await anvil.stop()
})

const linkIn = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? ''

/** A person who fills in one form after another. Each form has to work. */
class Newcomer {
  forms = 0
  constructor(readonly browser: Person) {}

  async post(path: string, form: Record<string, string> = {}, send: 'post' | 'upload' = 'post') {
    this.forms++
    const answer = await this.browser[send](path, form)
    expect([path, answer.status < 400]).toEqual([path, true])
    return answer
  }

  async open(path: string): Promise<string> {
    const { status, text } = await this.browser.get(path)
    expect([path, status]).toEqual([path, 200])
    return text
  }
}

test('a new server is set up for a real payment, on one path and without a restart', async () => {
  const stranger = new Newcomer(browserOf(app, ''))
  const link = `/dashboard/link/${await createFirstLink(app.context)}`
  const cookie = cookieOf(await stranger.post(link, { email: 'me@shop.example', password: PASSWORD }))
  const me = new Newcomer(browserOf(app, cookie))
  const shop = { name: 'Corner Coffee', email: 'shop@example.com', currency: 'USD' }
  await me.post('/dashboard/setup', shop, 'upload')

  expect(await me.open('/dashboard/setup/payment')).toContain('Nobody can pay yet')
  const wallet = linkIn(await me.open('/dashboard/setup/payouts'), /href="([^"]*payouts\/evm[?]from=setup)"/)
  expect(await me.open(wallet)).toContain('name="from" value="setup"')
  const shown = await me.post('/dashboard/payouts/evm/check', { text: EVM_WALLET, from: 'setup' })
  const draft = linkIn(shown.text, /name="draft" value="([^"]+)"/)
  await me.post('/dashboard/payouts/evm/save', { draft, compared: 'yes', from: 'setup' })

  // The setup shows that something is missing, and links to it.
  const lacking = await me.open('/dashboard/setup/payouts?saved')
  expect(lacking).toContain('customers cannot pay with it yet')
  expect(await me.open('/dashboard/setup/payment')).toContain('Customers cannot pay with anything now')
  expect(await me.open(wallet)).toContain('href="/dashboard/endpoints/ethereum?back=setup-evm"')
  await me.post('/dashboard/endpoints/rates', { name: 'coinbase' })
  await me.post('/dashboard/endpoints/ethereum', { text: anvil.url })
  expect(await me.open('/dashboard/setup/payouts')).toMatch(/Customers can pay with .*USDT on Ethereum/)

  await me.post('/dashboard/setup/skip', { step: 'webhook', next: '/dashboard/setup/product' })
  await me.post('/dashboard/setup/skip', { step: 'product', next: '/dashboard/setup/payment' })
  expect(await me.open('/dashboard/setup/payment')).toMatch(/name="amount"[^>]*value="1.00"/)
  for (const amount of ['0', '1.001', 'one']) {
    const refused = await me.browser.post('/dashboard/setup/payment', { amount })
    const isMarked = refused.text.includes('id="amount-problem"')
    expect([amount, refused.status, isMarked]).toEqual([amount, 400, true])
  }
  await me.post('/dashboard/setup/payment', { amount: '1,00' })
  const waiting = await me.open('/dashboard/setup/payment')
  const order = linkIn(waiting, /\/pay\/([0-9a-f-]{36})/)
  for (const part of ['Pay $1.00', 'hx-get="/dashboard/setup/payment/part"', '<svg'])
    expect(waiting).toContain(part)

  const { attempt } = await openCrypto(app, order, 'ethereum/usdt')
  await anvil.sendToken(token, attempt.address, 1_000_000n)
  await anvil.mine(1)
  await check(app, order)
  expect(await me.open('/dashboard/setup/payment/part')).toContain('waiting for confirmations')
  await anvil.mine(CONFIRMATIONS)
  await check(app, order)
  const paid = await me.open('/dashboard/setup/payment/part')
  expect(paid).toMatch(/Paid: \$1\.00, .*Your shop works\./)
  expect(paid).not.toContain('hx-get')
  expect(stranger.forms + me.forms).toBe(FORMS)
  expect(await me.open('/dashboard')).toContain('2 steps of the setup were skipped')
  expect(app.audit()).toEqual([])
})
