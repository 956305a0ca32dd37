import { describe, expect, test } from 'bun:test'
import { UNSURE_BLOCKS } from '../../src/networks/bitcoin/cursor.ts'
import * as bitcoin from './bitcoin-scene.ts'

const { CONFIRMATIONS, detectPayments, openAttempt, protocols, scanAttempts, scanSummary, summarize } =
  bitcoin
type Protocol = bitcoin.Protocol
const scene = bitcoin.useScene()

const passesFinal = (protocol: Protocol): boolean => protocol !== 'blockbook, bare'

describe.each(protocols)('over %s', protocol => {
  test('an exact payment is detected, confirmed, final, and then no longer reported', async () => {
    const { node, networkOf } = scene
    const network = networkOf(protocol)
    const attempt = await openAttempt(network)
    expect(await detectPayments(network, attempt)).toEqual([])

    const txId = await node.pay({ script: attempt.script, amount: 12_345_678n })
    const [waiting] = await scanAttempts(network, attempt)
    const depth = { height: null, confirmations: 0, final: false }
    expect(waiting!.detectedPayments).toMatchObject([
      { txId, txIndex: '0', txIn: txId, assetId: 'ltc', amountAtomic: 12_345_678n, ...depth },
    ])
    expect(Math.abs(waiting!.detectedPayments[0]!.paidAt - Date.now())).toBeLessThan(60_000)

    for (let confirmations = 1; confirmations <= CONFIRMATIONS; confirmations++) {
      await node.mine()
      const before = Date.now()
      const [seen] = await scanAttempts(network, attempt)
      expect(summarize(seen!)).toEqual([[12_345_678n, confirmations, confirmations === CONFIRMATIONS]])
      const { height, paidAt } = seen!.detectedPayments[0]!
      expect(height).toBe((await node.head()) - confirmations + 1)
      expect(seen!.completeFrom).toBeLessThanOrEqual(height!)
      const block = await node.rpc<{ time: number }>('getblock', await node.hashAt(height!))
      // Blocks that are mined quickly one after another have times ahead of our clock.
      const blockAt = block.time * 1000
      if (blockAt <= before) expect(paidAt).toBe(blockAt)
      else expect([paidAt >= before, paidAt <= Math.min(blockAt, Date.now())]).toEqual([true, true])
    }
    await node.mine(UNSURE_BLOCKS)
    await scanAttempts(network, attempt)
    const [after] = await scanAttempts(network, attempt)
    expect(after!.detectedPayments.length).toBe(passesFinal(protocol) ? 0 : 1)
  })

  test('a partial payment and an overpayment are two payments', async () => {
    const { node, networkOf } = scene
    const network = networkOf(protocol)
    const attempt = await openAttempt(network)
    await node.pay({ script: attempt.script, amount: 40_000n })
    await node.mine()
    expect(await scanSummary(network, attempt)).toEqual([[40_000n, 1, false]])
    await node.pay({ script: attempt.script, amount: 9_000_000_000n })
    await node.mine()
    const [seen] = await scanAttempts(network, attempt)
    expect(seen!.detectedPayments.map(({ amountAtomic }) => amountAtomic).sort()).toEqual([
      40_000n,
      9_000_000_000n,
    ])
  })

  test('a payment long after the start, without a scan in between, is detected and final', async () => {
    const { node, networkOf } = scene
    const attempt = await openAttempt(networkOf(protocol))
    await node.mine(30)
    await node.pay({ script: attempt.script, amount: 77_000n })
    await node.mine(30)
    expect(await scanSummary(networkOf(protocol), attempt)).toEqual([[77_000n, 30, true]])
  })

  test('a transaction that pays two attempts, one of them twice, is three payments', async () => {
    const { node, networkOf } = scene
    const network = networkOf(protocol)
    const first = await openAttempt(network)
    const second = await openAttempt(network)
    const outputs = [first, second, first].map(({ script }, index) => ({
      script,
      amount: 20_000n + BigInt(index),
    }))
    const txId = await node.pay(...outputs)
    for (const confirmations of [0, 1]) {
      const results = await scanAttempts(network, first, second)
      expect(results.map(summarize)).toEqual([
        [
          [20_000n, confirmations, false],
          [20_002n, confirmations, false],
        ],
        [[20_001n, confirmations, false]],
      ])
      const all = results.flatMap(({ detectedPayments }) => detectedPayments)
      expect(all.map(({ txIndex }) => txIndex).sort()).toEqual(['0', '1', '2'])
      expect(new Set(all.map(detected => detected.txId))).toEqual(new Set([txId]))
      await node.mine()
    }
  })

  test('a payment from before the address was allocated does not count, even if it is confirmed later', async () => {
    const { node, networkOf } = scene
    const network = networkOf(protocol)
    const { script } = await openAttempt(network)
    await node.pay({ script, amount: 50_001n })
    await node.mine()
    await node.pay({ script, amount: 50_002n })
    const attempt = await openAttempt(network, 'ltc', script)
    expect(await detectPayments(network, attempt)).toEqual([])
    await node.pay({ script, amount: 50_003n })
    await node.mine()
    expect(await scanSummary(network, attempt)).toEqual([[50_003n, 1, false]])
    await node.takeBack(2)
    await node.mine(3)
    const seen = await detectPayments(network, attempt)
    expect(seen.map(({ amountAtomic }) => amountAtomic)).toEqual([50_003n])
  })

  test('a block reward is not a payment', async () => {
    const { node, networkOf } = scene
    const network = networkOf(protocol)
    const attempt = await openAttempt(network)
    const { addresses, address } = await node.rpc<{ addresses?: string[]; address?: string }>(
      'decodescript',
      attempt.script,
    )
    await node.rpc('generatetoaddress', 1, address ?? addresses?.[0])
    await node.pay({ script: attempt.script, amount: 30_000n })
    await node.mine(CONFIRMATIONS)
    expect(await scanSummary(network, attempt)).toEqual([[30_000n, CONFIRMATIONS, true]])
  })

  test('an output of zero is not a payment', async () => {
    const { node, networkOf } = scene
    const network = networkOf(protocol)
    const attempt = await openAttempt(network)
    await node.minePaying({ script: attempt.script, amount: 0n })
    expect(await detectPayments(network, attempt)).toEqual([])
  })

  test('a restarted network continues at the cursors', async () => {
    const { node, networkOf } = scene
    const attempt = await openAttempt(networkOf(protocol))
    await node.pay({ script: attempt.script, amount: 60_000n })
    expect(await scanSummary(networkOf(protocol), attempt)).toEqual([[60_000n, 0, false]])
    await node.mine(2)
    expect(await scanSummary(networkOf(protocol), attempt)).toEqual([[60_000n, 2, false]])
    await node.mine(5)
    expect(await scanSummary(networkOf(protocol), attempt)).toEqual([[60_000n, 7, true]])
    await node.mine(UNSURE_BLOCKS)
    await scanAttempts(networkOf(protocol), attempt)
    const again = await detectPayments(networkOf(protocol), attempt)
    expect(again.length).toBe(passesFinal(protocol) ? 0 : 1)
  })
})

test.each(['esplora', 'blockbook'] as const)(
  'a server (%s) that reports a block before its payments hides them only for a while',
  async protocol => {
    const { node, networkOf, traffic } = scene
    const network = networkOf(protocol)
    const attempt = await openAttempt(network)
    let late: Response | null = null
    traffic.tap = async (url, _body, pass) => {
      if (!url.includes('/address/')) return pass()
      late ??= await pass()
      return late.clone()
    }
    expect(await detectPayments(network, attempt)).toEqual([])
    await node.pay({ script: attempt.script, amount: 93_000n })
    await node.mine(UNSURE_BLOCKS - 1)
    expect(await detectPayments(network, attempt)).toEqual([])
    scene.beHonest()
    await node.mine()
    expect(await scanSummary(network, attempt)).toEqual([[93_000n, UNSURE_BLOCKS, true]])
  },
)
