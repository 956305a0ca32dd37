import { beforeEach, expect, test } from 'bun:test'
import { NetworkError } from '../../src/networks/port.ts'
import { daemonsOn, FakeChain } from '../support/fake-monerod.ts'
import {
  CONFIRMATIONS,
  openAttempt,
  pay,
  scanPayments,
  scanWatches,
  shop,
  watcherOf,
} from './monero-scene.ts'

const MINUTE_MS = 60_000
const LIAR = 'liar.example'
const HONEST = 'honest.example'

let honest: FakeChain
let liar: FakeChain
let now: number

beforeEach(() => {
  honest = new FakeChain()
  honest.mineEmpty(100)
  honest.info.nettype = 'mainnet'
  liar = honest.fork()
  now = Date.now()
})

/** A network over the daemons of these hosts. The first one may lie. */
const networkOf = (...hosts: string[]) =>
  watcherOf(
    hosts.map(host => `https://${host}`),
    daemonsOn({ [LIAR]: liar, [HONEST]: honest }).reach,
    { clock: () => now },
  )

const amountsOf = async (...given: Parameters<typeof scanPayments>) =>
  (await scanPayments(...given)).map(({ amountAtomic, final }) => [amountAtomic, final])

test.each([1, 30, 1_000_000])(
  'a watch does not begin %d blocks above the chain because of one answer',
  async count => {
    Object.assign(liar.info, { height: liar.blocks.length + count, top_block_hash: 'ab'.repeat(32) })
    await expect(openAttempt(networkOf(LIAR), shop.own(1))).rejects.toThrow(NetworkError)
    const network = networkOf(LIAR, HONEST)
    const attempt = await openAttempt(network, shop.own(1))
    honest.mine(pay(1, 5n))
    honest.mineEmpty(CONFIRMATIONS)
    expect(await amountsOf(networkOf(HONEST), attempt)).toEqual([[5n, true]])
  },
)

test('invented blocks at the start of a watch hide a payment for at most 15 minutes', async () => {
  liar.mineEmpty(30)
  const attempt = await openAttempt(networkOf(LIAR), shop.own(1))
  honest.mine(pay(1, 5n))
  honest.mineEmpty(CONFIRMATIONS)
  const network = networkOf(HONEST)
  await expect(network.scan([attempt])).rejects.toThrow(/is behind/)
  now += 15 * MINUTE_MS
  expect(await amountsOf(network, attempt)).toEqual([[5n, true]])
})

test('blocks that one daemon invents in the middle of a watch hide nothing from another, nor from a new watch', async () => {
  const attempt = await openAttempt(networkOf(HONEST), shop.own(1))
  liar.mineEmpty(30)
  expect(await amountsOf(networkOf(LIAR), attempt)).toEqual([])
  honest.mine(pay(1, 5n))
  honest.mineEmpty(CONFIRMATIONS)
  const network = networkOf(HONEST)
  const later = await openAttempt(network, shop.own(2))
  expect(await amountsOf(network, later)).toEqual([])
  expect(await amountsOf(network, attempt)).toEqual([[5n, true]])
  expect(await amountsOf(network, later)).toEqual([])
})

test('a daemon that is behind for longer does not make newer payments disappear', async () => {
  const attempt = await openAttempt(networkOf(HONEST), shop.own(1))
  honest.mine(pay(1, 5n))
  honest.mineEmpty(CONFIRMATIONS)
  const [first] = await scanWatches(networkOf(HONEST), attempt)
  now += 15 * MINUTE_MS
  const [behind] = await scanWatches(networkOf(LIAR), attempt)
  expect(behind!.completeFrom).toBeGreaterThan(first!.detectedPayments[0]!.height!)
})

test('blocks are not read up to a height that the chain cannot have reached', async () => {
  const attempt = await openAttempt(networkOf(HONEST), shop.own(1))
  Object.assign(liar.info, { height: 5_000_000, top_block_hash: 'ab'.repeat(32) })
  await expect(networkOf(LIAR).scan([attempt])).rejects.toThrow(
    /reports block 4999999, which is more than 150000 blocks away/,
  )
})
