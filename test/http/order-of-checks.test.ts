import { expect, test } from 'bun:test'
import { openApiDocument } from '../../src/boot/openapi.ts'
import { scopes } from '../../src/domain/api-key.ts'
import { createKey, revokeKey } from '../../src/operations/keys/manage.ts'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { type CallOptions, startApp } from '../support/app.ts'
import { EVM_WALLET, givenOrder, givenShop, orderBody } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { type Document, operationsOf } from './openapi.ts'
import { productBody } from './products.ts'
import { ask, data, MARKER, type Refused, refused } from './request.ts'

const { app, once } = suite()
let requireOrder: string
/** a cancelled order of another merchant: not found rather than not cancellable */
let foreignOrder: string
const shop = once(() => givenShop(app))
once(async () => {
  requireOrder = (await givenOrder(app, shop)).orderUUID
  const stranger = await givenShop(app)
  foreignOrder = (await givenOrder(app, stranger)).orderUUID
  await data(app, 'POST', `/v1/orders/${foreignOrder}/cancel`, { key: stranger.live, body: {} })
})
const suspended = once(() => givenShop(app))
once(async () => {
  const revoked = await keyOf(shop.id, 'live')
  await revokeKey(app.context, shop.id, revoked.key.id)
  const revokedToo = await keyOf(suspended.id, 'live')
  await revokeKey(app.context, suspended.id, revokedToo.key.id)
  await changeMerchant(app.context, suspended.id, { status: 'suspended' })
  const [last] = shop.live.slice(-1)
  Object.assign(keys, {
    none: undefined,
    empty: '',
    malformed: MARKER,
    'with a broken checksum': `${shop.live.slice(0, -1)}${last === 'a' ? 'b' : 'a'}`,
    'in another case': shop.live.toUpperCase(),
    unknown: await unknownKey(),
    revoked: revoked.text,
    'revoked, of a suspended merchant': revokedToo.text,
    'of a suspended merchant': suspended.live,
    'for tests and of a suspended merchant': suspended.test,
    'for tests': shop.test,
  })
  await app.jobs.settle()
})

interface Route {
  method: string
  path(order: string): string
  body?: object
  /** invalid, and contains the marker */
  badBody?: object
  badQuery?: string
  scope?: (typeof scopes)[number]
  isLive?: true
  /** belongs to one order, which must be the caller's */
  isOfOrder?: true
}

/** The routes of the API that need a key. Those of refunds have rows in `refunds-refused.test.ts`. */
const routes: Route[] = [
  { method: 'GET', path: () => '/v1/wallet' },
  {
    method: 'PUT',
    path: () => '/v1/wallet',
    body: { payoutWallet: EVM_WALLET },
    badBody: { payoutWallet: MARKER },
    scope: 'wallet:write',
    isLive: true,
  },
  { method: 'GET', path: () => '/v1/webhook', scope: 'api:read' },
  {
    method: 'PUT',
    path: () => '/v1/webhook',
    body: { url: 'https://shop.example/hook' },
    badBody: { url: `http://${MARKER}/` },
    scope: 'webhooks:write',
    isLive: true,
  },
  { method: 'GET', path: () => '/v1/webhooks', scope: 'api:read' },
  {
    method: 'POST',
    path: () => '/v1/webhooks',
    body: { url: 'https://shop.example/hook' },
    badBody: { url: 'https://shop.example/hook', events: [MARKER] },
    scope: 'webhooks:write',
    isLive: true,
  },
  {
    method: 'POST',
    path: () => '/v1/orders',
    body: orderBody(),
    badBody: orderBody({ amount: MARKER }),
    scope: 'orders:create',
    isLive: true,
  },
  {
    method: 'GET',
    path: () => '/v1/orders',
    badQuery: `?status=${MARKER}`,
    scope: 'api:read',
  },
  { method: 'GET', path: order => `/v1/orders/${order}`, scope: 'api:read', isOfOrder: true },
  {
    method: 'POST',
    path: order => `/v1/orders/${order}/cancel`,
    body: { reason: 'no longer wanted' },
    badBody: { reason: [MARKER] },
    scope: 'orders:manage',
    isLive: true,
    isOfOrder: true,
  },
  {
    method: 'POST',
    path: () => '/v1/products',
    body: productBody(),
    badBody: productBody({ name: [MARKER] }),
    scope: 'products:write',
  },
  { method: 'GET', path: () => '/v1/products', badQuery: `?pageSize=${MARKER}`, scope: 'products:read' },
  {
    method: 'POST',
    path: () => '/v1/products/bulk',
    body: { items: [productBody()] },
    badBody: { items: [{ name: MARKER }] },
    scope: 'products:write',
  },
  {
    method: 'PUT',
    path: () => '/v1/products/bulk',
    body: { items: [productBody({ productUUID: crypto.randomUUID() })] },
    badBody: { items: [{ productUUID: MARKER }] },
    scope: 'products:write',
  },
]
/** Routes whose order of checks is tested elsewhere, or that check nothing but the key. */
const elsewhere = [
  'GET /v1/webhooks/{endpointId}',
  'PATCH /v1/webhooks/{endpointId}',
  'DELETE /v1/webhooks/{endpointId}',
  'POST /v1/webhooks/{endpointId}/test',
  'POST /v1/webhooks/{endpointId}/rotate',
  'GET /v1/payment-methods',
  // test-orders.test.ts
  'POST /v1/test/orders',
  // products-refused.test.ts
  'GET /v1/products/{productUUID}',
  'PATCH /v1/products/{productUUID}',
  'PATCH /v1/products/bulk/status',
  // refunds-refused.test.ts
  'GET /v1/orders/{orderUUID}/refunds',
  'POST /v1/orders/{orderUUID}/refunds',
  // transactions.test.ts
  'GET /v1/transactions',
  'GET /v1/transactions/{transactionId}',
  // events-read.test.ts
  'GET /v1/events',
  'GET /v1/events/{id}',
  'POST /v1/events/{id}/redeliver',
]

