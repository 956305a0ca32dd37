import { describe, expect, test } from 'bun:test'
import { type Fetch, NetworkError } from '../../src/networks/port.ts'
import { replacing } from '../support/calls.ts'
import { firstCursor } from '../support/first-cursor.ts'
import * as evm from './evm-scene.ts'

const { CONFIRMATIONS, freshAccount, openAccount, openAttempt, scanPayments, scanWatches } = evm
const scene = evm.useScene({ options: { blocksAtOnce: 30 } }, 20)

const refusal = (message: string) => ({ error: { code: -32000, message } })

test.each([
  ['a page', () => new Response('<html>welcome</html>')],
  ['nothing', () => new Response('')],
  ['an object', () => Response.json({})],
  ['a status', () => new Response('no', { status: 500 })],
])('a node that answers with %s is an error', async (_, response) => {
  const { network, coin, traffic } = scene
  const attempt = await openAttempt(network, coin)
  traffic.tap = async () => response()
  await expect(network.scan([attempt])).rejects.toThrow(NetworkError)
  await expect(openAttempt(network, coin)).rejects.toThrow(NetworkError)
})

test.each(['eth_getBlockByNumber', 'eth_getLogs', 'eth_getBalance'])(
  'a node that answers %s with an invalid value is an error',
  async method => {
    const { anvil, network, coin } = scene
    const attempt = await openAttempt(network, coin)
    await anvil.run({ to: attempt.address, value: 5n })
    for (const result of [null, 7, '0xzz', 'tomorrow', {}, [{}], [null], { number: '0x1', hash: 5 }]) {
      if (method === 'eth_getBlockByNumber' && result === null) continue
      scene.answer(call => (call.method === method ? { result } : null))
      await expect(network.scan([attempt])).rejects.toThrow(NetworkError)
    }
  },
)

describe('an opening where the backends behind one URL know different blocks', () => {
  /** A backend that, for some requests, does not know the block that another backend named. */
  function disagree(times: number): { left: number } {
    const count = { left: times }
    scene.answer(({ method, params }) => {
      const isKnown = method !== 'eth_getBlockByNumber' || !String(params[0]).startsWith('0x')
      if (isKnown || count.left === 0) return null
      count.left -= 1
      return { result: null }
    })
    return count
  }

  const ways = {
    'a forwarder': () => openAttempt(scene.network, scene.coin),
    'an account': async () => openAccount(scene.network, scene.coin, await freshAccount(scene)),
  }

  test.each(Object.entries(ways))('of %s is repeated within the opening', async (_, open) => {
    const count = disagree(1)
    expect(await scanPayments(scene.network, await open())).toEqual([])
    expect(count.left).toBe(0)
  })

  test.each(Object.entries(ways))('of %s fails if they continue to differ', async (_, open) => {
    disagree(Number.POSITIVE_INFINITY)
    await expect(open()).rejects.toThrow(NetworkError)
  })
})

test('a node without a transaction of its own block is an error', async () => {
  const { anvil, network, coin } = scene
  const attempt = await openAttempt(network, coin)
  await anvil.run({ to: attempt.address, value: 5n })
  scene.answer(({ method }) => (method === 'eth_getTransactionReceipt' ? { result: null } : null))
  await expect(network.scan([attempt])).rejects.toThrow(NetworkError)
})

test('a log of a block that is not on the chain is an error', async () => {
  const { anvil, network, usd } = scene
  const attempt = await openAttempt(network, usd)
  await anvil.sendToken(usd.contract!, attempt.address, 5n)
  await anvil.mine(5)
  const logs = await anvil.rpc<object[]>('eth_getLogs', [{ address: usd.contract, fromBlock: '0x0' }])
  const replacedLog = { ...logs.at(-1), blockHash: `0x${'ab'.repeat(32)}` }
  scene.answer(({ method }) => (method === 'eth_getLogs' ? { result: [replacedLog] } : null))
  await expect(network.scan([attempt])).rejects.toThrow(/reorganised/)
})

test('a log of another contract, or a removed log, is ignored', async () => {
  const { anvil, network, usd, fake } = scene
  const attempt = await openAttempt(network, usd)
  await anvil.sendToken(fake, attempt.address, 5n)
  await anvil.mine(1)
  const [log] = await anvil.rpc<object[]>('eth_getLogs', [{ address: fake, fromBlock: 'latest' }])
  const reported = [
    log,
    { ...log, address: usd.contract, removed: true },
    { ...log, address: usd.contract, topics: [] },
  ]
  scene.answer(({ method }) => (method === 'eth_getLogs' ? { result: reported } : null))
  expect(await scanPayments(network, attempt)).toEqual([])
})

