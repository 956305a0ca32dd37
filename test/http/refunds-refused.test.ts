import { expect, test } from 'bun:test'
import { scopes } from '../../src/domain/api-key.ts'
import { createKey, revokeKey } from '../../src/operations/keys/manage.ts'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { type CallOptions, START } from '../support/app.ts'
import { givenOrder, givenShop, paidInCash, simulate, statusOf } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { openOnly, rest } from './payments.ts'
import { freshKey, givenPaid, refundOf, refundPath, tryRefund, withKey } from './refunding.ts'
import { data, MARKER, type Refused, refused } from './request.ts'
import { snapshotOf } from './rows.ts'

const { app, once } = suite()
/** an order that is paid and never refunded in these tests */
let paid: string
let foreign: string
const shop = once(() => givenShop(app))
const stranger = once(() => givenShop(app))
once(async () => {
  paid = (await givenPaid(app, shop)).orderUUID
  foreign = (await givenPaid(app, stranger)).orderUUID
  await app.jobs.settle()
})

const wrong: Refused = { status: 400, code: 'validation_error' }
const absent: Refused = { status: 404, code: 'not_found' }
const state: Refused = { status: 409, code: 'order_not_refundable' }
const reused: Refused = { status: 409, code: 'idempotency_key_reused' }
const tooMuch: Refused = { status: 422, code: 'refund_exceeds_remaining' }

const good = { reason: 'returned' }
const emoji = (count: number): string => '😀'.repeat(count)
const refuse = (refusal: Refused, orderUUID: string, options: CallOptions) =>
  refused(app, refusal, 'POST', refundPath(orderUUID), options)

const wrongKeys: [title: string, headers: Record<string, string>][] = [
  ['no key', {}],
  ['an empty key', { 'idempotency-key': '' }],
  ['a key of seven characters', { 'idempotency-key': '1234567' }],
  ['a key of 129 characters', { 'idempotency-key': 'a'.repeat(129) }],
  ['a key with a space', { 'idempotency-key': `${MARKER} b` }],
  ['a key with a slash', { 'idempotency-key': `${MARKER}/b` }],
  ['two keys', { 'idempotency-key': `${MARKER}1,${MARKER}2` }],
  ['a key in a letter outside of ASCII', { 'idempotency-key': `${MARKER}é` }],
]

test.each(wrongKeys)('a refund with %s is refused', async (_, headers) => {
  const path = 'Idempotency-Key'
  await refuse({ ...wrong, path }, paid, { key: shop.live, body: good, headers })
})

const wrongBodies: [title: string, body: unknown][] = [
  ['no body', undefined],
  ['nothing', ''],
  ['null', 'null'],
  ['a list', []],
  ['a string', `"${MARKER}"`],
  ['no property', {}],
  ['no reason', { amount: '1.00' }],
  ['an empty reason', { reason: '' }],
  ['a reason of two characters', { reason: 'no' }],
  ['a reason of two characters outside the basic plane', { reason: emoji(2) }],
  ['a reason of 501 characters', { reason: 'x'.repeat(501) }],
  ['a reason that is null', { reason: null }],
  ['a reason that is a number', { reason: 12345 }],
  ['a reason that is a list', { reason: [MARKER] }],
  ['an amount of zero', { ...good, amount: '0' }],
  ['an amount of zero with places', { ...good, amount: '0.00' }],
  ['an amount below zero', { ...good, amount: '-1.00' }],
  ['an amount with a sign', { ...good, amount: '+1.00' }],
  ['an amount that is a number', { ...good, amount: 1 }],
  ['an amount that is null', { ...good, amount: null }],
  ['an amount that is empty', { ...good, amount: '' }],
  ['an amount with an exponent', { ...good, amount: '1e1' }],
  ['an amount with a comma', { ...good, amount: '1,00' }],
  ['an amount with white space', { ...good, amount: ' 1.00' }],
  ['an amount of 19 digits', { ...good, amount: '1'.repeat(19) }],
  ['an amount with four decimals', { ...good, amount: '1.0000' }],
  ['more decimals than the currency has', { ...good, amount: '1.001' }],
  ['trailing zeros beyond the decimals of the currency', { ...good, amount: '1.000' }],
  ['an own currency', { ...good, amount: '1.00', currency: 'USD' }],
  ['an extra property', { ...good, by: MARKER }],
]

test.each(wrongBodies)('a refund with %s is refused', async (_, body) => {
  await refuse(wrong, paid, withKey(shop, freshKey(), body))
})

const wrongAmounts: [currency: string, amount: string, taken: string][] = [
  ['JPY', '5.0', '5'],
  ['JPY', '5.5', '5'],
  ['EUR', '5.005', '5.00'],
]

