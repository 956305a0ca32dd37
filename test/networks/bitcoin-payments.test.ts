import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { UNSURE_BLOCKS } from '../../src/networks/bitcoin/cursor.ts'
import {
  CONFIRMATIONS,
  lookAt,
  openAttempt,
  openScene,
  type Protocol,
  protocols,
  type Scene,
  toDetectedPayments,
  told,
} from './bitcoin-scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterEach(() => {
  scene.traffic.tap = (_url, _body, pass) => pass()
})
afterAll(() => scene.stop())

const remembersFinal = (protocol: Protocol): boolean => protocol !== 'blockbook, bare'

describe.each(protocols)('over %s', protocol => {
  test('an exact payment is seen, confirmed, final, and not told any more', async () => {
    const { node, watcher } = scene
    const network = watcher(protocol)
    const attempt = await openAttempt(network)
    expect(await toDetectedPayments(network, attempt)).toEqual([])

    const txId = await node.pay({ script: attempt.script, amount: 12_345_678n })
    const [waiting] = await lookAt(network, attempt)
    expect(waiting!.detectedPayments).toMatchObject([
      { txId, txIndex: '0', txIn: txId, assetId: 'ltc', amount: 12_345_678n, height: null, confirmations: 0 },
    ])
    expect(waiting!.detectedPayments[0]!.final).toBe(false)
    expect(Math.abs(waiting!.detectedPayments[0]!.paidAt - Date.now())).toBeLessThan(60_000)

    for (let confirmations = 1; confirmations <= CONFIRMATIONS; confirmations++) {
      await node.mine()
      const [seen] = await lookAt(network, attempt)
      expect(told(seen!)).toEqual([[12_345_678n, confirmations, confirmations === CONFIRMATIONS]])
      const { height, paidAt } = seen!.detectedPayments[0]!
      expect(height).toBe((await node.head()) - confirmations + 1)
      expect(seen!.completeFrom).toBeLessThanOrEqual(height!)
      const block = await node.rpc<{ time: number }>('getblock', await node.hashAt(height!))
      expect(paidAt).toBe(block.time * 1000)
    }
    await node.mine(UNSURE_BLOCKS)
    await lookAt(network, attempt)
    const [after] = await lookAt(network, attempt)
    expect(after!.detectedPayments.length).toBe(remembersFinal(protocol) ? 0 : 1)
  })

  test('two parts, one of them too much, are two payments', async () => {
    const { node, watcher } = scene
    const network = watcher(protocol)
    const attempt = await openAttempt(network)
    await node.pay({ script: attempt.script, amount: 40_000n })
    await node.mine()
    expect(told((await lookAt(network, attempt))[0]!)).toEqual([[40_000n, 1, false]])
    await node.pay({ script: attempt.script, amount: 9_000_000_000n })
    await node.mine()
    const [seen] = await lookAt(network, attempt)
    expect(seen!.detectedPayments.map(({ amount }) => amount).sort()).toEqual([40_000n, 9_000_000_000n])
  })

  test('a payment long after the opening, which nobody looked for, is seen and final', async () => {
    const { node, watcher } = scene
    const attempt = await openAttempt(watcher(protocol))
    await node.mine(30)
    await node.pay({ script: attempt.script, amount: 77_000n })
    await node.mine(30)
    expect(told((await lookAt(watcher(protocol), attempt))[0]!)).toEqual([[77_000n, 30, true]])
  })

  test('one transaction that pays two attempts, and one of them twice, is three payments', async () => {
    const { node, watcher } = scene
    const network = watcher(protocol)
    const first = await openAttempt(network)
    const second = await openAttempt(network)
    const outputs = [first, second, first].map(({ script }, index) => ({
      script,
      amount: 20_000n + BigInt(index),
    }))
    const txId = await node.pay(...outputs)
    for (const confirmations of [0, 1]) {
      const watched = await lookAt(network, first, second)
      expect(watched.map(told)).toEqual([
        [
          [20_000n, confirmations, false],
          [20_002n, confirmations, false],
        ],
        [[20_001n, confirmations, false]],
      ])
      const all = watched.flatMap(({ detectedPayments }) => detectedPayments)
      expect(all.map(({ txIndex }) => txIndex).sort()).toEqual(['0', '1', '2'])
      expect(new Set(all.map(detected => detected.txId))).toEqual(new Set([txId]))
      await node.mine()
    }
  })

  test('what was there before an address was given out does not count, nor when it is confirmed', async () => {
    const { node, watcher } = scene
    const network = watcher(protocol)
    const { script } = await openAttempt(network)
    await node.pay({ script, amount: 50_001n })
    await node.mine()
    await node.pay({ script, amount: 50_002n })
    const attempt = await openAttempt(network, 'ltc', script)
    expect(await toDetectedPayments(network, attempt)).toEqual([])
    await node.pay({ script, amount: 50_003n })
    await node.mine()
    expect(told((await lookAt(network, attempt))[0]!)).toEqual([[50_003n, 1, false]])
    await node.takeBack(2)
    await node.mine(3)
    const seen = await toDetectedPayments(network, attempt)
    expect(seen.map(({ amount }) => amount)).toEqual([50_003n])
  })

  test('a reward for a block is no payment', async () => {
    const { node, watcher } = scene
    const network = watcher(protocol)
    const attempt = await openAttempt(network)
    const { addresses, address } = await node.rpc<{ addresses?: string[]; address?: string }>(
      'decodescript',
      attempt.script,
    )
    await node.rpc('generatetoaddress', 1, address ?? addresses?.[0])
    await node.pay({ script: attempt.script, amount: 30_000n })
    await node.mine(CONFIRMATIONS)
    expect(told((await lookAt(network, attempt))[0]!)).toEqual([[30_000n, CONFIRMATIONS, true]])
  })

  test('an output of nothing is no payment', async () => {
    const { node, watcher } = scene
    const network = watcher(protocol)
    const attempt = await openAttempt(network)
    await node.minePaying({ script: attempt.script, amount: 0n })
    expect(await toDetectedPayments(network, attempt)).toEqual([])
  })

  test('a watcher that starts in the middle goes on from the cursors', async () => {
    const { node, watcher } = scene
    const attempt = await openAttempt(watcher(protocol))
    await node.pay({ script: attempt.script, amount: 60_000n })
    expect(told((await lookAt(watcher(protocol), attempt))[0]!)).toEqual([[60_000n, 0, false]])
    await node.mine(2)
    expect(told((await lookAt(watcher(protocol), attempt))[0]!)).toEqual([[60_000n, 2, false]])
    await node.mine(5)
    expect(told((await lookAt(watcher(protocol), attempt))[0]!)).toEqual([[60_000n, 7, true]])
    await node.mine(UNSURE_BLOCKS)
    await lookAt(watcher(protocol), attempt)
    const again = await toDetectedPayments(watcher(protocol), attempt)
    expect(again.length).toBe(remembersFinal(protocol) ? 0 : 1)
  })
})

test.each(['esplora', 'blockbook'] as const)(
  'a server (%s) that tells of blocks before it tells what they paid hides nothing for good',
  async protocol => {
    const { node, watcher, traffic } = scene
    const network = watcher(protocol)
    const attempt = await openAttempt(network)
    let late: Response | null = null
    traffic.tap = async (url, _body, pass) => {
      if (!url.includes('/address/')) return pass()
      late ??= await pass()
      return late.clone()
    }
    expect(await toDetectedPayments(network, attempt)).toEqual([])
    await node.pay({ script: attempt.script, amount: 93_000n })
    await node.mine(UNSURE_BLOCKS - 1)
    expect(await toDetectedPayments(network, attempt)).toEqual([])
    traffic.tap = (_url, _body, pass) => pass()
    await node.mine()
    expect(told((await lookAt(network, attempt))[0]!)).toEqual([[93_000n, UNSURE_BLOCKS, true]])
  },
)
