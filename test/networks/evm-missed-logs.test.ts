import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import type { EvmOptions } from '../../src/networks/evm/network.ts'
import { evmNetwork } from '../../src/networks/evm/network.ts'
import { openAccount, openAttempt, openScene, type Scene, scanPayments } from './evm-scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await scene.anvil.mine(20)
})
afterEach(() => {
  scene.traffic.tap = (_, pass) => pass()
})
afterAll(() => scene.anvil.stop())

const MINUTE_MS = 60_000
const DEEP = 200
let now = Date.now()

/** A network with a clock of the test's own. */
function openNetwork(options: Partial<EvmOptions> = {}) {
  const { anvil, coin, usd, tether, traffic } = scene
  return evmNetwork({
    chain: 'testnet',
    assets: [coin, usd, tether],
    endpoints: [anvil.url],
    fetch: (url, init) => traffic.tap(String(init?.body), () => fetch(url, init)),
    clock: () => now,
    ...options,
  })
}

interface Call {
  id: number
  method: string
}

/** The node answers without error, but reports no logs. */
function omitLogs(): void {
  scene.traffic.tap = async (body, pass) => {
    const calls = JSON.parse(body) as Call | Call[]
    const replies = (await (await pass()).json()) as { id: number } | { id: number }[]
    const methods = new Map([calls].flat().map(({ id, method }) => [id, method]))
    const answered = [replies].flat().map(reply => {
      return methods.get(reply.id) === 'eth_getLogs' ? { jsonrpc: '2.0', id: reply.id, result: [] } : reply
    })
    return Response.json(Array.isArray(calls) ? answered : answered[0])
  }
}

const honest = (): void => {
  scene.traffic.tap = (_, pass) => pass()
}

test('a token payment whose log was missing from one scan is found by the next one', async () => {
  const { anvil, usd } = scene
  const network = openNetwork()
  const attempt = await openAttempt(network, usd)
  await anvil.sendToken(usd.contract!, attempt.address, 25n)
  await anvil.mine(6)
  omitLogs()
  expect(await scanPayments(network, attempt)).toEqual([])
  honest()
  expect(await scanPayments(network, attempt)).toMatchObject([{ amountAtomic: 25n, final: true }])
  expect(await scanPayments(network, attempt)).toEqual([])
})

test.each([
  ['a forwarder', () => openAttempt],
  [
    "a merchant's own address",
    () => (network: ReturnType<typeof openNetwork>, usd: Scene['usd']) =>
      openAccount(network, usd, `0x${'7e'.repeat(20)}`),
  ],
])('a token payment to %s is found by its balance, however long its log was missing', async (_, opener) => {
  const { anvil, usd } = scene
  const network = openNetwork()
  const attempt = await opener()(network, usd)
  await anvil.sendToken(usd.contract!, attempt.address, 25n)
  await anvil.mine(6)
  omitLogs()
  for (let scan = 0; scan < 3; scan++) {
    expect(await scanPayments(network, attempt)).toEqual([])
    await anvil.mine(DEEP)
    now += 11 * MINUTE_MS
  }
  honest()
  expect(await scanPayments(network, attempt)).toMatchObject([{ amountAtomic: 25n, final: true }])
  await anvil.mine(DEEP)
  now += 11 * MINUTE_MS
  expect(await scanPayments(network, attempt)).toEqual([])
})

test('a payment that was reported stays on the chain if a later scan omits its log', async () => {
  const { anvil, usd } = scene
  const network = openNetwork()
  const attempt = await openAttempt(network, usd)
  await anvil.sendToken(usd.contract!, attempt.address, 25n)
  await anvil.mine(6)
  const [payment] = await scanPayments(network, attempt)
  omitLogs()
  const [{ completeFrom, detectedPayments } = { completeFrom: 0, detectedPayments: null }] =
    await network.scan([attempt])
  expect(detectedPayments).toEqual([])
  expect(completeFrom).toBeGreaterThan(payment!.height!)
})