test('every endpoint that needs a key has a test for the order of its checks', async () => {
  const documented = operationsOf((await openApiDocument()) as Document)
    .filter(({ operation }) => operation.security.length > 0)
    .map(({ method, path }) => `${method} ${path}`)
  const here = routes.map(route => `${route.method} ${route.path('{orderUUID}')}`)
  expect(documented.toSorted()).toEqual([...here, ...elsewhere].toSorted())
})

const rows = routes.map(route => [`${route.method} ${route.path('{id}')}`, route] as const)

/** keys by their fault */
const keys: Record<string, string | undefined> = {}

const keyOf = async (merchantId: string, mode: 'live' | 'test', scopes?: string[]) =>
  createKey(app.context, { merchantId, mode, ...(scopes && { scopes }) })

/** Well-formed with a correct checksum, but created by another server. */
async function unknownKey(): Promise<string> {
  const elsewhere = await startApp()
  const { live } = await givenShop(elsewhere)
  await elsewhere.close()
  return live
}

const invalid: Refused = { status: 401, code: 'invalid_api_key' }
const unauthorized: Refused = { status: 401, code: 'unauthorized' }
const merchantSuspended: Refused = { status: 403, code: 'merchant_suspended' }

/** The order of checks is fixed: key, live or test, scope, body, existence in the tenant, state. */
const strangers: [key: string, refusal: Refused][] = [
  ['none', unauthorized],
  ['empty', unauthorized],
  ['malformed', invalid],
  ['with a broken checksum', invalid],
  ['in another case', invalid],
  ['unknown', invalid],
  ['revoked', invalid],
  ['revoked, of a suspended merchant', invalid],
  ['of a suspended merchant', merchantSuspended],
  ['for tests and of a suspended merchant', merchantSuspended],
]

/** The problems that a request can have besides the key. Each is combined with every key problem. */
function laterProblems(route: Route): [problem: string, path: string, options: CallOptions][] {
  const { body, badBody, badQuery = '' } = route
  const good: CallOptions = body ? { body } : {}
  const problems: [string, string, CallOptions][] = [
    ['nothing else', route.path(requireOrder), good],
    ['a wrong query', route.path(requireOrder) + badQuery, good],
    ['a foreign order', route.path(foreignOrder), good],
    ['an unknown order', route.path(crypto.randomUUID()), good],
    ['a malformed order', route.path(`no-uuid-${MARKER}`), good],
  ]
  if (!badBody) return problems
  const headers = { 'content-type': 'text/plain' }
  return [
    ...problems,
    ['a bad body', route.path(requireOrder), { body: badBody }],
    ['a bad body for a foreign order', route.path(foreignOrder), { body: badBody }],
    ['broken JSON', route.path(requireOrder), { body: `{"a": "${MARKER}` }],
    ['no body', route.path(requireOrder), {}],
    ['a body that is not JSON', route.path(requireOrder), { body: MARKER, headers }],
    [
      'a malformed Idempotency-Key',
      route.path(requireOrder),
      { ...good, headers: { 'idempotency-key': '!' } },
    ],
  ]
}

