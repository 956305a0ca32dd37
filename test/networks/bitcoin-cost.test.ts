import { describe, expect, test } from 'bun:test'
import type { Json } from '../../src/domain/metadata.ts'
import type { Call } from '../support/calls.ts'
import * as bitcoin from './bitcoin-scene.ts'

const { CONFIRMATIONS, detectPayments, openAttempt, scanAttempts, scanSummary, summarize } = bitcoin
type Attempt = bitcoin.Attempt
const scene = bitcoin.useScene(10)

async function opened(count: number): Promise<Attempt[]> {
  const network = scene.networkOf('core')
  const attempts: Attempt[] = []
  while (attempts.length < count) attempts.push(await openAttempt(network))
  return attempts
}

async function requestsOf(work: () => Promise<unknown>): Promise<number> {
  const before = scene.traffic.requests
  await work()
  return scene.traffic.requests - before
}

/** Requests per scan: of an unchanged chain, and after a new block; `each` adds those for each address. */
const costs: Record<string, { idle: number; block: number; each: 0 | 1 }> = {
  core: { idle: 3, block: 6, each: 0 },
  esplora: { idle: 2, block: 6, each: 1 },
  'esplora, bare': { idle: 2, block: 6, each: 1 },
  blockbook: { idle: 2, block: 5, each: 1 },
  'blockbook, bare': { idle: 1, block: 1, each: 1 },
}

describe.each(Object.keys(costs) as bitcoin.Protocol[])('over %s', protocol => {
  test.each([1, 100])('a scan of %d attempts costs the documented number of requests', async count => {
    const { node, networkOf } = scene
    const { idle, block, each } = costs[protocol]!
    const attempts = await opened(count)
    const network = networkOf(protocol)
    await scanAttempts(network, ...attempts)
    expect(await requestsOf(() => scanAttempts(network, ...attempts))).toBe(idle + each * count)
    await node.mine()
    expect(await requestsOf(() => scanAttempts(network, ...attempts))).toBe(block + each * count)
  })
})

test('attempts that share an address cost one request, and each counts only payments since its own start', async () => {
  const { node, networkOf } = scene
  const network = networkOf('esplora')
  const first = await openAttempt(network)
  await node.pay({ script: first.script, amount: 61_000n })
  await node.mine()
  const others = await Promise.all(
    Array.from({ length: 20 }, () => openAttempt(network, 'ltc', first.script)),
  )
  const attempts = [first, ...others].map((attempt, index) => ({ ...attempt, attemptId: `${index}` }))
  await node.pay({ script: first.script, amount: 62_000n })
  const results = await network.scan(attempts)
  expect(summarize(results[0]!)).toHaveLength(2)
  for (const own of results.slice(1)) expect(summarize(own)).toEqual([[62_000n, 0, false]])
  expect(await requestsOf(() => network.scan(attempts))).toBeLessThan(10)
})

describe('an address with more payments than fit on one page', () => {
  async function flooded(): Promise<Attempt> {
    const { node, networkOf } = scene
    const attempt = await openAttempt(networkOf('core'))
    for (let paid = 0; paid < 30; paid++) {
      await node.pay({ script: attempt.script, amount: 30_000n + BigInt(paid) })
      if (paid % 6 === 5) await node.mine()
    }
    await node.mine(CONFIRMATIONS)
    return attempt
  }

  test('is read completely', async () => {
    const attempt = await flooded()
    for (const protocol of ['core', 'esplora', 'blockbook', 'blockbook, bare'] as const) {
      const seen = await detectPayments(scene.networkOf(protocol), { ...attempt })
      expect(new Set(seen.map(({ amountAtomic }) => amountAtomic)).size).toBe(30)
      expect(seen.every(({ final }) => final)).toBe(true)
    }
    // A server without older pages cannot report on the address, so the next endpoint is used.
    const bare = scene.networkOf('esplora, bare').scan([attempt])
    await expect(bare).rejects.toThrow('does not report all payments to an address')
    const seen = await detectPayments(scene.networkOf('esplora, bare', 'blockbook'), { ...attempt })
    expect(seen).toHaveLength(30)
  })
})

