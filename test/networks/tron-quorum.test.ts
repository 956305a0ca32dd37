import { describe, expect, test } from 'bun:test'
import type { Asset } from '../../src/domain/asset.ts'
import type { Network } from '../../src/networks/port.ts'
import { word } from '../support/anvil.ts'
import { toHex } from '../support/tron-chain.ts'
import { answering, honest, openAttempt, SOLID_LAG, scanSummary, type Tap, useScene } from './tron-scene.ts'

const scene = useScene()

const DOWN: Tap = () => Promise.reject(new TypeError('refused'))
const ELSEWHERE = answering(({ method }) => (method === 'eth_chainId' ? { result: '0x1' } : null))

/** Two endpoints of the real front, each with its own responses. */
const twoEndpoints = (first: Tap, second: Tap, hosts = ['127.0.0.1', '127.0.0.2']) =>
  scene.watching({
    endpoints: hosts.map(host => ({ protocol: 'trongrid', url: `http://${host}:1` })),
    fetch: (url, init) => scene.behind(new URL(url).hostname === '127.0.0.1' ? first : second)(url, init),
  })

const paid = async (network: Network, asset: Asset, requiredEndpoints: number) => ({
  ...(await scene.openPaid(network, asset, 5n)).attempt,
  requiredEndpoints,
})

/** Reports a transfer of a million that no other node knows, with a receipt. */
const inventing = (log: Awaited<ReturnType<typeof invented>>): Tap =>
  answering(({ method }) => {
    if (method === 'eth_getLogs') return { result: [log] }
    const receipt = { blockHash: log.blockHash, status: '0x1', logs: [log] }
    return method === 'eth_getTransactionReceipt' ? { result: receipt } : null
  })

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
      `0x${word(toHex(address))}`,
    ],
    data: `0x${word(1_000_000n)}`,
    blockNumber,
    blockHash: hash,
    transactionHash: `0x${'ab'.repeat(32)}`,
    logIndex: '0x0',
  }
}

describe('a payment that two endpoints must report', () => {
  test('is not final if one of them invented it', async () => {
    let first = honest
    const network = twoEndpoints((...request) => first(...request), honest)
    const attempt = { ...(await openAttempt(network, scene.tether)), requiredEndpoints: 2 }
    await scene.anvil.mine(SOLID_LAG + 2)
    first = inventing(await invented(attempt.address))
    for (const round of [1, 2]) {
      expect([round, await scanSummary(network, attempt)]).toEqual([round, [[1_000_000n, false]]])
    }
  })

  test('is not final if the other is missing, the same, down or of another chain', async () => {
    for (const network of [
      twoEndpoints(honest, DOWN),
      twoEndpoints(honest, ELSEWHERE),
      twoEndpoints(honest, honest, ['127.0.0.1']),
      twoEndpoints(honest, honest, ['127.0.0.1', '127.0.0.1']),
    ]) {
      for (const asset of [scene.coin, scene.tether]) {
        expect(await scanSummary(network, await paid(network, asset, 2))).toEqual([[5n, false]])
      }
    }
  })

  test('is final when both report it; with one required endpoint, one is enough', async () => {
    const both = twoEndpoints(honest, honest)
    const one = twoEndpoints(honest, DOWN)
    for (const asset of [scene.coin, scene.tether]) {
      expect(await scanSummary(both, await paid(both, asset, 2))).toEqual([[5n, true]])
      expect(await scanSummary(one, await paid(one, asset, 1))).toEqual([[5n, true]])
    }
  })
})
