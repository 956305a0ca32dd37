import { expect, test } from 'bun:test'
import { DEPLOYER, forwarderAddress, saltOf } from '../../src/networks/evm/forwarder/forwarder.ts'
import { recipeOf } from '../../src/networks/evm/forwarder/recovery.ts'
import { NetworkError, type OwnAddress } from '../../src/networks/port.ts'
import { PAYOUT, useScene } from './evm-scene.ts'

const scene = useScene()

const own = (attemptId: string): OwnAddress => {
  const salt = saltOf(attemptId)
  const source = { kind: 'create2', salt, payout: PAYOUT }
  return { attemptId, address: forwarderAddress(PAYOUT, salt), source }
}
const hundred = Array.from({ length: 100 }, (_, index) => own(`one of a hundred: ${index}`))

const sweep = (addresses: OwnAddress[]) =>
  scene.network.sweep!({ addresses, chainId: 31337, assetId: null, isWorth: () => true })

/** Changes the node's responses to one method. */
const answer = (method: string, change: (params: unknown[]) => object | null) =>
  scene.answer(call => (call.method === method ? change(call.params) : null))

const paid = async (attemptId: string) => {
  const held = own(attemptId)
  await scene.anvil.sendToken(scene.usd.contract!, held.address, 5n)
  await scene.anvil.mine(1)
  return held
}

test('an address that does not match its source is a bug, and is not swept', () => {
  const wrong = { ...own('wrong'), address: PAYOUT }
  expect(() => recipeOf(wrong)).toThrow(/a forwarder's address follows from its source/)
  expect(recipeOf({ ...wrong, source: { kind: 'sandbox' } })).toBeNull()
  for (const source of [null, 'create2']) {
    expect(() => recipeOf({ ...wrong, source })).toThrow(/the source of an address has a known form/)
  }
  const damaged = { kind: 'create2', salt: saltOf('wrong') }
  expect(() => recipeOf({ ...wrong, source: damaged })).toThrow(/the source of an address has a known form/)
})

test('a node that reports no balance is an error, not an empty address', async () => {
  const held = await paid('refused')
  const error = { error: { code: -32000, message: 'busy' } }
  for (const method of ['eth_call', 'eth_getBalance']) {
    answer(method, () => error)
    await expect(sweep([held])).rejects.toThrow(NetworkError)
  }
  answer('eth_call', () => ({ result: '0x' }))
  await expect(sweep([held])).rejects.toThrow(/has no token at/)
})

test('no call is written if the deployer is missing', async () => {
  const held = await paid('no deployer')
  const code = await scene.anvil.rpc('eth_getCode', [DEPLOYER, 'latest'])
  await scene.anvil.rpc('anvil_setCode', [DEPLOYER, '0x'])
  await expect(sweep([held])).rejects.toThrow(/deployment proxy .* is not on chain 31337/)
  await scene.anvil.rpc('anvil_setCode', [DEPLOYER, code])
})

test.each([
  ['refuses to', { error: { code: -32602, message: 'no' } }],
  ['does not', { result: '0x5208' }],
])('with a node that %s override the state, no gas is estimated too low', async (_, reply) => {
  const held = await paid('supposed')
  answer('eth_estimateGas', params => (params.length < 3 ? null : reply))
  const { calls } = await sweep([held])
  expect(calls).toMatchObject([{ action: 'deploy' }, { action: 'flush', gas: 90_000 }])
})

test("if the node can't estimate gas, the usual amounts are used", async () => {
  const held = await paid('unestimated')
  answer('eth_estimateGas', () => ({ error: { code: -32601, message: 'unknown' } }))
  expect((await sweep([held])).calls).toMatchObject([{ gas: 95_000 }, { gas: 90_000 }])
})

test('a hundred addresses in three assets cost four requests, and four more when all of them hold something', async () => {
  await sweep([own('first')])
  scene.traffic.requests = 0
  expect(await sweep(hundred)).toEqual({ holdings: [], calls: [] })
  expect(scene.traffic.requests).toBe(4)
  for (const { address } of hundred) await scene.anvil.sendToken(scene.usd.contract!, address, 5n)
  await scene.anvil.mine(1)
  scene.traffic.requests = 0
  const { holdings, calls } = await sweep(hundred)
  expect([holdings.length, calls.length]).toEqual([100, 200])
  expect(scene.traffic.requests).toBe(8)
})
