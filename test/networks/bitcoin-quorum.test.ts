import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { CONFIRMATIONS, lookAt, openAttempt, openScene, type Scene, told } from './bitcoin-scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterEach(() => {
  scene.traffic.tap = (_url, _body, pass) => pass()
})
afterAll(() => scene.stop())

/** Esplora tells of a payment that nobody made, in a block that there is. */
async function inventing(script: string) {
  const { node, traffic } = scene
  const height = (await node.head()) - CONFIRMATIONS + 1
  const made = {
    txid: 'ab'.repeat(32),
    vin: [{ txid: 'cd'.repeat(32), vout: 0, is_coinbase: false }],
    vout: [{ scriptpubkey: script, value: 90_000 }],
    status: { confirmed: true, block_height: height, block_hash: await node.hashAt(height), block_time: 1 },
  }
  traffic.tap = async (url, _body, pass) =>
    /[/]address[/].*[/]txs$/.test(url) ? Response.json([made]) : pass()
}

test('a payment that one of two endpoints made up is not final, and stays in sight', async () => {
  const { node, watcher } = scene
  const network = watcher('esplora', 'core')
  const attempt = { ...(await openAttempt(network)), requiredEndpoints: 2 }
  await node.mine(CONFIRMATIONS)
  await inventing(attempt.script)
  for (const look of [1, 2]) {
    const [watched] = await lookAt(network, attempt)
    expect([look, told(watched!)]).toEqual([look, [[90_000n, CONFIRMATIONS, false]]])
  }
  const [alone] = await lookAt(network, { ...attempt, requiredEndpoints: 1 })
  expect(told(alone!)).toEqual([[90_000n, CONFIRMATIONS, true]])
})

test('a second endpoint that is down, or not there at all, makes nothing final', async () => {
  const { node, watcher, traffic, endpoints } = scene
  for (const network of [watcher('core', 'blockbook'), watcher('core')]) {
    const attempt = { ...(await openAttempt(network)), requiredEndpoints: 2 }
    await node.pay({ script: attempt.script, amount: 91_000n })
    await node.mine(CONFIRMATIONS)
    traffic.tap = (url, _body, pass) =>
      url.startsWith(endpoints.blockbook.url) ? Promise.reject(new TypeError('refused')) : pass()
    const [watched] = await lookAt(network, attempt)
    expect(told(watched!)).toEqual([[91_000n, CONFIRMATIONS, false]])
  }
})

test('a payment that two endpoints tell of, in two protocols, is final with the evidence of both', async () => {
  const { node, watcher } = scene
  const network = watcher('core', 'blockbook')
  const attempt = { ...(await openAttempt(network)), requiredEndpoints: 2 }
  await node.pay({ script: attempt.script, amount: 92_000n })
  await node.mine(CONFIRMATIONS)
  const [watched] = await lookAt(network, attempt)
  expect(told(watched!)).toEqual([[92_000n, CONFIRMATIONS, true]])
  expect(watched!.detectedPayments[0]!.evidence).toMatchObject({
    first: { protocol: 'core', scriptPubKey: attempt.script, value: '92000' },
    second: { protocol: 'blockbook', scriptPubKey: attempt.script, value: '92000' },
  })
})
