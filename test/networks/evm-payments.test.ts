import { expect, test } from 'bun:test'
import { deployCall, flushCall, saltOf } from '../../src/networks/evm/forwarder/forwarder.ts'
import { word } from '../support/anvil.ts'
import * as evm from './evm-scene.ts'

const {
  CONFIRMATIONS,
  heightOf,
  MARGIN_BLOCKS,
  openAttempt,
  PAYOUT,
  scanAmounts,
  scanPayments,
  scanWatches,
} = evm
const scene = evm.useScene()

const PAY = '0c11dedd'

test('a payment outside of any block is not detected', async () => {
  const { anvil, network, usd } = scene
  const attempt = await openAttempt(network, usd)
  await anvil.sendToken(usd.contract!, attempt.address, 5n)
  expect(await scanPayments(network, attempt)).toEqual([])
  await anvil.mine()
})

test('a token that merely has the name USDC is not detected', async () => {
  const { anvil, network, usd, fake } = scene
  const attempt = await openAttempt(network, usd)
  await anvil.sendToken(fake, attempt.address, 1_000_000n)
  await anvil.mine(5)
  expect(await scanPayments(network, attempt)).toEqual([])
})

test('a payment that reverted does not count, in a token or in the coin', async () => {
  const { anvil, network, coin, usd } = scene
  const attempt = await openAttempt(network, coin)
  await anvil.run(deployCall(PAYOUT, saltOf(attempt.attemptId)))
  const tooMuch = await anvil.send({
    to: usd.contract!,
    data: `0xa9059cbb${word(attempt.address)}${word(10n ** 30n)}`,
  })
  const data = flushCall('0x000000000000000000000000000000000000dEaD')
  const noToken = await anvil.send({ to: attempt.address, value: 9n, data })
  await anvil.run({ to: attempt.address, value: 14n })
  for (const hash of [tooMuch, noToken]) expect((await anvil.receipt(hash)).status).toBe('0x0')
  await anvil.mine(5)
  expect(await scanAmounts(network, attempt)).toEqual([14n])
})

test('a transfer of zero is not a payment', async () => {
  const { anvil, network, usd } = scene
  const attempt = await openAttempt(network, usd)
  await anvil.sendToken(usd.contract!, attempt.address, 0n)
  await anvil.sendNative(attempt.address, 0n)
  await anvil.mine(5)
  expect(await scanPayments(network, attempt)).toEqual([])
})

test('a token payment is reported with its transaction and its confirmations until it is final', async () => {
  const { anvil, network, usd } = scene
  const attempt = await openAttempt(network, usd)
  const hash = await anvil.sendToken(usd.contract!, attempt.address, 12_345_678n)
  await anvil.mine()
  const { blockNumber } = await anvil.receipt(hash)
  const at = `0x${blockNumber.toString(16)}`
  const block = await anvil.rpc<{ timestamp: string }>('eth_getBlockByNumber', [at, false])
  for (const confirmations of [1, 2, 3]) {
    const [seen, ...others] = await scanPayments(network, attempt)
    expect(others).toEqual([])
    expect(seen).toMatchObject({
      txId: hash,
      txIn: hash,
      txIndex: '0',
      assetId: usd.id,
      amountAtomic: 12_345_678n,
      confirmations,
      final: confirmations >= CONFIRMATIONS,
      height: blockNumber,
      paidAt: Number(block.timestamp) * 1000,
    })
    await anvil.mine()
  }
})

test('a final payment is not reported again, and the cursor is above it', async () => {
  const { anvil, network, tether } = scene
  const attempt = await openAttempt(network, tether)
  const hash = await anvil.sendToken(tether.contract!, attempt.address, 7n)
  await anvil.mine(CONFIRMATIONS)
  const [watched] = await scanWatches(network, attempt)
  expect(watched!.detectedPayments.map(({ final }) => final)).toEqual([true])
  expect(heightOf(attempt)).toBe((await anvil.receipt(hash)).blockNumber)
  const [again] = await scanWatches(network, attempt)
  expect(again!.detectedPayments).toEqual([])
  expect(again!.completeFrom).toBe(heightOf(attempt) + 1)
})