test.each(wrongAmounts)(
  'in %s a refund of %s has too many decimals, but not one of %s',
  async (currency, amount, taken) => {
    const { orderUUID } = await givenPaid(app, shop, { currency, amount: '100' })
    await refuse({ ...wrong, path: 'amount' }, orderUUID, withKey(shop, freshKey(), { ...good, amount }))
    expect((await refundOf(app, shop, orderUUID, { amount: taken })).refund.amount).toBe(taken)
  },
)

const nowhere: [title: string, order: () => string][] = [
  ['of another merchant', () => foreign],
  ['with an unknown id', () => crypto.randomUUID()],
]

test.each(nowhere)('an order %s is not found', async (_, order) => {
  await refuse(absent, order(), withKey(shop, freshKey(), good))
  await refused(app, absent, 'GET', refundPath(order()), { key: shop.live })
})

test('an order id that is not a UUID is a bad request', async () => {
  await refuse(wrong, MARKER, withKey(shop, freshKey(), good))
  await refused(app, wrong, 'GET', refundPath(MARKER), { key: shop.live })
})

test.each([
  ['an unknown property', `status=${MARKER}`],
  ['a page size of 0', 'pageSize=0'],
  ['a page size of 101', 'pageSize=101'],
  ['a token that is a word', `pageToken=${MARKER}`],
])('a list of refunds with %s is refused', async (_, query) => {
  await refused(app, wrong, 'GET', `${refundPath(paid)}?${query}`, { key: shop.live })
})

const enter = async (orderUUID: string) => {
  const entered = await app.call('GET', `/payment/process/${orderUUID}?method=stripe`)
  expect(entered.status).toBe(303)
}

/** States of an order without a verified payment. */
const unsettled: [title: string, change: object, happen: (orderUUID: string) => Promise<unknown>][] = [
  ['is unpaid', {}, async () => {}],
  ['is being paid', {}, orderUUID => openOnly(app, orderUUID, 'btc')],
  [
    'was underpaid',
    {},
    async orderUUID => {
      await openOnly(app, orderUUID, 'btc')
      await simulate(app, orderUUID, 'underpaid')
    },
  ],
  [
    'was cancelled',
    {},
    orderUUID => data(app, 'POST', `/v1/orders/${orderUUID}/cancel`, { key: shop.live, body: {} }),
  ],
  ['was forced', {}, orderId => paidInCash(app, shop, orderId)],
  [
    'was forced, and then paid',
    {},
    async orderId => {
      await openOnly(app, orderId, 'btc')
      await paidInCash(app, shop, orderId)
      await simulate(app, orderId, 'paid')
    },
  ],
  [
    'has failed',
    { paymentMethodsKeys: ['stripe'] },
    async orderUUID => {
      await enter(orderUUID)
      await simulate(app, orderUUID, 'failed')
      expect((await statusOf(app, orderUUID)).status).toBe('FAILED')
    },
  ],
  [
    'has expired',
    { expiresAt: new Date(START + 3600_000).toISOString() },
    async orderUUID => {
      const now = app.time.now
      await app.advance(3600_000)
      expect((await statusOf(app, orderUUID)).status).toBe('EXPIRED')
      app.time.now = now
    },
  ],
]

test.each(unsettled)('an order that %s cannot be refunded', async (_, change, happen) => {
  const { orderUUID } = await givenOrder(app, shop, change)
  await happen(orderUUID)
  await rest(app)
  for (const body of [good, { ...good, amount: '1.00' }, { ...good, amount: '1000.00' }]) {
    await refuse(state, orderUUID, withKey(shop, freshKey(), body))
  }
  const listed = await data(app, 'GET', refundPath(orderUUID), { key: shop.live })
  expect(listed).toEqual({ items: [] })
})

test.each(['25.01', '26', '999999999999999999.99'])(
  'a refund of %s of 25.00 is more than remains',
  async amount => {
    await refuse(tooMuch, paid, withKey(shop, freshKey(), { ...good, amount }))
  },
)

test('earlier refunds reduce the remaining balance, to the cent', async () => {
  const { orderUUID } = await givenPaid(app, shop)
  await refundOf(app, shop, orderUUID, { amount: '20' })
  const answer = await refuse(tooMuch, orderUUID, withKey(shop, freshKey(), { ...good, amount: '5.01' }))
  expect(answer.json.error.message).toContain('5.00 USD')
  await refundOf(app, shop, orderUUID, { amount: '4.99' })
  await refuse(tooMuch, orderUUID, withKey(shop, freshKey(), { ...good, amount: '0.02' }))
  await refundOf(app, shop, orderUUID, { amount: '0.01' })
})

test('a fully refunded order answers 422 to a refund with an amount and 409 to one without', async () => {
  const { orderUUID } = await givenPaid(app, shop)
  await refundOf(app, shop, orderUUID)
  await refuse(tooMuch, orderUUID, withKey(shop, freshKey(), { ...good, amount: '0.01' }))
  await refuse(state, orderUUID, withKey(shop, freshKey(), good))
})

