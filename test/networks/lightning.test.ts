import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { setUpLightning, tryLightning } from '../../src/operations/addresses/lightning.ts'
import { openCryptoAttempt } from '../../src/operations/payments/open-crypto.ts'
import {
  attemptsOf,
  eventTypesOf,
  HOUR_MS,
  instant,
  LOCK_MS,
  MINUTE_MS,
  notificationsOf,
  rest,
} from '../http/payments.ts'
import type { App } from '../support/app.ts'
import { check, givenMerchant, givenOrder, openCrypto, type Shop, statusOf } from '../support/given.ts'
import { startWallet } from '../support/lightning-wallet.ts'
import { startOver } from './checkout-scene.ts'

let app: App
let shop: Shop
let over: Awaited<ReturnType<typeof startOver>>
const wallet = startWallet(() => app.time.now)
const other = startWallet(() => app.time.now)
const honest = { ...wallet }

beforeAll(async () => {
  over = await startOver({
    rates: { btc: { USD: '50000' } },
    environment: { FLORIN_OUTBOUND_ALLOW: `lightning:${wallet.host},lightning:${other.host}` },
  })
  app = over.app
})
beforeEach(async () => {
  const { lie, prefix, expiryS, minSendable, maxSendable, surplus } = honest
  Object.assign(wallet, { lie, prefix, expiryS, minSendable, maxSendable, surplus })
  // After an hour, what the server knew of the wallet is no longer valid.
  app.time.now += HOUR_MS
  shop = await givenMerchant(app)
  await setUp()
})
afterAll(async () => {
  await rest(app)
  expect(app.audit()).toEqual([])
  await over.close()
  wallet.stop()
  other.stop()
})

const address = () => `shop@${wallet.host}`

async function setUp(text = address()) {
  const account = await tryLightning(app.context, shop.id, { kind: 'address', text })
  await setUpLightning(app.context, shop.id, account)
  return account
}

const order = () => givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
const tryOpen = (orderUUID: string) =>
  app.call('POST', `/pay/${orderUUID}/crypto`, { form: { asset: 'lightning' } })

async function opened() {
  const { orderUUID } = await order()
  const { attempt } = await openCrypto(app, orderUUID, 'lightning')
  return { orderUUID, invoice: attempt.address as string, attempt }
}

test('an order is paid by an invoice of the shop’s wallet, from the opening to order.paid', async () => {
  const { orderUUID, invoice, attempt } = await opened()
  // 25 dollars at 50,000 dollars per bitcoin
  expect(invoice).toMatch(/^lnbc500000n1/)
  expect(attempt).toMatchObject({
    assetId: 'lightning',
    amount: '0.0005',
    uri: `lightning:${invoice.toUpperCase()}`,
    lockedUntil: instant(app.time.now + LOCK_MS),
  })
  expect((await check(app, orderUUID)).status).toBe('UNPAID')
  const page = await app.call('GET', `/pay/${orderUUID}`)
  expect(page.text).toContain(invoice)
  expect(page.text).not.toContain(wallet.preimageOf(invoice))

  wallet.pay(invoice)
  expect((await check(app, orderUUID)).status).toBe('PAID')
  await app.advance(0)
  expect(eventTypesOf(app, orderUUID)).toEqual(['order.paid'])
  const { json } = await app.call('GET', `/v1/orders/${orderUUID}`, { key: shop.live })
  expect(json.data).toMatchObject({ status: 'PAID' })
})

test('a proven settlement stays, whatever the wallet reports later', async () => {
  const { orderUUID, invoice } = await opened()
  wallet.pay(invoice)
  expect((await check(app, orderUUID)).status).toBe('PAID')
  wallet.lie = path => (path.startsWith('/verify') ? { status: 'OK', settled: false, preimage: null } : null)
  for (let hour = 0; hour < 26; hour++) await app.advance(HOUR_MS)
  expect((await statusOf(app, orderUUID)).status).toBe('PAID')
})

