import { afterAll, beforeAll, expect, test } from 'bun:test'
import { heightOf, openAttempt, openScene, type Scene, scanPayments } from './evm-scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene({ finality: true, slotsInAnEpoch: 4 })
  await scene.anvil.mine(20)
})
afterAll(() => scene.anvil.stop())

const finalized = async (): Promise<number> =>
  Number((await scene.anvil.rpc<{ number: string }>('eth_getBlockByNumber', ['finalized', false])).number)

const withoutFinality = async (body: string, pass: () => Promise<Response>): Promise<Response> => {
  const replies = (await (await pass()).json()) as { id: number }[]
  if (!Array.isArray(replies)) return Response.json(replies)
  const calls = JSON.parse(body) as { id: number; params: unknown[] }[]
  const error = { code: -39001, message: 'finalized block not found' }
  return Response.json(
    replies.map(reply =>
      calls.find(({ id }) => id === reply.id)?.params[0] === 'finalized' ? { id: reply.id, error } : reply,
    ),
  )
}

test('a payment is final when the chain reports it as finalized, not by its confirmations', async () => {
  const { anvil, network, usd } = scene
  const attempt = await openAttempt(network, usd)
  const hash = await anvil.sendToken(usd.contract!, attempt.address, 5n)
  await anvil.mine(1)
  const { blockNumber } = await anvil.receipt(hash)
  let scans = 0
  while ((await finalized()) < blockNumber) {
    const [seen] = await scanPayments(network, attempt)
    expect([seen?.final, seen?.confirmations]).toEqual([false, scans + 1])
    expect(heightOf(attempt)).toBeLessThan(blockNumber)
    scans += 1
    await anvil.mine(1)
  }
  expect(scans).toBeGreaterThan(5)
  const [seen] = await scanPayments(network, attempt)
  expect(seen?.final).toBe(true)
  expect(heightOf(attempt)).toBe(blockNumber)
})

test('a finalized block that contradicts the chain makes nothing final', async () => {
  const { anvil, network, usd, traffic } = scene
  const attempt = await openAttempt(network, usd)
  await anvil.sendToken(usd.contract!, attempt.address, 5n)
  await anvil.mine(20)
  traffic.tap = async (body, pass) => {
    const replies = (await (await pass()).json()) as { id: number; result: { hash: string } }[]
    const calls = JSON.parse(body) as { id: number; params: unknown[] }[]
    if (!Array.isArray(calls)) return Response.json(replies)
    const asked = calls.find(({ params }) => params[0] === 'finalized')
    for (const { id, result } of replies) if (id === asked?.id) result.hash = `0x${'ab'.repeat(32)}`
    return Response.json(replies)
  }
  await expect(network.scan([attempt])).rejects.toThrow(/reorganised/)
  traffic.tap = (_, pass) => pass()
  expect((await scanPayments(network, attempt)).map(({ final }) => final)).toEqual([true])
})

test("if the node doesn't report finality, a payment settles by its confirmations", async () => {
  const { anvil, network, usd, traffic } = scene
  traffic.tap = withoutFinality
  const attempt = await openAttempt(network, usd)
  await anvil.sendToken(usd.contract!, attempt.address, 5n)
  const finals: unknown[] = []
  for (let block = 0; block < 3; block++) {
    await anvil.mine(1)
    finals.push((await scanPayments(network, attempt))[0]?.final)
  }
  expect(finals).toEqual([false, false, true])
  traffic.tap = (_, pass) => pass()
})

test('a cursor never moves back to an older finalized block', async () => {
  const { anvil, network, usd, traffic } = scene
  traffic.tap = withoutFinality
  const attempt = await openAttempt(network, usd)
  await anvil.mine(1)
  await scanPayments(network, attempt)
  const far = heightOf(attempt)
  traffic.tap = (_, pass) => pass()
  expect(await finalized()).toBeLessThan(far)
  await scanPayments(network, attempt)
  expect(heightOf(attempt)).toBe(far)
})
