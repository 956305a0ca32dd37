import { expect, test } from 'bun:test'
import { type Answer, OWN_URL } from '../support/app.ts'
import { givenOrder, givenShop, openCrypto, statusOf } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import {
  type Change,
  callBack,
  callUrl,
  enter,
  newTx,
  openProvider,
  type Params,
  PROVIDER_PAGE,
  paymentTo,
  signed,
  simulated,
  startGatewayApp,
  urlWith,
} from './paygate.ts'
import {
  attemptsOf,
  eventTypesOf,
  getOrder,
  incomingPaymentsOf,
  MINUTE_MS,
  notificationsOf,
  sendCoins,
  unmatchedOf,
} from './payments.ts'
import { data } from './request.ts'
import { countOf, type Row, rowOf, snapshotOf } from './rows.ts'

const { app, each, ownApp } = suite({ start: startGatewayApp })
let orderUUID: string
let attempt: Row
const shop = each(() => givenShop(app, '2.5'))
each(async () => {
  orderUUID = (await givenOrder(app, shop, stripe)).orderUUID
  attempt = await openProvider(app, orderUUID)
})

const stripe = { paymentMethodsKeys: ['stripe'] }

const order = () => getOrder(app, shop, orderUUID)
const url = () => String(attempt.callback_url)
const paid = () => urlWith(url(), paymentTo(attempt))

/** The registered URL with another value in its query. */
const urlOf = (name: string, value: string | null): string => {
  const changed = new URL(paid())
  if (value === null) changed.searchParams.delete(name)
  else changed.searchParams.set(name, value)
  return changed.href
}

const reported = (change: Change) => urlWith(url(), paymentTo(attempt, change))

const secretOf = ({ callback_secret }: Row): string => String(callback_secret)

async function otherAttempt(): Promise<Row> {
  const other = await givenOrder(app, shop, stripe)
  return openProvider(app, other.orderUUID)
}

/** Callbacks of a payment of 25 USDC without a valid proof. They are signed unless the title denies it. */
const unproven: [sentence: string, make: () => Promise<{ url: string; headers?: Params }>][] = [
  ['without a secret', async () => ({ url: urlOf('secret', null) })],
  ['with an empty secret', async () => ({ url: urlOf('secret', '') })],
  ['with a wrong secret', async () => ({ url: urlOf('secret', 'A'.repeat(43)) })],
  ['with the start of the secret', async () => ({ url: urlOf('secret', secretOf(attempt).slice(0, -1)) })],
  ['with more than the secret', async () => ({ url: urlOf('secret', `${secretOf(attempt)}A`) })],
  [
    'with the secret of another attempt',
    async () => ({ url: urlOf('secret', secretOf(await otherAttempt())) }),
  ],
  ['for another attempt', async () => ({ url: urlOf('attempt', String((await otherAttempt()).id)) })],
  ['for an unknown attempt', async () => ({ url: urlOf('attempt', 'nothing') })],
  ['without an attempt', async () => ({ url: urlOf('attempt', null) })],
  [
    'for no attempt, with the secret "none"',
    async () => ({ url: `${OWN_URL}/callback/gateway?secret=none` }),
  ],
  ['that is not signed while the gateway says unpaid', async () => ({ url: paid(), headers: {} })],
  [
    'with the signature of another amount',
    async () => ({ url: paid(), headers: signed(reported({ value_coin: '24' })) }),
  ],
  ['with an empty signature', async () => ({ url: paid(), headers: { 'x-paygate-signature': '' } })],
  [
    'with a signature that is not base64',
    async () => ({ url: paid(), headers: { 'x-paygate-signature': '%%%' } }),
  ],
  [
    'with a signature of zeros',
    async () => ({ url: paid(), headers: { 'x-paygate-signature': Buffer.alloc(256).toString('base64') } }),
  ],
  [
    'with a malformed key id',
    async () => {
      const href = paid()
      return { url: href, headers: { ...signed(href), 'x-paygate-key-id': '../../v1' } }
    },
  ],
  [
    'that was extended after it was signed',
    async () => {
      const href = paid()
      return { url: `${href}&value_coin=2500`, headers: signed(href) }
    },
  ],
  ['with a repeated amount, signed', async () => ({ url: `${paid()}&value_coin=2500` })],
  [
    'with another receiving address',
    async () => ({ url: reported({ address_in: String(attempt.payout_address) }) }),
  ],
  ['without a receiving address', async () => ({ url: reported({ address_in: undefined }) })],
  ['without an amount', async () => ({ url: reported({ value_coin: undefined }) })],
  ['with an amount of zero', async () => ({ url: reported({ value_coin: '0.000' }) })],
  ['with a negative amount', async () => ({ url: reported({ value_coin: '-25' }) })],
  ['with a hexadecimal amount', async () => ({ url: reported({ value_coin: '0x19' }) })],
  ['without a coin', async () => ({ url: reported({ coin: undefined }) })],
  ['without a transaction', async () => ({ url: reported({ txid_in: undefined, txid_out: undefined }) })],
  [
    'with a malformed transaction id',
    async () => ({ url: reported({ txid_in: 'a b', txid_out: undefined }) }),
  ],
]

