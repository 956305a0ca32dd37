import { beforeEach, expect, test } from 'bun:test'
import { NetworkError } from '../../src/networks/port.ts'
import { daemonsOn, type Tap } from '../support/fake-monerod.ts'
import { firstCursor } from '../support/first-cursor.ts'
import { payment } from '../support/monero-payment.ts'
import {
  amountsOf,
  CONFIRMATIONS,
  type FakeScene,
  fakeScene,
  heightOf,
  openAttempt,
  other,
  pay,
  payTo,
  scanPayments,
  scanWatches,
  shop,
  watcherOf,
  xmr,
} from './monero-scene.ts'

let local: FakeScene
beforeEach(() => {
  local = fakeScene()
})

test.each([
  ['a page', () => new Response('<html>welcome</html>')],
  ['nothing', () => new Response('')],
  ['an object', () => Response.json({})],
  ['a list', () => Response.json([])],
  ['an error status', () => new Response('no', { status: 500 })],
  ['a demand for a login', () => new Response('', { status: 401 })],
  [
    'that it is busy',
    () => Response.json({ id: 1, jsonrpc: '2.0', result: { status: 'BUSY' }, status: 'BUSY' }),
  ],
])('a daemon that answers with %s is an error', async (_, response) => {
  const attempt = await openAttempt(local.network, shop.own(1))
  local.traffic.tap = response
  await expect(local.network.scan([attempt])).rejects.toThrow(NetworkError)
  await expect(openAttempt(local.network, shop.own(2))).rejects.toThrow(NetworkError)
})

// biome-ignore lint/suspicious/noExplicitAny: a daemon's JSON, corrupted
type Corruption = (answer: any) => unknown
const malformed: Corruption[] = [null, 7, 'x', [], {}, { status: 'OK' }, { status: 7 }].map(
  answer => () => answer,
)
const inHeaders = (change: object): Corruption => {
  return answer => ({
    ...answer,
    headers: answer.headers.map((header: object) => ({ ...header, ...change })),
  })
}
const inTransactions = (change: object): Corruption => {
  return answer => ({ ...answer, txs: answer.txs.map((one: object) => ({ ...one, ...change })) })
}
const inEach: [string, Corruption[]][] = [
  [
    'get_info',
    [{ height: 0 }, { height: 1e20 }, { top_block_hash: 'ab' }, { nettype: 7 }].map(
      (change): Corruption =>
        answer => ({ ...answer, ...change }),
    ),
  ],
  [
    'get_block_headers_range',
    [
      answer => ({ ...answer, headers: answer.headers.slice(1) }),
      answer => ({ ...answer, headers: answer.headers.toReversed() }),
      answer => ({ ...answer, headers: 'all' }),
      answer => ({
        ...answer,
        headers: answer.headers.map((header: { height: number }) => ({
          ...header,
          height: header.height - 5,
        })),
      }),
      ...[
        { height: -1 },
        { prev_hash: 'ab'.repeat(32) },
        { hash: 'ab'.repeat(32) },
        { hash: 7 },
        { timestamp: 'noon' },
        { num_txes: null },
      ].map(inHeaders),
    ],
  ],
  [
    'get_block',
    [
      answer => ({ ...answer, tx_hashes: [] }),
      answer => ({ ...answer, tx_hashes: ['ab'] }),
      answer => ({ ...answer, tx_hashes: ['ab'.repeat(32)] }),
      answer => ({ ...answer, block_header: { ...answer.block_header, hash: 'ab'.repeat(32) } }),
    ],
  ],
  [
    '/get_transactions',
    [{ tx_hash: 'ab'.repeat(32) }, { as_json: '{' }, { as_json: '[]' }, { as_json: undefined }].map(
      inTransactions,
    ),
  ],
]

test.each(inEach)('a daemon whose answer to %s is malformed is an error', async (method, corruptions) => {
  const { chain, traffic } = local
  const attempt = await openAttempt(local.network, shop.own(1))
  chain.mine(pay(1, 5n))
  chain.mine()
  for (const corrupt of [...malformed, ...corruptions]) {
    let corrupted = 0
    traffic.tap = (query, answer) => {
      if (query.method !== method || query.params.start_height === 0) return null
      corrupted += 1
      return Response.json(wrapped(method, corrupt(answer)))
    }
    await expect(local.restarted().scan([attempt])).rejects.toThrow(NetworkError)
    expect(corrupted).toBeGreaterThan(0)
  }
})

const wrapped = (method: string, answer: unknown) =>
  method.startsWith('/') ? answer : { id: 1, jsonrpc: '2.0', result: answer }

test('a malformed pool is an error; a pool that the daemon does not offer is empty', async () => {
  const { network, chain, traffic } = local
  const attempt = await openAttempt(network, shop.own(1))
  chain.mine(pay(1, 5n))
  const answering =
    (answer: unknown): Tap =>
    ({ method }) =>
      method.includes('pool') ? answer : null
  for (const answer of [{ status: 'OK', tx_hashes: 7 }, { status: 'OK', tx_hashes: ['ab'] }, {}]) {
    traffic.tap = answering(answer)
    await expect(network.scan([attempt])).rejects.toThrow(NetworkError)
  }
  traffic.tap = answering(new Response('no such page', { status: 404 }))
  expect(await scanPayments(network, attempt)).toHaveLength(1)
})

