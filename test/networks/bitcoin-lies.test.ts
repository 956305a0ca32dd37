import { describe, expect, test } from 'bun:test'
import { bitcoinNetwork } from '../../src/networks/bitcoin/network.ts'
import * as bitcoin from './bitcoin-scene.ts'

const { answering, CONFIRMATIONS, detectPayments, openAttempt, scanAttempts, scanSummary, summarize } =
  bitcoin
const { farIndex, inventedHash, protocols } = bitcoin
type Attempt = bitcoin.Attempt
type Protocol = bitcoin.Protocol
type Tap = bitcoin.Tap
const MINUTE = 60_000
const scene = bitcoin.useScene(20)
const networkOf = (...names: Protocol[]) => scene.networkOf(...names)

const inventedHeight = (hash: unknown): number => Number.parseInt(String(hash).slice(-8), 16)

/** A node that invents 30 blocks above its head, which contain only rewards. */
const farCore = (head: number): Tap =>
  answering(({ method, params: [first] }, { result }) => {
    if (method === 'getblockchaininfo') {
      const tip = { blocks: head + 30, bestblockhash: inventedHash(head + 30) }
      return { result: { ...(result as object), ...tip } }
    }
    if (method === 'getblockhash' && Number(first) > head) return { result: inventedHash(Number(first)) }
    if (method !== 'getblock' || !String(first).startsWith('ffff')) return null
    const height = inventedHeight(first)
    const reward = { txid: inventedHash(height), vin: [{ coinbase: '00' }], vout: [] }
    return { result: { hash: first, height, time: 1_700_000_000, merkleroot: reward.txid, tx: [reward] } }
  })

type Block = Record<string, unknown> & { tx: unknown[] }

/** Ways in which a node can leave something out of a block. The block's Merkle root covers all of it. */
const omissions: [string, (block: Block) => Block][] = [
  [
    'leaves the last of several transactions out of a block',
    block => ({ ...block, tx: block.tx.slice(0, Math.max(1, block.tx.length - 1)) }),
  ],
  ['leaves all transactions out of a block', block => ({ ...block, tx: [] })],
  ['reports a block without its Merkle root', ({ merkleroot: _, ...block }) => block],
]

test.each(omissions)('a node that %s is detected, and another finds the payment', async (_, omit) => {
  const attempt = await openAttempt(networkOf('core', 'esplora'))
  await scene.node.pay({ script: attempt.script, amount: 50_500n })
  await scene.node.mine(CONFIRMATIONS)
  scene.traffic.tap = answering(({ method }, { result }) =>
    method === 'getblock' ? { result: omit(result as Block) } : null,
  )
  await expect(scanAttempts(networkOf('core'), attempt)).rejects.toThrow(/Merkle root|malformed/)
  expect(await detectPayments(networkOf('core', 'esplora'), attempt)).toMatchObject([
    { amountAtomic: 50_500n, final: true },
  ])
})

test('a payment that one node of Bitcoin Core omits from its block is found when another node is requested', async () => {
  const { node, traffic, fetch: reach } = scene
  const hosts = ['127.0.0.1', 'localhost']
  const endpoints = hosts.map(host => ({ protocol: 'core', url: node.url.replace('127.0.0.1', host) }))
  const network = bitcoinNetwork({
    ...{ chain: 'ltc', assets: [bitcoin.assetOf('ltc')], endpoints, clock: Date.now },
    fetch: (url, init) => reach(url, init),
  })
  const attempt = { ...(await openAttempt(network)), elsewhere: false }
  await node.pay({ script: attempt.script, amount: 50_600n })
  await node.mine(40)
  const hide = answering(({ method }, { result }) =>
    method === 'getblock'
      ? { result: JSON.parse(JSON.stringify(result).replaceAll(attempt.script, '0014'.padEnd(44, 'f'))) }
      : null,
  )
  traffic.tap = (url, body, pass) => (url.includes('127.0.0.1') ? hide(url, body, pass) : pass())
  expect(await detectPayments(network, attempt)).toEqual([])
  attempt.elsewhere = true
  expect(await detectPayments(network, attempt)).toMatchObject([{ amountAtomic: 50_600n, final: true }])
})