test.each(['eth_getLogs', 'eth_getBalance', 'only headers'])(
  'a request (%s) that is answered with another head than the others is an error',
  async kind => {
    const { anvil, network, usd, traffic } = scene
    const attempt = await openAttempt(network, usd)
    const head = `0x${(await anvil.head()).toString(16)}`
    const isOurs = (body: string) =>
      kind === 'only headers'
        ? !/latest|eth_chainId|eth_getLogs|eth_getBalance/.test(body)
        : body.includes(kind)
    traffic.tap = async (body, pass) => {
      const response = await pass()
      if (!isOurs(body)) return response
      const replies = (await response.json()) as { result: { number?: string; hash?: string } }[]
      for (const { result } of replies) if (result.number === head) result.hash = `0x${'cd'.repeat(32)}`
      return Response.json(replies)
    }
    await expect(network.scan([attempt])).rejects.toThrow(/reorganised/)
  },
)

test.each([
  ['that has dropped old balances', refusal('missing trie node')],
  ['that reports the newest balance for every block', { result: '0x9' }],
])('a node %s makes a payment count from the first block whose balance it knows', async (_, answer) => {
  const { anvil, network, coin } = scene
  const attempt = await openAttempt(network, coin)
  await anvil.run({ to: attempt.address, value: 9n })
  await anvil.mine(1)
  const first = await anvil.head()
  scene.answer(({ method, params }) =>
    method === 'eth_getBalance' && Number(params[1]) < first ? answer : null,
  )
  const names = new Set<string>()
  for (let confirmations = 1; confirmations <= CONFIRMATIONS; confirmations++) {
    const [seen, ...others] = await scanPayments(network, attempt)
    expect(others).toEqual([])
    names.add(seen!.txId)
    const depth = { height: first, confirmations, final: confirmations === 3 }
    expect(seen).toMatchObject({ amountAtomic: 9n, txIn: null, ...depth })
    await anvil.mine(1)
  }
  expect(names.size).toBe(1)
  expect(await scanPayments(network, attempt)).toEqual([])
})

test('if balances are known from some block on, a payment counts from there', async () => {
  const { anvil, network, coin } = scene
  const attempt = await openAttempt(network, coin)
  await anvil.run({ to: attempt.address, value: 9n })
  await anvil.mine(60)
  const hash = await anvil.sendNative(attempt.address, 5n)
  await anvil.mine(40)
  const oldest = (await anvil.head()) - 60
  scene.answer(({ method, params }) =>
    method === 'eth_getBalance' && Number(params[1]) < oldest ? refusal('missing trie node') : null,
  )
  const seen = (await scanPayments(network, attempt)).toSorted((a, b) => a.height! - b.height!)
  expect(seen.map(({ amountAtomic, txIn }) => [amountAtomic, txIn])).toEqual([
    [9n, null],
    [5n, hash],
  ])
  expect(seen[0]!.height).toBeGreaterThanOrEqual(oldest)
})

/** Refuses searches of more than four blocks. Returns a function that counts the refusals. */
function refuseWide(message: string): () => number {
  let refused = 0
  scene.answer(({ method, params }) => {
    const { fromBlock, toBlock } = (params[0] ?? {}) as { fromBlock: string; toBlock: string }
    if (method !== 'eth_getLogs' || Number(toBlock) - Number(fromBlock) < 4) return null
    refused += 1
    return refusal(message)
  })
  return () => refused
}

test('a node that searches logs in only a few blocks at once gets smaller ranges', async () => {
  const { anvil, network, usd, coin } = scene
  const attempts = [await openAttempt(network, usd), await openAttempt(network, coin)]
  const paid: number[] = []
  for (const pause of [3, 20, 33]) {
    await anvil.sendToken(usd.contract!, attempts[0]!.address, 5n)
    await anvil.mine(pause)
    paid.push((await anvil.head()) - pause + 1)
  }
  const refused = refuseWide('block range is too wide')
  const [watched] = await scanWatches(network, ...attempts)
  expect(watched!.detectedPayments.map(({ height }) => height)).toEqual(paid)
  expect(refused()).toBeGreaterThan(3)
})