test('a private chain is accepted on this machine only', async () => {
  const attempt = await openAttempt(local.network, shop.own(1))
  const remote = fakeScene('node.example')
  await expect(remote.network.scan([attempt])).rejects.toThrow(/on this machine only/)
  expect(await remote.network.unavailableReason(xmr)).toMatch(/on this machine only/)
  expect(await local.network.unavailableReason(xmr)).toBeNull()
})

test.each(['testnet', 'stagenet', 'wownero', ''])(
  'the network "%s" is rejected everywhere',
  async nettype => {
    for (const host of ['127.0.0.1', 'node.example']) {
      const { network, chain } = fakeScene(host)
      chain.info.nettype = nettype
      expect(await network.unavailableReason(xmr)).toMatch(/serves/)
      await expect(openAttempt(network, shop.own(1))).rejects.toThrow(/serves/)
    }
  },
)

test.each([
  ['mainnet', '76ee3cc98646292206cd3e86f74d88b4dcc1d937088645e9b0cbca84b7ce74eb'],
  ['mainnet', 'ab'.repeat(32)],
  ['fakechain', '48ca7cd3c8de5b6a4d53d2861fbdaedca141553559f9be9520068053cda8430b'],
])('a daemon that reports %s is rejected with the genesis %s', async (nettype, genesis) => {
  local.chain.info.nettype = nettype
  local.chain.blocks[0]!.hash = genesis
  expect(await local.network.unavailableReason(xmr)).toMatch(/serves/)
})

test('the mainnet is accepted anywhere, if the daemon is synchronised and advances', async () => {
  const { network, chain } = fakeScene('node.example')
  chain.info.nettype = 'mainnet'
  const attempt = await openAttempt(network, shop.own(1))
  chain.mine(pay(1, 5n))
  expect(await scanPayments(network, attempt)).toHaveLength(1)
  chain.info.synchronized = false
  await expect(network.scan([attempt])).rejects.toThrow(/still synchronising/)
  chain.info.synchronized = true
  chain.blocks.at(-1)!.at -= 5 * 3600
  await expect(network.scan([attempt])).rejects.toThrow(/has not advanced/)
})

test('an error names only the host of an endpoint', async () => {
  const secret = 'https://user:tops3cret@node.example/p4ssword?key=hidd3nkey'
  const { reach } = daemonsOn({})
  const reason = await watcherOf([secret], reach).unavailableReason(xmr)
  expect(reason).toBe('no usable endpoint for xmr: node.example cannot be reached')
})

test('the next endpoint is used when one is down, and an error is reported when all are down', async () => {
  const { network, chain, chains } = fakeScene('127.0.0.1', '127.0.0.2')
  const attempt = await openAttempt(network, shop.own(1))
  chain.mine(pay(1, 5n))
  delete chains['127.0.0.1']
  expect(await scanPayments(network, attempt)).toHaveLength(1)
  delete chains['127.0.0.2']
  await expect(network.scan([attempt])).rejects.toThrow(/127.0.0.1 cannot be reached/)
  await expect(firstCursor(network, { ...xmr, id: 'xmr/other' }, attempt)).rejects.toThrow(NetworkError)
})

test('the next daemon repeats the whole scan when one dies in the middle of it', async () => {
  const { network, chain, traffic, chains } = fakeScene('127.0.0.1', '127.0.0.2')
  const attempt = await openAttempt(network, shop.own(1))
  chain.mine(pay(1, 5n))
  traffic.tap = ({ host, method }) => {
    if (host !== '127.0.0.1' || method !== '/get_transactions') return null
    delete chains[host]
    return new Response('', { status: 502 })
  }
  expect(await scanPayments(network, attempt)).toHaveLength(1)
})

test('a payment that only one of two required daemons reports is not final', async () => {
  const { network, chain, chains } = fakeScene('127.0.0.1', '127.0.0.2')
  const [attempt, lenient] = [
    await openAttempt(network, shop.own(1), 2),
    await openAttempt(network, shop.own(2)),
  ]
  const strangers = [payTo(other, 1, 5n), payTo(other, 2, 6n)]
  chain.mine(...strangers)
  // A block's hash covers its list of transactions, but Florin cannot check the hashes of transactions.
  const lying = chain.fork()
  const altered = [pay(1, 5n), pay(2, 6n)].map(({ json }, index) => ({ ...strangers[index]!, json }))
  lying.blocks.push({ ...lying.blocks.pop()!, transactions: altered })
  chains['127.0.0.1'] = lying
  chain.mineEmpty(CONFIRMATIONS)
  lying.blocks.push(...chain.blocks.slice(-CONFIRMATIONS))
  const [seen, alone] = await scanWatches(network, attempt, lenient)
  expect(seen!.detectedPayments.map(({ final }) => final)).toEqual([false])
  expect(alone!.detectedPayments.map(({ final }) => final)).toEqual([true])
  expect(JSON.stringify(seen!.detectedPayments[0]!.evidence)).toContain('does not report this payment')
})