test('an amount that a node of Bitcoin Core once reported wrong is read again after an hour', async () => {
  const network = networkOf('core')
  const attempt = await openAttempt(network)
  await scene.node.pay({ script: attempt.script, amount: 50_700n })
  await scene.node.mine(1)
  scene.traffic.tap = answering(({ method }, { result }) =>
    method === 'getblock'
      ? { result: JSON.parse(JSON.stringify(result).replace('0.000507', '0.00507')) }
      : null,
  )
  expect(await scanSummary(network, attempt)).toEqual([[507_000n, 1, false]])
  scene.beHonest()
  scene.time.later = 61 * MINUTE
  expect(await scanSummary(network, attempt)).toEqual([[50_700n, 1, false]])
})

const liars = [
  ['esplora', farIndex],
  ['blockbook', farIndex],
  ['core', farCore],
] as const

describe.each(liars)('one false height from %s', (liar, far) => {
  /** An attempt that was scanned once through the liar, while it lied. */
  async function misled(): Promise<Attempt> {
    const attempt = await openAttempt(networkOf(liar))
    scene.traffic.tap = far(await scene.node.head())
    await scanAttempts(networkOf(liar), attempt).catch(() => {})
    scene.beHonest()
    return attempt
  }

  test.each([[[liar]], [[liar, 'blockbook']], [['blockbook']]] as Protocol[][][])(
    'hides a payment from %p for at most 15 minutes, also after a restart',
    async names => {
      const attempt = await misled()
      await scene.node.pay({ script: attempt.script, amount: 51_000n })
      await scene.node.mine(CONFIRMATIONS)
      scene.time.later = 16 * MINUTE
      const [found] = await scanAttempts(networkOf(...names), attempt)
      expect(summarize(found!)).toEqual([[51_000n, CONFIRMATIONS, true]])
      await scene.node.mine(8)
      const [after] = await scanAttempts(networkOf(...names), attempt)
      expect(after!.completeFrom).toBeLessThanOrEqual(await scene.node.head())
    },
  )

  test('does not delay the attempt of another buyer in the same scan', async () => {
    const attempt = await misled()
    const other = await openAttempt(networkOf('blockbook'))
    await scene.node.pay({ script: other.script, amount: 52_000n })
    await scene.node.mine()
    const results = await networkOf('blockbook').scan([attempt, other])
    const own = results.find(({ attemptId }) => attemptId === other.attemptId)
    expect(summarize(own!)).toEqual([[52_000n, 1, false]])
  })

  test('while an attempt is opened does not hide payments to it', async () => {
    scene.traffic.tap = far(await scene.node.head())
    const attempt = await openAttempt(networkOf(liar))
    scene.beHonest()
    await scene.node.pay({ script: attempt.script, amount: 53_000n })
    await scene.node.mine(CONFIRMATIONS)
    scene.time.later = 16 * MINUTE
    expect(await scanSummary(networkOf('blockbook'), attempt)).toEqual([[53_000n, CONFIRMATIONS, true]])
  })
})

test.each(['esplora', 'blockbook'] as const)(
  'earlier money does not count, although %s reports a false height while an attempt is opened',
  async liar => {
    const { script } = await openAttempt(networkOf('esplora'))
    await scene.node.pay({ script, amount: 52_500n })
    await scene.node.mine(CONFIRMATIONS)
    scene.traffic.tap = farIndex(await scene.node.head())
    const attempt = await openAttempt(networkOf(liar), 'ltc', script)
    scene.beHonest()
    await scene.node.pay({ script, amount: 53_000n })
    await scene.node.mine(CONFIRMATIONS)
    scene.time.later = 16 * MINUTE
    for (const protocol of ['esplora', 'blockbook', 'core'] as const)
      expect(await scanSummary(networkOf(protocol), { ...attempt })).toEqual([[53_000n, CONFIRMATIONS, true]])
  },
)

