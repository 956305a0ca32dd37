import { expect, test } from 'bun:test'
import type { Fetch } from '../../src/networks/port.ts'
import * as evm from './evm-scene.ts'

const { answering, CONFIRMATIONS, heightOf, honest, openAccount, openAttempt, scanPayments, scanWatches } =
  evm
const scene = evm.useScene()

/** Two endpoints of the real node, each with its own responses. */
function twoEndpoints(second: evm.Tap, names = ['a.example', 'b.example'], first: evm.Tap = honest) {
  const { anvil, coin, usd } = scene
  const asked = new Map<string, number>()
  const two: Fetch = (url, init) => {
    const { host } = new URL(url)
    asked.set(host, (asked.get(host) ?? 0) + 1)
    const pass = () => fetch(anvil.url, init)
    return (host === 'b.example' ? second : first)(String(init?.body), pass)
  }
  const endpoints = names.map(name => `https://${name}/`)
  return { network: scene.networkOf({ assets: [coin, usd], endpoints, fetch: two }), asked }
}

async function paid(network: ReturnType<typeof twoEndpoints>['network'], requiredEndpoints: number) {
  const { anvil, usd } = scene
  const attempt = { ...(await openAttempt(network, usd)), requiredEndpoints }
  await anvil.sendToken(usd.contract!, attempt.address, 5n)
  await anvil.mine(CONFIRMATIONS)
  return attempt
}

test('a payment that a second endpoint does not report is not final, and is reported again', async () => {
  const blind = answering(({ method }) => (method === 'eth_getLogs' ? { result: [] } : null))
  const { network } = twoEndpoints(blind)
  const attempt = await paid(network, 2)
  for (const round of [1, 2]) {
    const [watched] = await scanWatches(network, attempt)
    const found = watched!.detectedPayments.map(({ final, amountAtomic }) => [final, amountAtomic])
    expect([round, found]).toEqual([round, [[false, 5n]]])
  }
})

test('without a second endpoint, or if it is down or of another chain, nothing is final', async () => {
  const down: evm.Tap = () => Promise.reject(new TypeError('refused'))
  const elsewhere: evm.Tap = async (body, pass) =>
    body.includes('eth_chainId') ? Response.json({ jsonrpc: '2.0', id: 1, result: '0x5' }) : pass()
  for (const { network } of [
    twoEndpoints(down),
    twoEndpoints(elsewhere),
    twoEndpoints(down, ['a.example']),
  ]) {
    const [watched] = await scanWatches(network, await paid(network, 2))
    expect(watched!.detectedPayments.map(({ final }) => final)).toEqual([false])
  }
})

test('a payment that two endpoints report is final, with the evidence of both', async () => {
  const { network, asked } = twoEndpoints((_, pass) => pass())
  const attempt = await paid(network, 2)
  const [watched] = await scanWatches(network, attempt)
  expect(watched!.detectedPayments.map(({ final }) => final)).toEqual([true])
  const { first, second } = watched!.detectedPayments[0]!.evidence as { first: object; second: object }
  expect(first).toEqual(second)
  expect(asked.get('b.example')).toBeGreaterThan(1)
  const [again] = await scanWatches(network, attempt)
  expect(again!.detectedPayments).toEqual([])
})

test('a payment that needs one endpoint is read from one only', async () => {
  const { network, asked } = twoEndpoints((_, pass) => pass())
  const [watched] = await scanWatches(network, await paid(network, 1))
  expect(watched!.detectedPayments.map(({ final }) => final)).toEqual([true])
  expect(asked.get('b.example')).toBeUndefined()
})

test('an endpoint that is listed twice counts once', async () => {
  const { network } = twoEndpoints(honest, ['a.example', 'a.example'])
  const [watched] = await scanWatches(network, await paid(network, 2))
  expect(watched!.detectedPayments.map(({ final }) => final)).toEqual([false])
})

