import { describe, expect, test } from 'bun:test'
import { bitcoinNetwork } from '../../src/networks/bitcoin/network.ts'
import type { Network, WatchResult } from '../../src/networks/port.ts'
import * as bitcoin from './bitcoin-scene.ts'

const { assetOf, detectPayments, openAttempt } = bitcoin
type Attempt = bitcoin.Attempt
type Protocol = bitcoin.Protocol
const MINUTE = 60_000
const DUE = 1_000_000n
const SMALL = 10_000n
/** More payments than one page of an address holds. */
const CROWD = 30
const DEEP = 8
const scene = bitcoin.useScene(20)
const networkOf = (...names: Protocol[]) => scene.networkOf(...names)

/** Omits a transaction from every list, but not from the sums. */
const hiding =
  (txId: string, from: string): bitcoin.Tap =>
  async (url, _body, pass) => {
    const answer = await pass()
    const isList = url.startsWith(from) && url.includes('/address/') && answer.ok
    if (!isList) return answer
    const isIt = (one: { txid: string }): boolean => one.txid === txId
    const body = (await answer.json()) as { txid: string }[] | { transactions?: { txid: string }[] }
    if (Array.isArray(body)) return Response.json(body.filter(one => !isIt(one)))
    const { transactions } = body
    return Response.json({ ...body, transactions: transactions?.filter(one => !isIt(one)) })
  }

/** Small payments by strangers, until more than one page of them is too deep to be scanned again. */
async function crowd({ script }: Attempt): Promise<void> {
  for (let paid = 0; paid < CROWD; paid++) {
    await scene.node.pay({ script, amount: SMALL })
    if (paid % 10 === 9) await scene.node.mine(1)
  }
  await scene.node.mine(DEEP)
}

const isFound = async (network: Network, attempt: Attempt): Promise<boolean> =>
  (await detectPayments(network, attempt)).some(({ amountAtomic }) => amountAtomic === DUE)

describe.each(['esplora', 'blockbook'] as const)('a payment that %s leaves out of its lists', protocol => {
  /** An attempt whose payment was not seen, followed by many small payments. */
  async function hiddenPayment(network: Network) {
    const attempt = await openAttempt(network)
    const txId = await scene.node.pay({ script: attempt.script, amount: DUE })
    scene.traffic.tap = hiding(txId, scene.endpoints[protocol].url)
    await scene.node.mine(DEEP)
    expect(await isFound(network, attempt)).toBe(false)
    await crowd(attempt)
    await detectPayments(network, attempt)
    await detectPayments(network, attempt)
    return attempt
  }

  test('is found below a page of others, once the endpoint lists it', async () => {
    const attempt = await hiddenPayment(networkOf(protocol))
    scene.time.later = 20 * MINUTE
    expect(await isFound(networkOf(protocol), attempt)).toBe(false)
    scene.beHonest()
    expect(await isFound(networkOf(protocol), attempt)).toBe(true)
    expect(await isFound(networkOf(protocol), attempt)).toBe(false)
  })

  test('is detected by the sum, even beside a watch that begins above it, and found by another endpoint', async () => {
    const attempt = await hiddenPayment(networkOf(protocol))
    const other = await openAttempt(networkOf(protocol), 'ltc', attempt.script)
    const later = { ...other, attemptId: 'later' }
    const [short] = await bitcoin.scanAttempts(networkOf(protocol), attempt, later)
    expect(JSON.stringify(short!.cursor)).toMatch(/"shortSince":\d/)
    expect(await isFound(networkOf(protocol, 'core'), attempt)).toBe(true)
  })

  test('holds up its watch for 15 minutes only, however often it is scanned meanwhile', async () => {
    const network = networkOf(protocol)
    const attempt = await hiddenPayment(network)
    const isHeldUp = async (minutes: number) => {
      scene.time.later = minutes * MINUTE
      const [{ completeFrom, completeTo = Number.POSITIVE_INFINITY }] = (await bitcoin.scanAttempts(
        network,
        attempt,
      )) as [WatchResult]
      return completeFrom > completeTo
    }
    expect([await isHeldUp(5), await isHeldUp(10), await isHeldUp(20)]).toEqual([true, true, false])
  })

  test('costs few requests while the endpoint reports a sum that is too high', async () => {
    const network = networkOf(protocol)
    const attempt = await hiddenPayment(network)
    for (const minutes of [20, 40, 60]) {
      scene.time.later = minutes * MINUTE
      const before = scene.traffic.requests
      await detectPayments(network, attempt)
      expect(scene.traffic.requests - before).toBeLessThan(40)
    }
  })
})

