import { expect, test } from 'bun:test'
import { makeRateLimits } from '../../src/http/rate-limit.ts'
import { requestState } from '../../src/http/request-state.ts'
import { type Answer, START, startApp } from '../support/app.ts'
import { givenOrder, givenShop } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { ask } from './request.ts'

const NOBODY = '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55'

function from(peer: string | null, forwarded?: string): Request {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  const request = new Request('http://localhost/', { headers })
  requestState(request).peer = () => peer
  return request
}

/** The number of these simultaneous requests that pass before the first is refused. */
function letThrough(perMinute: number, proxies: string[], requests: Request[]): number {
  const limit = makeRateLimits(perMinute, proxies, () => 0).requests
  const refusedAt = requests.findIndex(request => {
    try {
      limit(request)
      return false
    } catch {
      return true
    }
  })
  return refusedAt === -1 ? requests.length : refusedAt
}

const proxies = ['10.0.0.0/8', '::1']
const rows: [what: string, requests: [Request, Request, Request], through: number][] = [
  ['one client', [from('203.0.113.1'), from('203.0.113.1'), from('203.0.113.1')], 2],
  ['one client in two spellings', [from('203.0.113.1'), from('::ffff:203.0.113.1'), from('203.0.113.1')], 2],
  ['three clients', [from('203.0.113.1'), from('203.0.113.2'), from('203.0.113.3')], 3],
  ['one network of IPv6', [from('2001:db8::1'), from('2001:db8::2'), from('2001:db8:0:0:ff::3')], 2],
  ['several networks of IPv6', [from('2001:db8::1'), from('2001:db8:0:1::1'), from('2001:db8:0:2::1')], 3],
  [
    'a stranger who names others',
    [from('203.0.113.1', '1.1.1.1'), from('203.0.113.1', '1.1.1.2'), from('203.0.113.1', '1.1.1.3')],
    2,
  ],
  [
    'three clients behind a trusted proxy',
    [from('10.0.0.1', '1.1.1.1'), from('10.0.0.1', '1.1.1.2'), from('10.0.0.1', '1.1.1.3')],
    3,
  ],
  [
    'one client behind trusted proxies who names others',
    [from('::1', '9.9.9.1, 1.1.1.1'), from('::1', '9.9.9.2, 1.1.1.1, 10.2.3.4'), from('::1', '1.1.1.1')],
    2,
  ],
  [
    'three clients whose proxy adds ports',
    [
      from('10.0.0.1', '1.1.1.1:1234'),
      from('10.0.0.1', '[2001:db8::1]:443'),
      from('10.0.0.1', '[2001:db8:0:1::1]'),
    ],
    3,
  ],
  [
    'one client on three ports',
    [from('10.0.0.1', '1.1.1.1:1'), from('10.0.0.1', '1.1.1.1:65535'), from('10.0.0.1', '1.1.1.1')],
    2,
  ],
  ['a trusted proxy that names nobody', [from('10.0.0.1'), from('10.0.0.1', ''), from('10.0.0.1', 'me')], 2],
  ['nobody knows whom', [from(null), from(null), from(null)], 2],
]

test.each(rows)('the limit of two requests a minute: %s', (_, requests, through) => {
  expect(letThrough(2, proxies, requests)).toBe(through)
})

test('the limit 0 means no limit', () => {
  expect(
    letThrough(
      0,
      [],
      Array.from({ length: 1000 }, () => from('203.0.113.1')),
    ),
  ).toBe(1000)
})

test('all networks of one site together have ten times the limit', () => {
  const site = Array.from({ length: 30 }, (_, index) => from(`2001:db8:7:${index.toString(16)}::1`))
  expect(letThrough(2, [], site)).toBe(20)
  const sites = Array.from({ length: 30 }, (_, index) => from(`2001:db8:${index.toString(16)}::1`))
  expect(letThrough(2, [], sites)).toBe(30)
})

