import { afterAll, describe, expect, test } from 'bun:test'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { runAutomatically } from '../../plugins/medusa/src/automatic.ts'
import { catchUp, catchUpOnRefunds } from '../../plugins/medusa/src/catch-up.ts'
import { Florin } from '../../plugins/medusa/src/florin/client.ts'
import { decimalOf, decimalsOf } from '../../plugins/medusa/src/money.ts'
import { checkOptions } from '../../plugins/medusa/src/options.ts'
import { Payments } from '../../plugins/medusa/src/payments.ts'
import { type Notice, type Session, type Shop, settle } from '../../plugins/medusa/src/settle.ts'
import { eventOf } from '../../plugins/medusa/src/webhook.ts'
import { currencies, currencyDecimals } from '../../src/domain/currency.ts'
import { startWithReceiver } from '../support/app-with-receiver.ts'
import { check, givenOrder, givenShop, openCrypto, paidInCash, simulate } from '../support/given.ts'
import { endProcesses, newFolder, ROOT, runCli } from '../support/process.ts'
import { suite } from '../support/suite.ts'

// Tests the part of the plugin that talks to Florin. `npm run test:medusa` tests all of it in Medusa.

const { app, each } = suite({ start: startWithReceiver })
/** Florin on a socket. Below /dead, no request is answered. */
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    if (new URL(request.url).pathname.startsWith('/dead')) return new Response('', { status: 504 })
    return app.florin.http.fetch(request)
  },
})
afterAll(() => Promise.all([server.stop(true), endProcesses()]))

const url = server.url.origin
const merchant = each(() => givenShop(app))
const payments = each(() => paymentsAt(url))

function paymentsAt(address: string, more: object = {}): Payments {
  const options = { url: address, apiKey: merchant.live, webhookSecret: 'a secret', ...more }
  return new Payments(new Florin({ ...options, retries: 0 }), options)
}

let sessions = 0
const newId = () => `payses_${++sessions}`
const usd = (amount: unknown) => ({ amount, currency_code: 'usd' })
const buyer = { email: 'buyer@example.com' }
const open = (id = newId(), amount: unknown = 25) =>
  payments.open(usd(amount), { session_id: id, cart_id: 'cart_1' }, buyer, id)
const orderOf = async (orderUUID: string) =>
  (await app.call('GET', `/v1/orders/${orderUUID}`, { key: merchant.live })).json.data

async function pay(orderUUID: string, outcome = 'paid'): Promise<void> {
  await openCrypto(app, orderUUID, 'ethereum/usdc')
  await simulate(app, orderUUID, outcome)
  await check(app, orderUUID)
}

const failure = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing failed',
    error => error.message,
  )

describe('amounts of Medusa', () => {
  test('have the decimals that Florin has for each currency', () => {
    const other = currencies.filter(code => decimalsOf(code.toLowerCase()) !== currencyDecimals(code))
    expect(other).toEqual([])
  })

  test.each([
    [25, 'usd', '25.00'],
    [12.5, 'usd', '12.50'],
    ['0.1', 'eur', '0.10'],
    [{ value: '5', precision: 20 }, 'usd', '5.00'],
    [{ numeric: 1.5, raw: { value: '1.50000000000000000001' } }, 'usd', '1.50'],
    ['13.005', 'usd', '13.01'],
    ['13.0049999999999999999', 'usd', '13.00'],
    [0.004, 'usd', '0.00'],
    [0.005, 'usd', '0.01'],
    [1e-7, 'usd', '0.00'],
    ['999.995', 'usd', '1000.00'],
    [1e21, 'jpy', '1000000000000000000000'],
    ['1234.5', 'jpy', '1235'],
    [1.2345, 'kwd', '1.235'],
  ])('%p in %s is %s', (amount, currency, text) => {
    expect(decimalOf(amount, currency)).toBe(text)
  })

  test.each([Number.NaN, -1, 'a lot', null, undefined, {}, '1,5', Number.POSITIVE_INFINITY])(
    '%p is refused',
    amount => {
      expect(() => decimalOf(amount, 'usd')).toThrow('is not an amount of money')
    },
  )
})