test('a payment that two daemons report is final', async () => {
  const { network, chain } = fakeScene('127.0.0.1', '127.0.0.2')
  const attempt = await openAttempt(network, shop.own(1), 2)
  chain.mine(pay(1, 5n))
  chain.mineEmpty(CONFIRMATIONS - 1)
  const [seen] = await scanPayments(network, attempt)
  expect(seen).toMatchObject({ amountAtomic: 5n, final: true })
  expect(await scanPayments(network, attempt)).toEqual([])
})

test('a payment that one daemon reports is not final if that daemon is listed twice and two are required', async () => {
  const { network, chain } = fakeScene('127.0.0.1', '127.0.0.1')
  const attempt = await openAttempt(network, shop.own(1), 2)
  chain.mine(pay(1, 5n))
  chain.mineEmpty(CONFIRMATIONS)
  expect(await scanPayments(network, attempt)).toMatchObject([{ amountAtomic: 5n, final: false }])
})

test.each([1, 100])('%d attempts of one merchant cost the same number of requests', async count => {
  const { network, chain, traffic } = local
  const attempts = []
  for (let index = 1; index <= count; index++) attempts.push(await openAttempt(network, shop.own(index)))
  chain.mineEmpty(8)
  traffic.asked.length = 0
  await scanWatches(network, ...attempts)
  expect(traffic.asked.map(({ method }) => method)).toEqual([
    '/get_transaction_pool_hashes',
    'get_info',
    'get_block_headers_range',
  ])
  chain.mine(pay(1, 5n), payTo(other, 1, 9n))
  traffic.asked.length = 0
  const results = await scanWatches(network, ...attempts)
  expect(traffic.asked).toHaveLength(5)
  expect(results.flatMap(({ detectedPayments }) => amountsOf(detectedPayments))).toEqual([5n])
  traffic.asked.length = 0
  await scanWatches(network, ...attempts)
  expect(traffic.asked).toHaveLength(3)
})

test('blocks are read once for the view keys of several merchants', async () => {
  const { network, chain, traffic } = local
  const attempts = [await openAttempt(network, shop.own(1)), await openAttempt(network, other.own(1))]
  chain.mine(pay(1, 5n), payTo(other, 1, 9n))
  chain.mine(payment(attempts.map(({ address }, index) => ({ address, amount: BigInt(index + 1) }))))
  traffic.asked.length = 0
  const results = await scanWatches(network, ...attempts)
  expect(traffic.asked).toHaveLength(3 + 2 * 2)
  expect(results.map(({ detectedPayments }) => amountsOf(detectedPayments))).toEqual([
    [5n, 1n],
    [9n, 2n],
  ])
})

test('a large block is read a hundred transactions at a time, and in halves when a response is too large', async () => {
  const foreign = Array.from({ length: 130 }, () => payTo(other, 1, 9n))
  const { chain, traffic, restarted } = local
  const network = restarted({ maxBytes: 100_000 })
  const attempt = await openAttempt(network, shop.own(1))
  chain.mine(...foreign, pay(1, 5n))
  expect(await scanPayments(network, attempt)).toHaveLength(1)
  const sizes = traffic.asked.flatMap(({ method, params }) =>
    method === '/get_transactions' ? [params.txs_hashes.length] : [],
  )
  expect(sizes[0]).toBe(100)
  expect(sizes).toContain(50)
})

test('after a long outage, scans read some blocks each and the last one reports', async () => {
  const { chain, restarted, traffic } = local
  const network = restarted({ blocksAtOnce: 10 })
  const attempt = await openAttempt(network, shop.own(1))
  for (let block = 0; block < 25; block++) chain.mine(pay(2, 1n), ...(block === 3 ? [pay(1, 5n)] : []))
  await expect(network.scan([attempt])).rejects.toThrow('15 blocks have not been read yet')
  await expect(network.scan([attempt])).rejects.toThrow('5 blocks have not been read yet')
  traffic.asked.length = 0
  expect(await scanPayments(network, attempt)).toHaveLength(1)
  expect(traffic.asked.filter(({ method }) => method === 'get_block')).toHaveLength(5)
  expect(heightOf(attempt)).toBe(chain.height - CONFIRMATIONS + 1)
})

test('requests are answered while many transactions are scanned', async () => {
  const { network, chain } = local
  const attempt = await openAttempt(network, shop.own(1))
  for (let block = 0; block < 4; block++) chain.mine(...Array.from({ length: 40 }, () => pay(2, 1n)))
  let turns = 0
  const ticks = setInterval(() => {
    turns += 1
  }, 1)
  await network.scan([attempt])
  clearInterval(ticks)
  // Only the number of turns is checked: how long each takes depends on the machine.
  expect(turns).toBeGreaterThan(10)
})
