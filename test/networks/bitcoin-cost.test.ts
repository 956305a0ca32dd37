import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Json } from '../../src/domain/metadata.ts'
import {
  type Attempt,
  CONFIRMATIONS,
  lookAt,
  openAttempt,
  openScene,
  type Protocol,
  type Scene,
  toDetectedPayments,
  told,
} from './bitcoin-scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await scene.node.mine(10)
})
afterEach(() => {
  scene.traffic.tap = (_url, _body, pass) => pass()
})
afterAll(() => scene.stop())

async function opened(count: number): Promise<Attempt[]> {
  const network = scene.watcher('core')
  const attempts: Attempt[] = []
  while (attempts.length < count) attempts.push(await openAttempt(network))
  return attempts
}

async function requestsOf(work: () => Promise<unknown>): Promise<number> {
  const before = scene.traffic.requests
  await work()
  return scene.traffic.requests - before
}

/** Requests for one look: at an unchanged chain, and after a new block; beside those for each address. */
const costs: Record<string, { idle: number; block: number; each: 0 | 1 }> = {
  core: { idle: 3, block: 6, each: 0 },
  esplora: { idle: 2, block: 6, each: 1 },
  'esplora, bare': { idle: 2, block: 6, each: 1 },
  blockbook: { idle: 2, block: 5, each: 1 },
  'blockbook, bare': { idle: 1, block: 1, each: 1 },
}

describe.each(Object.keys(costs) as Protocol[])('over %s', protocol => {
  test.each([1, 100])('a look at %d attempts costs as many requests as is documented', async count => {
    const { node, watcher } = scene
    const { idle, block, each } = costs[protocol]!
    const attempts = await opened(count)
    const network = watcher(protocol)
    await lookAt(network, ...attempts)
    expect(await requestsOf(() => lookAt(network, ...attempts))).toBe(idle + each * count)
    await node.mine()
    expect(await requestsOf(() => lookAt(network, ...attempts))).toBe(block + each * count)
  })
})

test('attempts that share an address are one request, and each counts from its own opening', async () => {
  const { node, watcher } = scene
  const network = watcher('esplora')
  const first = await openAttempt(network)
  await node.pay({ script: first.script, amount: 61_000n })
  await node.mine()
  const others = await Promise.all(
    Array.from({ length: 20 }, () => openAttempt(network, 'ltc', first.script)),
  )
  const attempts = [first, ...others].map((attempt, index) => ({ ...attempt, attemptId: `${index}` }))
  await node.pay({ script: first.script, amount: 62_000n })
  const watched = await network.scan(attempts)
  expect(told(watched[0]!)).toHaveLength(2)
  for (const own of watched.slice(1)) expect(told(own)).toEqual([[62_000n, 0, false]])
  expect(await requestsOf(() => network.scan(attempts))).toBeLessThan(10)
})

describe('an address with more payments than one page holds', () => {
  async function flooded(): Promise<Attempt> {
    const { node, watcher } = scene
    const attempt = await openAttempt(watcher('core'))
    for (let paid = 0; paid < 30; paid++) {
      await node.pay({ script: attempt.script, amount: 30_000n + BigInt(paid) })
      if (paid % 6 === 5) await node.mine()
    }
    await node.mine(CONFIRMATIONS)
    return attempt
  }

  test('hides none of them', async () => {
    const attempt = await flooded()
    for (const protocol of ['core', 'esplora', 'blockbook', 'blockbook, bare'] as const) {
      const seen = await toDetectedPayments(scene.watcher(protocol), { ...attempt })
      expect(new Set(seen.map(({ amount }) => amount)).size).toBe(30)
      expect(seen.every(({ final }) => final)).toBe(true)
    }
    // One that gives no older pages cannot say what happened there: the attempt was not heard.
    expect(await scene.watcher('esplora, bare').scan([attempt])).toEqual([])
  })
})