test('the package has its JavaScript, and nothing else', async () => {
  const copy = newFolder()
  cpSync(join(ROOT, 'plugins/medusa'), copy, { recursive: true, dereference: true })
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  // `npm run test:medusa` checks the types, because they need Medusa.
  const built = await runCli([compiler, '-p', '.', '--noCheck'], {}, [process.execPath], copy)
  expect(built).toEqual({ exitCode: 0, stdout: '', stderr: '' })
  const npm = ['pack', '--json', '--dry-run', '--ignore-scripts']
  const packed = await runCli(npm, { PATH: process.env.PATH ?? '' }, ['npm'], copy)
  const [{ files }] = JSON.parse(packed.stdout)
  const sources = [...new Bun.Glob('**/*.ts').scanSync(join(copy, 'src'))]
  expect(files.map(({ path }: { path: string }) => path).sort()).toEqual(
    [
      'README.md',
      'package.json',
      ...sources.map(file => `.medusa/server/src/${file.replace(/ts$/, 'js')}`),
    ].sort(),
  )
})

test('a missing option is named before the shop starts', () => {
  const options = { url: 'https://pay.shop.example', apiKey: 'florin_live_x', webhookSecret: 'x' }
  expect(() => checkOptions(options)).not.toThrow()
  for (const name of ['url', 'apiKey', 'webhookSecret'])
    expect(() => checkOptions({ ...options, [name]: undefined })).toThrow(`the option ${name} is missing`)
  expect(() => checkOptions({ ...options, url: 'http://pay.shop.example' })).toThrow('https://')
})

describe('a payment session', () => {
  test('is one order, however often it is made, with the email and the return URL of its cart', async () => {
    const id = newId()
    const data = { session_id: id, cart_id: 'cart/1', email: 'cart@example.com' }
    const returning = paymentsAt(url, { returnUrl: 'https://shop.example/paid?cart={cart_id}' })
    const first = await returning.open(usd('19.99'), data, { first_name: 'Sam', last_name: 'Buyer' }, id)
    const again = await returning.open(usd('19.99'), data, { first_name: 'Sam', last_name: 'Buyer' }, id)
    expect(again.orderUUID).toBe(first.orderUUID)
    expect(await orderOf(first.orderUUID)).toMatchObject({
      ...{ amount: '19.99', currency: 'USD', externalId: id, customerEmail: 'cart@example.com' },
      ...{ customerFullName: 'Sam Buyer', metadata: { session_id: id, cart_id: 'cart/1' } },
      ...{ returnUrl: 'https://shop.example/paid?cart=cart%2F1', checkoutUrl: first.checkoutUrl },
    })
  })

  test('of a cart without an email address is refused', async () => {
    expect(await failure(payments.open(usd(1), { session_id: newId() }, undefined, 'a-long-key'))).toMatch(
      'no email address',
    )
  })

  test('keeps its order for the same amount, and gets another for another amount', async () => {
    const data = await open()
    const same = await payments.change(usd('25.00'), data, undefined)
    expect(same.orderUUID).toBe(data.orderUUID)
    const other = await payments.change(usd(30), data, undefined)
    const back = await payments.change(usd(25), other, undefined)
    expect(new Set([data, other, back].map(({ orderUUID }) => orderUUID)).size).toBe(3)
    expect((await orderOf(data.orderUUID)).status).toBe('CANCELLED')
    expect(await orderOf(back.orderUUID)).toMatchObject({ status: 'UNPAID', amount: '25.00' })
  })

  test.each([
    ['without a payment', async () => {}, 'nothing failed', 'CANCELLED'],
    ['with a payment that has begun', (id: string) => openCrypto(app, id, 'btc'), 'nothing failed', 'UNPAID'],
    ['with a part of the money', (id: string) => pay(id, 'underpaid'), 'A payment is on its way', 'UNPAID'],
    ['with an unconfirmed payment', (id: string) => pay(id, 'pending'), 'A payment is on its way', 'UNPAID'],
    ['that is paid', (id: string) => pay(id), 'This payment has arrived', 'PAID'],
  ] as [string, (id: string) => Promise<unknown>, string, string][])(
    'for an order %s ends only if no money is lost',
    async (_, begin, message, status) => {
      const data = await open()
      await begin(data.orderUUID)
      expect(await failure(payments.end(data))).toMatch(message)
      expect((await orderOf(data.orderUUID)).status).toBe(status)
    },
  )

  test('can be ended without an order, and while Florin does not answer', async () => {
    expect(await payments.end({ session_id: 'x' })).toEqual({ session_id: 'x' })
    const data = await open()
    expect(await paymentsAt(`${url}/dead`).end(data)).toEqual(data)
    expect(await failure(paymentsAt(`${url}/dead`).read(data))).toMatch('no_response')
  })

  test('has the status of its own order', async () => {
    const data = await open()
    const statusNow = async (more: object = {}) => (await payments.read({ ...data, ...more })).status
    expect(await statusNow()).toBe('requires_more')
    await pay(data.orderUUID, 'underpaid')
    expect(await statusNow()).toBe('requires_more')
    await pay(data.orderUUID)
    expect(await payments.read(data)).toMatchObject({
      status: 'captured',
      data: { orderStatus: 'PAID', receivedCurrency: 'ethereum/usdc' },
    })
    // A session is not paid if the paid order belongs to another session or has another amount.
    expect(await statusNow({ session_id: newId() })).toBe('error')
    expect(await statusNow({ amount: '20.00' })).toBe('error')
    const ended = await open()
    await payments.end(ended)
    expect((await payments.read(ended)).status).toBe('canceled')
    expect(await failure(payments.read(undefined))).toMatch('no order in Florin')
  })
})

