import { expect, test } from 'bun:test'
import { NetworkError } from '../../src/networks/port.ts'
import { word } from '../support/anvil.ts'
import * as evm from './evm-scene.ts'

const { CONFIRMATIONS, freshAccount, heightOf, openAccount, openAttempt, PAYOUT, scanAmounts, scanPayments } =
  evm
const scene = evm.useScene({}, 100)

const ETHER = 10n ** 18n

/** An account that transactions paid, not a command to the node. */
async function usedAccount(): Promise<string> {
  const address = await freshAccount(scene)
  await scene.anvil.run({ to: address, value: 5n * ETHER })
  return address
}

const forgotten = { error: { code: -32000, message: 'missing trie node' } }

test('a node that does not know the balances at its head can start forwarders, but no accounts', async () => {
  const { network, coin } = scene
  const address = await usedAccount()
  for (const method of ['eth_getBalance', 'eth_getTransactionCount']) {
    scene.answer(call => (call.method === method ? forgotten : null))
    await expect(openAccount(network, coin, address)).rejects.toThrow(NetworkError)
    await openAttempt(network, coin)
  }
})

test.each([1, 3, 60])(
  'after a reorganisation %i deep, earlier money at an account does not count, and no payment is lost',
  async depth => {
    const { anvil, network, coin, usd } = scene
    await anvil.mine(60)
    const address = await usedAccount()
    const attempts = [await openAccount(network, coin, address), await openAccount(network, usd, address)]
    const opened = heightOf(attempts[0]!)
    expect(opened).toBe(await anvil.head())
    await anvil.reorganise(depth)
    const paid = await anvil.sendNative(address, 9n)
    const token = await anvil.sendToken(usd.contract!, address, 4n)
    await anvil.mine(1)
    const watched = await evm.scanWatches(network, ...attempts)
    const amounts = new Map([
      [paid, 9n],
      [token, 4n],
    ])
    for (const { detectedPayments, completeFrom } of watched) {
      expect(detectedPayments).toHaveLength(2)
      expect(new Map(detectedPayments.map(({ txIn, amountAtomic }) => [txIn!, amountAtomic]))).toEqual(
        amounts,
      )
      expect(completeFrom).toBe(Math.max(0, opened - 64) + 1)
    }
    await anvil.mine(CONFIRMATIONS)
    const final = await evm.scanWatches(network, ...attempts)
    const finals = final.flatMap(({ detectedPayments }) => detectedPayments.map(own => own.final))
    expect(finals).toEqual([true, true, true, true])
    const again = await evm.scanWatches(network, ...attempts)
    expect(again.flatMap(({ detectedPayments }) => detectedPayments)).toEqual([])
  },
)

test('on a chain with tokens only, no balance is queried, and a reorganisation loses no payment', async () => {
  const { anvil, usd } = scene
  let asked = 0
  const network = scene.networkOf({ assets: [usd] })
  scene.traffic.tap = (body, pass) => {
    if (/Balance|TransactionCount/.test(body)) asked += 1
    return pass()
  }
  const address = await usedAccount()
  await anvil.mine(5)
  const attempt = await openAccount(network, usd, address)
  const raw = { from: anvil.from, to: usd.contract, data: `0xa9059cbb${word(address)}${word(4n)}` }
  await anvil.rpc('evm_increaseTime', [600])
  await anvil.rpc('anvil_reorg', [3, [[raw, 1]]])
  await anvil.sendToken(usd.contract!, address, 5n)
  await anvil.mine(1)
  expect(asked).toBe(0)
  expect(await scanAmounts(network, attempt)).toEqual([4n, 5n])
})

test('a payment from before the allocation does not count, even if a reorganisation moves it to another block', async () => {
  const { anvil, network, coin } = scene
  const address = await usedAccount()
  const before = await anvil.head()
  await anvil.mine(2)
  await anvil.rpc('evm_increaseTime', [600])
  await anvil.mine(1)
  const attempt = await openAccount(network, coin, address)
  await anvil.rpc('anvil_reorg', [3, [[{ from: anvil.from, to: address, value: '0x7b' }, 0]]])
  const { blockNumber } = await anvil.run({ to: address, value: 9n })
  expect(await anvil.balance(address)).toBe(5n * ETHER + 0x7bn + 9n)
  expect(blockNumber).toBe(before + 4)
  expect(await scanAmounts(network, attempt)).toEqual([9n])
})

