import { describe, expect, test } from 'bun:test'
import {
  type Attempt,
  honest,
  openPool,
  pay,
  SOL,
  scanPayments,
  scanWatches,
  useScene,
} from './solana-scene.ts'

const HOUR_MS = 3600_000
const TRANSFERS_AT_ONCE = 15

const scene = useScene({ each: true })

const seeds = async (count: number): Promise<Attempt[]> =>
  Promise.all(Array.from({ length: count }, () => scene.openSol()))

/** The number of requests that one scan sends, and the number of calls in them. */
async function costOf(attempts: Attempt[]): Promise<[requests: number, calls: number]> {
  scene.forget()
  await scanWatches(scene.network, ...attempts)
  return [scene.traffic.requests, scene.traffic.calls.length]
}

describe('the cost of a scan', () => {
  test.each([
    [1, 2, 5, 1, 4],
    [100, 2, 104, 1, 4],
    [1000, 11, 1013, 1, 13],
  ])(
    'for %i addresses derived from seeds is %i requests with %i calls',
    async (count, requests, calls, restRequests, restCalls) => {
      const attempts = await seeds(count)
      expect(await costOf(attempts)).toEqual([requests, calls])
      await costOf(attempts)
      expect(await costOf(attempts)).toEqual([restRequests, restCalls])
    },
  )

  test('for a hundred wallets that wait for a token is one list for each of them', async () => {
    const wallets = await Promise.all(Array.from({ length: 100 }, () => scene.solana.wallet(0n)))
    const attempts = await Promise.all(
      wallets.map(({ address }) => openPool(scene.network, scene.usdc, address)),
    )
    expect(await costOf(attempts)).toEqual([1 + 3, 3 + 3 + 300])
    await costOf(attempts)
    expect(await costOf(attempts)).toEqual([1 + 1, 3 + 3 + 100])
  })

  test('includes a list for each account if a node cannot report many accounts at once', async () => {
    delete scene.solana.methods.getMultipleAccounts
    const attempts = await seeds(10)
    for (let scan = 0; scan < 4; scan++) expect(await costOf(attempts)).toEqual([2, 3 + 1 + 10])
    await scene.sendSol(attempts[3]!.address)
    scene.solana.finalize()
    const results = await scanWatches(scene.network, ...attempts)
    expect(results.map(({ detectedPayments }) => detectedPayments.length)).toEqual([
      0, 0, 0, 1, 0, 0, 0, 0, 0, 0,
    ])
  })
})

/** The number of times that one scan lists the account of an attempt. */
async function listed(attempt: Attempt | undefined): Promise<number> {
  scene.forget()
  await scanWatches(scene.network, attempt!)
  return scene.callsOf('getSignaturesForAddress')
}

test('an idle account is listed again after a change, and after some hours without one', async () => {
  const { network, solana, sendSol, time } = scene
  const [attempt] = await seeds(1)
  expect([await listed(attempt), await listed(attempt), await listed(attempt)]).toEqual([1, 1, 0])
  time.now += 5 * HOUR_MS
  expect(await listed(attempt)).toBe(0)
  time.now += HOUR_MS
  expect(await listed(attempt)).toBe(1)
  expect(await listed(attempt)).toBe(0)
  await sendSol(attempt!.address)
  expect(await scanPayments(network, attempt!)).toEqual([['solana/sol', SOL, false]])
  solana.finalize()
  expect(await scanPayments(network, attempt!)).toEqual([['solana/sol', SOL, true]])
})

test('an account that was idle while the clock was ahead is listed again once it is set back', async () => {
  const { time } = scene
  const [attempt] = await seeds(1)
  time.now += 48 * HOUR_MS
  expect([await listed(attempt), await listed(attempt), await listed(attempt)]).toEqual([1, 1, 0])
  time.now -= 48 * HOUR_MS
  expect(await listed(attempt)).toBe(1)
  expect(await listed(attempt)).toBe(0)
})

