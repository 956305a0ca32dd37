import { beforeEach, describe, expect, test } from 'bun:test'
import { type Network, NetworkError, type Watch } from '../../src/networks/port.ts'
import { daemonsOn, FakeChain, type Tap } from '../support/fake-monerod.ts'
import {
  CONFIRMATIONS,
  fakeScene,
  openAttempt,
  pay,
  scanPayments,
  scanWatches,
  shop,
  watcherOf,
} from './monero-scene.ts'

const MINUTE_MS = 60_000
const FAR = 60

let now: number
beforeEach(() => {
  now = Date.now()
})

/** A new network, as after a restart. */
const networkOn = (chain: FakeChain, blocksAtOnce = 200): Network =>
  watcherOf(['http://127.0.0.1'], daemonsOn({ '127.0.0.1': chain }).reach, { clock: () => now, blocksAtOnce })

const honestChain = (): FakeChain => fakeScene().chain

/** The same chain with more blocks, which no other daemon has. */
function inventedOn(chain: FakeChain): FakeChain {
  const far = chain.fork()
  far.mineEmpty(FAR)
  return far
}

describe('one false height, with a block for each', () => {
  async function misled(chain: FakeChain): Promise<Watch> {
    const attempt = await openAttempt(networkOn(chain), shop.own(1))
    await scanWatches(networkOn(inventedOn(chain)), attempt)
    return attempt
  }

  test('does not hide a payment for longer than 15 minutes, also after a restart', async () => {
    const chain = honestChain()
    const attempt = await misled(chain)
    chain.mine(pay(1, 5n))
    chain.mineEmpty(CONFIRMATIONS - 1)
    await expect(networkOn(chain).scan([attempt])).rejects.toThrow(/is behind/)
    now += 16 * MINUTE_MS
    expect(await scanPayments(networkOn(chain), attempt)).toMatchObject([{ amountAtomic: 5n, final: true }])
    chain.mine(pay(1, 6n))
    expect(await scanPayments(networkOn(chain), attempt)).toContainEqual(
      expect.objectContaining({ amountAtomic: 6n, confirmations: 1 }),
    )
  })

  test('does not delay the attempt of another buyer in the same scan', async () => {
    const chain = honestChain()
    const attempt = await misled(chain)
    const other = await openAttempt(networkOn(chain), shop.own(2))
    chain.mine(pay(2, 7n))
    const results = await networkOn(chain).scan([attempt, other])
    expect(results.map(({ attemptId }) => attemptId)).toEqual([other.attemptId])
    expect(results[0]!.detectedPayments).toMatchObject([{ amountAtomic: 7n, confirmations: 1 }])
  })

  test('while an attempt is opened does not hide payments to it', async () => {
    const chain = honestChain()
    const attempt = await openAttempt(networkOn(inventedOn(chain)), shop.own(1))
    chain.mine(pay(1, 8n))
    chain.mineEmpty(CONFIRMATIONS - 1)
    now += 16 * MINUTE_MS
    expect(await scanPayments(networkOn(chain), attempt)).toMatchObject([{ amountAtomic: 8n, final: true }])
    chain.mineEmpty(1)
    await scanWatches(networkOn(chain), attempt)
    expect(attempt.cursor).toMatchObject({ height: chain.height - CONFIRMATIONS + 1 })
  })
})

interface Shown {
  num_txes: number
}

/** A daemon that hides the transactions of all blocks, in the headers, in the blocks, or in both. */
const hiding =
  (host: string, from: readonly string[]): Tap =>
  (query, answer) => {
    if (query.host !== host || !from.includes(query.method)) return null
    const emptied = (header: Shown): Shown => ({ ...header, num_txes: 0 })
    if (query.method === 'get_block') {
      return { ...answer, tx_hashes: [], block_header: emptied(answer.block_header) }
    }
    return { ...answer, headers: answer.headers.map(emptied) }
  }

test.each([[['get_block_headers_range']], [['get_block']], [['get_block_headers_range', 'get_block']]])(
  'a daemon that omits transactions from %p is detected, and another finds the payment',
  async from => {
    const { chain, network: both, reach, traffic } = fakeScene('127.0.0.1', '127.0.0.2')
    const alone = watcherOf(['http://127.0.0.1'], reach)
    const attempt = await openAttempt(both, shop.own(1))
    chain.mine(pay(1, 5n), pay(2, 6n))
    chain.mineEmpty(CONFIRMATIONS)
    traffic.tap = hiding('127.0.0.1', from)
    await expect(alone.scan([attempt])).rejects.toThrow(/other transactions of block 21 than its hash/)
    expect(await scanPayments(both, attempt)).toMatchObject([{ amountAtomic: 5n, final: true }])
  },
)