describe('a node that was not queried for a long time', () => {
  test('is read in steps, while a new payment is detected at once', async () => {
    const { node, networkOf } = scene
    const network = networkOf('core')
    const old = await openAttempt(network)
    await node.mine(20)
    await node.pay({ script: old.script, amount: 63_000n })
    await node.mine(230)
    const middle = await openAttempt(network)
    await node.pay({ script: middle.script, amount: 68_000n })
    await node.mine()
    const [known] = await scanAttempts(network, middle)
    expect(summarize(known!)).toEqual([[68_000n, 1, false]])
    await node.mine(60)
    const fresh = await openAttempt(network)
    await node.pay({ script: old.script, amount: 64_000n }, { script: fresh.script, amount: 65_000n })
    await node.mine()

    const blockOf = ({ cursor }: Attempt) => (cursor as { block: Json }).block
    const [block, blockOfMiddle] = [blockOf(old), blockOf(middle)]
    const [first, later, now] = await scanAttempts(network, old, middle, fresh)
    expect(summarize(now!)).toEqual([[65_000n, 1, false]])
    expect(summarize(first!)).toContainEqual([63_000n, expect.any(Number), true])
    expect(blockOf(old)).not.toEqual(block)
    // Blocks that were not read must not be reported as complete.
    expect(later!.completeFrom).toBeGreaterThan(known!.detectedPayments[0]!.height!)
    expect(blockOf(middle)).toEqual(blockOfMiddle)

    await scanAttempts(network, old, middle, fresh)
    const [last, read] = await scanAttempts(network, old, middle)
    expect(summarize(last!)).toEqual([[64_000n, 1, false]])
    expect([read!.detectedPayments, blockOf(middle)]).toEqual([[], blockOf(old)])
  })
})

/** Rejects some calls with a node's message. */
function refusing(isRefused: (call: Call) => string | null) {
  scene.traffic.tap = bitcoin.answering(call => {
    const message = isRefused(call)
    return message ? { result: null, error: { code: -1, message } } : null
  })
}

describe('an old node', () => {
  const notBoolean = ({ method, params }: Call): string | null =>
    method === 'getblock' && params[1] === 2 ? 'JSON value is not a boolean as expected' : null

  test('that does not serve the transactions of a block is queried for each of them', async () => {
    const { node, networkOf } = scene
    const network = networkOf('core')
    const attempt = await openAttempt(network)
    await node.pay({ script: attempt.script, amount: 66_000n }, { script: attempt.script, amount: 67_000n })
    await node.mine()
    refusing(notBoolean)
    const expected = [
      [66_000n, 1, false],
      [67_000n, 1, false],
    ]
    expect(await scanSummary(network, attempt)).toEqual(expected)
    let isAskedAgain = false
    refusing(call => {
      isAskedAgain ||= notBoolean(call) !== null
      return notBoolean(call)
    })
    await node.mine()
    expect(await scanSummary(network, attempt)).toHaveLength(2)
    expect(isAskedAgain).toBe(false)
  })

  test('that does not serve single transactions either is an error with advice', async () => {
    const { node, networkOf } = scene
    const network = networkOf('core')
    const attempt = await openAttempt(network)
    await node.mine()
    refusing(call => (call.method === 'getrawtransaction' ? 'No such mempool transaction' : notBoolean(call)))
    await expect(networkOf('core').scan([attempt])).rejects.toThrow(/txindex=1/)
  })

  test('that has pruned a block is a network error', async () => {
    const { node, networkOf } = scene
    const attempt = await openAttempt(networkOf('core'))
    await node.mine()
    refusing(({ method }) => (method === 'getblock' ? 'Block not available (pruned data)' : null))
    await expect(networkOf('core').scan([attempt])).rejects.toThrow(/pruned/)
  })
})
