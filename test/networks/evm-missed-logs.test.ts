import { expect, test } from 'bun:test'
import type { EvmOptions } from '../../src/networks/evm/network.ts'
import { openAccount, openAttempt, type Scene, scanPayments, useScene } from './evm-scene.ts'

const scene = useScene({}, 20)

const MINUTE_MS = 60_000
const DEEP = 200
let now = Date.now()

/** A network with the test's own clock. */
const openNetwork = (options: Partial<EvmOptions> = {}) => scene.networkOf({ clock: () => now, ...options })

/** The node answers without error, but reports no logs. */
const omitLogs = () => scene.answer(({ method }) => (method === 'eth_getLogs' ? { result: [] } : null))

test('a token payment whose log was missing from one scan is found by the next one', async () => {
  const { anvil, usd } = scene
  const network = openNetwork()
  const attempt = await openAttempt(network, usd)
  await anvil.sendToken(usd.contract!, attempt.address, 25n)
  await anvil.mine(6)
  omitLogs()
  expect(await scanPayments(network, attempt)).toEqual([])
  scene.beHonest()
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
  scene.beHonest()
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