/** A daemon that changes some fields of all transactions. */
const altering =
  (change: object): Tap =>
  ({ method }, answer) =>
    method === '/get_transactions' && answer.txs
      ? {
          ...answer,
          txs: answer.txs.map((one: { as_json: string }) => ({
            ...one,
            as_json: JSON.stringify({ ...JSON.parse(one.as_json), ...change }),
          })),
        }
      : null
/** A daemon that reports the outputs of all transactions as locked. */
const locking = altering({ unlock_time: 1 })

test('a payment that one daemon hides in its transaction is found when another is requested', async () => {
  const { chain, network, traffic } = fakeScene('127.0.0.1', '127.0.0.2')
  const attempt = { ...(await openAttempt(network, shop.own(1))), elsewhere: false }
  chain.mine(pay(1, 5n))
  chain.mineEmpty(40)
  const hide = altering({ extra: [] })
  traffic.tap = (query, answer) => (query.host === '127.0.0.1' ? hide(query, answer) : null)
  expect(await scanPayments(network, attempt)).toEqual([])
  attempt.elsewhere = true
  expect(await scanPayments(network, attempt)).toMatchObject([{ amountAtomic: 5n, final: true }])
})

test('a one-time key stays used when another daemon reads the watch again and hides its payment', async () => {
  const { chain, chains, network, traffic } = fakeScene('127.0.0.1', '127.0.0.2')
  const attempt = { ...(await openAttempt(network, shop.own(1))), elsewhere: false }
  chain.mine(pay(1, 5n, { secret: 7n }))
  chain.mineEmpty(CONFIRMATIONS)
  expect(await scanPayments(network, attempt)).toMatchObject([{ amountAtomic: 5n, final: true }])
  const hide = altering({ extra: [] })
  traffic.tap = (query, answer) => (query.host === '127.0.0.2' ? hide(query, answer) : null)
  attempt.elsewhere = true
  expect(await scanPayments(network, attempt)).toEqual([])
  traffic.tap = () => null
  attempt.elsewhere = false
  delete chains['127.0.0.1']
  chain.mine(pay(1, 50n, { secret: 7n, before: [3, 1, 0] }))
  expect(await scanPayments(network, attempt)).toEqual([])
})

test.each([
  ['in a block', 1],
  ['in no block', 0],
])(
  'a transaction %s that a daemon alters once is read again before it is final',
  async (_, confirmations) => {
    const { chain, restarted, traffic } = fakeScene()
    const network = restarted({ clock: () => now })
    const attempt = await openAttempt(network, shop.own(1))
    if (confirmations > 0) chain.mine(pay(1, 5n))
    else chain.pool.push(pay(1, 5n))
    traffic.tap = locking
    expect(await scanPayments(network, attempt)).toEqual([])
    traffic.tap = () => null
    now += 10 * MINUTE_MS
    expect(await scanPayments(network, attempt)).toMatchObject([{ amountAtomic: 5n, confirmations }])
  },
)

test('blocks that were read long ago are read again only where a scan has room for them', async () => {
  const { chain, restarted, traffic } = fakeScene()
  const network = restarted({ clock: () => now, blocksAtOnce: 10 })
  const attempt = await openAttempt(network, shop.own(1))
  chain.mine(pay(1, 5n))
  for (let block = 0; block < 25; block++) chain.mine(pay(3, 1n))
  await expect(network.scan([attempt])).rejects.toThrow(/16 blocks have not been read/)
  now += 10 * MINUTE_MS
  await expect(network.scan([attempt])).rejects.toThrow(/6 blocks have not been read/)
  now += 10 * MINUTE_MS
  traffic.asked.length = 0
  expect(await scanPayments(network, attempt)).toMatchObject([{ amountAtomic: 5n, final: true }])
  expect(traffic.asked.filter(({ method }) => method === 'get_block')).toHaveLength(10)
})

test('a height that is very far away is an error, without a request for each header', async () => {
  const { chain, network, traffic } = fakeScene()
  const attempt = await openAttempt(networkOn(chain), shop.own(1))
  chain.info = { ...chain.info, height: 10 ** 9 }
  await expect(network.scan([attempt])).rejects.toThrow(/more than 150000 blocks away/)
  expect(traffic.asked.length).toBeLessThan(10)
})