test('many earlier payments do not count at an index without hashes, which cannot confirm the start', async () => {
  const network = networkOf('blockbook, bare')
  const { script } = await openAttempt(network)
  for (let paid = 0; paid < 24; paid++) await scene.node.pay({ script, amount: 52_600n })
  await scene.node.mine(8)
  const attempt = await openAttempt(network, 'ltc', script)
  expect(await detectPayments(network, attempt)).toEqual([])
  await scene.node.pay({ script, amount: 53_000n })
  await scene.node.mine(CONFIRMATIONS)
  expect(await scanSummary(network, attempt)).toEqual([[53_000n, CONFIRMATIONS, true]])
})

/** Endpoints that invent blocks, the number of blocks, and the time of the lie. */
const inventions = (['at the opening', 'in a scan'] as const).flatMap(when =>
  (
    [
      ['esplora', 12],
      ['esplora, bare', 12],
      ['blockbook', 12],
      ['blockbook, bare', 12],
      ['core', 30],
    ] as const
  ).map(([liar, blocks]) => [liar, blocks, when] as const),
)

describe.each(inventions)('%s, which invents %i blocks %s', (liar, blocks, when) => {
  test.each([
    ['before', 1],
    ['after', blocks + 1],
  ])('hides no payment from looks %s the chain has grown as high', async (_, grown) => {
    const head = await scene.node.head()
    const lie = liar === 'core' ? farCore(head) : farIndex(head, blocks)
    if (when === 'at the opening') scene.traffic.tap = lie
    const attempt = await openAttempt(networkOf(liar))
    scene.traffic.tap = lie
    if (when === 'in a scan') await scanAttempts(networkOf(liar), attempt)
    scene.beHonest()
    await scene.node.pay({ script: attempt.script, amount: 53_500n })
    await scene.node.mine(grown + CONFIRMATIONS)
    scene.time.later = 90 * MINUTE
    for (const name of protocols) {
      const copy = { ...attempt }
      expect([name, await scanSummary(networkOf(name), copy)]).toEqual([
        name,
        [[53_500n, grown + CONFIRMATIONS, true]],
      ])
    }
  })
})

test('many false heights, one after another, cause no payment to be skipped', async () => {
  const attempt = await openAttempt(networkOf('esplora'))
  await scene.node.pay({ script: attempt.script, amount: 54_000n })
  await scene.node.mine(CONFIRMATIONS)
  const head = await scene.node.head()
  for (const distance of [0, 20, 40, 60]) {
    scene.traffic.tap = async (url, body, pass) => {
      if (url.includes('/address/')) return Response.json([])
      return farIndex(head + distance)(url, body, pass)
    }
    await scanAttempts(networkOf('esplora'), attempt)
  }
  scene.beHonest()
  scene.time.later = 16 * MINUTE
  expect(await detectPayments(networkOf('esplora'), attempt)).toMatchObject([
    { amountAtomic: 54_000n, final: true },
  ])
})

/** Servers that are queried for each address. */
const servers = ['esplora', 'blockbook', 'esplora, bare', 'blockbook, bare'] as const

const emptyList: Tap = async (url, _body, pass) => {
  if (!url.includes('/address/')) return pass()
  const isBlockbook = url.includes('/api/v2/')
  return Response.json(isBlockbook ? { page: 1, totalPages: 1, transactions: [] } : [])
}

describe.each(servers)('one empty list from %s', protocol => {
  test('does not hide a payment that is too deep to be read again', async () => {
    const network = networkOf(protocol)
    const attempt = await openAttempt(network)
    await scene.node.pay({ script: attempt.script, amount: 55_000n })
    await scene.node.mine(20)
    scene.traffic.tap = emptyList
    expect(await detectPayments(network, attempt)).toEqual([])
    await scene.node.mine(120)
    expect(await detectPayments(network, attempt)).toEqual([])
    scene.beHonest()
    expect(await detectPayments(network, attempt)).toMatchObject([{ amountAtomic: 55_000n, final: true }])
    if (protocol !== 'blockbook, bare') expect(await detectPayments(network, attempt)).toEqual([])
  })
})