test('a clock that was ahead blocks no one after it is set back', () => {
  let now = 1_000_000_000
  const limit = makeRateLimits(2, [], () => now).requests
  const client = () => limit(from('203.0.113.1'))
  now += 86_400_000
  client()
  now -= 86_400_000
  client()
  expect(client).not.toThrow()
  expect(client).toThrow()
})

test('several servers share a limit, and each of them lets some requests pass', () => {
  let servers = 3
  const limits = makeRateLimits(
    6,
    [],
    () => 0,
    0,
    () => servers,
  )
  const passed = (limit: typeof limits.requests, address: string): number => {
    for (let count = 0; ; count++)
      try {
        limit(from(address))
      } catch {
        return count
      }
  }
  expect(passed(limits.requests, '203.0.113.1')).toBe(2)
  expect(passed(limits.signIns, '203.0.113.1')).toBe(4)
  servers = 100
  expect(passed(limits.requests, '203.0.113.2')).toBe(1)
  servers = 1
  expect(passed(limits.requests, '203.0.113.3')).toBe(6)
})

test.each([
  [6, 10, 9999],
  [7, 9, 8571],
])(
  'of %i a minute, a refused request passes after the %i seconds of Retry-After',
  (perMinute, seconds, earlyMs) => {
    let now = 1_000_000
    const limit = makeRateLimits(perMinute, [], () => now).requests
    const client = () => limit(from('203.0.113.1'))
    for (let i = 0; i < perMinute; i++) client()
    let wait = 0
    try {
      client()
    } catch (error) {
      wait = (error as { retryAfterSeconds: number }).retryAfterSeconds
    }
    expect(wait).toBe(seconds)
    now += earlyMs
    expect(client).toThrow()
    now += wait * 1000 - earlyMs
    expect(client).not.toThrow()
    expect(client).toThrow()
  },
)

/** The limit in a response: requests per minute, the rest, and the seconds until all are available again. */
const limitOf = ({ headers }: Answer) =>
  ['limit', 'remaining', 'reset'].map(name => headers.get(`ratelimit-${name}`))

const { app, once } = suite({ start: () => startApp({ FLORIN_PUBLIC_RATE_LIMIT: '3' }) })
once(async () => {
  app.jobs.settle()
})

test('public routes answer with Retry-After before they validate a request', async () => {
  const path = `/v1/checkout/products/${NOBODY}`
  const answers = [
    await ask(app, 'GET', path),
    await ask(app, 'POST', `${path}/orders`, { body: '{' }),
    await app.call('POST', `/checkout/${NOBODY}`, { form: {} }),
  ]
  expect(answers.map(answer => [answer.status, ...limitOf(answer)])).toEqual([
    [404, '3', '2', '20'],
    [400, '3', '1', '40'],
    [404, '3', '0', '60'],
  ])
  for (const request of [
    () => ask(app, 'GET', path),
    () => ask(app, 'GET', `/v1/checkout/products/first`),
    () => ask(app, 'POST', `${path}/orders`, { body: '{' }),
    () => app.call('POST', `/checkout/${NOBODY}`, { form: {} }),
  ]) {
    const answer = await request()
    expect([answer.status, answer.json.error.code]).toEqual([429, 'rate_limited'])
    expect(Number(answer.headers.get('retry-after'))).toBeWithin(1, 61)
    expect(limitOf(answer)).toEqual(['3', '0', '60'])
  }
  expect((await ask(app, 'GET', '/v1/orders')).status).toBe(401)
})

