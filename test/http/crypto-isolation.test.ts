import { expect, test } from 'bun:test'
import { type Network, NetworkError } from '../../src/networks/port.ts'
import { givenOrder, openCrypto, statusOf as pageOf } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { attemptsOf, givenCoinShop, HOUR_MS, MINUTE_MS, sendCoins } from './payments.ts'

const { app, each } = suite()
const shop = each(() => givenCoinShop(app, '2.5'))

const ASSET = 'polygon/usdc'

const statusOf = async (orderUUID: string): Promise<string> => (await pageOf(app, orderUUID)).status

async function opened() {
  const { orderUUID } = await givenOrder(app, shop)
  await openCrypto(app, orderUUID, ASSET)
  const [attempt] = attemptsOf(app, orderUUID)
  return { orderUUID, attempt: attempt! }
}

/** Makes scans fail that contain one of these attempts. Returns the time and size of each scan. */
function failingFor(attemptIds: unknown[], makeError: () => Error) {
  const { networks } = app.context
  const real = networks.of
  const failed: { at: number; count: number }[] = []
  networks.of = chain => {
    const network = real.call(networks, chain)
    if (!network) return network
    const scan: Network['scan'] = async watches => {
      if (!watches.some(({ attemptId }) => attemptIds.includes(attemptId))) return network.scan(watches)
      failed.push({ at: app.time.now, count: watches.length })
      throw makeError()
    }
    return { ...network, scan }
  }
  return failed
}

test.each([
  ['an answer that is refused', () => new NetworkError('rejected eth_getLogs of one block')],
  ['a bug', () => new TypeError('undefined is not an object')],
])('two payments that cannot be checked do not delay others: %s', async (_, makeError) => {
  const all = []
  for (let index = 0; index < 9; index++) all.push(await opened())
  const bad = [all[1]!, all[7]!]
  const others = all.filter(one => !bad.includes(one))
  const failed = failingFor(
    bad.map(({ attempt }) => attempt.id),
    makeError,
  )
  for (const { attempt } of others) await sendCoins(app, attempt, BigInt(attempt.due_atomic as string))
  await app.advance(11 * MINUTE_MS)
  expect(await Promise.all(others.map(({ orderUUID }) => statusOf(orderUUID)))).toEqual(
    others.map(() => 'PAID'),
  )
  expect(await Promise.all(bad.map(({ orderUUID }) => statusOf(orderUUID)))).toEqual(['UNPAID', 'UNPAID'])

  // The failing attempts are tried again at growing intervals, and a buyer who comes later does not wait for
  // them.
  const late = await opened()
  await sendCoins(app, late.attempt, BigInt(late.attempt.due_atomic as string))
  for (let minute = 0; minute < 20; minute++) await app.advance(MINUTE_MS)
  expect(await statusOf(late.orderUUID)).toBe('PAID')
  failed.length = 0
  for (let step = 0; step < 72; step++) await app.advance(10 * MINUTE_MS)
  const tries = failed.filter(({ count }) => count === 1).length
  expect(tries).toBeGreaterThan(8)
  expect(tries).toBeLessThan(40)
})

test('an upstream that is down for all attempts gets a few requests, and a few more a minute later', async () => {
  const all = []
  for (let index = 0; index < 20; index++) all.push(await opened())
  const failed = failingFor(
    all.map(({ attempt }) => attempt.id),
    () => new NetworkError('no usable endpoint'),
  )
  await app.advance(11 * MINUTE_MS)
  expect(failed.length).toBeLessThanOrEqual(8)
  await app.advance(MINUTE_MS + 1000)
  expect(failed.length).toBeGreaterThan(8)
  expect(failed.length).toBeLessThanOrEqual(16)
  expect(failed.at(-1)!.at - failed[0]!.at).toBeLessThan(2 * HOUR_MS)
})