test.each([
  ['without a preimage', () => null],
  ['with a wrong preimage', () => 'ab'.repeat(32)],
  ['with the preimage of another invoice', () => wallet.issue(50_000_000n).preimage],
  ['with something that is no preimage', () => 'yes'],
])('an invoice that is reported as paid %s pays no order', async (_, preimage) => {
  const { orderUUID, invoice } = await opened()
  wallet.lie = (path, answer) =>
    path.startsWith('/verify') ? { ...answer, settled: true, preimage: preimage() } : null
  for (let look = 0; look < 3; look++) {
    expect((await check(app, orderUUID)).status).toBe('UNPAID')
    await app.advance(MINUTE_MS)
  }
  expect(notificationsOf(app, orderUUID)).toEqual(['unmatched_payment'])
  wallet.lie = () => null
  wallet.pay(invoice)
  expect((await check(app, orderUUID)).status).toBe('PAID')
})

test('the preimage is read in upper and lower case', async () => {
  const { orderUUID, invoice } = await opened()
  wallet.pay(invoice)
  wallet.lie = (path, answer) =>
    path.startsWith('/verify') ? { ...answer, preimage: String(answer.preimage).toUpperCase() } : null
  expect((await check(app, orderUUID)).status).toBe('PAID')
})

test('a settlement that the wallet reports late counts as in time', async () => {
  const { orderUUID, invoice } = await opened()
  await app.advance(2 * HOUR_MS)
  wallet.pay(invoice)
  await app.advance(2 * HOUR_MS)
  expect((await statusOf(app, orderUUID)).status).toBe('PAID')
  const { json } = await app.call('GET', `/v1/orders/${orderUUID}`, { key: shop.live })
  expect(json.data.status).toBe('PAID')
})

const bad: [string, Partial<typeof wallet>][] = [
  ['asks for more', { surplus: 1000n }],
  ['asks for less', { surplus: -1000n }],
  ['is for a test network', { prefix: 'bcrt' }],
  ['expires in five seconds', { expiryS: 5 }],
]
const answers: [string, (path: string) => boolean, (answer: Record<string, unknown>) => unknown][] = [
  ['has no verify URL', path => path === '/pay', ({ pr }) => ({ pr })],
  ['has a broken checksum', path => path === '/pay', answer => ({ ...answer, pr: `${answer.pr}q` })],
  ['is already called paid', path => path.startsWith('/verify'), a => ({ ...a, settled: true })],
  ['is unknown to its own server', path => path.startsWith('/verify'), () => ({ status: 'ERROR' })],
  ['is another one at its server', path => path.startsWith('/verify'), a => ({ ...a, pr: 'lnbc1' })],
  ['comes from a server that fails', path => path === '/pay', () => new Response('no', { status: 500 })],
  ['comes as a web page', path => path === '/pay', () => new Response('<html>')],
  ['comes as a megabyte', path => path === '/pay', () => ({ pr: 'x'.repeat(1_000_000) })],
  ['comes from a redirect', path => path === '/pay', () => Response.redirect('http://127.0.0.1:1/', 302)],
]

test.each(bad)(
  'an invoice that %s is refused, and the buyer reads that Lightning is not available now',
  async (_, change) => {
    const { orderUUID } = await order()
    Object.assign(wallet, change)
    expect((await tryOpen(orderUUID)).status).toBe(502)
    expect(attemptsOf(app, orderUUID)).toEqual([])
  },
)

test.each(answers)('an invoice that %s is refused', async (_, isMeant, change) => {
  const { orderUUID } = await order()
  wallet.lie = (path, answer) => (isMeant(path) ? (change(answer) as Record<string, unknown>) : null)
  expect((await tryOpen(orderUUID)).status).toBe(502)
  expect(attemptsOf(app, orderUUID)).toEqual([])
})

