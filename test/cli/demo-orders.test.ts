import { afterAll, beforeAll, expect, test } from 'bun:test'
import { notificationKinds } from '../../src/domain/notification-kind.ts'
import { databaseFile } from '../../src/storage/sqlite/open.ts'
import { dashboardLocale } from '../../views/dashboard/locale.ts'
import { audit } from '../support/auditor.ts'
import { demoFolder, startDemo } from '../support/demo.ts'
import {
  callUrl,
  endProcesses,
  FLORIN,
  newFolder,
  type RunningProcess,
  runUntil,
  startProcess,
} from '../support/process.ts'
import { words } from '../support/words.ts'
import { florinIn } from './commands.ts'

afterAll(endProcesses)

/** The text that the page of each order must show. */
const promises: Record<string, RegExp> = {
  toPay: /Order DEMO-\d+ (?!.*declined).*Card, bank transfer or digital wallet.*Crypto.*USDC · Polygon/,
  waitingForCoin: /Pay 25 USDC on Polygon Waiting for your payment/,
  waitingForCard: /Waiting for MoonPay.*in the other tab/,
  confirming: /Payment detected \d+ of \d+ confirmations/,
  partlyPaid: /78\.125 DOGE left to pay.*same address/,
  paidByCard: /Paid You paid Corner Coffee with MoonPay/,
  paidInCrypto: /Paid You paid 0\.00041667 BTC.*Thank you/,
  receipt: /Receipt.*Paid with Bitcoin.*Transaction [0-9a-f]{64}/,
  overpaid: /Paid You paid 50 USDC.*You paid more than was due.*only 25 USDC was due/,
  paidLate: /Paid You paid 0\.3125 LTC/,
  arrivedLate: /has expired.*Your payment arrived late.*0\.15625 LTC, worth.*after the time.*Refund address/,
  expired: /has expired.*wasn’t paid in time.*order again/,
  cancelled: /was cancelled.*not charged/,
  partlyRefunded: /Paid You paid 25 USDC.*refunded \$10\.00/,
  declined: /MoonPay.* declined the payment.*Try again, or choose another.*Crypto/,
}
const states = Object.keys(promises)
const { notices, payouts, pool } = dashboardLocale('en', 'UTC').texts

