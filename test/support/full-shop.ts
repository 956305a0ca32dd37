import { createUser } from '../../src/operations/people/create-user.ts'
import type { App } from './app.ts'
import { startWithReceiver } from './app-with-receiver.ts'
import { codeAt } from './authenticator.ts'
import { browserOf, cookieOf, PASSWORD, type Person, signInAs } from './dashboard.ts'
import { check, givenOrder, givenProduct, givenShop, openCrypto, type Shop, simulate } from './given.ts'

const MINUTE_MS = 60_000

/** IDs of rows, by the part of a route that they fill, such as `orders/:order`. */
export type Rows = Record<string, string[]>

/** A shop with every kind of row, and its people. */
export interface FullShop {
  shop: Shop
  owner: Person
  staff: Person
  viewer: Person
  /** the owner in another browser, between the password and the code */
  halfway: Person
  /** rows that this person may open: channels and saved views belong to one person */
  rowsOf(person: Person): Rows
  /** values that forms need in addition to the path */
  inForms: Record<string, string>
}

const parameter = /[^/]+\/:\w+/
/** Includes the next segment, because some rows appear only on some pages. */
const page = /[^/]+\/:\w+\/\w+/

/** The paths of a route, one for each row that fills it. A new parameter needs a row here. */
export function pathsOf(route: string, rows: Rows): string[] {
  const key = parameter.exec(route)?.[0]
  if (!key) return [route]
  const ids = rows[page.exec(route)?.[0] ?? ''] ?? rows[key]
  if (!ids?.length) throw new Error(`No row fills ${route}: add one to test/support/full-shop.ts.`)
  return ids.map(id => route.replace(/:\w+/, id))
}

/** A server whose webhooks and notifications arrive at a receiver that fails every second request. */
export async function startFullApp(environment: Record<string, string> = {}) {
  let requests = 0
  const app = await startWithReceiver(environment)
  app.receiver.answerWith(() => new Response('', { status: ++requests % 2 ? 500 : 200 }))
  return app
}

type FullApp = Awaited<ReturnType<typeof startFullApp>>
type Receiver = FullApp['receiver']

const idsIn = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(match => match[1]!)),
]

async function sent(answer: Promise<{ status: number; text: string }>): Promise<string> {
  const { status, text } = await answer
  if (status >= 400) throw new Error(`${status} ${text}`)
  return text
}

/** Orders in several states: open, paid, paid with a refund and a note, underpaid, cancelled. */
async function givenOrders(app: App, shop: Shop, owner: Person): Promise<string[]> {
  const create = async (change: object) => {
    app.time.now += MINUTE_MS
    return (await givenOrder(app, shop, change)).orderUUID as string
  }
  const pay = async (id: string, asset: string, outcome: string) => {
    await openCrypto(app, id, asset)
    await simulate(app, id, outcome)
    await check(app, id)
  }
  const open = await create({ externalId: 'OPEN-1', metadata: { cart: 'x'.repeat(80) } })
  const paid = await create({ externalId: `PAID-${'1'.repeat(60)}`, amount: '1234567.00' })
  await pay(paid, 'btc', 'paid')
  const refunded = await create({ externalId: 'REFUNDED-1', currency: 'EUR', description: 'A <b> of 1 & 2' })
  await pay(refunded, 'polygon/usdc', 'paid')
  const form = { amount: '10.00', reason: 'returned', token: crypto.randomUUID() }
  await sent(owner.post(`/dashboard/orders/${refunded}/refund`, form))
  await sent(owner.post(`/dashboard/orders/${refunded}/notes`, { text: 'They called.' }))
  const short = await create({ externalId: 'SHORT-1', customer: { email: 'ann@buyer.example' } })
  await pay(short, 'polygon/usdc', 'underpaid')
  const wrong = await create({ externalId: 'WRONG-1' })
  await pay(wrong, 'btc', 'wrong_asset')
  await pay(await create({ externalId: 'WRONG-2' }), 'btc', 'wrong_asset')
  const cancelled = await create({ externalId: 'CANCELLED-1' })
  await sent(owner.post(`/dashboard/orders/${cancelled}/cancel`, { reason: 'asked for' }))
  // The first order has an unmatched payment that can be accepted.
  return [wrong, open, paid, refunded, short, cancelled]
}

