import { expect, test } from 'bun:test'
import { blockCustomer } from '../../src/operations/customers/block.ts'
import { START } from '../support/app.ts'
import { EVM_WALLET, givenMerchant, givenOrder, givenShop, orderBody } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { words } from '../support/words.ts'
import { ask, data, MARKER, type Refused, refused, requestTo, send } from './request.ts'
import { snapshotOf } from './rows.ts'

const { app, once } = suite()
const shop = once(() => givenShop(app))
once(() => app.jobs.settle())

const after = (ms: number): string => new Date(START + ms).toISOString()
const DAY_MS = 24 * 3600_000
const emoji = (count: number): string => '😀'.repeat(count)
const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) })
const keys = (count: number): string[] => Array.from({ length: count }, (_, i) => `key${i}`)
const email = (length: number): string => {
  const labels = `${'b'.repeat(60)}.`.repeat(3)
  return `${'a'.repeat(length - labels.length - 4)}@${labels}com`
}

/** By field: the clause, and the values that violate it. All are 400. */
const wrongValues: [field: string, clause: string, values: unknown[]][] = [
  [
    'amount',
    'Amount',
    [
      ...['', '0', '0.00', '-1', '+1', '1.', '.5', '1e2', '1,00', ' 1', '1 ', '1\n', '1_000', '0x10'],
      ...['25.001', '25.000', '1.0000', `${'9'.repeat(19)}`, '٢٥', '２５', 'NaN', 'Infinity', MARKER],
      ...[25, 25.5, null, true, ['25'], { a: 1 }],
    ],
  ],
  [
    'currency',
    'ISO 4217 in circulation, with 0, 2 or 3 decimals',
    [
      ...['', 'usd', 'Usd', 'US', 'USDD', 'US1', ' USD', 'USD\n', 'BTC', 'ZZZ', MARKER],
      ...['XXX', 'XTS', 'XAU', 'XAG', 'XDR', 'CLF', 'UYW', 'BOV', 'CHE', 'CHW', 'COU', 'MXV', 'USN', 'UYI'],
      ...['DEM', 'FRF', 'HRK', 'CUC', 'SLL', 'ZWL', 'ANG'],
      ...[null, 840, ['USD'], {}],
    ],
  ],
  [
    'paymentMethodsKeys',
    'PaymentMethodsKeys',
    [
      ...[[], ['*', 'crypto'], ['crypto', '*'], ['*', '*'], ['**'], ['all'], ['hosted'], ['crypto', 'all']],
      ...[['stripe', 'stripe'], keys(65), ['a'.repeat(65)], ['Stripe'], ['-a'], ['_a'], ['']],
      ...[['a b'], ['a\n'], ['ü'], [MARKER], 'crypto', null, [null], [1], [['crypto']], { 0: 'crypto' }],
      true,
    ],
  ],
  [
    'receivingWallet',
    'receivingWallet',
    [
      ...['', 'abc', ...[39, 41].map(length => `0x${'1'.repeat(length)}`), `0X${'1'.repeat(40)}`],
      ...[`0x${'g'.repeat(40)}`, `${EVM_WALLET}\n`, ` ${EVM_WALLET}`, MARKER, null, 1, [EVM_WALLET]],
    ],
  ],
  ['customer', 'CustomerInput', ['', MARKER, null, 5, [], {}, true, [{ email: 'a@b.example' }]]],
  [
    'externalId',
    'externalId',
    ['', 'a'.repeat(129), 'a b', 'a/b', 'ü', 'a\n', '😀', `${MARKER}!`, 5, true, ['a'], {}],
  ],
  ['description', 'description', ['', 'a'.repeat(513), emoji(513), null, 5, ['a'], {}]],
  [
    'productImageUrl',
    'productImageUrl',
    [
      ...['', 'http://shop.example/a.png', 'ftp://shop.example/a', 'shop.example', 'https://'],
      'HTTPS://A.example',
      ...[`https://shop.example/${'a'.repeat(2028)}`, `data:${MARKER}`, ' https://shop.example/', null, 5],
      [],
    ],
  ],
  [
    'returnUrl',
    'returnUrl: malformed, wrong scheme, credentials or fragment is 400',
    [
      ...['', 'http://shop.example/', 'ftp://shop.example', 'javascript:alert(1)', '//shop.example/'],
      'https://',
      ...['shop.example/back', 'https://user@shop.example/', 'https://user:word@shop.example/'],
      'https://@a.example',
      ...['https://shop.example/#done', 'https://shop.example/a b', 'https://shop.exa\tmple/'],
      'https:\\\\a.example',
      ...['http://127.0.0.1/', 'https://user@127.0.0.1/', 'https://10.0.0.1/#a', 'https://256.1.1.1/'],
      ...[`https://shop.example/${'a'.repeat(2028)}`, `http://${MARKER}/`, null, 5],
      ['https://shop.example/'],
    ],
  ],
  [
    'expiresAt',
    'expiresAt',
    [
      ...['', 'tomorrow', '2026-03-02', '2026-03-02T10:00:00', '2026-03-02 10:00:00Z'],
      '2026-02-30T10:00:00Z',
      ...['2026-03-02T25:00:00Z', '2026-13-02T10:00:00Z', '1772445600', MARKER, 1772445600000, null, [], {}],
      ...[after(0), after(-1), after(-DAY_MS), after(367 * DAY_MS), '9999-12-31T23:59:59Z'],
    ],
  ],
  [
    'metadata',
    'Metadata: at most 3 levels, 16 KiB, no prototype keys',
    [
      ...['', MARKER, null, 5, [], [{}], true],
      ...[nested(4), { a: { b: [[]] } }, { a: [[[1]]] }, { a: { constructor: 1 } }, { prototype: MARKER }],
      ...[{ a: 'x'.repeat(16 * 1024 - 7) }, { a: 'é'.repeat(8189) }],
    ],
  ],
]