const textOf = (page: string): string =>
  page
    .replace(/<(style|script|svg|head)\b.*?<\/\1>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')

const quiet = { FLORIN_LOG_LEVEL: 'warn' }
const dataDir = newFolder()
const startInFolder = () => startProcess(FLORIN, ['demo'], { ...quiet, FLORIN_DATA_DIR: dataDir })

let demo: RunningProcess
/** the cookie of the owner's login */
let owner = ''
beforeAll(async () => {
  demo = await startInFolder()
})

/** The states whose page lacks its text. */
async function brokenPromises({ orders }: { orders: Record<string, string> }): Promise<object> {
  const pages = await Promise.all(
    Object.entries(orders).map(async ([state, url]) => {
      const { status, text } = await callUrl(url, 'GET', { headers: { accept: 'text/html' } })
      return [state, `${status} ${textOf(text)}`] as const
    }),
  )
  return Object.fromEntries(
    pages.filter(([state, text]) => !text.startsWith('200') || !promises[state]?.test(text)),
  )
}

interface Order {
  orderUUID: string
  externalId: string
  status: string
  createdAt: string
}

async function ordersOf({ call, output }: RunningProcess): Promise<Order[]> {
  const answer = await call('GET', '/v1/orders?pageSize=100', { key: output.liveKey })
  return answer.json.data.items
}

/** The orders with a prefix: those whose pages are printed, or those of the shop's past. */
const numbered = (orders: Order[], prefix: string) =>
  orders.filter(({ externalId }) => externalId.startsWith(prefix))

const allOrders = async (process: RunningProcess, prefix = 'DEMO-'): Promise<string[]> =>
  numbered(await ordersOf(process), prefix)
    .map(({ orderUUID }) => orderUUID)
    .sort()

test('a demo has an order in each state, and its page shows it', async () => {
  expect(Object.keys(demo.output.orders)).toEqual(states)
  expect(demo.output.orders.toPay).toBe(demo.output.checkoutUrl)
  expect(await brokenPromises(demo.output)).toEqual({})
  expect(demo.stderr()).not.toContain('demo.order')
})

test('a demo has a different order for each page, except the receipt', async () => {
  const { receipt, ...pages } = demo.output.orders
  expect(receipt).toBe(`${pages.paidInCrypto}/receipt`)
  expect(new Set(Object.values(pages)).size).toBe(states.length - 1)
  expect(await allOrders(demo)).toHaveLength(states.length - 1)
})

test('a demo has a past of six weeks, made once and without a warning', async () => {
  const past = numbered(await ordersOf(demo), 'CC-')
  const days = past.map(({ createdAt }) => (Date.now() - Date.parse(createdAt)) / 86_400_000)
  expect(Math.max(...days)).toBeGreaterThan(40)
  expect(Math.min(...days)).toBeLessThan(3)
  expect(Math.min(...days)).toBeGreaterThan(0)
  const counts = Object.groupBy(past, ({ status }) => status)
  expect(counts.PAID?.length).toBeGreaterThan(40)
  expect(counts.EXPIRED?.length).toBeGreaterThan(4)
  expect(counts.CANCELLED?.length).toBe(2)
  expect(counts.UNPAID).toBeUndefined()
  // The log does not warn either that a shop of six weeks has no backup: a demo needs none.
  expect(demo.stderr()).not.toMatch(/demo[.]history|clock|service[.]unusable/)
  const { items } = await florinIn(demo.dataDir).json(
    'unmatched',
    'list',
    '--merchant',
    demo.output.merchantId,
  )
  const pastOnes = new Set(past.map(({ orderUUID }) => orderUUID))
  const ofPast = items.filter(({ orderUUID }: Order) => pastOnes.has(orderUUID))
  expect(ofPast.map(({ status }: Order) => status)).toEqual(['open', 'resolved'])
})

test('a demo has a shop that accepts events, and sometimes refuses one at first', async () => {
  const list = ['event', 'list', '--merchant', demo.output.merchantId]
  const { items } = await florinIn(demo.dataDir).json(...list)
  expect(items.length).toBeGreaterThan(40)
  const events: { status: string; attempts: { httpStatus: number }[] }[] = items
  expect(events.filter(({ status }) => status !== 'delivered')).toEqual([])
  const tries = events.map(({ attempts }) => attempts.map(({ httpStatus }) => httpStatus).join())
  expect([...new Set(tries)].sort()).toEqual(['200', '503,200'])
})

const asHtml = { accept: 'text/html' }

/** Opens a link of the demo, or signs in with a form, and returns the cookie of the login. */
async function enter(link: string, form: Record<string, string> = {}): Promise<string> {
  const { origin } = new URL(demo.url)
  const headers = { ...asHtml, origin, 'sec-fetch-site': 'same-origin' }
  const entered = await callUrl(link, 'POST', { headers, form })
  return (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}

const visit = (cookie: string, path: string) =>
  demo.call('GET', path, { headers: { ...asHtml, cookie, 'accept-language': 'en' } })

test('a demo has a dashboard for each role, and its owner has nothing left to set up', async () => {
  const { dashboardUrl, dashboardUrls } = demo.output
  expect(dashboardUrl).toBe(dashboardUrls.owner)
  expect(Object.keys(dashboardUrls)).toEqual(['owner', 'staff', 'viewer'])
  for (const [role, url] of Object.entries<string>(dashboardUrls)) {
    const cookie = await enter(url)
    const page = await visit(cookie, '/dashboard')
    expect([role, page.status]).toEqual([role, 200])
    expect(page.text).toContain(`${role === 'owner' ? 'demo' : role}@florin.example`)
    expect(page.text).not.toMatch(/Set up your shop|of the setup/)
    const views = await visit(cookie, '/dashboard/orders')
    expect([role, views.text.includes('Paid in euros')]).toEqual([role, role === 'owner'])
    if (role === 'owner') owner = cookie
  }
})

test('a demo prints the password of its people', async () => {
  const { url, password } = demo.output
  const cookie = await enter(`${url}/dashboard/sign-in`, { email: 'staff@florin.example', password })
  expect((await visit(cookie, '/dashboard')).text).toContain('staff@florin.example')
})

test('a demo has people who work there, and one who was invited', async () => {
  const page = textOf((await visit(owner, '/dashboard/people')).text)
  expect(page).toContain('barista@florin.example Invited, no password yet')
  expect(page.match(/Invited, no password yet/g)).toHaveLength(1)
})

/** Opens the page of a provider from the order of the second shop, and sends its form. */
async function payByCard(method: string, form: Record<string, string>): Promise<void> {
  const { checkoutUrl } = demo.output.cards
  const orderUUID = new URL(checkoutUrl).pathname.split('/').at(-1)
  expect(textOf((await callUrl(checkoutUrl, 'GET', { headers: asHtml })).text)).toMatch(/Card.*iDEAL/)
  const opened = await demo.call('GET', `/payment/process/${orderUUID}?method=${method}`)
  const page = opened.headers.get('location') ?? ''
  const { text } = await callUrl(page, 'GET', { headers: asHtml })
  expect(textOf(text)).toMatch(/25\.00 USD.*No money moves/)
  if (method === 'stripe') expect(textOf(text)).toContain('4242 4242 4242 4242 pays')
  expect((await callUrl(page, 'POST', { headers: asHtml, form })).status).toBe(303)
  const paid = await callUrl(checkoutUrl, 'GET', { headers: asHtml })
  expect(textOf(paid.text)).toMatch(/Paid You paid Corner Roastery/)
}

test('a demo has a shop that accepts cards with its own Stripe account', async () => {
  await payByCard('stripe', { by: 'card', card: '4242 4242 4242 4242' })
  const cookie = await enter(demo.output.cards.dashboardUrl)
  const page = textOf((await visit(cookie, '/dashboard/cards')).text)
  expect(page).toMatch(/Stripe.*acct_CornerRoastery/)
})

test('a demo has address sources of each kind, and a list of addresses that runs low', async () => {
  const page = textOf((await visit(owner, '/dashboard/payouts')).text)
  expect(page).toMatch(/Litecoin .* zpub6rPo…GxqZ6swA [1-9]/)
  const { given, free, kinds } = payouts
  expect(page).toContain(`${kinds.viewkey} ${given({ count: 3 })}`)
  expect(page).toContain(`${kinds.pool} ${given({ count: 4 })} ${free({ count: 10 })}`)
  const list = textOf((await visit(owner, '/dashboard/payouts/bitcoincash/pool')).text)
  expect(list).toContain(pool.low({ count: 10 }))
  expect(list).toContain(`${pool.free} 10 ${pool.freeHint} ${pool.reserved} 1 `)
  expect(list).toContain(`${pool.used} 3 ${pool.usedHint}`)
})

test('a demo notifies the owner by mail and ntfy, and sends nothing to the internet', async () => {
  const page = textOf((await visit(owner, '/dashboard/notices')).text)
  const { names, states, everything, some, notSent, digestAt } = notices
  const [mail, phone] = [`${names.mail} ${states.verified}`, `${names.ntfy} ${states.verified}`]
  expect(page).toContain(`${mail} demo@florin.example ${everything} · ${digestAt({ hour: '08:00' })}`)
  expect(page).toContain(
    `${phone} ${demo.url}/sandbox/ntfy/corner-coffee ${some({ count: 4, of: notificationKinds.length })}`,
  )
  expect(page).not.toContain(notSent)
  expect(page).not.toContain(states.failing)
})

test('a demo has the same orders when it is started again, and replaces expired ones', async () => {
  const before = await allOrders(demo)
  const past = await allOrders(demo, 'CC-')
  const pathsOf = ({ orders }: { orders: Record<string, string> }) =>
    Object.fromEntries(Object.entries(orders).map(([state, url]) => [state, new URL(url).pathname]))
  const first = pathsOf(demo.output)
  await demo.stop()
  expect(audit(databaseFile(demo.dataDir))).toEqual([])

  demo = await startInFolder()
  expect(pathsOf(demo.output)).toEqual(first)
  expect(await allOrders(demo)).toEqual(before)
  expect(await allOrders(demo, 'CC-')).toEqual(past)
  expect(await brokenPromises(demo.output)).toEqual({})
  await payByCard('mollie', { status: 'paid' })

  await demo.call('POST', '/sandbox/clock', { body: { advanceSeconds: 26 * 3600 } })
  await demo.stop()
  demo = await startInFolder()
  const later = pathsOf(demo.output)
  expect(await brokenPromises(demo.output)).toEqual({})
  expect(states.filter(state => later[state] !== first[state])).toEqual(
    words(`
    toPay waitingForCoin waitingForCard confirming partlyPaid declined
  `),
  )
  expect((await demo.stop()).exitCode).toBe(0)
  expect(audit(databaseFile(demo.dataDir))).toEqual([])
})

test('a demo notifies the merchant of orders that were paid late or too much', async () => {
  const { output } = demo
  const idOf = (state: string) => new URL(output.orders[state]).pathname.split('/').at(-1)
  const { items } = await florinIn(demo.dataDir).json('notification', 'list', '--merchant', output.merchantId)
  const sent = items.map((one: { kind: string; orderUUID: string }) => `${one.kind} ${one.orderUUID}`)
  expect(sent).toContain(`payment_late ${idOf('paidLate')}`)
  expect(sent).toContain(`payment_over ${idOf('overpaid')}`)
  expect(sent).toContain(`unmatched_payment ${idOf('arrivedLate')}`)
})

test('a demo has its orders also with short expiries, a long grace and a low rate limit', async () => {
  const environment = { FLORIN_ORDER_EXPIRY: '5m', FLORIN_LATE_GRACE: '5h', FLORIN_PUBLIC_RATE_LIMIT: '1' }
  const server = await startDemo({ ...quiet, ...environment })
  expect(Object.keys(server.output.orders)).toEqual(states)
  expect(await brokenPromises(server.output)).toEqual({})
  await server.stop()
})

test('a demo prints a link to each order', async () => {
  const { stdout } = await runUntil(['demo'], { ...quiet, FLORIN_DATA_DIR: await demoFolder() }, 'Ctrl-C')
  const links = stdout.match(/^ {2}[A-Z][a-z ,]+ {2,}http:\S+\/pay\/[0-9a-f-]{36}(\/receipt)?$/gm) ?? []
  expect(links.map(link => link.trim().split(/ {2,}/)[0])).toEqual([
    ...['To pay', 'Waiting for a coin', 'Waiting for a card', 'Confirming', 'Partly paid', 'Paid by card'],
    ...['Paid in crypto', 'Receipt', 'Overpaid', 'Paid late', 'Paid too late', 'Expired', 'Cancelled'],
    ...['Partly refunded', 'Card declined'],
  ])
})