test('a payment that was swept before the next scan is found within hours', async () => {
  const { network, solana, payer, time } = scene
  const [attempt] = await seeds(1)
  for (let scan = 0; scan < 3; scan++) expect(await scanPayments(network, attempt!)).toEqual([])
  await solana.send(payer, [pay(payer, attempt!.address, SOL)])
  const { calls } = await network.sweep!({
    addresses: [attempt!],
    chainId: null,
    assetId: null,
    isWorth: () => true,
  })
  const [call] = calls
  await solana.signAndSend(scene.merchant, call!.kind === 'solana' ? call!.transaction : '')
  solana.finalize()
  time.now += 6 * HOUR_MS
  const [results] = await scanWatches(network, attempt!)
  expect(results!.detectedPayments.map(({ amountAtomic }) => amountAtomic)).toEqual([SOL])
  expect(results!.outflows).toMatchObject([{ assetId: 'solana/sol' }])
})

test('a payment is found when a node lists it later than it reports the balance', async () => {
  const { network, solana, payer, traffic } = scene
  const [attempt] = await seeds(1)
  for (let scan = 0; scan < 3; scan++) await scanWatches(network, attempt!)
  await solana.send(payer, [pay(payer, attempt!.address, SOL)])
  solana.finalize()
  traffic.tap = async (body, pass) =>
    body.includes('getSignaturesForAddress') ? Response.json({ jsonrpc: '2.0', id: 1, result: [] }) : pass()
  expect(await scanPayments(network, attempt!)).toEqual([])
  traffic.tap = honest
  expect(await scanPayments(network, attempt!)).toEqual([['solana/sol', SOL, true]])
})

/** Many transactions of the smallest amount, several in a slot. */
async function dust(address: string, count: number): Promise<void> {
  const { solana, payer } = scene
  for (let sent = 0; sent < count; sent++) {
    await solana.send(payer, [pay(payer, address, 1n)], sent % TRANSFERS_AT_ONCE === 0 ? 1n : 0n)
  }
  solana.advance(1)
}

/** Scans until a payment of this amount is final. */
async function scanUntil(attempt: Attempt, amount: bigint): Promise<{ scans: number; reported: number }> {
  let reported = 0
  for (let scans = 1; scans < 30; scans++) {
    const [results] = await scanWatches(scene.network, attempt)
    expect(JSON.stringify(attempt.cursor).length).toBeLessThan(2000)
    reported += results!.detectedPayments.length
    if (results!.detectedPayments.some(detected => detected.amountAtomic === amount && detected.final))
      return { scans, reported }
  }
  return { scans: Number.NaN, reported }
}

describe('dust', () => {
  test('in thousands of transactions before and after a payment delays it by only one scan', async () => {
    const { solana, payer } = scene
    const [attempt] = await seeds(1)
    await solana.send(payer, [pay(payer, attempt!.address, 890_880n)])
    await dust(attempt!.address, 2050)
    await solana.send(payer, [pay(payer, attempt!.address, SOL)])
    await dust(attempt!.address, 200)
    solana.finalize()
    expect(await scanUntil(attempt!, SOL)).toEqual({ scans: 2, reported: 2252 })
    scene.forget()
    expect(await scanPayments(scene.network, attempt!)).toEqual([])
    expect(scene.traffic.calls.length).toBeLessThan(8)
  })

  test('on some addresses does not hide payments to others', async () => {
    const { solana, payer, network } = scene
    const attempts = await seeds(4)
    for (const { address } of attempts.slice(0, 3)) {
      await solana.send(payer, [pay(payer, address, 890_880n)])
      await dust(address, 520)
    }
    await solana.send(payer, [pay(payer, attempts[3]!.address, SOL)])
    solana.finalize()
    scene.forget()
    const results = await scanWatches(network, ...attempts)
    expect(results[3]!.detectedPayments.map(({ amountAtomic }) => amountAtomic)).toEqual([SOL])
    expect(scene.callsOf('getTransaction')).toBeLessThanOrEqual(2000)
  })
})