for (const [name, route] of rows) {
  test.each(strangers)(
    `${name} with a key %s is refused for its key before anything else`,
    async (key, refusal) => {
      for (const [problem, path, options] of laterProblems(route)) {
        const { status, code } = await answered(route.method, path, { ...options, key: keys[key] })
        expect([problem, status, code]).toEqual([problem, refusal.status, refusal.code])
      }
      const [[, path, options] = ['', '', {}]] = laterProblems(route)
      await refused(app, refusal, route.method, path, { ...options, key: keys[key] })
    },
  )
}

async function answered(method: string, path: string, options: CallOptions) {
  const answer = await ask(app, method, path, options)
  expect(answer.text).not.toContain(MARKER)
  return { status: answer.status, code: answer.json.error?.code }
}

test('a large body is not read without a valid key', async () => {
  const body = ' '.repeat(6 * 1024 * 1024)
  for (const [name, route] of rows.filter(([, { body }]) => body)) {
    const answer = await answered(route.method, route.path(requireOrder), { body, key: keys.revoked })
    expect([name, answer.status, answer.code]).toEqual([name, 401, 'invalid_api_key'])
  }
})

const liveRows = rows.filter(([, route]) => route.isLive)

test.each(liveRows)('%s with a test key is refused before its scope and its body', async (_, route) => {
  const others = scopes.filter(scope => scope !== route.scope)
  const { text } = await keyOf(shop.id, 'test', others)
  const refusal = { status: 403, code: 'live_key_required' }
  for (const key of [shop.test, text]) {
    for (const [, path, options] of laterProblems(route)) {
      await refused(app, refusal, route.method, path, { ...options, key })
    }
  }
})

const scopedRows = rows.filter(([, route]) => route.scope)

test.each(scopedRows)('%s without its scope is refused before its body and its order', async (_, route) => {
  const others = scopes.filter(scope => scope !== route.scope)
  const { text: key } = await keyOf(shop.id, 'live', others)
  const refusal = { status: 403, code: 'insufficient_scope' }
  for (const [, path, options] of laterProblems(route)) {
    await refused(app, refusal, route.method, path, { ...options, key })
  }
})

test.each(scopedRows)('%s works with only its scope', async (_, route) => {
  const { text: key } = await keyOf(shop.id, 'live', [route.scope!])
  const order = (await givenOrder(app, shop)).orderUUID
  const answer = await ask(app, route.method, route.path(order), { key, body: route.body })
  expect(answer.status).toBeLessThan(300)
})

const readRows = rows.filter(([, route]) => !route.isLive)

test.each(readRows)('%s works with a test key', async (_, route) => {
  const { method, path, body } = route
  const answer = await ask(app, method, path(requireOrder), { key: shop.test, ...(body && { body }) })
  expect(answer.status).toBe(method === 'POST' ? 201 : 200)
})

const bodyRows = rows.filter(([, route]) => route.badBody || route.badQuery)

test.each(bodyRows)('%s reports a bad body or query before it looks up the order', async (_, route) => {
  const bad = laterProblems(route).filter(([problem]) =>
    /bad body|query|broken|malformed order|is no JSON/.test(problem),
  )
  for (const [problem, path, options] of bad) {
    if (problem === 'a wrong query' && !route.badQuery) continue
    if (problem === 'a malformed order' && !route.isOfOrder) continue
    const answer = await refused(app, { status: 400, code: 'validation_error' }, route.method, path, {
      ...options,
      key: shop.live,
    })
    expect(answer.json.error.details).not.toBeEmpty()
  }
})

const orderRows = rows.filter(([, route]) => route.isOfOrder)

