import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Asset } from '../../src/domain/asset.ts'
import type { Network, WatchResult } from '../../src/networks/port.ts'
import { word } from '../support/anvil.ts'
import { toHex } from '../support/tron-chain.ts'
import {
  type EndpointType,
  endpointTypes,
  freshAddress,
  heightOf,
  openAttempt,
  SOLID_LAG,
  scanPayments,
  scanWatches,
  useScene,
} from './tron-scene.ts'

const scene = useScene()

const PAY = '0c11dedd'
const FAIL = 'e8199063'

type Detected = WatchResult['detectedPayments']
const summary = (payments: Detected) =>
  payments.map(({ assetId, amountAtomic, final }) => [assetId, amountAtomic, final])
const amounts = (payments: Detected) => payments.map(({ amountAtomic }) => amountAtomic)
const amountsOfAll = (watched: WatchResult[]) =>
  watched.map(({ detectedPayments }) => amounts(detectedPayments))

/** A network that reads the chain through endpoints of this kind. */
function watchingBy(way: EndpointType): Network {
  const { protocol, jsonrpc } = endpointTypes[way]
  scene.front.shape.jsonrpc = jsonrpc
  return scene.watching({ endpoints: [{ protocol, url: scene.front.url }] })
}

describe.each(Object.keys(endpointTypes) as EndpointType[])('tokens by %s', way => {
  let network: Network
  let usdt: Asset
  beforeAll(() => {
    network = watchingBy(way)
    usdt = scene.tether
  })
  beforeEach(() => {
    scene.front.shape.jsonrpc = endpointTypes[way].jsonrpc
  })

  test('a payment outside of any block, of another contract, reverted, or of zero is not detected', async () => {
    const { anvil, fake, pay } = scene
    const attempt = await openAttempt(network, usdt)
    await anvil.sendToken(fake, toHex(attempt.address), 25_000_000n)
    const data = `0xa9059cbb${word(toHex(attempt.address))}${word(10n ** 30n)}`
    const tooMuch = await anvil.send({ to: toHex(usdt.contract!), data })
    await pay.token(usdt, attempt.address, 0n)
    await anvil.mine(SOLID_LAG + 2)
    expect((await anvil.receipt(tooMuch)).status).toBe('0x0')
    await pay.token(usdt, attempt.address, 5n)
    expect(await scanPayments(network, attempt)).toEqual([])
    await anvil.mine()
  })

  test('an exact payment is detected in its block, and is final when the block is solid', async () => {
    const { anvil, pay } = scene
    const attempt = await openAttempt(network, usdt)
    const hash = await pay.token(usdt, attempt.address, 25_000_000n)
    await anvil.mine()
    const { blockNumber } = await anvil.receipt(hash)
    const block = await anvil.rpc<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false])
    for (let confirmations = 1; confirmations <= SOLID_LAG + 1; confirmations++) {
      const [seen, ...others] = await scanPayments(network, attempt)
      expect(others).toEqual([])
      expect(seen).toMatchObject({
        txId: hash.slice(2),
        txIn: hash.slice(2),
        txIndex: `${usdt.contract}:${attempt.address}:0`,
        assetId: usdt.id,
        amountAtomic: 25_000_000n,
        confirmations,
        final: confirmations > SOLID_LAG,
        height: blockNumber,
        paidAt: Number(block.timestamp) * 1000,
      })
      await anvil.mine()
    }
  })

  test('a late payment in two parts and an overpayment are each detected after a restart', async () => {
    const { anvil, pay } = scene
    const attempt = await openAttempt(network, usdt)
    await anvil.mine(300)
    await pay.token(usdt, attempt.address, 10n)
    await anvil.mine(2)
    expect(summary(await scanPayments(network, attempt))).toEqual([[usdt.id, 10n, false]])
    const again = watchingBy(way)
    await pay.token(usdt, attempt.address, 20n)
    await anvil.mine(SOLID_LAG + 1)
    const seen = await scanPayments(again, attempt)
    expect(summary(seen.toSorted((a, b) => a.height! - b.height!))).toEqual([
      [usdt.id, 10n, true],
      [usdt.id, 20n, true],
    ])
    expect(new Set(seen.map(({ txId }) => txId)).size).toBe(2)
  })

  test('one transaction that pays two attempts, one of them twice, makes three payments with their own ids', async () => {
    const { payAtOnce } = scene
    const first = await openAttempt(network, usdt)
    const second = await openAttempt(network, usdt)
    const hash = await payAtOnce(usdt, [
      [first.address, 1n],
      [second.address, 2n],
      [second.address, 2n],
    ])
    const watched = await scanWatches(network, first, second)
    expect(amountsOfAll(watched)).toEqual([[1n], [2n, 2n]])
    const all = watched.flatMap(({ detectedPayments }) => detectedPayments)
    expect(all.map(({ txId }) => txId)).toEqual(Array(3).fill(hash.slice(2)))
    expect(new Set(all.map(({ txIndex }) => txIndex)).size).toBe(3)
  })

  test('another listed token is reported as that token', async () => {
    const { anvil, pay, usd } = scene
    const attempt = await openAttempt(network, usdt)
    await pay.token(usd, attempt.address, 7n)
    await anvil.mine()
    expect(summary(await scanPayments(network, attempt))).toEqual([[usd.id, 7n, false]])
  })

  test('a payment disappears with its block', async () => {
    const { anvil, pay } = scene
    const attempt = await openAttempt(network, usdt)
    await pay.token(usdt, attempt.address, 5n)
    await anvil.mine(2)
    const [before] = await scanWatches(network, attempt)
    expect(before!.detectedPayments).toHaveLength(1)
    await anvil.reorganise(2)
    const [after] = await scanWatches(network, attempt)
    expect(after!.detectedPayments).toEqual([])
    expect(after!.completeFrom).toBeLessThanOrEqual(before!.detectedPayments[0]!.height!)
  })

  test('a final payment that disappears is missing above completeFrom where blocks are compared', async () => {
    const { anvil, pay } = scene
    const attempt = await openAttempt(network, usdt)
    await pay.token(usdt, attempt.address, 5n)
    await anvil.mine(SOLID_LAG + 2)
    const [before] = await scanWatches(network, attempt)
    expect(summary(before!.detectedPayments)).toEqual([[usdt.id, 5n, true]])
    await anvil.reorganise(SOLID_LAG + 2)
    const [after] = await scanWatches(network, attempt)
    expect(after!.detectedPayments).toEqual([])
    const { height } = before!.detectedPayments[0]!
    // An index cannot compare blocks, so a list without a known final payment counts as incomplete.
    if (scene.front.shape.jsonrpc) expect(after!.completeFrom).toBeLessThanOrEqual(height!)
    else expect(after!.completeFrom).toBeGreaterThan(height!)
  })

  test('two attempts that share an address get the same payments, each from its own start', async () => {
    const { anvil, pay } = scene
    const address = freshAddress()
    const first = await openAttempt(network, usdt, address)
    await pay.token(usdt, address, 11n)
    await anvil.mine(SOLID_LAG + 2)
    const second = await openAttempt(network, usdt, address)
    await pay.token(usdt, address, 12n)
    await anvil.mine()
    const [a, b] = await scanWatches(network, first, second)
    expect(amounts(a!.detectedPayments).toSorted()).toEqual([11n, 12n])
    expect(amounts(b!.detectedPayments)).toEqual([12n])
  })
})