test.each([
  'Block range is too large',
  'Block range too large: maximum allowed is 4 blocks on your current plan',
  'too many blocks requested',
])('a node that says "%s" serves very many addresses', async message => {
  const { anvil, network, usd } = scene
  const attempts = await Promise.all(Array.from({ length: 120 }, () => openAttempt(network, usd)))
  await anvil.sendToken(usd.contract!, attempts[7]!.address, 5n)
  await anvil.mine(10)
  const refused = refuseWide(message)
  const results = await scanWatches(network, ...attempts)
  expect(results[7]!.detectedPayments.map(({ amountAtomic }) => amountAtomic)).toEqual([5n])
  expect(refused()).toBeLessThan(60)
})

test('if a block is too large to be read, its payment is reported without a transaction', async () => {
  const { anvil, coin, usd } = scene
  const network = scene.networkOf({ assets: [coin, usd], maxBytes: 5000 })
  const attempt = await openAttempt(network, coin)
  await anvil.sendNative(attempt.address, 5n)
  for (let index = 0; index < 10; index++)
    await anvil.send({ to: attempt.address, data: `0x${'ff'.repeat(500)}` })
  await anvil.mine(1)
  expect(await scanPayments(network, attempt)).toMatchObject([{ amountAtomic: 5n, txIn: null }])
})

test.each([
  ['many', 50, 4],
  ['very many', 130, 4],
])('%s watches cost few requests', async (_, count, most) => {
  const { anvil, network, usd, coin, traffic } = scene
  const attempts = await Promise.all(
    Array.from({ length: count }, (_, index) => openAttempt(network, index % 2 ? usd : coin)),
  )
  await anvil.mine(10)
  traffic.requests = 0
  await scanWatches(network, ...attempts)
  expect(traffic.requests).toBeLessThanOrEqual(most)
  await anvil.sendToken(usd.contract!, attempts[1]!.address, 5n)
  await anvil.sendNative(attempts[2]!.address, 6n)
  await anvil.mine(1)
  traffic.requests = 0
  const watched = await scanWatches(network, ...attempts)
  expect(traffic.requests).toBeLessThanOrEqual(most + 6)
  const found = watched.flatMap(({ detectedPayments }) => detectedPayments)
  expect(found.map(({ amountAtomic }) => amountAtomic)).toEqual([5n, 6n])
})

interface Receipt {
  logs: { topics: string[] }[]
}
const withLog = (receipt: Receipt, change: object): Receipt => ({
  ...receipt,
  logs: receipt.logs.map(log => ({ ...log, ...change })),
})
const otherHash = `0x${'ab'.repeat(32)}`
const falseReceipts: Record<string, (receipt: Receipt) => object | null> = {
  'no receipt': () => null,
  'a failed receipt': receipt => ({ ...receipt, status: '0x0' }),
  'another block': receipt => ({ ...receipt, blockHash: otherHash }),
  'a log of another block': receipt => withLog(receipt, { blockHash: otherHash }),
  'a log of another contract': receipt => withLog(receipt, { address: `0x${'ab'.repeat(20)}` }),
  'a log with another index': receipt => withLog(receipt, { logIndex: '0x7' }),
  'a log with another receiver': receipt =>
    withLog(receipt, { topics: [...receipt.logs[0]!.topics.slice(0, 2), otherHash] }),
  'another amount': receipt => withLog(receipt, { data: `0x${'5'.padStart(63, '1')}0` }),
  'no log': receipt => ({ ...receipt, logs: [] }),
}

test.each(Object.entries(falseReceipts))(
  'a token payment is not final because of a log alone: %s is an error',
  async (_, change) => {
    const { anvil, network, usd } = scene
    const attempt = await openAttempt(network, usd)
    const hash = await anvil.sendToken(usd.contract!, attempt.address, 5n)
    await anvil.mine(CONFIRMATIONS)
    const receipt = await anvil.rpc<Receipt>('eth_getTransactionReceipt', [hash])
    const result = change(receipt)
    scene.answer(({ method }) => (method === 'eth_getTransactionReceipt' ? { result } : null))
    await expect(network.scan([attempt])).rejects.toThrow(NetworkError)
    scene.beHonest()
    expect((await scanPayments(network, attempt)).map(({ final }) => final)).toEqual([true])
  },
)

test('transactions that pay a forwarder more than its balance rose are an error', async () => {
  const { anvil, network, coin } = scene
  const attempt = await openAttempt(network, coin)
  await anvil.run({ to: attempt.address, value: 5n })
  scene.traffic.tap = async (_, pass) => {
    const text = await (await pass()).text()
    return new Response(text.replaceAll('"value":"0x5"', '"value":"0x50"'))
  }
  await expect(network.scan([attempt])).rejects.toThrow(NetworkError)
})

