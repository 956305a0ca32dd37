import { expect, test } from 'bun:test'
import { answerOf, isOutage } from '../fuzz/checks.ts'
import { type App, OWN_URL, startApp } from '../support/app.ts'
import { EVM_WALLET, givenOrder, orderBody, type Shop } from '../support/given.ts'
import { words } from '../support/words.ts'
import { envelopeProblems } from './expected-shapes.ts'
import { type Bytes, type Draft, mutate, requestOf } from './mutate.ts'
import { attemptsOf, givenCoinShop, openOnly, outage, rest } from './payments.ts'
import { type Random, randomOf } from './random.ts'

const MUTATIONS = 10_000
const AT_ONCE = 25
const seed = Number(process.env.FLORIN_SEED ?? crypto.getRandomValues(new Uint32Array(1))[0])

interface Scenario {
  app: App
  shop: Shop
  random: Random
  orders: string[]
  callbacks: string[]
}

type Make = (scenario: Scenario) => Partial<Draft>

const anOrder = ({ random, orders }: Scenario): string => random.pick(orders.slice(-40))

/** A valid request for every route that needs more than its path; the other routes are found automatically. */
const valid: Record<string, Make> = {
  'PUT /v1/wallet': () => ({
    body: { cryptoWallets: { evm: EVM_WALLET }, orderWalletOverrideEnabled: true, includeCrypto: true },
  }),
  'PUT /v1/webhook': () => ({ body: { url: 'https://shop.example/hooks?a=b' } }),
  'POST /v1/orders': ({ random }) => ({
    headers: random.chance(0.3) ? [['idempotency-key', `key-${random.below(9)}-long-enough`]] : [],
    body: orderBody({
      paymentMethodsKeys: random.pick([['*'], ['stripe'], ['crypto'], ['stripe', 'crypto']]),
      externalId: 'cart:7',
      description: 'Two cups',
      returnUrl: 'https://shop.example/thanks',
      metadata: { cart: { id: 7, list: [1, 'two'] } },
    }),
  }),
  'GET /v1/orders': () => ({
    query: [
      ['status', 'UNPAID'],
      ['pageSize', '3'],
      ['externalId', 'cart:7'],
      ['createdFrom', '2026-01-01T00:00:00Z'],
    ],
  }),
  'POST /v1/orders/:orderUUID/cancel': () => ({ body: { reason: 'no longer wanted' } }),
  'GET /pay/:orderUUID': () => ({
    headers: [['accept', 'text/html']],
    query: [
      ['choose', '1'],
      ['qr', 'address'],
    ],
  }),
  'POST /pay/:orderUUID/crypto': ({ random }) => ({
    kind: 'form',
    body: { asset: random.pick(['btc', 'ltc', 'polygon/usdc', 'solana/sol', 'xmr']) },
  }),
  'GET /payment/process/:orderUUID': () => ({ query: [['method', 'stripe']] }),
  'GET /callback/:provider': ({ random, callbacks }) => {
    const { searchParams } = new URL(random.pick(callbacks))
    const signed = {
      value_coin: '25',
      coin: 'polygon_usdc',
      txid_in: '0x12',
      txid_out: '0x34',
      address_in: EVM_WALLET,
    }
    return { path: ['callback', 'gateway'], query: [...searchParams, ...Object.entries(signed)] }
  },
  'POST /sandbox/simulate': scenario => ({
    body: {
      orderUUID: anOrder(scenario),
      outcome: scenario.random.pick(words('paid underpaid failed forged pending duplicate wrong_asset')),
    },
  }),
  'POST /sandbox/outage': ({ random }) => ({
    body: { upstream: random.pick(['provider', 'rates', 'chain']), down: random.chance(0.3) },
  }),
  'POST /sandbox/clock': ({ random }) => ({ body: { advanceSeconds: random.below(900) } }),
  'GET /sandbox/gateway/api/control/convert.php': () => ({
    query: [
      ['from', 'eur'],
      ['value', '12.34'],
    ],
  }),
  'POST /sandbox/chain/:chain/send': ({ random, app, orders }) => {
    const attempt = attemptsOf(app, orders[0]!).at(-1)!
    const asset = String(attempt.asset_id)
    const query = {
      address: String(attempt.address),
      asset,
      amount: '1',
      decimals: '8',
      back: `/pay/${orders[0]}`,
    }
    return {
      path: ['sandbox', 'chain', asset.split('/')[0]!, 'send'],
      query: Object.entries(query),
      kind: 'form',
      body: { amount: random.pick(['0.001', '1']), state: random.pick(['confirmed', 'pending']) },
    }
  },
  'POST /sandbox/chain/:chain/open': () => ({ body: { attemptId: 'a', network: 'btc' } }),
  'POST /sandbox/chain/:chain/payments': () => ({ body: { addresses: ['a', 'b'] } }),
}

/** The weight of a route. Those that get more requests in production are chosen more often. */
const weightOf = (route: string): number => (/ [/](v1|pay|payment|callback)/.test(route) ? 4 : 1)

