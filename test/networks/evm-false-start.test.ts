import { afterAll, beforeAll, expect, test } from 'bun:test'
import { CONFIRMATIONS, openAttempt, openScene, type Scene, scanPayments } from './evm-scene.ts'

let scene: Scene
let now = Date.now()
beforeAll(async () => {
  scene = await openScene({ options: { clock: () => now } })
  await scene.anvil.mine(20)
})
afterAll(() => scene.anvil.stop())

interface Call {
  id: number
  method: string
  params: unknown[]
}

/** A node that invents blocks: each knows itself, as those of a real chain do. */
function invent(head: number, from: number) {
  const header = (height: number) => ({
    number: `0x${height.toString(16)}`,
    hash: `0x${height.toString(16).padStart(64, 'a')}`,
    timestamp: `0x${Math.floor(now / 1000).toString(16)}`,
  })
  scene.traffic.tap = async (body, pass) => {
    const sent = JSON.parse(body) as Call | Call[]
    const real = [(await (await pass()).json()) as { id: number }].flat()
    const replies = [sent].flat().map(({ id, method, params: [block] }) => {
      const height = block === 'latest' ? head : block === 'finalized' ? from : Number(block)
      const isInvented = method === 'eth_getBlockByNumber' && height >= from
      return isInvented ? { jsonrpc: '2.0', id, result: header(height) } : real.find(one => one.id === id)
    })
    return Response.json(Array.isArray(sent) ? replies : replies[0])
  }
}

test.each([
  ['coin', 1_000_000],
  ['usd', 1_000_000],
  ['usd', 15],
] as const)('a payment in %s is found although the watch began %i blocks too high', async (kind, above) => {
  const { anvil, network } = scene
  const asset = scene[kind]
  const head = (await anvil.head()) + above + CONFIRMATIONS
  invent(head, head - CONFIRMATIONS)
  const attempt = await openAttempt(network, asset)
  scene.traffic.tap = (_, pass) => pass()
  if (kind === 'coin') await anvil.sendNative(attempt.address, 5n)
  else await anvil.sendToken(asset.contract!, attempt.address, 5n)
  await anvil.mine(1)
  // A height that one node reported is forgotten after a quarter of an hour.
  now += 1_000_000
  expect((await scanPayments(network, attempt)).map(({ amountAtomic }) => amountAtomic)).toEqual([5n])
  await anvil.mine(CONFIRMATIONS)
  expect(await scanPayments(network, attempt)).toMatchObject([{ amountAtomic: 5n, final: true }])
})
