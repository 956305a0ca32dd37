import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type EvmOptions, evmNetwork } from '../../src/networks/evm/network.ts'
import { NetworkError } from '../../src/networks/port.ts'
import { CONFIRMATIONS, openAttempt, openScene, type Scene, scanWatches } from './evm-scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await scene.anvil.mine(20)
})
afterAll(() => scene.anvil.stop())

const RESULTS_MAX = 20
const FLOOD = 30

interface Call {
  id: number
  method: string
}
interface Reply {
  id: number
  result?: unknown
  error?: { code: number; message: string }
}

const traffic = { requests: 0, refused: 0 }

/** As many providers do: a search that finds more than some number of logs is refused. */
const fetchWithLimit =
  (message: string): EvmOptions['fetch'] =>
  async (url, init) => {
    traffic.requests += 1
    const calls = [JSON.parse(String(init?.body)) as Call | Call[]].flat()
    const response = await fetch(url, init)
    const json = (await response.json()) as Reply | Reply[]
    const replies = [json].flat().map((reply): Reply => {
      const call = calls.find(({ id }) => id === reply.id)
      if (call?.method !== 'eth_getLogs' || (reply.result as unknown[]).length <= RESULTS_MAX) return reply
      traffic.refused += 1
      return { id: reply.id, error: { code: -32005, message } }
    })
    return Response.json(Array.isArray(json) ? replies.map(rpc) : rpc(replies[0]!))
  }
const rpc = (reply: Reply) => ({ jsonrpc: '2.0', ...reply })

let now = Date.now()
function openNetwork(options: Partial<EvmOptions>) {
  const { anvil, coin, usd, tether } = scene
  const assets = [coin, usd, tether]
  return evmNetwork({
    chain: 'testnet',
    assets,
    endpoints: [anvil.url],
    fetch,
    clock: () => now,
    ...options,
  })
}

async function flood(address: string, amount = 0n): Promise<void> {
  const { anvil, usd } = scene
  for (let sent = 0; sent < FLOOD; sent++) await anvil.sendToken(usd.contract!, address, amount)
  await anvil.mine(1)
}

test.each([
  ['too many results', { fetch: fetchWithLimit('query returned more than 20 results') }],
  ['a response that is too long', { maxBytes: 12_000 }],
])('transfers of nothing to one address hold up nobody: %s', async (_, options) => {
  const { anvil, usd } = scene
  const network = openNetwork(options)
  const attempts = []
  for (let index = 0; index < 6; index++) attempts.push(await openAttempt(network, usd))
  const [flooded, ...others] = attempts as [(typeof attempts)[0], ...typeof attempts]
  await anvil.mine(30)
  await flood(flooded.address)
  for (const { address } of others) await anvil.sendToken(usd.contract!, address, 25n)
  await anvil.mine(CONFIRMATIONS)
  const found = await network.scan(attempts)
  const paid = found.filter(({ detectedPayments }) =>
    detectedPayments.some(({ amountAtomic, final }) => amountAtomic === 25n && final),
  )
  expect(paid.map(({ attemptId }) => attemptId)).toEqual(others.map(({ attemptId }) => attemptId))
  for (const result of found) {
    attempts.find(({ attemptId }) => attemptId === result.attemptId)!.cursor = result.cursor
  }

  // The flooded address is paid like any other, in another block than the flood.
  await anvil.sendToken(usd.contract!, flooded.address, 25n)
  await anvil.mine(CONFIRMATIONS)
  const [again] = await scanWatches(network, flooded)
  expect(again!.detectedPayments).toMatchObject([{ amountAtomic: 25n, final: true }])
})

test('a known flood costs no more queries until it is tried again', async () => {
  const { anvil, usd } = scene
  const network = openNetwork({ fetch: fetchWithLimit('Log response size exceeded') })
  const [flooded, other] = [await openAttempt(network, usd), await openAttempt(network, usd)]
  await flood(flooded.address)
  await anvil.mine(CONFIRMATIONS)
  traffic.refused = 0
  await scanWatches(network, flooded, other)
  expect(traffic.refused).toBeGreaterThan(0)
  const before = { ...traffic }
  now += 60_000
  await scanWatches(network, flooded, other)
  expect(traffic.refused).toBe(before.refused)
  now += 120_000
  await scanWatches(network, flooded, other)
  expect(traffic.refused).toBe(before.refused + 1)
})

test('an address that was paid in the block of a flood is left out, and holds up nobody', async () => {
  const { anvil, usd } = scene
  const network = openNetwork({ fetch: fetchWithLimit('query returned more than 20 results') })
  const [flooded, other] = [await openAttempt(network, usd), await openAttempt(network, usd)]
  await anvil.sendToken(usd.contract!, flooded.address, 25n)
  await anvil.sendToken(usd.contract!, other.address, 25n)
  await flood(flooded.address)
  await anvil.mine(CONFIRMATIONS)
  const found = await network.scan([flooded, other])
  expect(found.map(({ attemptId }) => attemptId)).toEqual([other.attemptId])
})

test('a node that refuses every search for logs is an error, and no flood is remembered', async () => {
  const { usd } = scene
  let isRefusing = true
  const refusing = fetchWithLimit('query returned more than 20 results')
  const network = openNetwork({
    fetch: async (url, init) => {
      const response = await refusing(url, init)
      if (!isRefusing || !String(init?.body).includes('eth_getLogs')) return response
      const error = { code: -32005, message: 'query returned more than 20 results' }
      const calls = JSON.parse(String(init?.body)) as Call[]
      const replies = (await response.json()) as Reply[]
      return Response.json(
        replies.map(reply => {
          const call = calls.find(({ id }) => id === reply.id)
          return call?.method === 'eth_getLogs' ? { jsonrpc: '2.0', id: reply.id, error } : reply
        }),
      )
    },
  })
  const attempt = await openAttempt(network, usd)
  await scene.anvil.sendToken(usd.contract!, attempt.address, 25n)
  await scene.anvil.mine(CONFIRMATIONS)
  await expect(network.scan([attempt])).rejects.toThrow(NetworkError)
  isRefusing = false
  const [result] = await scanWatches(network, attempt)
  expect(result!.detectedPayments).toMatchObject([{ amountAtomic: 25n, final: true }])
})
