import { expect, test } from 'bun:test'
import { answering, heightOf, openAttempt, scanPayments, useScene } from './evm-scene.ts'

const scene = useScene({ finality: true, slotsInAnEpoch: 4 }, 20)

const finalized = async (): Promise<number> =>
  Number((await scene.anvil.rpc<{ number: string }>('eth_getBlockByNumber', ['finalized', false])).number)

const withoutFinality = answering(({ params }) =>
  params[0] === 'finalized' ? { error: { code: -39001, message: 'finalized block not found' } } : null,
)

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
  const { anvil, network, usd } = scene
  const attempt = await openAttempt(network, usd)
  await anvil.sendToken(usd.contract!, attempt.address, 5n)
  await anvil.mine(20)
  scene.answer(({ params }, { result }) =>
    params[0] === 'finalized' ? { result: { ...(result as object), hash: `0x${'ab'.repeat(32)}` } } : null,
  )
  await expect(network.scan([attempt])).rejects.toThrow(/reorganised/)
  scene.beHonest()
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
})

test('a cursor never moves back to an older finalized block', async () => {
  const { anvil, network, usd, traffic } = scene
  traffic.tap = withoutFinality
  const attempt = await openAttempt(network, usd)
  await anvil.mine(1)
  await scanPayments(network, attempt)
  const far = heightOf(attempt)
  scene.beHonest()
  expect(await finalized()).toBeLessThan(far)
  await scanPayments(network, attempt)
  expect(heightOf(attempt)).toBe(far)
})