test.each(unproven)('a callback %s is a 403, and writes nothing', async (_, make) => {
  const { url, headers } = await make()
  const before = snapshotOf(app)
  const answer = await callUrl(app, url, headers)
  expect([answer.status, answer.json.error.code]).toEqual([403, 'forbidden'])
  expect(answer.text).not.toContain(secretOf(attempt))
  expect(snapshotOf(app)).toEqual(before)
  expect((await order()).status).toBe('UNPAID')
})

test('after every rejected callback, a valid one still pays', async () => {
  for (const [, make] of unproven) {
    const { url, headers } = await make()
    await callUrl(app, url, headers)
  }
  expect((await callBack(app, attempt)).status).toBe(200)
  expect((await order()).status).toBe('PAID')
})

test.each(['stripe', '__proto__', 'constructor', ''])(
  'a callback of the unknown provider %p is a 404, and writes nothing',
  async provider => {
    const href = paid().replace('/callback/gateway', `/callback/${provider}`)
    const before = snapshotOf(app)
    const answer = await callUrl(app, href, signed(href))
    expect([answer.status, answer.json.error.code]).toEqual([404, 'not_found'])
    expect(snapshotOf(app)).toEqual(before)
  },
)

const otherMethods = ['POST', 'PUT', 'DELETE', 'HEAD']

test.each(otherMethods)('a callback by %s pays nothing: the gateway calls by GET', async method => {
  const href = paid()
  const answer = await app.call(method, href.slice(OWN_URL.length), { headers: signed(href) })
  expect([404, 405].includes(answer.status) || method === 'HEAD').toBe(true)
  if (method !== 'HEAD') expect((await order()).status).toBe('UNPAID')
})

test('an unsigned callback is a 502 while the status look-up fails: the gateway repeats it', async () => {
  await ownApp()
  await data(app, 'POST', '/sandbox/outage', { body: { upstream: 'provider', down: true } })
  const answer = await callUrl(app, paid(), {})
  expect([answer.status, answer.json.error.code]).toEqual([502, 'provider_unavailable'])
  expect((await order()).status).toBe('UNPAID')
})

test('an unsigned callback that agrees with the status pays the amount of the status', async () => {
  await ownApp()
  app.wire.isLost = true
  await simulated(app, orderUUID, 'overpaid')
  app.wire.isLost = false
  const answer = await callUrl(app, reported({ value_coin: '7000' }), {})
  expect([answer.status, answer.text]).toEqual([200, '*ok*'])
  expect(await order()).toMatchObject({ status: 'PAID', receivedAmount: '50' })
})

const shares: [amount: string, status: string][] = [
  ['0.000001', 'UNPAID'],
  ['21.249999', 'UNPAID'],
  ['21.2499999999', 'UNPAID'],
  ['21.25', 'PAID'],
  ['21.250000000000', 'PAID'],
  ['25', 'PAID'],
  ['999999999.999999', 'PAID'],
]

test.each(shares)(
  '%s USDC for an order of 25.00 USD leave it %s (minimum share 0.85)',
  async (amount, status) => {
    expect((await callBack(app, attempt, { value_coin: amount })).status).toBe(200)
    expect((await order()).status).toBe(status)
    // The rest can still be paid with any method.
    expect(unmatchedOf(app, orderUUID)).toEqual([])
  },
)

