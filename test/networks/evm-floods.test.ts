import { expect, test } from 'bun:test'
import type { EvmOptions } from '../../src/networks/evm/network.ts'
import { NetworkError } from '../../src/networks/port.ts'
import { replacing } from '../support/calls.ts'
import { CONFIRMATIONS, openAttempt, scanWatches, useScene } from './evm-scene.ts'

const scene = useScene({}, 20)

const RESULTS_MAX = 20
const FLOOD = 30

const traffic = { requests: 0, refused: 0 }

/** Like many providers, refuses a search that finds more than some number of logs. */
const fetchWithLimit =
  (message: string, most = () => RESULTS_MAX): EvmOptions['fetch'] =>
  async (url, init) => {
    traffic.requests += 1
    return replacing(String(init?.body), await fetch(url, init), ({ method }, { result }) => {
      if (method !== 'eth_getLogs' || (result as unknown[]).length <= most()) return null
      traffic.refused += 1
      return { result: undefined, error: { code: -32005, message } }
    })
  }

let now = Date.now()
const openNetwork = (options: Partial<EvmOptions>) => scene.networkOf({ fetch, clock: () => now, ...options })

async function flood(address: string, amount = 0n): Promise<void> {
  const { anvil, usd } = scene
  for (let sent = 0; sent < FLOOD; sent++) await anvil.sendToken(usd.contract!, address, amount)
  await anvil.mine(1)
}

test.each([
  ['too many results', { fetch: fetchWithLimit('query returned more than 20 results') }],
  ['a response that is too long', { maxBytes: 12_000 }],
])('transfers of nothing to one address delay no others: %s', async (_, options) => {
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

test('an address that was paid in the block of a flood is left out, and delays no others', async () => {
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

test('a node that refuses every search for logs is an error, and is not remembered as a flood', async () => {
  const { usd } = scene
  let isRefusing = true
  const limit = () => (isRefusing ? -1 : RESULTS_MAX)
  const network = openNetwork({ fetch: fetchWithLimit('query returned more than 20 results', limit) })
  const attempt = await openAttempt(network, usd)
  await scene.anvil.sendToken(usd.contract!, attempt.address, 25n)
  await scene.anvil.mine(CONFIRMATIONS)
  await expect(network.scan([attempt])).rejects.toThrow(NetworkError)
  isRefusing = false
  const [result] = await scanWatches(network, attempt)
  expect(result!.detectedPayments).toMatchObject([{ amountAtomic: 25n, final: true }])
})