test('a new buyer does not wait while the blocks of a long outage are read', async () => {
  const chain = honestChain()
  const network = networkOn(chain, 10)
  const old = await openAttempt(network, shop.own(1))
  chain.mine(pay(1, 5n))
  for (let block = 0; block < 35; block++) chain.mine(pay(3, 1n))
  const fresh = await openAttempt(network, shop.own(2))
  chain.mine(pay(2, 9n))
  const results = await network.scan([old, fresh])
  expect(results.map(({ attemptId }) => attemptId)).toEqual([fresh.attemptId])
  expect(results[0]!.detectedPayments).toMatchObject([{ amountAtomic: 9n, confirmations: 1 }])
  for (let scan = 0; scan < 3; scan++) await network.scan([old, fresh])
  expect(await scanPayments(network, old)).toMatchObject([{ amountAtomic: 5n, final: true }])
})

describe('two daemons, one of which may lie', () => {
  const LIAR = 'liar.example'
  const HONEST = 'honest.example'

  let honest: FakeChain
  let liar: FakeChain

  beforeEach(() => {
    honest = new FakeChain()
    honest.mineEmpty(100)
    honest.info.nettype = 'mainnet'
    liar = honest.fork()
    now = Date.now()
  })

  /** A network over the daemons of these hosts. The first one may lie. */
  const networkOf = (...hosts: string[]) =>
    watcherOf(
      hosts.map(host => `https://${host}`),
      daemonsOn({ [LIAR]: liar, [HONEST]: honest }).reach,
      { clock: () => now },
    )

  const amountsOf = async (...given: Parameters<typeof scanPayments>) =>
    (await scanPayments(...given)).map(({ amountAtomic, final }) => [amountAtomic, final])

  test.each([1, 30, 1_000_000])(
    'a watch does not begin %d blocks above the chain because of one answer',
    async count => {
      Object.assign(liar.info, { height: liar.blocks.length + count, top_block_hash: 'ab'.repeat(32) })
      await expect(openAttempt(networkOf(LIAR), shop.own(1))).rejects.toThrow(NetworkError)
      const network = networkOf(LIAR, HONEST)
      const attempt = await openAttempt(network, shop.own(1))
      honest.mine(pay(1, 5n))
      honest.mineEmpty(CONFIRMATIONS)
      expect(await amountsOf(networkOf(HONEST), attempt)).toEqual([[5n, true]])
    },
  )

  test('invented blocks at the start of a watch hide a payment for at most 15 minutes', async () => {
    liar.mineEmpty(30)
    const attempt = await openAttempt(networkOf(LIAR), shop.own(1))
    honest.mine(pay(1, 5n))
    honest.mineEmpty(CONFIRMATIONS)
    const network = networkOf(HONEST)
    await expect(network.scan([attempt])).rejects.toThrow(/is behind/)
    now += 15 * MINUTE_MS
    expect(await amountsOf(network, attempt)).toEqual([[5n, true]])
  })

  test('blocks that one daemon invents in the middle of a watch hide nothing from another, nor from a new watch', async () => {
    const attempt = await openAttempt(networkOf(HONEST), shop.own(1))
    liar.mineEmpty(30)
    expect(await amountsOf(networkOf(LIAR), attempt)).toEqual([])
    honest.mine(pay(1, 5n))
    honest.mineEmpty(CONFIRMATIONS)
    const network = networkOf(HONEST)
    const later = await openAttempt(network, shop.own(2))
    expect(await amountsOf(network, later)).toEqual([])
    expect(await amountsOf(network, attempt)).toEqual([[5n, true]])
    expect(await amountsOf(network, later)).toEqual([])
  })

  test('a daemon that is behind for longer does not make newer payments disappear', async () => {
    const attempt = await openAttempt(networkOf(HONEST), shop.own(1))
    honest.mine(pay(1, 5n))
    honest.mineEmpty(CONFIRMATIONS)
    const [first] = await scanWatches(networkOf(HONEST), attempt)
    now += 15 * MINUTE_MS
    const [behind] = await scanWatches(networkOf(LIAR), attempt)
    expect(behind!.completeFrom).toBeGreaterThan(first!.detectedPayments[0]!.height!)
  })

  test('blocks are not read up to a height that the chain cannot have reached', async () => {
    const attempt = await openAttempt(networkOf(HONEST), shop.own(1))
    Object.assign(liar.info, { height: 5_000_000, top_block_hash: 'ab'.repeat(32) })
    await expect(networkOf(LIAR).scan([attempt])).rejects.toThrow(
      /reports block 4999999, which is more than 150000 blocks away/,
    )
  })
})
