import { describe, expect, test } from 'bun:test'
import { generateKeyPairSigner } from '@solana/kit'
import type { Json } from '../../src/domain/metadata.ts'
import type { Network } from '../../src/networks/port.ts'
import {
  type Attempt,
  answering,
  honest,
  openPool,
  SOL,
  scanPayments,
  scanWatches,
  type Tap,
  useScene,
} from './solana-scene.ts'

const FAR = 10 ** 12
const MINUTE_MS = 60_000

const scene = useScene({ each: true })

/** Changes the results of one method, on all endpoints or on those with `word` in the URL. */
const changing = (method: string, change: (result: Json) => Json, word = ''): Tap => {
  const changed = answering(method, ({ result }) => ({ result: change(result) }))
  return (body, pass, url) => (url.includes(word) ? changed : honest)(body, pass, url)
}

const farSlot = changing('getSlot', () => FAR)

const endpointsAt = (...words: string[]) =>
  words.map(word => ({ protocol: 'jsonrpc', url: `${scene.solana.url}/${word}` }))

/** A new network, as after a restart. */
const watcher = (...words: string[]): Network => scene.watcher({ endpoints: endpointsAt(...words) })

const seed = () => scene.openSol(watcher('a'))
const payTo = ({ address }: Attempt, amount = SOL) => scene.sendSol(address, amount)

describe('one false slot', () => {
  async function misled(): Promise<Attempt> {
    const attempt = await seed()
    scene.traffic.tap = farSlot
    await scanWatches(watcher('a'), attempt)
    scene.traffic.tap = honest
    return attempt
  }

  test.each([[['a']], [['a', 'b']], [['b']]])(
    'hides a payment from the endpoints %p for at most 15 minutes, also after a restart',
    async words => {
      const attempt = await misled()
      await payTo(attempt)
      scene.solana.finalize()
      scene.time.now += 16 * MINUTE_MS
      expect(await scanPayments(watcher(...words), attempt)).toEqual([['solana/sol', SOL, true]])
      await payTo(attempt, 2n * SOL)
      scene.solana.finalize()
      expect(await scanPayments(watcher(...words), attempt)).toEqual([['solana/sol', 2n * SOL, true]])
    },
  )

  test('does not delay the attempt of another buyer in the same scan', async () => {
    const attempt = await misled()
    const other = await seed()
    await payTo(other)
    scene.solana.finalize()
    const results = await watcher('a').scan([attempt, other])
    const own = results.find(({ attemptId }) => attemptId === other.attemptId)
    expect(own!.detectedPayments).toMatchObject([{ amountAtomic: SOL, final: true }])
  })

  test('while an attempt is opened does not hide payments to it', async () => {
    scene.traffic.tap = farSlot
    const attempt = await seed()
    scene.traffic.tap = honest
    await payTo(attempt)
    scene.solana.finalize()
    scene.time.now += 16 * MINUTE_MS
    expect(await scanPayments(watcher('a'), attempt)).toEqual([['solana/sol', SOL, true]])
  })

  test('has no effect on the address of a pool, which begins at the slot of a second endpoint', async () => {
    const wallet = await scene.solana.wallet()
    scene.traffic.tap = changing('getSlot', () => FAR, '/a')
    const attempt = await openPool(watcher('a', 'b'), scene.sol, wallet.address)
    scene.traffic.tap = honest
    await payTo(attempt)
    scene.solana.finalize()
    expect(await scanPayments(watcher('a', 'b'), attempt)).toEqual([['solana/sol', SOL, true]])
  })

  test.each([100, 1000, 5000])(
    'while an attempt is opened hides nothing, even if the chain soon reaches it: %i too high',
    async above => {
      scene.traffic.tap = changing('getSlot', slot => Number(slot) + above)
      const attempt = await seed()
      scene.traffic.tap = honest
      await payTo(attempt)
      scene.solana.advance(above)
      scene.time.now += above * 400
      expect(await scanPayments(watcher('a'), attempt)).toEqual([['solana/sol', SOL, true]])
    },
  )
})

test.each<[status: string | null, isFinalized: boolean, final: boolean]>([
  ['finalized', false, false],
  ['confirmed', true, false],
  [null, false, false],
  [null, true, true],
])(
  'a list that reports %p for a slot that is finalized (%p) makes the payment final: %p',
  async (status, is, final) => {
    const attempt = await seed()
    await payTo(attempt)
    if (is) scene.solana.finalize()
    scene.traffic.tap = changing('getSignaturesForAddress', result =>
      (result as { [key: string]: Json }[]).map(one => ({ ...one, confirmationStatus: status })),
    )
    expect(await scanPayments(watcher('a'), attempt)).toEqual([['solana/sol', SOL, final]])
  },
)

