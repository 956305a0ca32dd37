import { afterAll, beforeAll, expect, test } from 'bun:test'
import { evmNetwork } from '../../src/networks/evm/network.ts'
import type { Fetch } from '../../src/networks/port.ts'
import { CONFIRMATIONS, lookAt, openAttempt, openScene, type Scene } from './evm-scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.anvil.stop())

type Answer = (body: string, pass: () => Promise<Response>) => Promise<Response>

/** Two names for the real node, the second of which answers in its own way. */
function twoEndpoints(second: Answer, names = ['a.example', 'b.example']) {
  const { anvil, coin, usd } = scene
  const asked = new Map<string, number>()
  const two: Fetch = (url, init) => {
    const { host } = new URL(url)
    asked.set(host, (asked.get(host) ?? 0) + 1)
    const pass = () => fetch(anvil.url, init)
    return host === 'b.example' ? second(String(init?.body), pass) : pass()
  }
  const endpoints = names.map(name => `https://${name}/`)
  const network = evmNetwork({
    chain: 'testnet',
    assets: [coin, usd],
    endpoints,
    fetch: two,
    clock: Date.now,
  })
  return { network, asked }
}

async function paid(network: ReturnType<typeof twoEndpoints>['network'], opinions: number) {
  const { anvil, usd } = scene
  const attempt = { ...(await openAttempt(network, usd)), opinions }
  await anvil.sendToken(usd.contract!, attempt.address, 5n)
  await anvil.mine(CONFIRMATIONS)
  return attempt
}

test('a payment that a second endpoint does not tell of is not final, and stays in sight', async () => {
  const blind: Answer = async (body, pass) => {
    const answer = await pass()
    if (!body.includes('eth_getLogs')) return answer
    const replies = (await answer.json()) as { result: unknown }[] | { result: unknown }
    for (const reply of [replies].flat()) if (Array.isArray(reply.result)) reply.result = []
    return Response.json(replies)
  }
  const { network } = twoEndpoints(blind)
  const attempt = await paid(network, 2)
  for (const look of [1, 2]) {
    const [watched] = await lookAt(network, attempt)
    expect([look, watched!.sightings.map(({ final, amount }) => [final, amount])]).toEqual([
      look,
      [[false, 5n]],
    ])
  }
})

test('a second endpoint that is down, or of another chain, or not there at all, makes nothing final', async () => {
  const down: Answer = () => Promise.reject(new TypeError('refused'))
  const elsewhere: Answer = async (body, pass) =>
    body.includes('eth_chainId') ? Response.json({ jsonrpc: '2.0', id: 1, result: '0x5' }) : pass()
  for (const { network } of [
    twoEndpoints(down),
    twoEndpoints(elsewhere),
    twoEndpoints(down, ['a.example']),
  ]) {
    const [watched] = await lookAt(network, await paid(network, 2))
    expect(watched!.sightings.map(({ final }) => final)).toEqual([false])
  }
})

test('a payment that two endpoints tell of is final, with the evidence of both', async () => {
  const { network, asked } = twoEndpoints((_, pass) => pass())
  const attempt = await paid(network, 2)
  const [watched] = await lookAt(network, attempt)
  expect(watched!.sightings.map(({ final }) => final)).toEqual([true])
  const { first, second } = watched!.sightings[0]!.evidence as { first: object; second: object }
  expect(first).toEqual(second)
  expect(asked.get('b.example')).toBeGreaterThan(1)
  const [again] = await lookAt(network, attempt)
  expect(again!.sightings).toEqual([])
})

test('a payment that needs one opinion is asked of one endpoint', async () => {
  const { network, asked } = twoEndpoints((_, pass) => pass())
  const [watched] = await lookAt(network, await paid(network, 1))
  expect(watched!.sightings.map(({ final }) => final)).toEqual([true])
  expect(asked.get('b.example')).toBeUndefined()
})
