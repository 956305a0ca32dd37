import { expect, test } from 'bun:test'
import { NetworkError } from '../../src/networks/port.ts'
import { CONFIRMATIONS, heightOf, openAttempt, scanPayments, scanWatches, useScene } from './evm-scene.ts'

const scene = useScene({}, 20)

test('a payment that a reorganisation removes is missing above completeFrom', async () => {
  const { anvil, network, usd, coin } = scene
  const attempts = [await openAttempt(network, usd), await openAttempt(network, coin)]
  await anvil.sendToken(usd.contract!, attempts[0]!.address, 5n)
  await anvil.sendNative(attempts[1]!.address, 6n)
  await anvil.mine(2)
  const before = await scanWatches(network, ...attempts)
  expect(before.map(({ detectedPayments }) => detectedPayments.length)).toEqual([1, 1])
  await anvil.reorganise(2)
  const after = await scanWatches(network, ...attempts)
  for (const [index, { detectedPayments, completeFrom }] of after.entries()) {
    expect(detectedPayments).toEqual([])
    expect(completeFrom).toBeLessThanOrEqual(before[index]!.detectedPayments[0]!.height!)
  }
})

test('a payment that moves to another block is reported there, once', async () => {
  const { anvil, network, coin } = scene
  const attempt = await openAttempt(network, coin)
  const first = await anvil.run({ to: attempt.address, value: 6n })
  expect(await scanPayments(network, attempt)).toHaveLength(1)
  await anvil.reorganise(1)
  await anvil.mine(1)
  await anvil.sendNative(attempt.address, 6n)
  await anvil.mine(1)
  const [seen, ...others] = await scanPayments(network, attempt)
  expect(others).toEqual([])
  expect([seen?.amountAtomic, seen?.height]).toEqual([6n, first.blockNumber + 2])
})

test('a chain that is replaced below its final block is read again from the start of the watch', async () => {
  const { anvil, network, usd, coin } = scene
  const attempts = [await openAttempt(network, usd), await openAttempt(network, coin)]
  const opened = attempts.map(heightOf)
  await anvil.sendToken(usd.contract!, attempts[0]!.address, 5n)
  await anvil.sendNative(attempts[1]!.address, 6n)
  await anvil.mine(CONFIRMATIONS)
  const before = await scanWatches(network, ...attempts)
  expect(before.map(({ detectedPayments }) => detectedPayments[0]?.final)).toEqual([true, true])
  const again = await scanWatches(network, ...attempts)
  expect(again.flatMap(({ detectedPayments }) => detectedPayments)).toEqual([])
  await anvil.reorganise(CONFIRMATIONS + 1)
  await anvil.sendNative(attempts[1]!.address, 9n)
  await anvil.mine(2)
  const after = await scanWatches(network, ...attempts)
  expect(after.map(({ completeFrom }) => completeFrom)).toEqual(opened.map(height => height + 1))
  const amounts = after.map(own => own.detectedPayments.map(({ amountAtomic }) => amountAtomic))
  expect(amounts).toEqual([[], [9n]])
})

test('a scan during a reorganisation is repeated', async () => {
  const { anvil, network, coin, traffic } = scene
  const attempt = await openAttempt(network, coin)
  await anvil.run({ to: attempt.address, value: 6n })
  let reorganisations = 0
  traffic.tap = async (body, pass) => {
    if (body.includes('eth_getBalance') && reorganisations++ === 0) await anvil.reorganise(1)
    return pass()
  }
  expect(await scanPayments(network, attempt)).toEqual([])
  expect(reorganisations).toBeGreaterThan(1)
})

test('a chain that is reorganised during every scan is an error, and reports nothing', async () => {
  const { anvil, network, coin, traffic } = scene
  const attempt = await openAttempt(network, coin)
  await anvil.run({ to: attempt.address, value: 6n })
  traffic.tap = async (body, pass) => {
    if (body.includes('eth_getBalance')) await anvil.reorganise(1)
    return pass()
  }
  await expect(network.scan([attempt])).rejects.toThrow(NetworkError)
})

test('a node with fewer blocks than were seen before is an error', async () => {
  const { anvil, network, coin } = scene
  const attempt = await openAttempt(network, coin)
  const snapshot = await anvil.rpc('evm_snapshot')
  await anvil.mine(3)
  await scanWatches(network, attempt)
  await anvil.rpc('evm_revert', [snapshot])
  await expect(network.scan([attempt])).rejects.toThrow(/is behind/)
  await anvil.mine(4)
  expect(await scanPayments(network, attempt)).toEqual([])
})

test('a watch starts at the block that was final when the address was allocated', async () => {
  const { anvil, network, usd } = scene
  const attempt = await openAttempt(network, usd)
  expect(heightOf(attempt)).toBe((await anvil.head()) - CONFIRMATIONS + 1)
  await anvil.reorganise(2)
  await anvil.sendToken(usd.contract!, attempt.address, 5n)
  await anvil.mine(1)
  expect(await scanPayments(network, attempt)).toHaveLength(1)
})