describe('a transaction that is missing in one list', () => {
  /** Removes the oldest transaction from an endpoint's list. */
  const withoutOldest = (word = '') =>
    changing('getSignaturesForAddress', result => (result as Json[]).slice(0, -1), word)

  async function paidTwice(): Promise<Attempt> {
    const attempt = await seed()
    await payTo(attempt)
    await payTo(attempt, 2n * SOL)
    scene.solana.finalize()
    return attempt
  }

  const both = [
    ['solana/sol', SOL, true],
    ['solana/sol', 2n * SOL, true],
  ]

  test('is read by the next scan, and listed transactions are reported at once', async () => {
    const attempt = await paidTwice()
    scene.traffic.tap = withoutOldest()
    const [first] = await scanWatches(watcher('a'), attempt)
    expect(first!.detectedPayments).toMatchObject([{ amountAtomic: 2n * SOL, final: true }])
    scene.traffic.tap = honest
    expect(await scanPayments(watcher('a'), attempt)).toEqual(both as never)
    expect(await scanPayments(watcher('a'), attempt)).toEqual([])
  })

  test('is read at once from another endpoint, as if the first has pruned its history', async () => {
    const attempt = await paidTwice()
    scene.traffic.tap = withoutOldest('/a')
    expect(await scanPayments(watcher('a', 'b'), attempt)).toEqual(both as never)
  })

  test('delays a watch by some hours only', async () => {
    const attempt = await paidTwice()
    scene.traffic.tap = withoutOldest()
    expect(await scanPayments(watcher('a'), attempt)).toHaveLength(1)
    for (let scan = 0; scan < 2; scan++) {
      scene.time.now += 4 * 3600_000
      expect(await scanPayments(watcher('a'), attempt)).toHaveLength(1)
    }
    scene.traffic.tap = honest
    expect(await scanPayments(watcher('a'), attempt)).toEqual([])
  })

  test('does not make a reported payment count as gone', async () => {
    const attempt = await seed()
    await payTo(attempt)
    const [first] = await scanWatches(watcher('a'), attempt)
    const { height } = first!.detectedPayments[0]!
    scene.traffic.tap = changing('getSignaturesForAddress', () => [])
    const [second] = await scanWatches(watcher('a'), attempt)
    expect(second!.completeFrom).toBeGreaterThan(height!)
    scene.traffic.tap = honest
    scene.solana.finalize()
    expect(await scanPayments(watcher('a'), attempt)).toEqual([['solana/sol', SOL, true]])
  })

  test('is read again for hours, in case a node lists it late', async () => {
    const attempt = await seed()
    await payTo(attempt)
    scene.solana.finalize()
    scene.traffic.tap = changing('getSignaturesForAddress', () => [])
    for (let scan = 0; scan < 4; scan++) expect(await scanPayments(watcher('a'), attempt)).toEqual([])
    scene.traffic.tap = honest
    expect(await scanPayments(watcher('a'), attempt)).toEqual([['solana/sol', SOL, true]])
  })
})

test('one false low slot neither makes a final payment disappear, nor moves the start of a watch', async () => {
  const wallet = await scene.solana.wallet()
  scene.solana.advance(100_000)
  const attempt = await openPool(watcher('a'), scene.sol, wallet.address)
  const startOf = () => (attempt.cursor as { startSlot: number }).startSlot
  const start = startOf()
  await payTo(attempt)
  scene.solana.finalize()
  const [paid] = await scanWatches(watcher('a'), attempt)
  const { height } = paid!.detectedPayments[0]!
  scene.time.now += 16 * MINUTE_MS
  scene.traffic.tap = changing('getSlot', slot => Number(slot) - 50_000)
  await scanWatches(watcher('a'), attempt)
  scene.traffic.tap = honest
  const [after] = await scanWatches(watcher('a'), attempt)
  expect(after!.completeFrom).toBeGreaterThan(height!)
  expect(startOf()).toBe(start)
  await payTo(attempt, 2n * SOL)
  scene.solana.finalize()
  expect(await scanPayments(watcher('a'), attempt)).toEqual([['solana/sol', 2n * SOL, true]])
})

describe('a balance that one endpoint reported falsely', () => {
  type Reported = { value: (object | null)[] }
  type Details = { meta: { postBalances: number[] }; transaction: { message: { accountKeys: Json[] } } }
  const FALSE = Number(2000n * SOL)
  const empty = { owner: '1'.repeat(32), executable: false, data: ['', 'base64'] }

  /** The endpoint `a` reports one high balance of each account, and lists no transaction. */
  const richAndSilent: Tap = (body, pass, url) =>
    changing(
      'getMultipleAccounts',
      result => ({ value: (result as Reported).value.map(one => ({ ...empty, ...one, lamports: FALSE })) }),
      '/a',
    )(body, async () => changing('getSignaturesForAddress', () => [], '/a')(body, pass, url), url)

  /** Opens an attempt at a wallet that had a payment before. */
  async function pool(): Promise<Attempt> {
    const { address } = await generateKeyPairSigner()
    await scene.sendSol(address, 5n * SOL)
    scene.solana.advance(100)
    return openPool(watcher('a', 'b'), scene.sol, address)
  }

  /** The payments that four looks by turns find. */
  async function payAndScan(attempt: Attempt): Promise<unknown[]> {
    await payTo(attempt)
    scene.solana.finalize()
    const found = []
    for (let look = 0; look < 4; look++) found.push(...(await scanPayments(watcher('a', 'b'), attempt)))
    return found
  }

  test.each([
    ['a seed address', seed],
    ['the address of a pool', pool],
  ])('when %s was given out hides no payment that the other endpoint lists', async (_, open) => {
    scene.traffic.tap = richAndSilent
    expect(await payAndScan(await open())).toEqual([['solana/sol', SOL, true]])
  })

  test('after a payment hides no later payment that the other endpoint lists', async () => {
    const attempt = await pool()
    await payTo(attempt)
    scene.solana.finalize()
    scene.traffic.tap = changing('getTransaction', result => {
      const { meta, transaction, ...rest } = result as Details
      const { accountKeys } = transaction.message
      const at = accountKeys.findIndex(key => JSON.stringify(key).includes(attempt.address))
      return { ...rest, transaction, meta: { ...meta, postBalances: meta.postBalances.with(at, FALSE) } }
    })
    expect(await scanPayments(watcher('a'), attempt)).toHaveLength(1)
    scene.traffic.tap = richAndSilent
    expect(await payAndScan(attempt)).toEqual([['solana/sol', SOL, true]])
  })
})
