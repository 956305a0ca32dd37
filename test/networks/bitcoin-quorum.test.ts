import { expect, test } from 'bun:test'
import type { WatchResult } from '../../src/networks/port.ts'
import { CONFIRMATIONS, openAttempt, scanAttempts, summarize, useScene } from './bitcoin-scene.ts'

const scene = useScene()

/** Makes Esplora report an invented payment, in a block that exists. */
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

test('a payment that only one of two endpoints reports is not final, but stays detected', async () => {
  const { node, networkOf } = scene
  const network = networkOf('esplora', 'core')
  const attempt = { ...(await openAttempt(network)), requiredEndpoints: 2 }
  await node.mine(CONFIRMATIONS)
  await inventing(attempt.script)
  for (const scan of [1, 2]) {
    const [result] = await scanAttempts(network, attempt)
    expect([scan, summarize(result!)]).toEqual([scan, [[90_000n, CONFIRMATIONS, false]]])
  }
  const [alone] = await scanAttempts(network, { ...attempt, requiredEndpoints: 1 })
  expect(summarize(alone!)).toEqual([[90_000n, CONFIRMATIONS, true]])
})

test('a payment is not final while the second endpoint is down, missing or the same as the first', async () => {
  const { node, networkOf, traffic, endpoints } = scene
  for (const network of [networkOf('core', 'blockbook'), networkOf('core'), networkOf('core', 'core')]) {
    const attempt = { ...(await openAttempt(network)), requiredEndpoints: 2 }
    await node.pay({ script: attempt.script, amount: 91_000n })
    await node.mine(CONFIRMATIONS)
    traffic.tap = (url, _body, pass) =>
      url.startsWith(endpoints.blockbook.url) ? Promise.reject(new TypeError('refused')) : pass()
    const [result] = await scanAttempts(network, attempt)
    expect(summarize(result!)).toEqual([[91_000n, CONFIRMATIONS, false]])
  }
})

test('a payment that two endpoints report in two protocols is final with the evidence of both', async () => {
  const { node, networkOf } = scene
  const network = networkOf('core', 'blockbook')
  const attempt = { ...(await openAttempt(network)), requiredEndpoints: 2 }
  await node.pay({ script: attempt.script, amount: 92_000n })
  await node.mine(CONFIRMATIONS)
  const [result] = await scanAttempts(network, attempt)
  expect(summarize(result!)).toEqual([[92_000n, CONFIRMATIONS, true]])
  expect(result!.detectedPayments[0]!.evidence).toMatchObject({
    first: { protocol: 'core', scriptPubKey: attempt.script, value: '92000' },
    second: { protocol: 'blockbook', scriptPubKey: attempt.script, value: '92000' },
  })
})

test('a payment is not final as long as one of two endpoints says that its block is an hour older', async () => {
  const { node, networkOf, traffic } = scene
  const network = networkOf('esplora', 'core')
  const attempt = { ...(await openAttempt(network)), requiredEndpoints: 2 }
  await node.pay({ script: attempt.script, amount: 93_000n })
  await node.mine(CONFIRMATIONS)
  traffic.tap = async (url, _body, pass) => {
    if (!/[/]address[/].*[/]txs$/.test(url)) return pass()
    const listed = await (await pass()).text()
    return new Response(
      listed.replace(/"block_time":([0-9]+)/g, (_, at) => `"block_time":${Number(at) - 3600}`),
    )
  }
  const finalIn = async () =>
    summarize((await scanAttempts(network, attempt))[0]!).map(([, , final]) => final)
  expect(await finalIn()).toEqual([false])
  scene.beHonest()
  expect(await finalIn()).toEqual([true])
})

test('a payment that two endpoints reported holds nothing up once it is too old for one of them to read', async () => {
  const { node, networkOf } = scene
  const network = networkOf('esplora', 'core')
  const attempt = { ...(await openAttempt(network)), requiredEndpoints: 2 }
  await node.pay({ script: attempt.script, amount: 94_000n })
  await node.mine(CONFIRMATIONS)
  // Every third scan uses the node, and the next one the index again.
  for (const [scan, blocks] of [70, 70, 70, 170, 0].entries()) {
    const [{ detectedPayments, unproven }] = (await scanAttempts(network, attempt)) as [WatchResult]
    expect([scan, detectedPayments.every(({ final }) => final), unproven]).toEqual([scan, true, undefined])
    await node.mine(blocks)
  }
  await node.pay({ script: attempt.script, amount: 95_000n })
  await node.mine(CONFIRMATIONS)
  expect(summarize((await scanAttempts(network, attempt))[0]!)).toContainEqual([95_000n, CONFIRMATIONS, true])
})