const shown = (value: unknown): string => {
  const text = JSON.stringify(value)
  return text.length > 40 ? `${text.slice(0, 30)}… (${text.length})` : text
}

const refuse = (change: object, refusal: Refused, key = shop.live) =>
  refused(app, refusal, 'POST', '/v1/orders', { key, body: orderBody(change) })

const wrong = (path?: string): Refused => ({ status: 400, code: 'validation_error', path })

for (const [field, clause, values] of wrongValues) {
  test.each(values.map(value => [shown(value), value]))(
    `${field} %s is refused (${clause})`,
    async (_, value) => {
      await refuse({ [field]: value }, wrong(field))
    },
  )
}

test.each([
  ['JPY', '100.5'],
  ['JPY', '100.00'],
  ['KRW', '1.0'],
  ['USD', '0.001'],
  ['BHD', '0.000'],
])('%s %s has more decimals than the currency permits, or is zero', async (currency, amount) => {
  await refuse({ currency, amount }, wrong('amount'))
})

const customers: [title: string, customer: unknown][] = [
  ['no email address', { fullName: 'Sam' }],
  ['an extra property', { email: 'a@b.example', phone: MARKER }],
  ['an email address that is null', { email: null }],
  ['an email address that is a number', { email: 5 }],
  ['an email address without an at', { email: MARKER }],
  ['an email address without a domain', { email: 'a@' }],
  ['an email address without a name', { email: '@b.example' }],
  ['an email address with two ats', { email: 'a@b@c.example' }],
  ['an email address with a space', { email: 'a b@c.example' }],
  ['an email address with a line break', { email: 'a@b.example\n' }],
  ['an email address of 255 characters', { email: email(255) }],
  ['a name of 129 characters', { email: 'a@b.example', fullName: 'n'.repeat(129) }],
  ['a name of 129 characters outside the basic plane', { email: 'a@b.example', fullName: emoji(129) }],
  ['a name that is a number', { email: 'a@b.example', fullName: 5 }],
  ['a name that is a list', { email: 'a@b.example', fullName: ['Sam'] }],
]

test.each(customers)('a customer with %s is refused', async (_, customer) => {
  await refuse({ customer }, wrong('customer'))
})

test.each(['amount', 'currency', 'paymentMethodsKeys', 'customer'])(
  'a body without %s is refused (required for an ad-hoc order)',
  async field => {
    await refuse({ [field]: undefined }, wrong(field))
  },
)

