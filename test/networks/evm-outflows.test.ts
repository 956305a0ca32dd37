import { expect, test } from 'bun:test'
import { deployCall, flushCall, saltOf } from '../../src/networks/evm/forwarder/forwarder.ts'
import * as evm from './evm-scene.ts'

const { CONFIRMATIONS, freshAccount, openAccount, openAttempt, PAYOUT, scanWatches } = evm
const scene = evm.useScene()

const deploy = ({ attemptId }: evm.Attempt, payout = PAYOUT) =>
  scene.anvil.run(deployCall(payout, saltOf(attemptId)))

const flush = ({ address }: evm.Attempt, token: string | null) =>
  scene.anvil.run({ to: address, data: flushCall(token) })

const outflowsOf = async (...attempts: evm.Attempt[]) =>
  (await scanWatches(scene.network, ...attempts)).map(({ outflows }) => outflows)

test('a flush of nothing, of an unlisted token, or one that failed is not an outflow', async () => {
  const { anvil, network, coin, usd, fake } = scene
  const attempt = await openAttempt(network, coin)
  await deploy(attempt)
  await anvil.sendToken(fake, attempt.address, 5n)
  for (const token of [null, usd.contract, fake, scene.tokens.TestPayer]) await flush(attempt, token)
  await anvil.mine(CONFIRMATIONS)
  expect(await outflowsOf(attempt)).toEqual([[]])
})

test('outflows of an account with a key are not reported', async () => {
  const { anvil, network, coin } = scene
  const address = await freshAccount(scene, 10n ** 18n)
  const attempt = await openAccount(network, coin, address)
  await anvil.run({ from: address, to: PAYOUT, value: 9n, gas: 21_000 })
  await anvil.mine(CONFIRMATIONS)
  expect(await outflowsOf(attempt)).toEqual([undefined])
})

test('outflows of a forwarder, in the coin and in tokens, are reported once, when they are final', async () => {
  const { anvil, network, coin, usd, tether } = scene
  const attempt = await openAttempt(network, usd)
  const idle = await openAttempt(network, coin)
  await anvil.sendToken(usd.contract!, attempt.address, 5n)
  await anvil.sendToken(tether.contract!, attempt.address, 6n)
  await anvil.sendNative(attempt.address, 7n)
  await deploy(attempt)
  const flushed = []
  for (const { id, contract } of [coin, usd, tether]) {
    const { transactionHash, blockNumber } = await flush(attempt, contract)
    flushed.push({ txId: transactionHash, assetId: id, height: blockNumber })
  }
  const reported = []
  for (let block = 1; block <= CONFIRMATIONS; block++) {
    const [own, none] = await outflowsOf(attempt, idle)
    expect(none).toEqual([])
    reported.push(own)
    await anvil.mine()
  }
  expect(reported).toEqual(flushed.map(one => [one]))
  expect(await outflowsOf(attempt)).toEqual([[]])
})

test('a forwarder that pays another is an outflow of the first and one payment to the second', async () => {
  const { anvil, network, usd } = scene
  const second = await openAttempt(network, usd)
  const first = await openAttempt(network, usd, second.address)
  await deploy(first, second.address)
  await anvil.sendToken(usd.contract!, first.address, 5n)
  await anvil.mine()
  const { transactionHash } = await flush(first, usd.contract)
  await anvil.mine(CONFIRMATIONS)
  const [one, other] = await scanWatches(network, first, second)
  expect(one!.outflows?.map(({ txId }) => txId)).toEqual([transactionHash])
  expect(other!.outflows).toEqual([])
  for (const own of [one, other])
    expect(own!.detectedPayments.map(({ amountAtomic }) => amountAtomic)).toEqual([5n])
})

test('an outflow that a reorganisation removes is not reported', async () => {
  const { anvil, network, usd } = scene
  const attempt = await openAttempt(network, usd)
  await deploy(attempt)
  await anvil.sendToken(usd.contract!, attempt.address, 5n)
  await anvil.mine(CONFIRMATIONS)
  await flush(attempt, usd.contract)
  expect(await outflowsOf(attempt)).toEqual([[]])
  await anvil.reorganise(1)
  await anvil.mine(CONFIRMATIONS)
  expect(await outflowsOf(attempt)).toEqual([[]])
})