function draftOf(scenario: Scenario, route: string): Draft {
  const [method = '', path = ''] = route.split(' ')
  const parts = path.slice(1).split('/')
  const made = valid[route]?.(scenario) ?? (method === 'GET' ? {} : { body: {} })
  const key: [string, string][] = path.startsWith('/v1/') ? [['x-api-key', scenario.shop.live]] : []
  const kind = made.kind ?? (made.body === undefined ? 'none' : 'json')
  const type = kind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    method,
    query: [],
    ...made,
    kind,
    path:
      made.path ??
      parts.map(part => (part === ':chain' ? 'btc' : part.startsWith(':') ? anOrder(scenario) : part)),
    headers: [
      ...key,
      ...(kind === 'none' ? [] : [['content-type', type] as [string, string]]),
      ...(made.headers ?? []),
    ],
  }
}

interface Outcome {
  status: number
  made: string | undefined
  problems: string[]
}

async function sendTo({ app }: Scenario, bytes: Bytes, request: Request): Promise<Outcome> {
  const { pathname } = new URL(request.url)
  const answer = await answerOf(await app.florin.http.handle(request))
  const { status, json } = answer
  const problems: string[] = []
  if (status >= 500 && !isOutage(pathname, answer, request.method)) problems.push(`answered ${status}`)
  if (pathname.startsWith('/v1/') && request.method !== 'HEAD') problems.push(...envelopeProblems(answer))
  const body = Buffer.from(bytes.body ?? '').toString('latin1')
  const encoded = [bytes.method, bytes.url, JSON.stringify(bytes.headers), body].map(part =>
    part.slice(0, 300),
  )
  return {
    status,
    made: status === 201 ? json?.data?.orderUUID : undefined,
    problems: problems.map(problem => `${encoded.join(' ')}: ${problem}`),
  }
}

/** A merchant with an open payment of each kind, and every route with its share of the requests. */
async function givenScenario(): Promise<Scenario & { drawn: string[] }> {
  const app = await startApp({ FLORIN_PUBLIC_RATE_LIMIT: '0' })
  const shop = await givenCoinShop(app, '1')
  const scenario: Scenario = { app, shop, random: randomOf(seed), orders: [], callbacks: [] }
  for (const method of ['crypto', 'stripe', 'stripe']) {
    const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: [method] })
    scenario.orders.push(orderUUID)
    if (method === 'crypto') await openOnly(app, orderUUID, 'btc')
    else await app.call('GET', `/payment/process/${orderUUID}`)
    const urls = attemptsOf(app, orderUUID).map(({ callback_url }) => callback_url)
    scenario.callbacks.push(...urls.filter(url => url !== null).map(String))
  }
  const routes = (await app.florin.http.routes())
    .map(({ method, path }) => `${method} ${path}`)
    // The stream is left out: its answer lasts for minutes.
    .filter(route => route !== 'GET /v1/events/stream')
  const drawn = routes.flatMap(route => Array<string>(weightOf(route)).fill(route))
  return { ...scenario, drawn }
}

/** Sends a number of mutated requests at once and collects the responses. */
async function sendSome(scenario: Scenario, drawn: string[], count: number): Promise<Outcome[]> {
  const batch: Promise<Outcome>[] = []
  while (batch.length < count) {
    const bytes = mutate(draftOf(scenario, scenario.random.pick(drawn)), scenario.random, OWN_URL)
    const request = requestOf(bytes)
    if (request) batch.push(sendTo(scenario, bytes, request))
  }
  return Promise.all(batch)
}

test(`${MUTATIONS} mutated requests cause no internal error (FLORIN_SEED=${seed})`, async () => {
  process.stderr.write(`mutations: FLORIN_SEED=${seed}\n`)
  const { drawn, ...scenario } = await givenScenario()
  const { app, shop } = scenario
  const outcomes: Outcome[] = []
  while (outcomes.length < MUTATIONS) {
    const some = await sendSome(scenario, drawn, AT_ONCE)
    outcomes.push(...some)
    scenario.orders.push(...some.flatMap(({ made }) => made ?? []))
  }
  for (const upstream of ['provider', 'rates', 'chain'] as const) await outage(app, upstream, false)
  await rest(app)
  const problems = outcomes.flatMap(outcome => outcome.problems)
  const bugs = app.logged.filter(({ sentence }) => /^(job|job.claim|request)\.failed$/.test(sentence))
  expect([problems.slice(0, 5), bugs.slice(0, 3)]).toEqual([[], []])
  // The mutations are varied enough that requests end in different ways.
  for (const status of [200, 201, 303, 400, 401, 404, 409, 413, 422]) {
    expect(outcomes.map(outcome => outcome.status)).toContain(status)
  }
  expect(app.audit()).toEqual([])
  expect((await givenOrder(app, shop)).status).toBe('UNPAID')
  await app.close()
}, 120_000)