test('FLORIN_PROVIDER_MIN_RECEIVED sets the minimum share', async () => {
  const strict = await startGatewayApp({ FLORIN_PROVIDER_MIN_RECEIVED: '0.99' })
  const strictShop = await givenShop(strict)
  const id = (await givenOrder(strict, strictShop, stripe)).orderUUID
  const opened = await openProvider(strict, id)
  await callBack(strict, opened, { value_coin: '24.749999' })
  expect((await getOrder(strict, strictShop, id)).status).toBe('UNPAID')
  await callBack(strict, opened, { value_coin: '0.000001' })
  expect((await getOrder(strict, strictShop, id)).status).toBe('PAID')
  expect(strict.audit()).toEqual([])
  await strict.close()
})

const coins: [coin: string, status: string][] = [
  ['polygon_usdt', 'UNPAID'],
  ['erc20_usdc', 'UNPAID'],
  ['polygon_pol', 'UNPAID'],
  ['dogwifhat', 'UNPAID'],
  ['POLYGON_USDC', 'PAID'],
]

test.each(coins)('a payment in %s leaves the order %s', async (coin, status) => {
  expect((await callBack(app, attempt, { coin })).status).toBe(200)
  expect((await order()).status).toBe(status)
  expect(unmatchedOf(app, orderUUID)).toEqual(status === 'PAID' ? [] : ['wrong_asset open'])
})

test('a payment in a coin with other decimals is recorded at the amount that arrived', async () => {
  expect((await callBack(app, attempt, { coin: 'bep20_usdt', value_coin: '25.5' })).status).toBe(200)
  expect(incomingPaymentsOf(app, orderUUID)).toMatchObject([
    { asset_id: 'bsc/usdt', amount_atomic: '25500000000000000000' },
  ])
  expect(unmatchedOf(app, orderUUID)).toEqual(['wrong_asset open'])
})

const replays: [sentence: string, of: (tx: Params) => Change][] = [
  ['both transactions', tx => tx],
  ['the incoming transaction', ({ txid_in }) => ({ txid_in })],
  ['the outgoing transaction', ({ txid_out }) => ({ txid_out })],
  [
    'both in upper case',
    tx => Object.fromEntries(Object.entries(tx).map(([k, v]) => [k, `0x${v.slice(2).toUpperCase()}`])),
  ],
  ['only the outgoing transaction', ({ txid_out }) => ({ txid_in: undefined, txid_out })],
]

// Exchanges batch withdrawals, and each order has an address of its own, which proves the payment.
test.each(replays)('%s of one order pay another order at its own address', async (_, replay) => {
  const tx = { txid_in: newTx(), txid_out: newTx() }
  await callBack(app, attempt, tx)
  const other = await otherAttempt()
  expect((await callBack(app, other, replay(tx))).status).toBe(200)
  expect((await getOrder(app, shop, String(other.order_id))).status).toBe('PAID')
  expect((await order()).status).toBe('PAID')
})

const duplicates: [sentence: string, change: (tx: Params) => Record<string, string | undefined>][] = [
  ['identical', tx => tx],
  ['with another amount', tx => ({ ...tx, value_coin: '5000' })],
  ['without the outgoing transaction', ({ txid_in }) => ({ txid_in, txid_out: undefined })],
  ['without the incoming transaction', ({ txid_out }) => ({ txid_in: undefined, txid_out })],
]

test.each(duplicates)('a duplicate, %s, is a 200 and counts once', async (_, change) => {
  const tx = { txid_in: newTx(), txid_out: newTx() }
  await callBack(app, attempt, tx)
  const before = await order()
  const answer = await callBack(app, attempt, change(tx))
  expect([answer.status, answer.text]).toEqual([200, '*ok*'])
  expect(answer.headers.get('content-type')).toContain('text/plain')
  expect(incomingPaymentsOf(app, orderUUID)).toHaveLength(1)
  expect(await order()).toEqual(before)
  expect([unmatchedOf(app, orderUUID), eventTypesOf(app, orderUUID)]).toEqual([[], ['order.paid']])
})

test('a payment that is reported by one transaction first, and then by both, is one payment', async () => {
  const tx = { txid_in: newTx(), txid_out: newTx() }
  await callBack(app, attempt, { ...tx, txid_out: undefined, value_coin: '15' })
  await callBack(app, attempt, { ...tx, value_coin: '15' })
  await callBack(app, attempt, { ...tx, txid_in: undefined, value_coin: '15' })
  expect(incomingPaymentsOf(app, orderUUID)).toHaveLength(1)
  expect((await order()).status).toBe('UNPAID')
})