test.each(
  words(`
  orderUUID merchantId status source feePercent customerEmail Amount toString
`),
)('a body with the extra property %s is refused (no extra properties)', async field => {
  await refuse({ [field]: MARKER }, wrong())
})

const rawBodies: [title: string, body: string][] = [
  ['nothing', ''],
  ['white space', ' \n '],
  ['null', 'null'],
  ['a string', `"${MARKER}"`],
  ['a number', '5'],
  ['a list', '[]'],
  ['a list with a valid body', JSON.stringify([orderBody()])],
  ['an open brace', `{"amount": "${MARKER}"`],
  ['a trailing comma', '{"amount": "25.00",}'],
  ['single quotes', "{'amount': '25.00'}"],
  ['two values', `${JSON.stringify(orderBody())} {}`],
  ['a __proto__ property', `{"__proto__": {"a": 1}, ${JSON.stringify(orderBody()).slice(1)}`],
  [
    'metadata with __proto__',
    JSON.stringify(orderBody({ metadata: { m: 1 } })).replace('"m"', '"__proto__"'),
  ],
  [
    'metadata with __proto__ inside',
    JSON.stringify(orderBody({ metadata: { a: { m: {} } } })).replace('"m"', '"__proto__"'),
  ],
  [
    'metadata with __proto__ inside a list',
    JSON.stringify(orderBody({ metadata: { a: [{ m: {} }] } })).replace('"m"', '"__proto__"'),
  ],
  ['10,000 open brackets', '['.repeat(10_000)],
  ['10,000 brackets', '['.repeat(10_000) + ']'.repeat(10_000)],
]

test.each(rawBodies)('a body of %s is refused (body required)', async (_, body) => {
  await refused(app, wrong(), 'POST', '/v1/orders', { key: shop.live, body })
})

test('a request without any body is refused (body required)', async () => {
  await refused(app, wrong(), 'POST', '/v1/orders', { key: shop.live })
})

test.each([
  ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/json', 'x'],
])('a valid body with the content type %s is refused (all bodies are JSON)', async type => {
  const headers = { 'content-type': type }
  await refused(app, wrong(), 'POST', '/v1/orders', { key: shop.live, body: orderBody(), headers })
})

test('a body that is not UTF-8 is refused', async () => {
  const text = JSON.stringify(orderBody({ description: '?' }))
  const body = new TextEncoder().encode(text).map(byte => (byte === 63 ? 0xff : byte))
  const headers = { 'x-api-key': shop.live, 'content-type': 'application/json' }
  const before = snapshotOf(app)
  const answer = await send(app, requestTo('POST', '/v1/orders', { body, headers }))
  expect([answer.status, answer.json.error.code]).toEqual([400, 'validation_error'])
  expect(snapshotOf(app)).toEqual(before)
})

test('a body that ends within a character does not affect the next one', async () => {
  const headers = { 'x-api-key': shop.live, 'content-type': 'application/json' }
  const body = (description: string) => new TextEncoder().encode(JSON.stringify(orderBody({ description })))
  const cut = body('').subarray(0, -1)
  const unfinished = new Uint8Array([...cut, 0xe2, 0x82])
  expect((await send(app, requestTo('POST', '/v1/orders', { body: unfinished, headers }))).status).toBe(400)
  const { status, json } = await send(app, requestTo('POST', '/v1/orders', { body: body('€ü'), headers }))
  expect([status, json.data?.description]).toEqual([201, '€ü'])
})

const MEGABYTE = 1024 * 1024
const large = (): string => JSON.stringify(orderBody({ description: 'x'.repeat(6 * MEGABYTE) }))

test('a body with a Content-Length that is too large is refused', async () => {
  const headers = { 'content-length': String(6 * MEGABYTE) }
  const refusal = { status: 413, code: 'body_too_large' }
  await refused(app, refusal, 'POST', '/v1/orders', { key: shop.live, body: large(), headers })
})

