import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Asset } from '../../src/domain/asset.ts'
import type { Fetch } from '../../src/networks/port.ts'
import { tronNetwork } from '../../src/networks/tron/network.ts'
import { toHex } from '../support/tron-chain.ts'
import { openAttempt, openScene, type Scene, SOLID_LAG, scanWatches } from './tron-scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.stop())

type Answer = (url: URL, body: string, pass: () => Promise<Response>) => Promise<Response>

const HONEST: Answer = (_url, _body, pass) => pass()
const DOWN: Answer = () => Promise.reject(new TypeError('refused'))
const ELSEWHERE: Answer = (_url, body, pass) =>
  body.includes('eth_chainId')
    ? Promise.resolve(Response.json({ jsonrpc: '2.0', id: 1, result: '0x1' }))
    : pass()

/** Two endpoints of the real front, each with its own responses. */
function twoEndpoints(first: Answer, second: Answer, hosts = ['127.0.0.1', '127.0.0.2']) {
  const { coin, tether, front } = scene
  const two: Fetch = (url, init) => {
    const at = new URL(url)
    const pass = () => fetch(`${front.url}${at.pathname}${at.search}`, init)
    return (at.hostname === '127.0.0.1' ? first : second)(at, String(init?.body ?? ''), pass)
  }
  return tronNetwork({
    chain: 'trc20',
    assets: [coin, tether],
    endpoints: hosts.map(host => ({ protocol: 'trongrid', url: `http://${host}:1` })),
    fetch: two,
    clock: Date.now,
  })
}

async function paid(network: ReturnType<typeof twoEndpoints>, asset: Asset, requiredEndpoints: number) {
  const attempt = { ...(await openAttempt(network, asset)), requiredEndpoints }
  if (asset.contract) await scene.pay.token(asset, attempt.address, 5n)
  else await scene.pay.coin(attempt.address, 5n)
  await scene.anvil.mine(SOLID_LAG + 1)
  return attempt
}

const finality = async (
  network: ReturnType<typeof twoEndpoints>,
  attempt: Awaited<ReturnType<typeof paid>>,
) => {
  const [watched] = await scanWatches(network, attempt)
  return watched!.detectedPayments.map(({ amountAtomic, final }) => [amountAtomic, final])
}

/** Reports a transfer of a million that no other node knows, and a receipt of it. */
const inventing =
  (address: () => string): Answer =>
  async (_url, body, pass) => {
    const answer = await pass()
    if (!/eth_getLogs|eth_getTransactionReceipt/.test(body)) return answer
    const log = await invented(address())
    const receipt = { blockHash: log.blockHash, status: '0x1', logs: [log] }
    const calls = [JSON.parse(body)].flat() as { id: number; method: string }[]
    const replies = [await answer.json()].flat() as { id: number; result: unknown }[]
    for (const reply of replies) {
      const method = calls.find(({ id }) => id === reply.id)?.method
      if (method === 'eth_getLogs') reply.result = [log]
      if (method === 'eth_getTransactionReceipt') reply.result = receipt
    }
    return Response.json(replies)
  }

async function invented(address: string) {
  const { anvil, tether } = scene
  const height = (await anvil.head()) - SOLID_LAG
  const blockNumber = `0x${height.toString(16)}`
  const { hash } = await anvil.rpc<{ hash: string }>('eth_getBlockByNumber', [blockNumber, false])
  return {
    address: toHex(tether.contract!),
    topics: [
      '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
      `0x${'1'.repeat(64)}`,
      `0x${toHex(address).slice(2).padStart(64, '0')}`,
    ],
    data: `0x${1_000_000n.toString(16).padStart(64, '0')}`,
    blockNumber,
    blockHash: hash,
    transactionHash: `0x${'ab'.repeat(32)}`,
    logIndex: '0x0',
  }
}

describe('a payment that two endpoints must report', () => {
  test('is not final if one of them invented it', async () => {
    let address = ''
    const network = twoEndpoints(
      inventing(() => address),
      HONEST,
    )
    const attempt = { ...(await openAttempt(network, scene.tether)), requiredEndpoints: 2 }
    address = attempt.address
    await scene.anvil.mine(SOLID_LAG + 2)
    for (const round of [1, 2]) {
      expect([round, await finality(network, attempt)]).toEqual([round, [[1_000_000n, false]]])
    }
  })

  test('is not final if the other is missing, the same, down or of another chain', async () => {
    for (const network of [
      twoEndpoints(HONEST, DOWN),
      twoEndpoints(HONEST, ELSEWHERE),
      twoEndpoints(HONEST, HONEST, ['127.0.0.1']),
      twoEndpoints(HONEST, HONEST, ['127.0.0.1', '127.0.0.1']),
    ]) {
      for (const asset of [scene.coin, scene.tether]) {
        expect(await finality(network, await paid(network, asset, 2))).toEqual([[5n, false]])
      }
    }
  })

  test('is final when both report it; with one required endpoint, one is enough', async () => {
    const both = twoEndpoints(HONEST, HONEST)
    const one = twoEndpoints(HONEST, DOWN)
    for (const asset of [scene.coin, scene.tether]) {
      expect(await finality(both, await paid(both, asset, 2))).toEqual([[5n, true]])
      expect(await finality(one, await paid(one, asset, 1))).toEqual([[5n, true]])
    }
  })
})