describe('a node that nobody asked for long', () => {
  test('is caught up with in steps, while a payment of now is seen at once', async () => {
    const { node, watcher } = scene
    const network = watcher('core')
    const old = await openAttempt(network)
    await node.mine(20)
    await node.pay({ script: old.script, amount: 63_000n })
    await node.mine(230)
    const middle = await openAttempt(network)
    await node.pay({ script: middle.script, amount: 68_000n })
    await node.mine()
    const [known] = await lookAt(network, middle)
    expect(told(known!)).toEqual([[68_000n, 1, false]])
    await node.mine(60)
    const fresh = await openAttempt(network)
    await node.pay({ script: old.script, amount: 64_000n }, { script: fresh.script, amount: 65_000n })
    await node.mine()

    const cursorOf = ({ cursor }: Attempt) => (cursor as { block: Json }).block
    const [place, placeOfMiddle] = [cursorOf(old), cursorOf(middle)]
    const [first, later, now] = await lookAt(network, old, middle, fresh)
    expect(told(now!)).toEqual([[65_000n, 1, false]])
    expect(told(first!)).toContainEqual([63_000n, expect.any(Number), true])
    expect(cursorOf(old)).not.toEqual(place)
    // Nothing is said of what was not read.
    expect(later!.completeFrom).toBeGreaterThan(known!.detectedPayments[0]!.height!)
    expect(cursorOf(middle)).toEqual(placeOfMiddle)

    await lookAt(network, old, middle, fresh)
    const [last, read] = await lookAt(network, old, middle)
    expect(told(last!)).toEqual([[64_000n, 1, false]])
    expect([read!.detectedPayments, cursorOf(middle)]).toEqual([[], cursorOf(old)])
  })
})

interface Call {
  id: number
  method: string
  params: unknown[]
}

/** Refuses some calls in the words of a node. */
function refusing(isRefused: (call: Call) => string | null) {
  scene.traffic.tap = async (_url, body, pass) => {
    const sent = JSON.parse(body) as Call | Call[]
    const replies = [await (await pass()).json()].flat() as object[]
    const changed = [sent].flat().map((call, index) => {
      const message = isRefused(call)
      return message ? { id: call.id, result: null, error: { code: -1, message } } : replies[index]
    })
    return Response.json(Array.isArray(sent) ? changed : changed[0])
  }
}

describe('an old node', () => {
  const notBoolean = ({ method, params }: Call): string | null =>
    method === 'getblock' && params[1] === 2 ? 'JSON value is not a boolean as expected' : null

  test('that does not tell the transactions of a block is asked for each', async () => {
    const { node, watcher } = scene
    const network = watcher('core')
    const attempt = await openAttempt(network)
    await node.pay({ script: attempt.script, amount: 66_000n }, { script: attempt.script, amount: 67_000n })
    await node.mine()
    refusing(notBoolean)
    const expected = [
      [66_000n, 1, false],
      [67_000n, 1, false],
    ]
    expect(told((await lookAt(network, attempt))[0]!)).toEqual(expected)
    let isAskedAgain = false
    refusing(call => {
      isAskedAgain ||= notBoolean(call) !== null
      return notBoolean(call)
    })
    await node.mine()
    expect(told((await lookAt(network, attempt))[0]!)).toHaveLength(2)
    expect(isAskedAgain).toBe(false)
  })

  test('that does not tell single transactions either is a fault that says what is missing', async () => {
    const { node, watcher } = scene
    const network = watcher('core')
    const attempt = await openAttempt(network)
    await node.mine()
    refusing(call => (call.method === 'getrawtransaction' ? 'No such mempool transaction' : notBoolean(call)))
    await expect(watcher('core').scan([attempt])).rejects.toThrow(/txindex=1/)
  })

  test('that threw a block away is a fault', async () => {
    const { node, watcher } = scene
    const attempt = await openAttempt(watcher('core'))
    await node.mine()
    refusing(({ method }) => (method === 'getblock' ? 'Block not available (pruned data)' : null))
    await expect(watcher('core').scan([attempt])).rejects.toThrow(/pruned/)
  })
})