describe('a refund', () => {
  const refundsOf = async (orderUUID: string) =>
    (await payments.refundsOf(orderUUID)).map(({ amount }) => amount)

  /** True for refunds that Medusa has stored. */
  const inMedusa =
    (...ids: string[]) =>
    async (id: string) =>
      ids.includes(id)

  test('of the same amount as another one, at the same time, is a refund of its own', async () => {
    const opened = await open()
    await pay(opened.orderUUID)
    const { data } = await payments.read(opened)
    const exists = inMedusa('refund-1', 'refund-2', 'refund-3')
    const refund = (key: string) => payments.refund(5, data, key, exists)
    const both = await Promise.all([refund('refund-1'), refund('refund-2')])
    await refund('refund-3')
    expect(await refundsOf(data.orderUUID)).toEqual(['5.00', '5.00', '5.00'])
    // A repeated call returns the same refund.
    expect(await refund('refund-1')).toEqual(both[0])
    expect(await refundsOf(data.orderUUID)).toHaveLength(3)
  })

  test('in Florin belongs to one refund in Medusa, even if two have its amount', async () => {
    const opened = await open()
    await pay(opened.orderUUID)
    const { data } = await payments.read(opened)
    const body = { amount: '5.00', reason: 'broken' }
    const headers = { 'idempotency-key': 'refund-in-florin' }
    await app.call('POST', `/v1/orders/${data.orderUUID}/refunds`, { key: merchant.live, body, headers })
    const exists = inMedusa('refund-1', 'refund-2')
    await Promise.all(['refund-1', 'refund-2'].map(key => payments.refund(5, data, key, exists)))
    expect(await refundsOf(data.orderUUID)).toEqual(['5.00', '5.00'])
  })

  test('is recorded once for each refund in Medusa, and a crash repeats none', async () => {
    const opened = await open()
    await pay(opened.orderUUID)
    const { data } = await payments.read(opened)
    const first = await payments.refund({ value: '5', precision: 20 }, data, 'refund-1', inMedusa())
    // The shop was killed before it stored the result of the first call.
    expect(await payments.refund(5, data, 'refund-2', inMedusa())).toEqual({
      ...first,
      refunds: { 'refund-2': Object.values(first.refunds ?? {})[0] },
    })
    await payments.refund(5, first, 'refund-3', inMedusa())
    expect(await refundsOf(data.orderUUID)).toEqual(['5.00', '5.00'])
    expect(await failure(payments.refund(15.01, first, 'refund-4', inMedusa()))).toMatch(
      'Florin refuses the refund',
    )
  })

  test('that Medusa makes automatically is refused, because no money would move', async () => {
    const data = await open()
    await pay(data.orderUUID)
    const refused = runAutomatically(() => failure(payments.refund(25, data, 'refund-1', inMedusa())))
    expect(await refused).toMatch('no money back by itself')
    expect(await refundsOf(data.orderUUID)).toEqual([])
  })

  test('of an unpaid order is refused', async () => {
    const data = await open()
    expect(await failure(payments.refund(25, data, 'refund-1', inMedusa()))).toMatch(
      'Florin refuses the refund',
    )
  })
})

/** The rows of Medusa, and a record of the changes to them. */
class FakeShop implements Shop {
  readonly sessions = new Map<string, Session>()
  readonly notices: Notice[] = []
  readonly done: string[] = []
  /** the number of times that completing a cart fails, as when the shop is killed */
  failures = 0

