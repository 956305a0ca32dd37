import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { coins } from '../../src/networks/bitcoin/coins.ts'
import { receive, until } from '../outbound/servers.ts'
import { type App, startApp } from '../support/app.ts'
import { type Person, signInAs } from '../support/dashboard.ts'
import { givenMerchant } from '../support/given.ts'
import * as nodes from '../support/small-nodes.ts'
import { type Solana, startSolana } from '../support/solana.ts'

const TESTNET3 = '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943'
const tronGenesis = (chainId: string): string => `${'0'.repeat(16)}${'ab'.repeat(20)}${chainId}`
const SOLANA_DEVNET = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'
const ECLIPSE = 'EAQLJCV2mh23BsK2P9oYpV5CHVLDNHTxYss3URrNmg3s'
const KEY = 'my-secret-key'
const HUGE_PIECE = new Uint8Array(1024 * 1024).fill(0x78)

let app: App
let operator: Person
let solana: Solana
/** the running timers, which tests end by hand */
const timers = new Set<() => void>()

type Family = Record<'good' | 'other' | 'test', nodes.Answer> & { chain: string; protocol: string }
const families: Record<string, Family> = {
  esplora: {
    chain: 'btc',
    protocol: 'esplora',
    good: nodes.esplora(),
    other: nodes.esplora(coins.ltc.genesis),
    test: nodes.esplora(TESTNET3),
  },
  blockbook: {
    chain: 'btc',
    protocol: 'blockbook',
    good: nodes.blockbook(),
    other: nodes.blockbook('Dogecoin'),
    test: nodes.blockbook('Bitcoin', TESTNET3),
  },
  core: {
    chain: 'btc',
    protocol: 'core',
    good: nodes.core(),
    other: nodes.core(coins.ltc.genesis),
    test: nodes.core(TESTNET3),
  },
  solana: {
    chain: 'solana',
    protocol: 'jsonrpc',
    good: (path, body) => nodes.solanaNode(solana)(path, body),
    other: (path, body) => nodes.solanaNode(solana, ECLIPSE)(path, body),
    test: (path, body) => nodes.solanaNode(solana, SOLANA_DEVNET)(path, body),
  },
  tron: {
    chain: 'trc20',
    protocol: 'trongrid',
    good: nodes.trongrid(tronGenesis('00abcdef')),
    other: nodes.trongrid(tronGenesis('00000001')),
    test: nodes.trongrid(tronGenesis('94a9059e')),
  },
  monero: {
    chain: 'xmr',
    protocol: 'monerod',
    good: nodes.monerod('fakechain'),
    other: nodes.monerod('wownero'),
    test: nodes.monerod('stagenet'),
  },
}
const names = Object.keys(families)

const endless = (): Response =>
  new Response(new ReadableStream({ pull: controller => controller.enqueue(HUGE_PIECE) }))

/** Answers of servers that are not such a node. */
const strangers: Record<string, () => Response | Promise<Response>> = {
  hang: () => new Promise<Response>(() => {}),
  away: () => Response.redirect('http://10.0.0.1/', 302),
  huge: endless,
  page: () => new Response(`<!DOCTYPE html><title>Welcome</title>${KEY}`),
  unknown: () => new Response('', { status: 401 }),
  forbidden: () => new Response(`<html>no ${KEY}</html>`, { status: 403 }),
  worded: () =>
    Response.json(
      { jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'invalid project id' } },
      { status: 403 },
    ),
  limited: () => new Response('', { status: 429 }),
}

/** The first part of a path names the family, the second the change to its answers; then comes a key. */
const server: ReturnType<typeof receive> = receive(request => {
  const { pathname, search } = new URL(request.url)
  const [, family = '', how = '', , ...rest] = pathname.split('/')
  const body = server.received.at(-1)!.body.toString()
  const node = families[family]![how as 'good' | 'other' | 'test']
  return node ? node(`${rest.length > 0 ? '/' : ''}${rest.join('/')}${search}`, body) : strangers[how]!()
})