test.each(orderRows)(
  '%s does not find the order of another merchant, whatever its state',
  async (_, route) => {
    const refusal = { status: 404, code: 'not_found' }
    const options = { key: shop.live, body: route.body }
    const foreign = await refused(app, refusal, route.method, route.path(foreignOrder), options)
    const unknown = await refused(app, refusal, route.method, route.path(crypto.randomUUID()), options)
    expect(foreign.json.error.message).toBe(unknown.json.error.message)
  },
)

test('a body is validated before the merchant’s settings: an invalid wallet while overrides are off', async () => {
  const options = { key: shop.live, body: orderBody({ receivingWallet: MARKER }) }
  await refused(app, { status: 400, code: 'validation_error' }, 'POST', '/v1/orders', options)
})

const nowhere: [method: string, path: string][] = [
  ['GET', '/no'],
  ['GET', '/v1'],
  ['GET', '/v1/nothing'],
  ['POST', '/v1/nothing'],
  ['GET', '/v2/orders'],
  ['GET', '/v1/orders/a/b/c'],
  ['GET', '/sandbox/nothing'],
  ['POST', '/callback/gateway'],
  ['POST', '/pay'],
]

test.each(nowhere)(
  '%s %s is an unknown route, which is reported before a missing key',
  async (method, path) => {
    for (const key of [undefined, MARKER, shop.live]) {
      await refused(app, { status: 404, code: 'not_found' }, method, path, { key })
    }
  },
)

test.each([
  ['DELETE', '/v1/orders', 'POST, GET, HEAD'],
  ['PUT', '/v1/orders/', 'POST, GET, HEAD'],
  ['DELETE', '/v1/orders/01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55', 'GET, HEAD'],
  ['PATCH', '/v1/wallet', 'GET, HEAD, PUT'],
  ['POST', '/v1/wallet', 'GET, HEAD, PUT'],
  ['DELETE', '/v1/webhook', 'GET, HEAD, PUT'],
  ['OPTIONS', '/v1/webhook', 'GET, HEAD, PUT'],
  ['POST', '/healthz', 'GET, HEAD'],
  ['GET', '/sandbox/simulate', 'POST'],
  ['DELETE', '/pay/01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55', 'GET, HEAD'],
])('%s %s is refused with the methods of the path, before a missing key', async (method, path, allowed) => {
  for (const key of [undefined, MARKER, shop.live]) {
    const { headers } = await refused(app, { status: 405, code: 'method_not_allowed' }, method, path, { key })
    expect(headers.get('allow')).toBe(allowed)
  }
})

test('sandbox routes exist only in the sandbox', async () => {
  const real = await startApp({ FLORIN_SANDBOX: 'false' })
  for (const [method, path] of [
    ['POST', '/sandbox/simulate'],
    ['POST', '/sandbox/outage'],
    ['POST', '/sandbox/clock'],
    ['GET', '/sandbox/rates'],
    ['GET', '/sandbox/gateway/api/control/provider-status'],
  ] as const) {
    const body = { upstream: 'rates', down: true, advanceSeconds: 1 }
    const answer = await ask(real, method, path, method === 'POST' ? { body } : {})
    expect([path, answer.status]).toEqual([path, 404])
  }
  await real.close()
})

test('every request has its own id', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(app, 'GET', '/healthz')))
  expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(20)
})

const loggedParts: [part: string, options: CallOptions][] = [
  ['a key', { key: MARKER }],
  ['a body', { key: 'live', body: orderBody({ externalId: `${MARKER} `, description: '' }) }],
  ['an Idempotency-Key', { key: 'live', body: orderBody(), headers: { 'idempotency-key': `${MARKER} !` } }],
  ['a content type', { key: 'live', body: orderBody(), headers: { 'content-type': `text/${MARKER}` } }],
  ['the metadata of an order', { key: 'live', body: orderBody({ metadata: { note: MARKER } }) }],
]

test.each(loggedParts)('the log never contains %s', async (_, { key, ...options }) => {
  await app.call('POST', '/v1/orders', { ...options, key: key === 'live' ? shop.live : key })
  expect(JSON.stringify(app.logged)).not.toContain(MARKER)
  expect(JSON.stringify(app.logged)).not.toContain(shop.live)
})