const first = { amount: '1.00', reason: 'returned' }
const otherBodies: [title: string, body: object][] = [
  ['another amount', { ...first, amount: '2.00' }],
  ['the amount in another spelling', { ...first, amount: '1' }],
  ['no amount', { reason: 'returned' }],
  ['another reason', { ...first, reason: 'Returned' }],
  ['an amount that exceeds what remains', { ...first, amount: '1000.00' }],
]

test.each(otherBodies)('the same Idempotency-Key with %s is refused', async (_, body) => {
  const { orderUUID } = await givenPaid(app, shop)
  const key = freshKey()
  await refundOf(app, shop, orderUUID, first, key)
  await refuse(reused, orderUUID, withKey(shop, key, body))
})

test('the same Idempotency-Key for another order is refused, in every state of that order', async () => {
  const [one, other, unpaid] = [
    await givenPaid(app, shop),
    await givenPaid(app, shop),
    await givenOrder(app, shop),
  ]
  const key = freshKey()
  await refundOf(app, shop, one.orderUUID, first, key)
  await refuse(reused, other.orderUUID, withKey(shop, key, first))
  await refuse(reused, unpaid.orderUUID, withKey(shop, key, first))
  await refuse(absent, foreign, withKey(shop, key, first))
  await refuse(wrong, one.orderUUID, withKey(shop, key, { ...first, amount: '1.001' }))
})

test('only a recorded refund uses up an Idempotency-Key', async () => {
  const key = freshKey()
  const { orderUUID } = await givenPaid(app, shop)
  for (const [order, amount, status] of [
    [orderUUID, '1.001', 400],
    [foreign, '1.00', 404],
    [(await givenOrder(app, shop)).orderUUID, '1.00', 409],
    [orderUUID, '25.01', 422],
    [orderUUID, '1.00', 201],
    [orderUUID, '1.00', 200],
  ] as const) {
    expect((await tryRefund(app, shop, order, { amount }, key)).status).toBe(status)
  }
})

/** The order of checks is fixed: each key problem is combined with every later problem. */
const keyProblems: [title: string, refusal: Refused, key: () => Promise<string | undefined>][] = [
  ['no key', { status: 401, code: 'unauthorized' }, async () => undefined],
  ['a malformed key', { status: 401, code: 'invalid_api_key' }, async () => MARKER],
  [
    'a revoked key',
    { status: 401, code: 'invalid_api_key' },
    async () => {
      const made = await createKey(app.context, { merchantId: shop.id, mode: 'live' })
      await revokeKey(app.context, shop.id, made.key.id)
      return made.text
    },
  ],
  [
    'the key of a suspended merchant',
    { status: 403, code: 'merchant_suspended' },
    async () => {
      const suspended = await givenShop(app)
      await changeMerchant(app.context, suspended.id, { status: 'suspended' })
      return suspended.live
    },
  ],
  [
    'a key with every scope except orders:manage',
    { status: 403, code: 'insufficient_scope' },
    async () => {
      const others = scopes.filter(scope => scope !== 'orders:manage')
      return (await createKey(app.context, { merchantId: shop.id, mode: 'live', scopes: others })).text
    },
  ],
]

test.each(keyProblems)('%s is reported before any other problem', async (_, refusal, make) => {
  const key = await make()
  const headers = { 'idempotency-key': freshKey() }
  const before = snapshotOf(app)
  for (const [order, options] of [
    [paid, { body: good, headers }],
    [paid, { body: good }],
    [paid, { body: { amount: MARKER }, headers }],
    [paid, { body: `{"a": "${MARKER}`, headers }],
    [foreign, { body: good, headers }],
    [MARKER, { body: good, headers }],
  ] as [string, CallOptions][]) {
    await refuse(refusal, order, { ...options, key })
  }
  expect(snapshotOf(app)).toEqual(before)
})

test('a bad header or body is reported before an order of another merchant', async () => {
  await refuse(wrong, foreign, { key: shop.live, body: good })
  await refuse(wrong, foreign, withKey(shop, freshKey(), { ...good, amount: '0.00' }))
  await refuse(wrong, foreign, withKey(shop, freshKey(), { ...good, amount: '1e1' }))
  await refuse(wrong, foreign, withKey(shop, freshKey(), {}))
})

test('a list of refunds needs the scope api:read', async () => {
  const others = scopes.filter(scope => scope !== 'api:read')
  const { text: key } = await createKey(app.context, { merchantId: shop.id, mode: 'live', scopes: others })
  for (const order of [paid, foreign, MARKER]) {
    await refused(app, { status: 403, code: 'insufficient_scope' }, 'GET', refundPath(order), { key })
  }
})