test('a payment that the first endpoint invents is not final, even with a receipt', async () => {
  const { anvil, usd } = scene
  const victim = { address: '' }
  const real = await anvil.run({ to: anvil.from, value: 1n })
  const made = (height: number, blockHash: string) => ({
    address: usd.contract,
    topics: [
      '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
      `0x${'1'.repeat(64)}`,
      `0x${victim.address.slice(2).toLowerCase().padStart(64, '0')}`,
    ],
    data: `0x${'5'.padStart(64, '0')}`,
    blockNumber: `0x${height.toString(16)}`,
    blockHash,
    transactionHash: `0x${'cd'.repeat(32)}`,
    logIndex: '0x0',
  })
  let log = {}
  const liar = answering(({ method }) => {
    if (method === 'eth_getLogs') return { result: [log] }
    const receipt = { blockHash: (log as { blockHash: string }).blockHash, status: '0x1', logs: [log] }
    return method === 'eth_getTransactionReceipt' ? { result: receipt } : null
  })
  const { network } = twoEndpoints(honest, ['a.example', 'b.example'], liar)
  const [sure, rash] = [await openAttempt(network, usd), await openAttempt(network, usd)]
  victim.address = sure.address
  const block = await anvil.run({ to: anvil.from, value: 1n })
  expect(block.blockNumber).toBe(real.blockNumber + 1)
  log = made(block.blockNumber, block.blockHash)
  await anvil.mine(CONFIRMATIONS)
  sure.requiredEndpoints = 2
  for (const round of [1, 2]) {
    const [own] = await scanWatches(network, sure, rash)
    const found = own!.detectedPayments.map(({ final, amountAtomic }) => [final, amountAtomic])
    expect([round, found]).toEqual([round, [[false, 5n]]])
  }
})

test('if the second endpoint is a block behind, a payment is final one block later', async () => {
  const { anvil } = scene
  let newest = Number.POSITIVE_INFINITY
  const behind = answering(({ method, params }) => {
    const block = method === 'eth_getBlockByNumber' && params[0] === 'latest' ? blocks.get(newest) : undefined
    return block ? { result: block } : null
  })
  const blocks = new Map<number, unknown>()
  const { network } = twoEndpoints(behind)
  const attempt = await paid(network, 2)
  const before = heightOf(attempt)
  for (const expected of [false, true]) {
    newest = (await anvil.head()) - 1
    const at = `0x${newest.toString(16)}`
    blocks.set(newest, await anvil.rpc('eth_getBlockByNumber', [at, false]))
    const seen = await scanPayments(network, attempt)
    expect(seen.map(({ final }) => final)).toEqual([expected])
    if (!expected) expect(heightOf(attempt)).toBe(before)
    await anvil.mine(1)
  }
  expect(heightOf(attempt)).toBeGreaterThan(before)
})

test('a balance that one endpoint reports too low creates no payment that others confirm later', async () => {
  const { anvil, coin } = scene
  const address = await evm.freshAccount(scene)
  await anvil.run({ to: address, value: 10n ** 18n })
  let isLying = false
  const liar = answering(({ method }) => (isLying && method === 'eth_getBalance' ? { result: '0x0' } : null))
  const { network } = twoEndpoints(honest, ['a.example', 'b.example'], liar)
  const attempt = { ...(await openAccount(network, coin, address)), requiredEndpoints: 2 }
  await anvil.mine(1)
  isLying = true
  for (let round = 0; round < 3; round++) {
    expect(await scanPayments(network, attempt)).toEqual([])
    await anvil.mine(CONFIRMATIONS)
  }
  isLying = false
  await scanPayments(network, attempt)
  await anvil.mine(CONFIRMATIONS)
  expect(await scanPayments(network, attempt)).toEqual([])
})

test('a balance that one endpoint reports too high before it is final is not final later', async () => {
  const { anvil, coin } = scene
  let isLying = true
  const liar = answering(({ method }, reply) =>
    isLying && method === 'eth_getBalance'
      ? { result: `0x${(10n * BigInt(reply.result as string)).toString(16)}` }
      : null,
  )
  const { network } = twoEndpoints(honest, ['a.example', 'b.example'], liar)
  const attempt = { ...(await openAttempt(network, coin)), requiredEndpoints: 2 }
  await anvil.run({ to: attempt.address, value: 5n })
  const finalOf = async () => (await scanPayments(network, attempt)).filter(({ final }) => final)
  expect(await finalOf()).toEqual([])
  isLying = false
  await anvil.mine(CONFIRMATIONS)
  const amounts = (await finalOf()).map(({ amountAtomic }) => amountAtomic)
  expect(amounts).toEqual([5n])
})

test('an account is not allocated if two endpoints report different states, but it is if one is unreachable', async () => {
  const { anvil, coin } = scene
  const address = await evm.freshAccount(scene)
  await anvil.run({ to: address, value: 10n ** 18n })
  await anvil.run({ from: address, to: anvil.from, value: 1n, gas: 21_000 })
  for (const [method, lie] of [
    ['eth_getBalance', '0x0'],
    ['eth_getTransactionCount', '0x0'],
  ]) {
    const liar = answering(call => (call.method === method ? { result: lie } : null))
    const { network } = twoEndpoints(honest, undefined, liar)
    await expect(openAccount(network, coin, address)).rejects.toThrow(/report different balances/)
    await openAttempt(network, coin)
  }
  const down: evm.Tap = () => Promise.reject(new TypeError('refused'))
  for (const second of [honest, down]) await openAccount(twoEndpoints(second).network, coin, address)
})
