import { expect, test } from 'bun:test'
import { word } from '../support/anvil.ts'
import * as evm from './evm-scene.ts'

const { CONFIRMATIONS, freshAccount, MARGIN_BLOCKS, openAccount, PAYOUT, scanPayments } = evm
const scene = evm.useScene({}, 20)

const ETHER = 10n ** 18n
const PLAIN_GAS = 21_000
const PAY = '0c11dedd'

/** A transaction of the merchant, who also pays its gas. */
const sweep = (from: string, value: bigint) => scene.anvil.send({ from, to: PAYOUT, value, gas: PLAIN_GAS })

const payByContract = (to: string, value: bigint) =>
  scene.anvil.send({ to: scene.tokens.TestPayer, data: `0x${PAY}${word(to)}`, value })

async function amounts(attempt: Parameters<typeof scanPayments>[1]) {
  const seen = await scanPayments(scene.network, attempt)
  return seen.toSorted((a, b) => a.height! - b.height!).map(({ amountAtomic }) => amountAtomic)
}

test('money that an account held, or received just before it was allocated, is not a payment', async () => {
  const { anvil, network, coin, usd } = scene
  const address = await freshAccount(scene, 5n * ETHER)
  await anvil.sendToken(usd.contract!, address, 7n)
  await anvil.run({ to: address, value: 3n })
  const attempts = [await openAccount(network, coin, address), await openAccount(network, usd, address)]
  await anvil.mine(CONFIRMATIONS)
  for (const attempt of attempts) expect(await amounts(attempt)).toEqual([])
  await anvil.run({ to: address, value: 4n })
  expect(await amounts(attempts[0]!)).toEqual([4n])
})

test('money that an account pays out, pays to itself, or fails to pay is not a payment', async () => {
  const { anvil, network, coin, usd } = scene
  const address = await freshAccount(scene, 5n * ETHER)
  await anvil.sendToken(usd.contract!, address, 7n)
  await anvil.mine()
  const attempt = await openAccount(network, coin, address)
  await sweep(address, ETHER)
  await anvil.mine()
  await anvil.run({ from: address, to: address, value: 9n, gas: PLAIN_GAS })
  const transfer = async (to: string, amount: bigint) => {
    const data = `0xa9059cbb${word(to)}${word(amount)}`
    return (await anvil.run({ from: address, to: usd.contract!, data, gas: 100_000 })).status
  }
  expect(await transfer(PAYOUT, 10n ** 30n)).toBe('0x0')
  expect(await transfer(address, 7n)).toBe('0x1')
  expect(await amounts(attempt)).toEqual([])
  await anvil.mine(CONFIRMATIONS)
  expect(await amounts(attempt)).toEqual([])
})

test('money that a call of the account itself returns is not a payment, and hides none', async () => {
  const { anvil, network, coin, tokens } = scene
  const address = await freshAccount(scene, 5n * ETHER)
  const attempt = await openAccount(network, coin, address)
  const back = { from: address, to: tokens.TestPayer, data: `0x${PAY}${word(address)}`, value: 77n }
  await anvil.run({ ...back, gas: 100_000 })
  await anvil.mine(3)
  await anvil.send({ ...back, gas: 100_000 })
  const hash = await anvil.sendNative(address, 30n)
  await anvil.mine()
  const seen = await scanPayments(network, attempt)
  expect(seen.map(({ amountAtomic, txIn }) => [amountAtomic, txIn])).toEqual([[30n, hash]])
})

test('a payment and a larger sweep between two scans are distinguished, in neighbouring and in distant blocks', async () => {
  const { anvil, network, coin } = scene
  for (const pause of [0, 1, 23]) {
    const address = await freshAccount(scene, 2n * ETHER)
    const attempt = await openAccount(network, coin, address)
    await anvil.mine(pause)
    const { transactionHash } = await anvil.run({ to: address, value: 100n })
    await anvil.mine(pause)
    await sweep(address, ETHER)
    await anvil.mine(1 + pause)
    await anvil.run({ to: address, value: 50n })
    const seen = await scanPayments(network, attempt)
    expect(seen.map(({ amountAtomic }) => amountAtomic).toSorted()).toEqual([100n, 50n])
    expect(seen.find(({ amountAtomic }) => amountAtomic === 100n)?.txIn).toBe(transactionHash)
  }
})