test('each key has a limit of its own, counted before its access and the request are checked', async () => {
  const limited = await startApp({ FLORIN_API_RATE_LIMIT: '3' })
  const shop = await givenShop(limited)
  limited.time.now += 60_000
  const list = (key: string) => limited.call('GET', '/v1/orders', { key })
  expect((await limited.call('POST', '/v1/orders', { key: shop.live, body: '{' })).status).toBe(400)
  const [second, third] = [await list(shop.live), await list(shop.live)]
  expect([second, third].map(answer => [answer.status, ...limitOf(answer)])).toEqual([
    [200, '3', '1', '40'],
    [200, '3', '0', '60'],
  ])
  for (const refused of [
    await list(shop.live),
    await limited.call('POST', '/v1/orders', { key: shop.live, body: '{' }),
  ]) {
    expect([refused.status, refused.json.error.code]).toEqual([429, 'rate_limited'])
    expect(refused.headers.get('retry-after')).toBe('20')
    expect(limitOf(refused)).toEqual(['3', '0', '60'])
  }
  for (let i = 0; i < 3; i++) {
    const { status } = await limited.call('POST', '/v1/orders', { key: shop.test, body: {} })
    expect(status).toBe(403)
  }
  expect((await limited.call('POST', '/v1/orders', { key: shop.test, body: {} })).status).toBe(429)
  for (let i = 0; i < 5; i++) expect((await list('florin_live_x')).status).toBe(401)
  limited.time.now += 20_000
  expect([(await list(shop.live)).status, (await list(shop.live)).status]).toEqual([200, 429])
  await limited.close()
})

test('keys have no limit unless FLORIN_API_RATE_LIMIT is set', async () => {
  const { live: key } = await givenShop(app)
  const statuses = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const answer = await app.call('GET', '/v1/orders', { key })
      return [answer.status, ...limitOf(answer)].join()
    }),
  )
  expect(new Set(statuses)).toEqual(new Set(['200,,,']))
})

/** A sandbox that other machines can reach has the same limits as a live server. */
const onTheInternet = { FLORIN_SANDBOX: 'public' }

test('one client opens at most 20 payments a minute, and the page says when to continue', async () => {
  let now = START
  const shopApp = await startApp({ ...onTheInternet, FLORIN_PUBLIC_RATE_LIMIT: '60' }, { now: () => now })
  try {
    const shop = await givenShop(shopApp)
    const { orderUUID } = await givenOrder(shopApp, shop)
    const open = (headers: Record<string, string> = {}) =>
      shopApp.call('POST', `/pay/${orderUUID}/crypto`, { form: { asset: 'btc' }, headers })
    const process = () => shopApp.call('GET', `/payment/process/${orderUUID}?method=stripe`)
    for (let i = 0; i < 19; i++) expect((await open()).status).toBe(303)
    expect((await process()).status).toBe(303)
    for (const refused of [await open(), await process()]) {
      expect([refused.status, refused.json.error.code]).toEqual([429, 'rate_limited'])
      expect(refused.headers.get('retry-after')).toBe('3')
    }
    const page = await open({ accept: 'text/html' })
    expect([page.status, page.headers.get('retry-after')]).toEqual([429, '3'])
    expect(page.text).toContain('Too many requests. Please try again in 3 seconds.')
    expect(page.text).toContain(`/pay/${orderUUID}`)
    // The page of the order itself has no limit of this kind.
    expect((await shopApp.call('GET', `/pay/${orderUUID}`)).status).toBe(200)
    now += 3000
    expect((await open()).status).toBe(303)
  } finally {
    await shopApp.close()
  }
})

test.each([
  ['without a limit', { ...onTheInternet, FLORIN_PUBLIC_RATE_LIMIT: '0' }],
  ['in a sandbox that only its own machine can reach', { FLORIN_PUBLIC_RATE_LIMIT: '60' }],
])('%s, one client opens as many payments as needed', async (_, settings) => {
  const shopApp = await startApp(settings)
  try {
    const shop = await givenShop(shopApp)
    const { orderUUID } = await givenOrder(shopApp, shop)
    const open = () => shopApp.call('POST', `/pay/${orderUUID}/crypto`, { form: { asset: 'btc' } })
    for (let i = 0; i < 60; i++) expect((await open()).status).toBe(303)
  } finally {
    await shopApp.close()
  }
})