test('a body without Content-Length that grows too large is refused and not read to the end', async () => {
  let sent = 0
  const body = new ReadableStream({
    pull(controller) {
      if (++sent > 200) controller.close()
      else controller.enqueue(new Uint8Array(MEGABYTE).fill(32))
    },
  })
  const headers = { 'x-api-key': shop.live, 'content-type': 'application/json' }
  const answer = await send(app, requestTo('POST', '/v1/orders', { body, headers }))
  expect([answer.status, answer.json.error.code]).toEqual([413, 'body_too_large'])
  expect(sent).toBeLessThan(50)
})

const privateHosts = [
  ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'intranet', 'shop.local', 'db.internal'],
  ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '127。0。0。1', '①②⑦.0.0.1', '0.0.0.0'],
  ...words('10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 224.0.0.1'),
  ...['[::1]', '[::]', '[fd00::1]', '[fe80::1]', '[::ffff:10.0.0.1]', '[::ffff:a00:1]', '[64:ff9b::a00:1]'],
]

test.each(privateHosts)('a returnUrl at %s is not allowed', async host => {
  await refuse({ returnUrl: `https://${host}/back` }, { status: 422, code: 'destination_not_allowed' })
  await refuse({ returnUrl: `https://${host}:8443/` }, { status: 422, code: 'destination_not_allowed' })
})

const unset = { status: 422, code: 'payout_wallet_required' }
const noCrypto = { status: 422, code: 'crypto_not_configured' }
const BTC = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

/** The configuration of a merchant, the changes of the order, and its refusal. */
const states: [title: string, wallet: object | null, change: object, refusal: Refused][] = [
  ['any method without a wallet', null, { paymentMethodsKeys: ['*'] }, unset],
  ['a provider without a wallet', null, { paymentMethodsKeys: ['stripe'] }, unset],
  ['crypto and a provider without a wallet', null, { paymentMethodsKeys: ['crypto', 'stripe'] }, unset],
  [
    'any method with only a Bitcoin wallet',
    { cryptoWallets: { btc: BTC } },
    { paymentMethodsKeys: ['*'] },
    unset,
  ],
  ['crypto without a wallet', null, { paymentMethodsKeys: ['crypto'] }, noCrypto],
  [
    'disabled crypto',
    { payoutWallet: EVM_WALLET, includeCrypto: false },
    { paymentMethodsKeys: ['crypto'] },
    noCrypto,
  ],
  [
    'a wallet override while overrides are off',
    { payoutWallet: EVM_WALLET },
    { receivingWallet: EVM_WALLET },
    { status: 403, code: 'wallet_override_disabled' },
  ],
  [
    'a wallet override while overrides are off, even without another wallet',
    null,
    { receivingWallet: EVM_WALLET },
    { status: 403, code: 'wallet_override_disabled' },
  ],
]

test.each(states)('an order for %s is refused', async (_, wallet, change, refusal) => {
  const merchant = await givenMerchant(app)
  if (wallet) await data(app, 'PUT', '/v1/wallet', { key: merchant.live, body: wallet })
  await refuse(change, refusal, merchant.live)
})

test('an override is refused after overrides were disabled again', async () => {
  const body = (on: boolean) => ({ key: shop.live, body: { orderWalletOverrideEnabled: on } })
  await data(app, 'PUT', '/v1/wallet', body(true))
  await givenOrder(app, shop, { receivingWallet: EVM_WALLET })
  await data(app, 'PUT', '/v1/wallet', body(false))
  await refuse({ receivingWallet: EVM_WALLET }, { status: 403, code: 'wallet_override_disabled' })
})

test('a blocked customer is refused in any spelling, but only at this merchant', async () => {
  const email = 'blocked@example.com'
  await blockCustomer(app.context, shop.id, email, true)
  const refusal = { status: 403, code: 'customer_blocked' }
  for (const spelling of [email, email.toUpperCase()]) {
    await refuse({ customer: { email: spelling } }, refusal)
  }
  await givenOrder(app, await givenShop(app), { customer: { email } })
  await blockCustomer(app.context, shop.id, email, false)
  await givenOrder(app, shop, { customer: { email } })
})

test('a test key is refused', async () => {
  await refuse({}, { status: 403, code: 'live_key_required' }, shop.test)
})

test('after all these refusals a plain order succeeds', async () => {
  const answer = await ask(app, 'POST', '/v1/orders', { key: shop.live, body: orderBody() })
  expect(answer.status).toBe(201)
})