  async add(amount: unknown = 25): Promise<Session> {
    const id = newId()
    const session: Session = {
      ...{ id, amount, currency: 'usd', data: await open(id, amount), payment: null, isComplete: false },
      cart: { id: `cart_${id}`, total: amount, currency: 'usd' },
    }
    this.sessions.set(id, session)
    return session
  }

  findSession = async (id: string) => this.sessions.get(id) ?? null

  complete = async ({ id }: Session) => {
    await Bun.sleep(1)
    if (this.failures-- > 0) throw new Error('killed')
    const session = this.sessions.get(id)!
    session.isComplete = true
    session.payment = { id: `pay_${id}`, data: session.data, refunds: [] }
    this.done.push(`ordered ${id}`)
  }

  removeUnfinishedRefunds = async () => {}

  refund = async (paymentId: string, amount: string) => {
    const { payment, data } = [...this.sessions.values()].find(one => one.payment?.id === paymentId)!
    const id = `mirror-${this.done.length}`
    payment!.refunds.push({ id, amount })
    payment!.data = await payments.refund(amount, payment!.data, id, async one =>
      payment!.refunds.some(refund => refund.id === one),
    )
    this.done.push(`refunded ${amount} of ${data.session_id}`)
  }

  notify = async (notice: Notice) => {
    if (!this.notices.some(({ id }) => id === notice.id)) this.notices.push(notice)
  }
}

const shop = each(() => new FakeShop())
const uuidOf = ({ data }: Session) => String(data.orderUUID)
const asOrder = async (session: Session) => orderOf(uuidOf(session))

describe('an event from Florin', () => {
  test('completes its cart once, before it is answered, and is delivered again after a crash', async () => {
    const body = { url: app.receiver.url }
    const set = await app.call('PUT', '/v1/webhook', { key: merchant.live, body })
    const { signingSecret } = set.json.data
    const statuses: number[] = []
    app.receiver.answerWith(async ({ headers, body: rawData }) => {
      const delivery = { rawData, headers: Object.fromEntries(headers) }
      const event = await eventOf(delivery, signingSecret, app.time.now)
      const status = await Promise.resolve(event?.type === 'order.paid' && settle(shop, event)).then(
        () => (event ? 200 : 401),
        () => 500,
      )
      statuses.push(status)
      return new Response('', { status })
    })
    shop.failures = 1
    const session = await shop.add()
    await pay(uuidOf(session))
    await app.advance(0)
    await app.advance(60_000)
    await app.advance(600_000)
    expect(statuses).toEqual([500, 200])
    expect(shop.done).toEqual([`ordered ${session.id}`])
    const { headers, body: rawData } = app.receiver.received.at(-1)!
    const forged = { rawData: rawData.replace('25.00', '99.00'), headers: Object.fromEntries(headers) }
    const sentAt = Number(headers.get('x-service-timestamp')) * 1000
    expect(await eventOf(forged, signingSecret, sentAt)).toBe(null)
    const sent = { rawData: new TextEncoder().encode(rawData), headers: Object.fromEntries(headers) }
    expect(await eventOf(sent, signingSecret, sentAt)).toMatchObject({ type: 'order.paid' })
    expect(await eventOf(sent, signingSecret, sentAt + 3600_000)).toBe(null)
  })

  test('that arrives three times at once completes its cart once', async () => {
    const session = await shop.add()
    await pay(uuidOf(session))
    const order = await asOrder(session)
    await Promise.all([settle(shop, order), settle(shop, order), settle(shop, order)])
    expect(shop.done).toEqual([`ordered ${session.id}`])
    expect(shop.notices).toEqual([])
  })

  test.each([
    ['for a session that is gone', (session: Session) => shop.sessions.delete(session.id), 'a former state'],
    [
      'for a former order of its session',
      ({ data }: Session) => (data.orderUUID = 'other'),
      'a former state',
    ],
    ['with another amount', (session: Session) => (session.amount = 26), 'not that of the payment session'],
    [
      'with another currency',
      (session: Session) => (session.currency = 'eur'),
      'not that of the payment session',
    ],
    ['for a cart with another total', ({ cart }: Session) => (cart!.total = '25.01'), 'another total'],
    ['for a cart in another currency', ({ cart }: Session) => (cart!.currency = 'cad'), 'another total'],
  ])('%s orders nothing and is reported once', async (_, change, reason) => {
    const session = await shop.add()
    await pay(uuidOf(session))
    const order = await asOrder(session)
    change(session)
    for (let time = 0; time < 2; time++) await settle(shop, order)
    expect(shop.done).toEqual([])
    expect(shop.notices).toEqual([
      {
        id: `florin-paid-${order.orderUUID}`,
        title: '25.00 USD arrived, and no order was placed for it',
        text: expect.stringContaining(reason),
      },
    ])
  })

  test('of an order that Medusa did not make is ignored', async () => {
    for (const metadata of [{}, { session_id: 5 }, { session_id: 'cart_1' }]) {
      const order = await givenOrder(app, merchant, { metadata })
      await settle(shop, order)
    }
    expect([shop.done, shop.notices]).toEqual([[], []])
  })
})