// The watch begins at the block of a payment that has seven confirmations.
test.each([6, 7, 8])(
  'money of %i confirmations that was there before the watch is not missing',
  async blocks => {
    const script = `0014${`5${blocks}`.repeat(20)}`
    const network = networkOf('esplora')
    await scene.node.pay({ script, amount: DUE })
    await scene.node.mine(blocks)
    const attempt = await openAttempt(network, 'ltc', script)
    await crowd(attempt)
    await detectPayments(network, attempt)
    const before = scene.traffic.requests
    await detectPayments(network, attempt)
    expect(scene.traffic.requests - before).toBeLessThan(12)
    expect(JSON.stringify(attempt.cursor)).toContain('"shortSince":null')
  },
)

test.each(['esplora', 'blockbook'] as const)(
  'a payment that one %s hides is found by another, although the watch began at a false height',
  async protocol => {
    const { url } = scene.endpoints[protocol]
    const network = bitcoinNetwork({
      ...{ chain: 'ltc', assets: [assetOf('ltc')], fetch: scene.fetch },
      endpoints: [url, url.replace('127.0.0.1', 'localhost')].map(own => ({ protocol, url: own })),
      clock: () => Date.now() + scene.time.later,
    })
    const { script } = await openAttempt(networkOf(protocol))
    await scene.node.pay({ script, amount: DUE + 1n })
    await scene.node.mine(1)
    scene.traffic.tap = bitcoin.farIndex(await scene.node.head())
    const attempt = await openAttempt(network, 'ltc', script)
    scene.time.later = 20 * MINUTE
    const txId = await scene.node.pay({ script, amount: DUE })
    scene.traffic.tap = hiding(txId, url)
    await scene.node.mine(DEEP)
    // The sum that Blockbook reports with each page shows it at once.
    const found = [await isFound(network, attempt)]
    await crowd(attempt)
    for (let look = 0; look < 3; look++) found.push(await isFound(network, attempt))
    expect(found).toContain(true)
  },
)

test('servers with sums report the total that an address received', async () => {
  const attempt = await openAttempt(networkOf('esplora'))
  await scene.node.pay({ script: attempt.script, amount: DUE })
  await scene.node.mine(1)
  const sumAt = async (protocol: Protocol) =>
    networkOf(protocol).amountsAt!(assetOf('ltc'), [attempt.address])
  expect(await sumAt('esplora')).toEqual([DUE])
  expect(await sumAt('blockbook')).toEqual([DUE])
  expect(await sumAt('core')).toEqual([null])
})

test('a sum that one index reported too low hides no payment, also where two have to report it', async () => {
  const { url } = scene.endpoints.blockbook
  const script = `0014${'6e'.repeat(20)}`
  const network = bitcoinNetwork({
    ...{ chain: 'ltc', assets: [assetOf('ltc')], fetch: scene.fetch },
    endpoints: [url, url.replace('127.0.0.1', 'localhost')].map(own => ({ protocol: 'blockbook', url: own })),
    clock: () => Date.now() + scene.time.later,
  })
  await scene.node.pay({ script, amount: 5n * SMALL })
  await scene.node.mine(DEEP)
  scene.traffic.tap = async (request, _body, pass) => {
    const answer = await pass()
    if (!request.startsWith(url) || !request.includes('/address/')) return answer
    const body = (await answer.json()) as object
    return Response.json({ ...body, totalReceived: '0', transactions: [] })
  }
  const attempt = await openAttempt(network, 'ltc', script)
  const careful = { ...attempt, attemptId: 'careful', requiredEndpoints: 2 }
  await scene.node.pay({ script, amount: DUE })
  await scene.node.mine(DEEP)
  const looks: boolean[] = []
  for (let look = 0; look < 6; look++) looks.push(await isFound(network, attempt))
  expect(looks).toContain(true)
  const unproven = []
  for (let look = 0; look < 6; look++)
    unproven.push(...((await bitcoin.scanAttempts(network, careful))[0]!.unproven ?? []))
  expect(unproven[0]).toMatchObject({ amountAtomic: DUE })
})
