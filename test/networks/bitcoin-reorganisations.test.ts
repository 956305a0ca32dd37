import { describe, expect, test } from 'bun:test'
import { NetworkError } from '../../src/networks/port.ts'
import * as bitcoin from './bitcoin-scene.ts'

const { CONFIRMATIONS, detectPayments, openAttempt, protocols, scanAttempts, scanSummary, summarize } =
  bitcoin
const scene = bitcoin.useScene()

describe.each(protocols)('over %s', protocol => {
  test('an unconfirmed payment that another transaction replaces is gone', async () => {
    const { node, networkOf } = scene
    const network = networkOf(protocol)
    const attempt = await openAttempt(network)
    const txId = await node.pay({ script: attempt.script, amount: 70_000n })
    expect((await detectPayments(network, attempt)).map(({ txId: id }) => id)).toEqual([txId])
    await node.replace(txId)
    expect(await detectPayments(network, attempt)).toEqual([])
    await node.mine()
    expect(await detectPayments(network, attempt)).toEqual([])
  })

  test('a payment whose block is removed is unconfirmed again, and gone after a double spend', async () => {
    const { node, networkOf } = scene
    const network = networkOf(protocol)
    const attempt = await openAttempt(network)
    const txId = await node.pay({ script: attempt.script, amount: 71_000n })
    await node.mine(2)
    const [before] = await scanAttempts(network, attempt)
    expect(summarize(before!)).toEqual([[71_000n, 2, false]])
    await node.takeBack(2)
    const [waiting] = await scanAttempts(network, attempt)
    expect(summarize(waiting!)).toEqual([[71_000n, 0, false]])
    await node.replace(txId)
    await node.mine(CONFIRMATIONS)
    const [after] = await scanAttempts(network, attempt)
    expect(after!.detectedPayments).toEqual([])
    expect(after!.completeFrom).toBeLessThanOrEqual(before!.detectedPayments[0]!.height!)
  })

  test('a payment that moves to another block is reported there, once', async () => {
    const { node, networkOf } = scene
    const network = networkOf(protocol)
    const attempt = await openAttempt(network)
    await node.pay({ script: attempt.script, amount: 72_000n })
    await node.mine()
    const [before] = await detectPayments(network, attempt)
    await node.takeBack(1)
    await node.mineEmpty(2)
    await node.mine()
    const seen = await detectPayments(network, attempt)
    expect(seen.map(({ amountAtomic, height }) => [amountAtomic, height])).toEqual([
      [72_000n, before!.height! + 2],
    ])
  })

  test('a final payment whose block is replaced is reported as gone, also after a restart', async () => {
    const { node, networkOf } = scene
    const attempt = await openAttempt(networkOf(protocol))
    const txId = await node.pay({ script: attempt.script, amount: 73_000n })
    await node.mine(CONFIRMATIONS + 2)
    const [before] = await scanAttempts(networkOf(protocol), attempt)
    expect(summarize(before!)).toEqual([[73_000n, CONFIRMATIONS + 2, true]])
    const { height } = before!.detectedPayments[0]!
    await node.takeBack(CONFIRMATIONS + 2)
    await node.replace(txId)
    await node.mine(CONFIRMATIONS + 3)
    const [after] = await scanAttempts(networkOf(protocol), attempt)
    expect(after!.detectedPayments).toEqual([])
    expect(after!.completeFrom).toBeLessThanOrEqual(height!)
  })

  test('a payment that became final long ago is reported as gone after a deep reorganisation', async () => {
    const { node, networkOf } = scene
    const network = networkOf(protocol)
    const attempt = await openAttempt(network)
    await node.pay({ script: attempt.script, amount: 77_000n })
    // A node drops the transactions of removed blocks if it removes this many.
    const depth = 20
    for (const blocks of [CONFIRMATIONS, 9, 8]) {
      await node.mine(blocks)
      await scanAttempts(network, attempt)
    }
    await node.takeBack(depth)
    await node.mine(depth + 1)
    const [after] = await scanAttempts(network, attempt)
    expect(after!.detectedPayments).toEqual([])
    expect(after!.completeFrom).toBeLessThanOrEqual((await node.head()) - depth)
    const cursor = JSON.stringify(attempt.cursor)
    expect((await scanAttempts(network, attempt))[0]!.detectedPayments).toEqual([])
    expect(JSON.stringify(attempt.cursor)).toBe(cursor)
  })

  test('a replacement of the same height is noticed by its last block', async () => {
    const { node, networkOf } = scene
    const network = networkOf(protocol)
    const attempt = await openAttempt(network)
    const txId = await node.pay({ script: attempt.script, amount: 74_000n })
    await node.mine(CONFIRMATIONS)
    expect(await scanSummary(network, attempt)).toEqual([[74_000n, CONFIRMATIONS, true]])
    await node.takeBack(CONFIRMATIONS)
    await node.replace(txId)
    await node.mine(CONFIRMATIONS)
    const [after] = await scanAttempts(network, attempt)
    expect(after!.detectedPayments).toEqual([])
    expect(after!.completeFrom).toBeLessThanOrEqual((await node.head()) - CONFIRMATIONS + 1)
  })
})

const withBlockHashes = protocols.filter(protocol => protocol !== 'blockbook, bare')

/** True for a request about an address, or about unconfirmed transactions. */
const isReading = (url: string, body: string): boolean => /[/]address[/]|getrawmempool/.test(url + body)

describe.each(withBlockHashes)('over %s', protocol => {
  test('a chain that is replaced during a scan is scanned again', async () => {
    const { node, networkOf, traffic } = scene
    const network = networkOf(protocol)
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
    expect(await detectPayments(network, attempt)).toEqual([])
    expect(reorganisations).toBeGreaterThan(1)
  })

  test('a chain that is replaced during every scan is a network error', async () => {
    const { node, networkOf, traffic } = scene
    const network = networkOf(protocol)
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

test('a payment that is mined during a scan, while another waits, is not missed', async () => {
  const { node, networkOf, traffic } = scene
  const network = networkOf('core')
  const attempt = await openAttempt(network)
  const txId = await node.pay({ script: attempt.script, amount: 78_000n })
  await node.pay({ script: attempt.script, amount: 79_000n })
  expect(await scanSummary(network, attempt)).toHaveLength(2)
  let isMined = false
  traffic.tap = async (_url, body, pass) => {
    if (body.includes('getrawmempool') && !isMined) {
      isMined = true
      await node.rpc('generateblock', await node.rpc('getnewaddress'), [txId])
    }
    return pass()
  }
  const found = await scanSummary(network, attempt)
  expect(found.toSorted()).toEqual([
    [78_000n, 1, false],
    [79_000n, 0, false],
  ])
})