test("a block that was reported and doesn't exist is forgotten after a while", async () => {
  const { anvil, coin, usd } = scene
  let now = Date.now()
  const network = scene.networkOf({ assets: [coin, usd], clock: () => now })
  const attempt = await openAttempt(network, usd)
  attempt.cursor = { ...(attempt.cursor as object), seen: 10 ** 9 }
  await anvil.sendToken(usd.contract!, attempt.address, 5n)
  await anvil.mine(1)
  await expect(network.scan([attempt])).rejects.toThrow(/is behind/)
  now += 3_600_001
  expect(await scanPayments(network, attempt)).toHaveLength(1)
})

test('a node that refuses batches gets one call per request', async () => {
  const { anvil, network, usd, traffic } = scene
  const attempt = await openAttempt(network, usd)
  await anvil.sendToken(usd.contract!, attempt.address, 5n)
  await anvil.mine(1)
  traffic.tap = async (body, pass) =>
    body.startsWith('[')
      ? Response.json({ id: null, error: { code: -32600, message: 'no batches' } })
      : pass()
  expect(await scanPayments(network, attempt)).toHaveLength(1)
})

/** Two endpoints of the real node, each of which can be made to fail. */
function twoEndpoints(down: Set<string>, tap = async (_host: string) => {}) {
  const { anvil, coin, usd } = scene
  const asked: string[] = []
  const two: Fetch = async (url, init) => {
    const { host } = new URL(url)
    asked.push(host)
    await tap(host)
    if (down.has(host)) throw new TypeError('connection refused')
    return fetch(anvil.url, init)
  }
  const endpoints = ['https://a.example/key', 'https://b.example/key']
  return { network: scene.networkOf({ assets: [coin, usd], endpoints, fetch: two }), asked }
}

test('if all endpoints are down, or the asset is not one of the chain, a scan fails', async () => {
  const { network } = twoEndpoints(new Set(['a.example', 'b.example']))
  const attempt = await openAttempt(scene.network, scene.usd)
  const expected = /no usable endpoint for testnet: a.example cannot be reached; b.example cannot be reached/
  await expect(network.scan([attempt])).rejects.toThrow(expected)
  await expect(firstCursor(network, scene.tether, attempt)).rejects.toThrow(NetworkError)
})

test('if an endpoint fails during a scan, the next one does the whole scan', async () => {
  const { anvil, usd } = scene
  const down = new Set<string>()
  let requests = 0
  const { network, asked } = twoEndpoints(down, async host => {
    if (host === 'a.example' && ++requests === 5) down.add(host)
  })
  const attempt = await openAttempt(network, usd)
  await anvil.sendToken(usd.contract!, attempt.address, 5n)
  await anvil.mine(1)
  expect(await scanPayments(network, attempt)).toHaveLength(1)
  expect(asked.filter(host => host === 'b.example').length).toBeGreaterThan(4)
})

test.each([10 ** 10, 2 ** 52, Number.MAX_SAFE_INTEGER])(
  'an endpoint that reports the far block %d as its newest one causes no requests, and the next one scans',
  async far => {
    const { anvil, usd, coin } = scene
    const header = (number: number) => ({
      number: `0x${number.toString(16)}`,
      hash: `0x${number.toString(16).padStart(64, 'a')}`,
      timestamp: `0x${Math.floor(Date.now() / 1000).toString(16)}`,
    })
    let isFar = false
    const requests: string[] = []
    const network = scene.networkOf({
      assets: [coin, usd],
      endpoints: ['http://a.example', 'http://b.example'],
      async fetch(url, init) {
        const { host } = new URL(url)
        requests.push(host)
        const response = await fetch(anvil.url, init)
        if (!isFar || host !== 'a.example') return response
        return replacing(String(init?.body), response, ({ method, params: [block] }) => {
          const height = ['latest', 'finalized'].includes(`${block}`) ? far : Number(block)
          return method === 'eth_getBlockByNumber' && height > 1_000_000 ? { result: header(height) } : null
        })
      },
    })
    const attempt = await openAttempt(network, usd)
    await anvil.sendToken(usd.contract!, attempt.address, 5n)
    await anvil.mine(CONFIRMATIONS)
    isFar = true
    requests.length = 0
    expect(await scanPayments(network, attempt)).toMatchObject([{ amountAtomic: 5n, final: true }])
    expect(requests.length).toBeLessThan(20)
  },
)