beforeAll(async () => {
  solana = startSolana()
  nodes.addMints(solana)
  const environment = {
    FLORIN_SANDBOX: 'false',
    FLORIN_OUTBOUND_ALLOW: `127.0.0.1:${server.port}`,
  }
  app = await startApp(environment, {
    startTimer: work => {
      timers.add(work)
      return () => timers.delete(work)
    },
  })
  app.time.now = Date.now()
  operator = await signInAs(app, 'operator', (await givenMerchant(app)).id)
})
afterEach(async () => {
  for (const { id } of await stored()) {
    await app.context.storage.write(tables => tables.chosenEndpoints.remove(id))
  }
  await app.context.upstreams.reload()
})
afterAll(async () => {
  await app.close()
  await Promise.all([server.close(), solana.stop()])
})

const stored = () => app.context.storage.read(tables => tables.chosenEndpoints.list())
const pageOf = (name: string): string => `/dashboard/endpoints/${families[name]!.chain}`
const urlOf = (name: string, how: string): string =>
  `${families[name]!.protocol}+http://127.0.0.1:${server.port}/${name}/${how}/${KEY}`
const add = (name: string, how: string, text = urlOf(name, how)) => operator.post(pageOf(name), { text })

/** The text of the messages of a page. */
const wordsOf = ({ text }: { text: string }): string =>
  (text.split('<main id="main">')[1] ?? text)
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replace(/\s+/g, ' ')

describe.each(names)('an endpoint of %s', name => {
  test('that works is saved and used', async () => {
    const { chain, protocol } = families[name]!
    expect(app.context.networks.of(chain)).toBeUndefined()
    const answer = await add(name, 'good')
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${pageOf(name)}?saved=added`])
    expect(await stored()).toMatchObject([{ chain, protocol }])
    const asset = app.context.networks.assets.find(one => one.chain === chain)!
    expect(await app.context.networks.of(chain)!.unavailableReason(asset)).toBeNull()
    expect((await operator.get(pageOf(name))).text).toContain('Worked at')
  })

  const refused: [how: string, reason: RegExp][] = [
    ['other', /serves another chain\. Check that you chose the URL for this chain/],
    ['test', /serves another chain\. Check that you chose the URL for this chain/],
    ['away', /cannot use.* redirects .*status 302.* Use the URL that it leads to/],
    ['huge', /cannot use.* too (long|large)/],
    ['page', /answer cannot be read\. .* web page.*path of the URL/],
    ['unknown', /asks for a valid key\. .* status 401/],
    ['forbidden', /asks for a valid key\. .* status 403/],
    ['limited', /limits requests/],
  ]
  test.each(refused)('is refused with advice: %s', async (how, reason) => {
    const answer = await add(name, how)
    expect(wordsOf(answer)).toMatch(reason)
    expect(answer.status).toBe(400)
    expect(await stored()).toEqual([])
    // The key appears only in the field into which the operator entered it.
    expect(answer.text.split(KEY).length).toBe(2)
  })
})

test.each(['core', 'solana', 'tron', 'monero'])(
  'a node of %s may require a key, with an error of its own',
  async name => {
    const answer = await add(name, 'worded')
    expect(wordsOf(answer)).toMatch(/asks for a valid key\. .*invalid project id/)
    expect(await stored()).toEqual([])
  },
)

test('endpoints that do not answer delay no others, and are given up in time', async () => {
  const silent = names.map(name => add(name, 'hang'))
  const isAsked = (name: string) => server.received.some(({ path }) => path.startsWith(`/${name}/hang`))
  await until(() => names.every(isAsked))
  expect((await operator.get('/dashboard/endpoints')).status).toBe(200)
  expect((await add('esplora', 'good')).status).toBe(303)
  for (const end of timers) end()
  for (const answer of await Promise.all(silent)) expect(wordsOf(answer)).toContain('did not answer in time')
  expect((await stored()).map(({ protocol }) => protocol)).toEqual(['esplora'])
  expect(timers.size).toBe(0)
})

test('a node with a user name and password can have them in its URL', async () => {
  const url = urlOf('core', 'good').replace('http://', 'http://merchant:pass-of-the-node@')
  expect((await add('core', 'good', url)).status).toBe(303)
  const sent = server.received.at(-1)!.headers.authorization
  expect(sent).toBe(`Basic ${btoa('merchant:pass-of-the-node')}`)
  const page = await operator.get(pageOf('core'))
  expect(page.text).not.toContain('pass-of-the-node')
  const hidden = await add('core', 'good', 'core+https://merchant:pass-of-the-node@10.0.0.1/')
  expect(wordsOf(hidden)).toContain('in a private network')
})