test('an invoice that came too late to be shown with an address is not stored', async () => {
  const { orderUUID } = await order()
  const opening = openCryptoAttempt(app.context, orderUUID, 'lightning', { isLate: () => true })
  expect(await opening.catch(error => error.reason)).toEqual({ kind: 'network_away' })
  expect(attemptsOf(app, orderUUID)).toEqual([])
})

test('an invoice is shown to one buyer only', async () => {
  const { text } = wallet.issue(50_000_000n)
  let verify = ''
  wallet.lie = (path, answer) => {
    verify ||= path === '/pay' ? String(answer.verify) : ''
    return path === '/pay'
      ? { pr: text, verify }
      : path.startsWith('/verify')
        ? { settled: false, pr: text }
        : null
  }
  const first = await order()
  expect((await tryOpen(first.orderUUID)).status).toBe(303)
  const second = await order()
  expect((await tryOpen(second.orderUUID)).status).toBe(502)
})

test('an invoice that expires before the quote shortens the quote, and a new invoice follows', async () => {
  wallet.expiryS = 10 * 60
  const { orderUUID, invoice, attempt } = await opened()
  expect(attempt.lockedUntil).toBe(instant(Math.floor(app.time.now / 1000) * 1000 + 10 * MINUTE_MS))
  await app.advance(11 * MINUTE_MS)
  const again = await openCrypto(app, orderUUID, 'lightning')
  expect(again.attempt.address).not.toBe(invoice)
  wallet.pay(again.attempt.address)
  expect((await check(app, orderUUID)).status).toBe('PAID')
})

test.each([
  [
    'a thousandth of a satoshi less than the wallet accepts',
    { minSendable: 50_000_001, maxSendable: 60_000_000 },
  ],
  ['a thousandth of a satoshi more than the wallet accepts', { minSendable: 1000, maxSendable: 49_999_999 }],
])('an order of %s hides the method once the limits are known', async (_, limits) => {
  Object.assign(wallet, { minSendable: 50_000_000, maxSendable: 50_000_000 })
  await opened()
  Object.assign(wallet, limits)
  const { orderUUID } = await order()
  expect((await tryOpen(orderUUID)).status).toBe(502)
  expect((await tryOpen(orderUUID)).status).toBe(422)
  expect((await app.call('GET', `/pay/${orderUUID}`)).text).not.toContain('value="lightning"')
})

test('a wallet that is down stops neither other shops nor other payments', async () => {
  const { orderUUID, invoice } = await opened()
  const before = shop
  wallet.lie = () => new Response('away', { status: 503 })
  for (let minute = 0; minute < 4; minute++) await app.advance(MINUTE_MS)
  expect((await statusOf(app, orderUUID)).blindSince).not.toBe(null)
  // While the wallet cannot be reached, the page says so and quotes no amount.
  const waiting = await order()
  expect((await app.call('GET', `/pay/${waiting.orderUUID}`)).text).toContain('We can’t reach Lightning')

  shop = await givenMerchant(app)
  await setUp(`shop@${other.host}`)
  const another = await opened()
  other.pay(another.invoice)
  expect((await check(app, another.orderUUID)).status).toBe('PAID')

  shop = before
  wallet.lie = () => null
  wallet.pay(invoice)
  await app.advance(2 * MINUTE_MS)
  expect((await statusOf(app, orderUUID)).status).toBe('PAID')
})

test.each([
  ['a name that its server does not know', () => `nobody@${wallet.host}`, 'lightningName'],
  ['a text that is no Lightning address', () => 'lnurl1nonsense', 'lightningName'],
  ['a host that is private and not allowed', () => 'shop@127.0.0.1:9', 'lightningPrivate'],
])('%s is refused with the reason', async (_, text, kind) => {
  const refused = await tryLightning(app.context, shop.id, { kind: 'address', text: text() }).catch(
    error => error,
  )
  expect(refused.reason).toMatchObject({ kind: 'wallet', fault: { kind } })
})