test('if the anchor was replaced too, the state at its height is read again', async () => {
  const { anvil, network, coin } = scene
  const snapshot = await anvil.rpc('evm_snapshot')
  const from = await anvil.head()
  const address = await usedAccount()
  await anvil.mine(80)
  const attempt = await openAccount(network, coin, address)
  const forwarder = await openAttempt(network, coin)
  await anvil.rpc('evm_revert', [snapshot])
  await anvil.mine(1)
  await anvil.run({ to: address, value: ETHER })
  await anvil.mine(82)
  await anvil.run({ to: address, value: 9n })
  expect(await anvil.head()).toBe(from + 85)
  expect(await scanAmounts(network, attempt)).toEqual([9n])

  const lost = { ...attempt, cursor: { ...(attempt.cursor as object), hash: `0x${'ab'.repeat(32)}` } }
  const { anchor } = (attempt.cursor as { account: { anchor: { height: number } } }).account
  scene.answer(({ method, params }) =>
    method === 'eth_getBalance' && Number(params[1]) === anchor.height ? forgotten : null,
  )
  expect((await network.scan([lost, forwarder])).map(own => own.attemptId)).toEqual([forwarder.attemptId])
  await expect(network.scan([lost])).rejects.toThrow(NetworkError)
})

test('a balance that was reported too low at the start creates no payment', async () => {
  const { anvil, network, coin } = scene
  const address = await usedAccount()
  scene.answer(({ method }) => (method === 'eth_getBalance' ? { result: '0x0' } : null))
  const attempt = await openAccount(network, coin, address)
  scene.beHonest()
  await anvil.mine(CONFIRMATIONS)
  expect(await scanPayments(network, attempt)).toEqual([])
  await anvil.run({ to: address, value: 9n })
  expect(await scanAmounts(network, attempt)).toEqual([9n])
})

test('a node that has dropped old states may miss a payment, but reports none that did not arrive', async () => {
  const { anvil, network, coin } = scene
  const address = await usedAccount()
  const attempt = await openAccount(network, coin, address)
  await anvil.run({ to: address, value: 7n })
  await anvil.run({ from: address, to: PAYOUT, value: ETHER, gas: 21_000 })
  await anvil.mine(20)
  const oldest = await anvil.head()
  const hash = await anvil.sendNative(address, 9n)
  await anvil.mine(1)
  scene.answer(({ method, params }) =>
    /Balance|Count/.test(method) && Number(params[1]) < oldest ? forgotten : null,
  )
  const seen = await scanPayments(network, attempt)
  expect(seen.map(({ txIn, amountAtomic }) => [txIn, amountAtomic])).toEqual([[hash, 9n]])
})

test.each(['eth_getBalance', 'eth_getTransactionCount'])(
  'a node that reports the newest %s for every block is not used for accounts',
  async method => {
    const { anvil, network, coin } = scene
    const address = await usedAccount()
    const attempt = await openAccount(network, coin, address)
    await anvil.run({ from: address, to: PAYOUT, value: ETHER, gas: 21_000 })
    await anvil.mine(20)
    const [balance, nonce] = [await anvil.balance(address), 1n]
    const result = `0x${(method === 'eth_getBalance' ? balance : nonce).toString(16)}`
    scene.answer(call => (call.method === method ? { result } : null))
    const forwarder = await openAttempt(network, coin)
    const [own, ...others] = await network.scan([attempt, forwarder])
    expect([own!.attemptId, others]).toEqual([forwarder.attemptId, []])
    await expect(network.scan([attempt])).rejects.toThrow(/reports a different history/)
  },
)

test('money that a program at an account moves without a transaction creates no payment', async () => {
  const { anvil, network, coin } = scene
  const address = await usedAccount()
  const attempt = await openAccount(network, coin, address)
  await anvil.run({ to: address, value: 9n })
  expect(await scanAmounts(network, attempt)).toEqual([9n])
  await anvil.rpc('anvil_setBalance', [address, '0x5'])
  await anvil.mine(1)
  expect(await scanAmounts(network, attempt)).toEqual([9n])
  await anvil.mine(CONFIRMATIONS)
  await scanPayments(network, attempt)
  const hash = await anvil.sendNative(address, 30n)
  await anvil.mine(1)
  const last = await scanPayments(network, attempt)
  expect(last.map(({ txIn, amountAtomic }) => [txIn, amountAtomic])).toEqual([[hash, 30n]])
})

test('a restarted network continues from the stored cursor', async () => {
  const { anvil, network, coin, usd } = scene
  const address = await usedAccount()
  const attempt = await openAccount(network, coin, address)
  await anvil.run({ to: address, value: 9n })
  await anvil.run({ from: address, to: PAYOUT, value: ETHER, gas: 21_000 })
  expect((await scanPayments(network, attempt)).map(({ final }) => final)).toEqual([false])
  const stored = { ...attempt, cursor: JSON.parse(JSON.stringify(attempt.cursor)) }
  const again = scene.networkOf({ assets: [coin, usd] })
  await anvil.mine(1)
  const found = await scanPayments(again, stored)
  expect(found.map(({ amountAtomic, final }) => [amountAtomic, final])).toEqual([[9n, true]])
  expect(await scanPayments(again, stored)).toEqual([])
})