test('a payment that is reported by each of its transactions, and then by both, counts once', async () => {
  const tx = { txid_in: newTx(), txid_out: newTx(), value_coin: '15' }
  for (const change of [{ txid_out: undefined }, { txid_in: undefined }, {}, {}])
    expect((await callBack(app, attempt, { ...tx, ...change })).status).toBe(200)
  expect(await order()).toMatchObject({ status: 'UNPAID' })
  expect(attemptsOf(app, orderUUID)).toMatchObject([{ received_atomic: '15000000' }])
  await callBack(app, attempt, { value_coin: '10' })
  expect(await order()).toMatchObject({ status: 'PAID', receivedAmount: '25' })
})

test('a callback before the provider’s response is a 502: the gateway repeats it', async () => {
  await ownApp()
  const { promise, resolve } = Promise.withResolvers<void>()
  const other = (await givenOrder(app, shop, stripe)).orderUUID
  app.wire.hold = path => (path.endsWith('/custom-affiliate.php') ? promise : undefined)
  const entering = enter(app, other)
  while (attemptsOf(app, other).length === 0) await Bun.sleep(1)
  const [early] = attemptsOf(app, other)
  expect((await callBack(app, early!)).status).toBe(502)
  resolve()
  await entering
  expect((await callBack(app, attemptsOf(app, other)[0]!)).status).toBe(200)
})

test('responses, pages, log lines and events never contain a secret of the provider', async () => {
  const answers: Answer[] = []
  const look = async () => {
    const page = { accept: 'text/html' }
    answers.push(await app.call('GET', `/pay/${orderUUID}`, { headers: page }))
    answers.push(await app.call('GET', `/pay/${orderUUID}?choose=1`, { headers: page }))
    answers.push(await app.call('GET', `/pay/${orderUUID}/status`))
    answers.push(await app.call('GET', `/pay/${orderUUID}/status`, { headers: { 'hx-request': 'true' } }))
    answers.push(await app.call('GET', `/v1/orders/${orderUUID}`, { key: shop.live }))
    answers.push(await app.call('GET', '/v1/orders', { key: shop.live }))
    answers.push(await app.call('POST', `/v1/orders/${orderUUID}/cancel`, { key: shop.live, body: {} }))
    answers.push(await enter(app, orderUUID, 'banxa'))
  }
  await look()
  answers.push(await callUrl(app, paid(), {}))
  await look()
  answers.push(await callBack(app, attempt))
  await look()
  const { body } = rowOf(app, 'SELECT body FROM events WHERE order_id = ?', orderUUID)
  const sealed = new URL(String(attempt.redirect_url)).searchParams.get('address')!
  const secrets = [
    ...['process-payment', PROVIDER_PAGE, url()],
    ...[sealed, encodeURIComponent(sealed), secretOf(attempt), String(attempt.provider_ref)],
  ]
  const all = [
    ...answers.map(({ text, headers }) => text + JSON.stringify([...headers])),
    JSON.stringify(app.logged),
    String(body),
  ].join('\n')
  expect(secrets.filter(secret => all.includes(secret))).toEqual([])
  expect((await order()).status).toBe('PAID')
})

test('of a card and a coin payment for one order, the first pays and the other is unmatched', async () => {
  for (const first of ['card', 'coin']) {
    const id = (await givenOrder(app, shop, { paymentMethodsKeys: ['stripe', 'crypto'] })).orderUUID
    const card = await openProvider(app, id, 'stripe')
    await openCrypto(app, id, 'btc')
    const coin = async () => {
      await simulated(app, id, 'paid')
      app.time.now += 6000
      await app.call('POST', `/pay/${id}/check`)
    }
    const pay = { card: () => callBack(app, card), coin }
    await pay[first as 'card' | 'coin']()
    const before = await getOrder(app, shop, id)
    expect(before.receivedCurrency).toBe(first === 'card' ? 'polygon/usdc' : 'btc')
    if (first === 'coin') await pay.card()
    else {
      const opened = attemptsOf(app, id).at(-1)!
      await sendCoins(app, opened, BigInt(String(opened.due_atomic)))
      await app.advance(11 * MINUTE_MS)
    }
    expect(await getOrder(app, shop, id)).toEqual(before)
    expect(countOf(app, 'transactions', id)).toBe(1)
    expect(eventTypesOf(app, id)).toEqual(['order.paid'])
    expect(unmatchedOf(app, id)).toEqual(['second_payment open'])
    expect(notificationsOf(app, id)).toEqual(['unmatched_payment'])
    expect((await statusOf(app, id)).status).toBe('PAID')
  }
})
