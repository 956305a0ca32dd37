import { expect, test } from 'bun:test'
import { BalanceReader } from '../../src/networks/evm/balances.ts'
import { latestHeader } from '../../src/networks/evm-like/rpc-calls.ts'
import { ask } from '../../src/networks/rpc/batch.ts'
import { HttpEndpoint } from '../../src/networks/rpc/http.ts'
import { JsonRpc } from '../../src/networks/rpc/json-rpc.ts'
import { Reorganised } from '../../src/networks/rpc/reorg.ts'
import { word } from '../support/anvil.ts'
import type { Call } from '../support/calls.ts'
import { openAttempt, openScene, scanWatches, useScene } from './evm-scene.ts'

const scene = useScene()

/** A call of the program that reads balances has no receiver. There is one for each asset of the chain. */
const isProgram = ({ method, params }: Call): boolean =>
  method === 'eth_call' && (params[0] as { to?: string }).to === undefined
const PROGRAMS = 3

/** Counts the calls of each method, and changes some responses. */
function answering(own: (call: Call) => object | null) {
  const calls: Record<string, number> = {}
  scene.answer(call => {
    const name = isProgram(call) ? 'program' : call.method
    calls[name] = (calls[name] ?? 0) + 1
    return own(call)
  })
  return calls
}

async function payingMany() {
  const { anvil, network, coin } = scene
  const attempts = await Promise.all(Array.from({ length: 30 }, () => openAttempt(network, coin)))
  await anvil.sendNative(attempts[3]!.address, 5n)
  await anvil.mine(1)
  return attempts
}

const paidOf = (watched: Awaited<ReturnType<typeof scanWatches>>) =>
  watched.flatMap(({ detectedPayments }, index) =>
    detectedPayments.map(({ amountAtomic }) => [index, amountAtomic]),
  )

const noContract = () => ({ error: { code: -32602, message: 'missing "to"' } })
const results = (result: string) => () => ({ result })

test.each([
  ['refuses it', noContract],
  ['answers nothing', results('0x')],
  ['answers something else', results(`0x${word(5n)}`)],
  ['answers rubbish of the right length', results(`0x${'00'.repeat(32 * 31)}`)],
])(
  'a node that %s when it is asked for many balances at once is asked for each of them from then on',
  async (_, answer) => {
    const previous = { ...scene }
    Object.assign(scene, await openScene())
    const attempts = await payingMany()
    const calls = answering(call => (isProgram(call) ? answer() : null))
    for (const round of [1, 2]) {
      expect([round, paidOf(await scanWatches(scene.network, ...attempts))]).toEqual([round, [[3, 5n]]])
    }
    expect(calls.program).toBe(PROGRAMS)
    expect(calls.eth_getBalance).toBeGreaterThanOrEqual(2 * attempts.length)
    await scene.anvil.stop()
    Object.assign(scene, previous)
  },
)

test('a node that runs the program gets few balance queries', async () => {
  const attempts = await payingMany()
  const calls = answering(() => null)
  expect(paidOf(await scanWatches(scene.network, ...attempts))).toEqual([[3, 5n]])
  expect(calls.program).toBe(PROGRAMS)
  expect(calls.eth_getBalance).toBeLessThan(attempts.length)
})

test('the program returns the same balances as single queries', async () => {
  const { anvil } = scene
  const node = new JsonRpc(new HttpEndpoint(anvil.url, { fetch, clock: Date.now }))
  const addresses = Array.from({ length: 900 }, (_, index) => `0x${word(BigInt(index + 1) << 90n).slice(24)}`)
  const reported = [2n ** 200n, 1n, 0n, 10n ** 18n]
  const truth = addresses.map((_, index) => reported[index % 4]!)
  for (const [index, address] of addresses.slice(0, 8).entries()) {
    await anvil.rpc('anvil_setBalance', [address, `0x${truth[index]!.toString(16)}`])
  }
  await anvil.mine(1)
  const [head] = await ask(node, [latestHeader])
  await anvil.run({ to: addresses[2]!, value: 9n })
  const expected = new Map(addresses.map((address, index) => [address, index < 8 ? truth[index]! : 0n]))
  const reader = new BalanceReader()
  const twice = [...addresses, addresses[0]!]
  expect(await reader.read(node, [{ contract: null, addresses: twice }], head)).toEqual([expected])
  const few = addresses.slice(0, 3)
  const fewExpected = new Map([...expected].slice(0, 3))
  expect(await reader.read(node, [{ contract: null, addresses: few }], head)).toEqual([fewExpected])
  const replaced = { ...head, hash: `0x${'ab'.repeat(32)}` }
  await expect(reader.read(node, [{ contract: null, addresses }], replaced)).rejects.toThrow(Reorganised)
})

test('the program for a token returns the token’s balances, and nothing where the token fails', async () => {
  const { anvil, usd } = scene
  const node = new JsonRpc(new HttpEndpoint(anvil.url, { fetch, clock: Date.now }))
  const addresses = Array.from({ length: 900 }, (_, index) => `0x${word(BigInt(index + 1) << 80n).slice(24)}`)
  await anvil.sendToken(usd.contract!, addresses[1]!, 7n)
  await anvil.sendToken(usd.contract!, addresses[899]!, 10n ** 9n)
  await anvil.mine(1)
  const [head] = await ask(node, [latestHeader])
  const groups = [
    { contract: usd.contract, addresses },
    { contract: `0x${'ee'.repeat(20)}`, addresses: addresses.slice(0, 2) },
  ]
  const held = new Map(addresses.map((address, index) => [address, index === 1 ? 7n : 0n]))
  held.set(addresses[899]!, 10n ** 9n)
  const none = new Map(addresses.slice(0, 2).map(address => [address, null]))
  expect(await new BalanceReader().read(node, groups, head)).toEqual([held, none])
  const few = groups.map(({ contract, addresses: own }) => ({ contract, addresses: own.slice(0, 2) }))
  expect(await new BalanceReader().read(node, few, head)).toEqual([new Map([...held].slice(0, 2)), none])
})