test.each(Object.keys(endpointTypes) as EndpointType[])('the sums of addresses by %s', async way => {
  const { protocol, jsonrpc } = endpointTypes[way]
  const network = watchingBy(way)
  const { coin, tether, payAtOnce } = scene
  const paid = freshAddress()
  const nobody = freshAddress()
  await payAtOnce(tether, [
    [paid, 3n],
    [paid, 4n],
  ])
  await payAtOnce(coin, [[paid, 5n]])
  const known = (...amounts: bigint[]) => (jsonrpc ? amounts : amounts.map(() => null))
  expect(await network.amountsAt!(tether, [paid, nobody])).toEqual(known(7n, 0n))
  if (protocol === 'trongrid') expect(await network.amountsAt!(coin, [paid, nobody])).toEqual(known(5n, 0n))
  else await expect(network.amountsAt!(coin, [paid])).rejects.toThrow('trongrid')
})

describe('by TronGrid', () => {
  let network: Network
  beforeAll(() => {
    network = scene.watching()
  })

  const call = (method: string, address: string, value: bigint) =>
    scene.anvil.send({ to: scene.contracts.TestPayer, data: `0x${method}${word(toHex(address))}`, value })

  test('TRX is detected in its block and final when the block is solid', async () => {
    const { anvil, coin, pay } = scene
    const attempt = await openAttempt(network, coin)
    const hash = await pay.coin(attempt.address, 5_500_000n)
    await anvil.mine()
    const [seen] = await scanPayments(network, attempt)
    expect(seen).toMatchObject({
      txId: hash.slice(2),
      txIndex: `trx:${attempt.address}:0`,
      assetId: coin.id,
      amountAtomic: 5_500_000n,
      confirmations: 1,
      final: false,
    })
    await anvil.mine(SOLID_LAG)
    expect(summary(await scanPayments(network, attempt))).toEqual([[coin.id, 5_500_000n, true]])
  })

  test('TRX from a contract is detected, rejected calls and calls without value are not', async () => {
    const { anvil, coin } = scene
    const attempt = await openAttempt(network, coin)
    await call(FAIL, attempt.address, 9n)
    const hash = await call(PAY, attempt.address, 777n)
    await anvil.mine(SOLID_LAG + 1)
    const seen = await scanPayments(network, attempt)
    expect(seen.map(({ amountAtomic, txIn, final }) => [amountAtomic, txIn, final])).toEqual([
      [777n, hash.slice(2), true],
    ])
  })

  test('one transaction of a contract that pays TRX to two attempts is detected for both', async () => {
    const { coin, payAtOnce } = scene
    const first = await openAttempt(network, coin)
    const second = await openAttempt(network, coin)
    await payAtOnce(coin, [
      [first.address, 10n],
      [second.address, 20n],
      [first.address, 10n],
    ])
    const watched = await scanWatches(network, first, second)
    expect(amountsOfAll(watched)).toEqual([[10n, 10n], [20n]])
    const all = watched.flatMap(({ detectedPayments }) => detectedPayments)
    expect(new Set(all.map(({ txId }) => txId)).size).toBe(1)
    expect(new Set(all.map(({ txIndex }) => txIndex)).size).toBe(3)
  })

  test("TRX and tokens other than the order's are reported too", async () => {
    const { anvil, coin, tether, pay } = scene
    const forToken = await openAttempt(network, tether)
    const forCoin = await openAttempt(network, coin)
    await pay.coin(forToken.address, 3n)
    await pay.token(tether, forCoin.address, 4n)
    await anvil.mine()
    const watched = await scanWatches(network, forToken, forCoin)
    expect(watched.map(({ detectedPayments }) => summary(detectedPayments))).toEqual([
      [[coin.id, 3n, false]],
      [[tether.id, 4n, false]],
    ])
    await anvil.mine(SOLID_LAG)
    const later = await scanWatches(network, forToken, forCoin)
    expect(later.map(({ detectedPayments }) => summary(detectedPayments))).toEqual([
      [[coin.id, 3n, true]],
      [[tether.id, 4n, true]],
    ])
  })

  test('a payment that the index lists late is still detected', async () => {
    const { anvil, front, coin, pay } = scene
    const attempt = await openAttempt(network, coin)
    front.shape.indexLag = 20
    await pay.coin(attempt.address, 8n)
    await anvil.mine(SOLID_LAG + 5)
    expect(await scanPayments(network, attempt)).toEqual([])
    front.shape.indexLag = 0
    await anvil.mine()
    expect(summary(await scanPayments(network, attempt))).toEqual([[coin.id, 8n, true]])
  })

  test('a cursor advances after some hours, and stays small', async () => {
    const { anvil, coin, pay } = scene
    const attempt = await openAttempt(network, coin)
    const start = heightOf(attempt)
    await pay.coin(attempt.address, 8n)
    await anvil.mine(SOLID_LAG + 1)
    expect(await scanPayments(network, attempt)).toHaveLength(1)
    await anvil.rpc('anvil_mine', ['0x10', '0x800'])
    expect(await scanPayments(network, attempt)).toHaveLength(1)
    expect(heightOf(attempt)).toBeGreaterThan(start)
    expect(await scanPayments(network, attempt)).toEqual([])
    expect(JSON.stringify(attempt.cursor).length).toBeLessThan(700)
  })
})
