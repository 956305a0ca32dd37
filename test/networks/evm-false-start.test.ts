import { expect, test } from 'bun:test'
import { CONFIRMATIONS, openAttempt, scanAmounts, scanPayments, useScene } from './evm-scene.ts'

let now = Date.now()
const scene = useScene({ options: { clock: () => now } }, 20)

/** A node that invents blocks. Their hashes are consistent, like those of a real chain. */
function invent(head: number, from: number) {
  const header = (height: number) => ({
    number: `0x${height.toString(16)}`,
    hash: `0x${height.toString(16).padStart(64, 'a')}`,
    timestamp: `0x${Math.floor(now / 1000).toString(16)}`,
  })
  scene.answer(({ method, params: [block] }) => {
    const height = block === 'latest' ? head : block === 'finalized' ? from : Number(block)
    return method === 'eth_getBlockByNumber' && height >= from ? { result: header(height) } : null
  })
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
  scene.beHonest()
  if (kind === 'coin') await anvil.sendNative(attempt.address, 5n)
  else await anvil.sendToken(asset.contract!, attempt.address, 5n)
  await anvil.mine(1)
  // A height that one node reported is forgotten after a quarter of an hour.
  now += 1_000_000
  expect(await scanAmounts(network, attempt)).toEqual([5n])
  await anvil.mine(CONFIRMATIONS)
  expect(await scanPayments(network, attempt)).toMatchObject([{ amountAtomic: 5n, final: true }])
})