test('two parts, another listed token and the coin are four payments', async () => {
  const { anvil, network, usd, tether, coin } = scene
  const attempt = await openAttempt(network, usd)
  await anvil.sendToken(usd.contract!, attempt.address, 3n)
  await anvil.sendToken(usd.contract!, attempt.address, 3n)
  await anvil.mine()
  await anvil.sendToken(tether.contract!, attempt.address, 4n)
  await anvil.sendNative(attempt.address, 5n)
  await anvil.mine()
  const seen = await scanPayments(network, attempt)
  expect(seen.map(({ assetId, amountAtomic }) => [assetId, amountAtomic])).toEqual([
    [usd.id, 3n],
    [usd.id, 3n],
    [tether.id, 4n],
    [coin.id, 5n],
  ])
  expect(new Set(seen.map(({ txId, txIndex }) => txId + txIndex)).size).toBe(4)
})

test('one transaction that pays two attempts makes two payments with different ids', async () => {
  const { anvil, network, usd, coin } = scene
  const second = await openAttempt(network, usd)
  const first = await openAttempt(network, coin, second.address)
  await anvil.run(deployCall(second.address, saltOf(first.attemptId)))
  await anvil.sendToken(usd.contract!, first.address, 8n)
  await anvil.mine()
  const { transactionHash } = await anvil.run({ to: first.address, value: 6n, data: flushCall(usd.contract) })
  const watched = await scanWatches(network, first, second)
  const [, coins] = watched[0]!.detectedPayments
  const [tokens] = watched[1]!.detectedPayments
  expect([coins?.txId, coins?.txIndex, coins?.amountAtomic]).toEqual([transactionHash, 'value', 6n])
  expect([tokens?.txId, tokens?.txIndex, tokens?.amountAtomic]).toEqual([transactionHash, '0', 8n])
})

test('coins from a contract are detected in their block, without a transaction', async () => {
  const { anvil, network, coin, tokens } = scene
  const attempt = await openAttempt(network, coin)
  await anvil.mine(40)
  const paid = await anvil.run({
    to: tokens.TestPayer,
    data: `0x${PAY}${word(attempt.address)}`,
    value: 777n,
  })
  await anvil.mine(9)
  const [seen, ...others] = await scanPayments(network, attempt)
  expect(others).toEqual([])
  expect(seen).toMatchObject({
    txId: `internal:${paid.blockHash}:${attempt.address.toLowerCase()}`,
    txIn: null,
    assetId: coin.id,
    amountAtomic: 777n,
    height: paid.blockNumber,
    confirmations: 10,
    final: true,
  })
})

test('coins from a wallet and from a contract in one block are two payments', async () => {
  const { anvil, network, coin, tokens } = scene
  const attempt = await openAttempt(network, coin)
  await anvil.send({ to: tokens.TestPayer, data: `0x${PAY}${word(attempt.address)}`, value: 10n })
  const [a, b] = [await anvil.sendNative(attempt.address, 20n), await anvil.sendNative(attempt.address, 30n)]
  await anvil.mine()
  const seen = await scanPayments(network, attempt)
  expect(seen.map(({ amountAtomic, txIn }) => [amountAtomic, txIn])).toEqual([
    [20n, a],
    [30n, b],
    [10n, null],
  ])
})

test('payments in many blocks are each found in their own block, and again in the next scan', async () => {
  const { anvil, network, coin } = scene
  const attempt = await openAttempt(network, coin)
  const paid: { amountAtomic: bigint; height: number | null }[] = []
  for (const [index, pause] of [1, 0, 17, 3, 60].entries()) {
    await anvil.mine(pause)
    const { blockNumber } = await anvil.run({ to: attempt.address, value: BigInt(index + 1) })
    paid.push({ amountAtomic: BigInt(index + 1), height: blockNumber })
  }
  const reported = (await scanPayments(network, attempt)).toSorted((x, y) => x.height! - y.height!)
  expect(reported.map(({ amountAtomic, height }) => ({ amountAtomic, height }))).toEqual(paid)
  const [left] = await scanPayments(network, attempt)
  expect(left).toMatchObject(paid.at(-1)!)
})

