import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { listAudit } from '../../src/operations/audit/read.ts'
import { receive } from '../outbound/servers.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import type { App } from '../support/app.ts'
import { type Person, signInAs } from '../support/dashboard.ts'
import { check, EVM_WALLET, givenMerchant, givenOrder, openCrypto, type Shop } from '../support/given.ts'
import { quickTimers } from '../support/timers.ts'
import { evmRow, startOver } from './checkout-scene.ts'

const CONFIRMATIONS = 3
const timers = quickTimers()
const PAGE = '/dashboard/endpoints/ethereum'

let anvil: Anvil
let other: Anvil
let app: App
let shop: Shop
let operator: Person
let token: string
let close: () => Promise<void>

const hostOf = (url: string): string => new URL(url).host

const bad: ReturnType<typeof receive> = receive(async request => {
  const { pathname } = new URL(request.url)
  if (pathname === '/away') return Response.redirect(anvil.url, 307)
  if (pathname === '/huge') return new Response('x'.repeat(20 * 1024 * 1024))
  if (pathname === '/limited') return new Response('', { status: 429 })
  if (pathname === '/words') return new Response('<html>my secret-key-in-path is here</html>')
  if (pathname === '/nologs') return withoutLogs(bad.received.at(-1)!.body.toString())
  return Bun.sleep(60_000).then(() => new Response())
})
/** Passes requests to the node, except those for logs, which find nothing. */
async function withoutLogs(body: string): Promise<Response> {
  if (!body.includes('eth_getLogs')) return fetch(anvil.url, { method: 'POST', body, headers })
  const ids = [JSON.parse(body)].flat() as { id: number; method: string }[]
  const answers = ids.map(({ id }) => ({
    jsonrpc: '2.0',
    id,
    error: { code: -32601, message: 'no logs here' },
  }))
  return Response.json(body.startsWith('[') ? answers : answers[0])
}
const headers = { 'content-type': 'application/json' }

beforeAll(async () => {
  ;[anvil, other] = await Promise.all([startAnvil(), startAnvil({ chainId: 1234 })])
  token = await anvil.deploy('TestTether')
  const rates = { data: { currency: 'USD', rates: { ETH: '0.0004', USDT: '1' } } }
  const urls = [anvil.url, other.url, `http://127.0.0.1:${bad.port}`]
  const options = {
    environment: { FLORIN_OUTBOUND_ALLOW: urls.map(hostOf).join() },
    assets: [
      evmRow('ethereum/usdt', 6, { contract: token }),
      evmRow('ethereum/usdc', 6, { contract: await anvil.deploy('TestUSD') }),
      evmRow('ethereum/eth', 18),
    ],
  }
  ;({ app, close } = await startOver(options, {
    startTimer: timers.startTimer,
    fetch: async url => {
      if (url.startsWith('https://api.coinbase.com/')) return Response.json(rates)
      throw new Error('only endpoints are reached otherwise')
    },
  }))
  shop = await givenMerchant(app)
  operator = await signInAs(app, 'operator', shop.id)
})
afterAll(async () => {
  await close()
  await Promise.all([anvil.stop(), other.stop(), bad.close()])
})

/** The text of a page, without its frame. */
const wordsOf = ({ text }: { text: string }): string =>
  (text.split('<main id="main">')[1] ?? text).replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')

const add = (text: string, more: Record<string, string> = {}) => operator.post(PAGE, { text, ...more })
const stored = () => app.context.storage.read(tables => tables.chosenEndpoints.list())

describe('an endpoint that cannot be used is refused with its reason, and nothing is stored', () => {
  const of = (path: string) => () => `http://127.0.0.1:${bad.port}${path}`
  const refused: [string, () => string, RegExp][] = [
    ['another chain', () => other.url, /serves another chain[\s\S]*serves chain 1234/],
    ['a private address', () => 'https://10.0.0.1/rpc', /in a private network/],
    ['the machine itself, on a port that is not allowed', () => 'http://127.0.0.1:1/', /https/],
    ['no URL', () => 'nonsense', /Enter a URL/],
    ['a redirect to this machine', of('/away'), /status 307/],
    ['a huge answer', of('/huge'), /cannot use[\s\S]*too (long|large)/],
    ['a rate limit', of('/limited'), /limits requests/],
    ['an answer that is no JSON', of('/words'), /cannot be read.*a web page, not data/],
    ['no logs', of('/nologs'), /no logs here/],
  ]
  test.each(refused)('%s', async (_, url, reason) => {
    const answer = await add(url())
    expect(wordsOf(answer)).toMatch(reason)
    expect(Math.floor(answer.status / 100)).toBe(4)
    expect(await stored()).toEqual([])
  })

  test('an endpoint that never answers is given up in time', async () => {
    timers.asked.length = 0
    timers.speed = 50
    const answer = await add(of('/hangs')())
    timers.speed = 1
    expect(answer.text).toContain('did not answer in time')
    expect(Math.max(...timers.asked)).toBeLessThan(25_000)
    expect(await stored()).toEqual([])
  })
})