test.each(['by hand', 'by a contract'])('a payment %s in the same block as a sweep is seen', async way => {
  const { anvil, network, coin } = scene
  const address = await freshAccount(scene, 2n * ETHER)
  const attempt = await openAccount(network, coin, address)
  await anvil.mine(3)
  await sweep(address, ETHER)
  const hash = way === 'by hand' ? await anvil.sendNative(address, 100n) : await payByContract(address, 100n)
  await anvil.mine(2)
  const [seen, ...others] = await scanPayments(network, attempt)
  expect(others).toEqual([])
  expect(seen).toMatchObject({ amountAtomic: 100n, txIn: way === 'by hand' ? hash : null, confirmations: 2 })
  await anvil.mine(CONFIRMATIONS)
  expect(await amounts(attempt)).toEqual([100n])
  expect(await amounts(attempt)).toEqual([])
})

test('a payment that was swept before the first scan is reported until it is final', async () => {
  const { anvil, network, coin } = scene
  const address = await freshAccount(scene, 0n)
  const attempt = await openAccount(network, coin, address)
  await anvil.run({ to: address, value: ETHER })
  const gasPrice = BigInt(await anvil.rpc('eth_gasPrice'))
  await sweep(address, ETHER - 21_000n * gasPrice * 2n)
  await anvil.mine()
  const left = await anvil.balance(address)
  for (const confirmations of [2, 3]) {
    const seen = await scanPayments(network, attempt)
    expect(seen.map(s => [s.amountAtomic, s.confirmations])).toEqual([[ETHER, confirmations]])
    await anvil.mine()
  }
  expect(await amounts(attempt)).toEqual([])
  await anvil.mine(MARGIN_BLOCKS)
  expect(await amounts(attempt)).toEqual([])
  expect(attempt.cursor).toMatchObject({ balance: left.toString(), account: { nonce: '1' } })
})

test('all payments to an account in many blocks are found, however often it is scanned', async () => {
  const { anvil, network, coin } = scene
  const address = await freshAccount(scene, 9n * ETHER)
  const [once, often] = [await openAccount(network, coin, address), await openAccount(network, coin, address)]
  const reported = new Map<string, bigint>()
  const paid: [string, bigint][] = []
  for (let step = 1; step <= 24; step++) {
    if (step % 3 === 0) await sweep(address, ETHER / 10n)
    if (step % 2 === 0) paid.push([await anvil.sendNative(address, BigInt(step)), BigInt(step)])
    await anvil.mine(1 + (step % 4))
    if (step % 5 !== 0) continue
    for (const { txIn, amountAtomic } of await scanPayments(network, often)) reported.set(txIn!, amountAtomic)
  }
  for (const { txIn, amountAtomic } of await scanPayments(network, often)) reported.set(txIn!, amountAtomic)
  expect([...reported].toSorted()).toEqual(paid.toSorted())
  const seen = await scanPayments(network, once)
  expect(seen.map(({ txIn, amountAtomic }): [string, bigint] => [txIn!, amountAtomic]).toSorted()).toEqual(
    paid.toSorted(),
  )
  await anvil.mine(CONFIRMATIONS)
  await scanPayments(network, once)
  expect(await scanPayments(network, once)).toEqual([])
  await anvil.mine(MARGIN_BLOCKS)
  expect(await scanPayments(network, once)).toEqual([])
  expect(once.cursor).toMatchObject({ account: { nonce: '8' } })
})

test('attempts that share an address get the same result, with the queries of one', async () => {
  const { anvil, network, coin, usd, traffic } = scene
  const address = await freshAccount(scene, ETHER)
  const attempts = []
  for (let index = 0; index < 30; index++) {
    attempts.push(await openAccount(network, index % 2 ? coin : usd, address))
  }
  await anvil.sendToken(usd.contract!, address, 3n)
  await sweep(address, 10n)
  await anvil.run({ to: address, value: 8n })
  await anvil.mine(4)
  let calls = 0
  traffic.tap = (body, pass) => {
    calls += body.split('"method"').length - 1
    return pass()
  }
  const watched = await evm.scanWatches(network, ...attempts)
  for (const { detectedPayments } of watched)
    expect(detectedPayments.map(({ amountAtomic }) => amountAtomic).toSorted()).toEqual([3n, 8n])
  expect(calls).toBeLessThan(40)
})