describe('after a time without events', () => {
  const record = (session: Session, amount: string) =>
    app.call('POST', `/v1/orders/${uuidOf(session)}/refunds`, {
      key: merchant.live,
      body: { amount, reason: 'broken' },
      headers: { 'idempotency-key': `refund-${session.id}-${amount}` },
    })
  const MINUTE_MS = 60_000
  const since = () => new Date(app.time.now - 3600_000)

  test('paid carts are completed, even if one of them cannot be', async () => {
    const [first, second, third] = [await shop.add(), await shop.add(), await shop.add()]
    for (const session of [first, third]) await paidInCash(app, merchant, uuidOf(session))
    shop.failures = 1
    expect(await failure(catchUp(shop, payments, since(), 0))).toBe('killed')
    // The newest session comes first.
    expect(shop.done).toEqual([`ordered ${first.id}`])
    expect(await catchUp(shop, payments, since(), MINUTE_MS)).toBe(false)
    expect(await catchUp(shop, payments, since(), 2 * MINUTE_MS)).toBe(true)
    expect(shop.done).toEqual([first, third].map(({ id }) => `ordered ${id}`))
    expect(second.isComplete).toBe(false)
    await catchUp(shop, payments, since())
    expect(shop.done).toHaveLength(2)
  })

  test('a cart that cannot be completed is tried less and less often, and is reported once', async () => {
    const session = await shop.add()
    await paidInCash(app, merchant, uuidOf(session))
    shop.failures = Number.POSITIVE_INFINITY
    const triedAt: number[] = []
    for (let minute = 0; minute < 200; minute++)
      await catchUp(shop, payments, since(), minute * MINUTE_MS).catch(() => triedAt.push(minute))
    expect(triedAt).toEqual([0, 2, 6, 14, 30, 62, 122, 182])
    expect(shop.notices.map(({ title }) => title)).toEqual([
      '25.00 USD arrived, and the cart cannot become an order',
    ])
  })

  test('refunds that were made in Florin are recorded once', async () => {
    const session = await shop.add()
    await pay(uuidOf(session))
    await catchUp(shop, payments, since())
    for (const amount of ['5.00', '7.50']) {
      app.time.now += 1000
      await record(session, amount)
    }
    for (let time = 0; time < 2; time++) await catchUpOnRefunds(shop, payments, since())
    expect(shop.done.slice(1)).toEqual(['5.00', '7.50'].map(amount => `refunded ${amount} of ${session.id}`))
    expect((await asOrder(session)).refundedAmount).toBe('12.50')
    session.payment!.refunds.push({ id: 'one', amount: '1' })
    await catchUpOnRefunds(shop, payments, since())
    expect(shop.notices.map(({ title }) => title)).toEqual(['Medusa has more refunds than Florin'])
  })

  test('refunds of Medusa are not recorded again, even if Medusa stored the data of only one of two', async () => {
    const session = await shop.add()
    await pay(uuidOf(session))
    await catchUp(shop, payments, since())
    const payment = session.payment!
    const { data } = payment
    payment.refunds.push({ id: 'refund-1', amount: '5' }, { id: 'refund-2', amount: '5' })
    const exists = async (id: string) => payment.refunds.some(refund => refund.id === id)
    const [, last] = await Promise.all(
      payment.refunds.map(({ id }) => payments.refund('5', data, id, exists)),
    )
    payment.data = last!
    await catchUpOnRefunds(shop, payments, since())
    expect([payment.refunds.length, shop.notices, (await asOrder(session)).refundedAmount]).toEqual([
      ...[2, [], '10.00'],
    ])
  })
})