test('a new server is paid on a real chain without a setting for an endpoint or rate, and without a restart', async () => {
  expect(wordsOf(await operator.get('/dashboard/endpoints'))).toContain(
    'Until you add one, customers cannot pay with coins.',
  )
  const wallet = await operator.post('/dashboard/payouts/evm/check', { text: EVM_WALLET })
  const draft = /name="draft" value="([^"]+)"/.exec(wallet.text)?.[1] ?? ''
  const saved = await operator.post('/dashboard/payouts/evm/save', { draft, compared: 'yes' })
  expect(saved.headers.get('location')).toBe('/dashboard/payouts?saved=set')
  const lacking = await operator.get('/dashboard/payouts/evm')
  expect(lacking.text).toContain(`href="${PAGE}?back=evm"`)

  expect(wordsOf(await operator.post('/dashboard/endpoints/rates', { name: 'kraken' }))).toContain(
    'cannot be used',
  )
  expect(wordsOf(await operator.post('/dashboard/endpoints/rates', { name: 'binance' }))).toContain(
    'only source',
  )
  const rate = await operator.post('/dashboard/endpoints/rates', { name: 'coinbase', back: 'setup-evm' })
  const wayBack = '/dashboard/payouts/evm?chosen&from=setup'
  expect(rate.headers.get('location')).toBe(wayBack)
  const key = { headerName: 'x-api-key', headerValue: 'secret-of-the-header' }
  const added = await add(`${anvil.url}/`, { ...key, back: 'setup-evm' })
  expect([added.status, added.headers.get('location')]).toEqual([303, wayBack])
  expect((await operator.get(wayBack)).text).toContain('Saved. The coins below show')

  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
  const { attempt } = await openCrypto(app, orderUUID, 'ethereum/usdt')
  await anvil.sendToken(token, attempt.address, 25_000_000n)
  await anvil.mine(CONFIRMATIONS)
  expect(await check(app, orderUUID)).toMatchObject({ status: 'PAID', provisioningStatus: 'SETTLED' })
  const events = await app.context.storage.read(tables => tables.events.listOfOrder(orderUUID, 10))
  expect(events.map(({ event }) => event.type)).toEqual(['order.paid'])
  expect(app.audit()).toEqual([])
})

test('an endpoint shows its state, but never its key', async () => {
  const page = await operator.get(PAGE)
  expect(page.text).toContain(hostOf(anvil.url))
  expect(page.text).toContain('Worked at')
  expect(page.text).toContain('x-api-key')
  const entries = await listAudit(app.context, shop.id, 100)
  const [entry] = entries.filter(({ action }) => action === 'endpoint.added')
  expect(entry).toMatchObject({ actor: `user:${operator.userId}`, after: { header: 'x-api-key' } })
  const everything = [page.text, JSON.stringify(entries), JSON.stringify(app.logged)].join()
  expect(everything).not.toContain('secret-of-the-header')
})

test('another process changes the endpoints in use, and a scan that runs ends as it began', async () => {
  const before = app.context.networks.of('ethereum')!
  const [endpoint] = await stored()
  await app.context.storage.write(tables => tables.chosenEndpoints.remove(endpoint!.id))
  await app.context.upstreams.reload()
  expect(app.context.networks.of('ethereum')).toBeUndefined()
  expect(await before.scan([])).toEqual([])
  await app.context.storage.write(tables => tables.chosenEndpoints.put(endpoint!))
  await app.context.upstreams.reload()
  expect(app.context.networks.of('ethereum')).toBeDefined()
})

test('endpoints are reordered and removed, with immediate effect', async () => {
  const key = { headerName: 'authorization', headerValue: 'Bearer of-a-second' }
  expect(wordsOf(await add(anvil.url))).toContain('not in the list yet')
  const url = anvil.url.replace('127.0.0.1', 'localhost')
  expect(wordsOf(await add(url, key))).toContain('Enter a URL')
  expect((await add(`${anvil.url}?second`, key)).status).toBe(303)
  const [first, second] = await stored()
  const network = app.context.networks.of('ethereum')
  await operator.post(`${PAGE}/raise`, { id: second!.id })
  expect((await stored()).map(({ id }) => id)).toEqual([second!.id, first!.id])
  expect(app.context.networks.of('ethereum')).not.toBe(network)
  expect(wordsOf(await operator.post(`${PAGE}/test`, { id: first!.id }))).toContain('works for')
  for (const { id } of [first!, second!]) await operator.post(`${PAGE}/remove`, { id })
  expect([await stored(), app.context.networks.of('ethereum')]).toEqual([[], undefined])
  expect((await operator.post(`${PAGE}/remove`, { id: first!.id })).status).toBe(404)
})