test('a payment that was flushed before the first scan is reported until it is final', async () => {
  const { anvil, network, coin } = scene
  const attempt = await openAttempt(network, coin)
  const hash = await anvil.sendNative(attempt.address, 55n)
  await anvil.send(deployCall(PAYOUT, saltOf(attempt.attemptId)))
  await anvil.send({ to: attempt.address, data: flushCall(null) })
  await anvil.mine()
  expect(await anvil.balance(attempt.address)).toBe(0n)
  for (const confirmations of [1, 2, 3]) {
    const seen = await scanPayments(network, attempt)
    expect(seen.map(s => [s.txIn, s.amountAtomic, s.confirmations])).toEqual([[hash, 55n, confirmations]])
    await anvil.mine()
  }
  expect(await scanPayments(network, attempt)).toEqual([])
})

test('sweeps and payments between two scans are distinguished, and a late payment is detected', async () => {
  const { anvil, network, coin, tokens } = scene
  const attempt = await openAttempt(network, coin)
  await anvil.run({ to: attempt.address, value: 10n })
  await anvil.run(deployCall(PAYOUT, saltOf(attempt.attemptId)))
  await anvil.run({ to: attempt.address, data: flushCall(null) })
  await anvil.run({ to: attempt.address, value: 4n })
  await anvil.run({ to: tokens.TestPayer, data: `0x${PAY}${word(attempt.address)}`, value: 5n })
  await anvil.run({ to: attempt.address, data: flushCall(null) })
  await anvil.run({ to: attempt.address, value: 10n })
  const amounts = async () => (await scanAmounts(network, attempt)).toSorted()
  expect(await amounts()).toEqual([10n, 10n, 4n, 5n])
  await anvil.mine(20)
  expect(await amounts()).toEqual([10n])
  await anvil.run({ to: attempt.address, value: 6n })
  expect(await amounts()).toEqual([6n])
})

test('a balance that falls without a log of the forwarder is ignored', async () => {
  const { anvil, network, coin } = scene
  const attempt = await openAttempt(network, coin)
  await anvil.run({ to: attempt.address, value: 10n })
  expect(await scanAmounts(network, attempt)).toEqual([10n])
  await anvil.rpc('anvil_setBalance', [attempt.address, '0x3'])
  await anvil.mine(1)
  expect(await scanAmounts(network, attempt)).toEqual([10n])
  await anvil.run({ to: attempt.address, value: 6n })
  expect(await scanAmounts(network, attempt)).toEqual([10n, 6n])
  await anvil.mine(CONFIRMATIONS)
  await scanPayments(network, attempt)
  await anvil.mine(MARGIN_BLOCKS)
  expect(await scanPayments(network, attempt)).toEqual([])
  expect((attempt.cursor as { balance: string }).balance).toBe('9')
})

test('an attempt gets no old payments again if another one was never scanned', async () => {
  const { anvil, network, coin, usd } = scene
  const idle = await openAttempt(network, usd)
  const paid = await openAttempt(network, coin)
  await anvil.run({ to: paid.address, value: 10n })
  await anvil.run(deployCall(PAYOUT, saltOf(paid.attemptId)))
  await anvil.run({ to: paid.address, data: flushCall(null) })
  await anvil.sendToken(usd.contract!, paid.address, 3n)
  await anvil.mine(20)
  expect(await scanPayments(network, paid)).toHaveLength(2)
  await anvil.run({ to: paid.address, value: 4n })
  const watched = await scanWatches(network, paid, idle)
  const amounts = watched.map(own => own.detectedPayments.map(({ amountAtomic }) => amountAtomic))
  expect(amounts).toEqual([[4n], []])
})