/** A channel and saved filters of a person. */
async function givenOwnRows(person: Person, receiver: Receiver): Promise<Rows> {
  const channel = { name: 'ntfy', 'address-ntfy': `http://${receiver.host}/${person.userId}` }
  const added = await sent(person.post('/dashboard/notices', channel))
  await sent(person.post('/dashboard/orders/views', { name: 'Paid', query: 'status=PAID' }))
  const list = await sent(person.get('/dashboard/orders'))
  return {
    'notices/:id': idsIn(added, /notices\/([0-9a-f-]{36})/g).slice(0, 1),
    'views/:view': idsIn(list, /views\/([0-9a-f-]{36})\/delete/g),
  }
}

/** The code that was sent to the channel of a person. */
const codeOf = ({ received }: Receiver, { userId }: Person): string =>
  /\b[0-9]{6}$/.exec(received.find(({ json }) => json.topic === userId)?.json.message)?.[0] ?? ''

/** Switches the second factor on for a person, and signs in until its code is asked for. */
async function givenHalfway(app: App, person: Person): Promise<Person> {
  const path = '/dashboard/account/second-factor'
  const setUp = await sent(person.post(path))
  const secret = /(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}/.exec(setUp)?.[0].replaceAll(' ', '') ?? ''
  await sent(person.post(`${path}/confirm`, { code: codeAt(secret, Math.floor(app.time.now / 30_000)) }))
  const form = { email: person.email, password: PASSWORD, next: '/dashboard' }
  return browserOf(app, cookieOf(await browserOf(app, '').post('/dashboard/sign-in', form)))
}

/** Fills a shop through the forms of the dashboard and the API. */
export async function givenFullShop(app: FullApp): Promise<FullShop> {
  const { receiver } = app
  const shop = await givenShop(app)
  const people: Person[] = []
  for (const role of ['owner', 'staff', 'viewer'] as const) {
    // The limit of sign-ins per minute is low.
    app.time.now += MINUTE_MS
    people.push(await signInAs(app, role, shop.id))
  }
  const [owner, staff, viewer] = people as [Person, Person, Person]
  await sent(owner.post('/dashboard/webhook', { url: receiver.url }))
  const body = { url: receiver.url, events: ['order.paid', 'payment.created'] }
  const added = await app.call('POST', '/v1/webhooks', { key: shop.live, body })
  const product = await givenProduct(app, shop)
  const orders = await givenOrders(app, shop, owner)
  await app.jobs.settle()
  const email = `invited-${shop.id}@people.example`
  const invited = await createUser(app.context, { email, merchantId: shop.id, role: 'viewer' })
  const own = new Map<Person, Rows>()
  for (const person of people) own.set(person, await givenOwnRows(person, receiver))
  const read = async (path: string, pattern: RegExp) => idsIn(await sent(owner.get(path)), pattern)
  const rows: Rows = {
    'orders/:order': orders,
    'counter/:order': orders,
    'customers/:customer': await read('/dashboard/customers', /customers\/([0-9a-f-]{36})/g),
    'deliveries/:id': await read('/dashboard/deliveries', /deliveries\/([0-9a-f-]{36})/g),
    'unmatched/:payment': await read('/dashboard/unmatched', /unmatched\/([0-9a-f-]{36})/g),
    'products/:product': [product.id],
    'keys/:id': [shop.liveKeyId],
    'apps/:key': [shop.liveKeyId],
    'webhooks/:webhook': [added.json.data.endpointId],
    'webhooks/:endpointId': [added.json.data.endpointId],
    'payouts/:network': ['evm', 'btc', 'xmr'],
    'payouts/:network/pool': ['btc'],
    'endpoints/:chain': ['base', 'btc'],
    'shops/:shop': [shop.id],
    'link/:token': [invited.token ?? ''],
    // The pages of simulated card providers.
    'pay/:id': ['cs_test_0'],
  }
  const pages = await Promise.all(orders.map(id => owner.get(`/dashboard/orders/${id}`)))
  const fieldOf = (name: string) =>
    pages.flatMap(({ text }) => idsIn(text, new RegExp(`name="${name}" value="([^"]+)"`, 'g')))[0] ?? ''
  return {
    shop,
    owner,
    staff,
    viewer,
    halfway: await givenHalfway(app, owner),
    rowsOf: person => ({ ...rows, ...own.get(person) }),
    inForms: { payment: fieldOf('payment'), event: fieldOf('event'), code: codeOf(receiver, owner) },
  }
}