/** Omits all payments from the lists, but not from the sums. */
const emptyListWithSum: Tap = async (url, _body, pass) => {
  if (url.includes('/address/') && url.endsWith('/txs')) return Response.json([])
  if (!url.includes('/api/v2/address/')) return pass()
  const answer = (await (await pass()).json()) as object
  return Response.json({ ...answer, page: 1, totalPages: 1, transactions: [] })
}

/** True if a known payment at this height counts as gone after a result, by the rule of the product. */
const isGone = (result: { completeFrom: number; detectedPayments: unknown[] }, height: number): boolean =>
  result.detectedPayments.length === 0 && height >= result.completeFrom

describe.each(['esplora', 'blockbook', 'esplora, bare'] as const)('a payment that %s reported', protocol => {
  async function reported(confirmations = CONFIRMATIONS) {
    const attempt = await openAttempt(networkOf(protocol))
    await scene.node.pay({ script: attempt.script, amount: 56_000n })
    await scene.node.mine(confirmations)
    const [first] = await scanAttempts(networkOf(protocol), attempt)
    return { attempt, height: first!.detectedPayments[0]!.height! }
  }

  test.each([
    ['', CONFIRMATIONS],
    ['in the newest block ', 1],
  ])(
    '%sis not gone while its block is still there, and another endpoint is queried for it',
    async (_, confirmations) => {
      const { attempt, height } = await reported(confirmations)
      scene.traffic.tap = emptyList
      const [alone] = await scanAttempts(networkOf(protocol), attempt)
      expect(isGone(alone!, height)).toBe(false)
      const both = networkOf(protocol, 'core')
      const isFinal = confirmations === CONFIRMATIONS
      expect(await scanSummary(both, attempt)).toEqual([[56_000n, confirmations, isFinal]])
    },
  )

  test('is gone after 15 minutes without it, and returns when it is listed again', async () => {
    const { attempt, height } = await reported()
    scene.traffic.tap = emptyList
    await scanAttempts(networkOf(protocol), attempt)
    scene.time.later = 16 * MINUTE
    const [after] = await scanAttempts(networkOf(protocol), attempt)
    expect(isGone(after!, height)).toBe(true)
    scene.beHonest()
    expect(await detectPayments(networkOf(protocol), attempt)).toMatchObject([{ amountAtomic: 56_000n }])
  })

  const testWithSums = protocol === 'esplora, bare' ? () => {} : test
  testWithSums(
    'is not gone while the sum of its address still has it, however long it stays away',
    async () => {
      const { attempt, height } = await reported()
      scene.traffic.tap = emptyListWithSum
      for (const minutes of [0, 16, 40, 600]) {
        scene.time.later = minutes * MINUTE
        const [result] = await scanAttempts(networkOf(protocol), attempt)
        expect([minutes, isGone(result!, height)]).toEqual([minutes, false])
      }
      scene.traffic.tap = emptyList
      const [after] = await scanAttempts(networkOf(protocol), attempt)
      expect(isGone(after!, height)).toBe(true)
    },
  )

  test('is not gone because a node is two blocks behind', async () => {
    const { attempt, height } = await reported()
    const network = networkOf(protocol)
    await scanAttempts(network, attempt)
    await scene.node.takeBack(CONFIRMATIONS)
    const [behind] = await scanAttempts(network, attempt)
    expect(behind!.detectedPayments).toEqual([])
    expect(isGone(behind!, height)).toBe(false)
    await scene.node.mine(CONFIRMATIONS + 1)
    expect(await detectPayments(network, attempt)).toMatchObject([{ amountAtomic: 56_000n }])
  })
})
