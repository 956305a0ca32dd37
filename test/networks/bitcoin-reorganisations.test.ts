import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { NetworkError } from '../../src/networks/port.ts'
import {
  CONFIRMATIONS,
  lookAt,
  openAttempt,
  openScene,
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

describe.each(protocols)('over %s', protocol => {
  test('an unconfirmed payment that is replaced by another transaction is gone', async () => {
    const { node, watcher } = scene
    const network = watcher(protocol)
    const attempt = await openAttempt(network)
    const txId = await node.pay({ script: attempt.script, amount: 70_000n })
    expect((await toDetectedPayments(network, attempt)).map(({ txId: id }) => id)).toEqual([txId])
    await node.replace(txId)
    expect(await toDetectedPayments(network, attempt)).toEqual([])
    await node.mine()
    expect(await toDetectedPayments(network, attempt)).toEqual([])
  })

  test('a payment whose block is taken back waits again, and goes with a double spend', async () => {
    const { node, watcher } = scene
    const network = watcher(protocol)
    const attempt = await openAttempt(network)
    const txId = await node.pay({ script: attempt.script, amount: 71_000n })
    await node.mine(2)
    const [before] = await lookAt(network, attempt)
    expect(told(before!)).toEqual([[71_000n, 2, false]])
    await node.takeBack(2)
    const [waiting] = await lookAt(network, attempt)
    expect(told(waiting!)).toEqual([[71_000n, 0, false]])
    await node.replace(txId)
    await node.mine(CONFIRMATIONS)
    const [after] = await lookAt(network, attempt)
    expect(after!.detectedPayments).toEqual([])
    expect(after!.completeFrom).toBeLessThanOrEqual(before!.detectedPayments[0]!.height!)
  })

  test('a payment that comes back in another block is told there, once', async () => {
    const { node, watcher } = scene
    const network = watcher(protocol)
    const attempt = await openAttempt(network)
    await node.pay({ script: attempt.script, amount: 72_000n })
    await node.mine()
    const [before] = await toDetectedPayments(network, attempt)
    await node.takeBack(1)
    await node.mineEmpty(2)
    await node.mine()
    const seen = await toDetectedPayments(network, attempt)
    expect(seen.map(({ amount, height }) => [amount, height])).toEqual([[72_000n, before!.height! + 2]])
  })

  test('a final payment whose block is replaced is told to be gone, also after a restart', async () => {
    const { node, watcher } = scene
    const attempt = await openAttempt(watcher(protocol))
    const txId = await node.pay({ script: attempt.script, amount: 73_000n })
    await node.mine(CONFIRMATIONS + 2)
    const [before] = await lookAt(watcher(protocol), attempt)
    expect(told(before!)).toEqual([[73_000n, CONFIRMATIONS + 2, true]])
    const { height } = before!.detectedPayments[0]!
    await node.takeBack(CONFIRMATIONS + 2)
    await node.replace(txId)
    await node.mine(CONFIRMATIONS + 3)
    const [after] = await lookAt(watcher(protocol), attempt)
    expect(after!.detectedPayments).toEqual([])
    expect(after!.completeFrom).toBeLessThanOrEqual(height!)
  })

  test('a payment that was final long ago is told to be gone when the chain is replaced below it', async () => {
    const { node, watcher } = scene
    const network = watcher(protocol)
    const attempt = await openAttempt(network)
    await node.pay({ script: attempt.script, amount: 77_000n })
    // A node forgets the transactions of blocks that it takes back so many of.
    const depth = 20
    for (const blocks of [CONFIRMATIONS, 9, 8]) {
      await node.mine(blocks)
      await lookAt(network, attempt)
    }
    await node.takeBack(depth)
    await node.mine(depth + 1)
    const [after] = await lookAt(network, attempt)
    expect(after!.detectedPayments).toEqual([])
    expect(after!.completeFrom).toBeLessThanOrEqual((await node.head()) - depth)
    const cursor = JSON.stringify(attempt.cursor)
    expect((await lookAt(network, attempt))[0]!.detectedPayments).toEqual([])
    expect(JSON.stringify(attempt.cursor)).toBe(cursor)
  })

  test('a chain that is replaced by one of the same height is seen by its last block', async () => {
    const { node, watcher } = scene
    const network = watcher(protocol)
    const attempt = await openAttempt(network)
    const txId = await node.pay({ script: attempt.script, amount: 74_000n })
    await node.mine(CONFIRMATIONS)
    expect(told((await lookAt(network, attempt))[0]!)).toEqual([[74_000n, CONFIRMATIONS, true]])
    await node.takeBack(CONFIRMATIONS)
    await node.replace(txId)
    await node.mine(CONFIRMATIONS)
    const [after] = await lookAt(network, attempt)
    expect(after!.detectedPayments).toEqual([])
    expect(after!.completeFrom).toBeLessThanOrEqual((await node.head()) - CONFIRMATIONS + 1)
  })
})

const tellingHashes = protocols.filter(protocol => protocol !== 'blockbook, bare')

/** What is asked about an address, or about the newest transactions. */
const isReading = (url: string, body: string): boolean => /[/]address[/]|getrawmempool/.test(url + body)

describe.each(tellingHashes)('over %s', protocol => {
  test('a chain that is replaced while it is looked at is looked at again', async () => {
    const { node, watcher, traffic } = scene
    const network = watcher(protocol)
    const attempt = await openAttempt(network)
    const txId = await node.pay({ script: attempt.script, amount: 75_000n })
    await node.mine(CONFIRMATIONS)
    let reorganisations = 0
    traffic.tap = async (url, body, pass) => {
      if (!isReading(url, body) || reorganisations++ > 0) return pass()
      const answer = await pass()
      await node.takeBack(CONFIRMATIONS)
      await node.replace(txId)
      await node.mine(CONFIRMATIONS + 1)
      return answer
    }
    expect(await toDetectedPayments(network, attempt)).toEqual([])
    expect(reorganisations).toBeGreaterThan(1)
  })

  test('a chain that is replaced at every look is a fault, and no sighting', async () => {
    const { node, watcher, traffic } = scene
    const network = watcher(protocol)
    const attempt = await openAttempt(network)
    await node.pay({ script: attempt.script, amount: 76_000n })
    await node.mine(CONFIRMATIONS)
    traffic.tap = async (url, body, pass) => {
      const answer = await pass()
      if (isReading(url, body)) {
        await node.takeBack(1)
        await node.mine(2)
      }
      return answer
    }
    await expect(network.scan([attempt])).rejects.toThrow(/reorganised/)
    await expect(network.scan([attempt])).rejects.toThrow(NetworkError)
  })
})

test('a payment that comes into a block while a node is asked is not lost from sight', async () => {
  const { node, watcher, traffic } = scene
  const network = watcher('core')
  const attempt = await openAttempt(network)
  await node.pay({ script: attempt.script, amount: 78_000n })
  expect(told((await lookAt(network, attempt))[0]!)).toEqual([[78_000n, 0, false]])
  let isMined = false
  traffic.tap = async (_url, body, pass) => {
    if (body.includes('getrawmempool') && !isMined) {
      isMined = true
      await node.mine()
    }
    return pass()
  }
  expect(told((await lookAt(network, attempt))[0]!)).toEqual([[78_000n, 1, false]])
})
