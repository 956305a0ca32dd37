import { describe, expect, test } from 'bun:test'
import type { Attempt, OwnAttempt, PageAttempt } from '../../../src/domain/attempt.ts'
import { openedAttempt } from '../../../src/domain/opening.ts'
import type { Order } from '../../../src/domain/order.ts'
import type { IncomingPayment } from '../../../src/domain/payment.ts'
import {
  attemptRow,
  failureOf,
  forwardedRow,
  givenAttempt,
  givenOrder,
  incomingRow,
  JSON_VALUE,
  LARGE_UNITS,
  LATEST,
  newId,
  type Open,
  opening,
  openingRow,
  pageRow,
  TEXT,
} from './given.ts'

const whole = {
  methodName: TEXT,
  assetId: 'ethereum/usdc',
  decimals: 18,
  dueAtomic: LARGE_UNITS,
  thresholdAtomic: 0n,
  payoutAddress: '0xEf',
  lockedUntil: LATEST,
  watchUntil: LATEST,
  state: 'confirming',
  receivedAtomic: LARGE_UNITS,
  confirmedAtomic: LARGE_UNITS - 1n,
  awaited: null,
  vanishedAt: LATEST,
  confirmations: 2147483647,
  requiredConfirmations: 0,
  checkedAt: 0,
  createdAt: 0,
  updatedAt: LATEST,
} as const

const wholeQuote = {
  dustAtomic: 0n,
  rate: '0.000000000000000001',
  rateSources: ['kraken', TEXT],
  rateAt: LATEST,
  paymentUri: 'ethereum:0xAb?value=1e18',
  refundAddress: TEXT,
}

const wholeOwn: Partial<OwnAttempt> = {
  ...{ ...whole, ...wholeQuote },
  shared: true,
  addressSource: JSON_VALUE,
  requiredEndpoints: 2,
  cursor: JSON_VALUE,
  reclaimedAt: LATEST,
}

const wholePage: Partial<PageAttempt> = {
  ...whole,
  redirectUrl: 'https://pay.example/?a=b',
  floorAtomic: LARGE_UNITS,
  pageShare: 850_000,
  callbackSecret: null,
  providerRef: TEXT,
  feeSplit: true,
}

type Kind = [sentence: string, rowFor: (order: Order) => Attempt]

const kinds: Kind[] = [
  ['at an own address with few values', order => attemptRow(order)],
  ['at an own address with extreme values', order => attemptRow(order, wholeOwn)],
  ['with empty JSON values', order => attemptRow(order, { addressSource: {}, cursor: [] })],
  ['at a forwarding address with few values', order => forwardedRow(order)],
  ['at a forwarding address with extreme values', order => forwardedRow(order, { ...whole, ...wholeQuote })],
  ['on a page with few values', order => pageRow(order)],
  ['on a page with extreme values', order => pageRow(order, { ...wholePage, address: newId() })],
]

const wholeIncoming: Partial<IncomingPayment> = {
  source: 'gateway',
  txId: TEXT,
  txIndex: 'sum',
  amountAtomic: LARGE_UNITS,
  state: 'final',
  settles: true,
  confirmations: 2147483647,
  height: LATEST,
  txIn: `in ${TEXT}`,
  txOut: `out ${TEXT}`,
  paidAt: LATEST,
  minedAt: LATEST,
  rate: '3000.00000001',
  counts: true,
  inputs: [TEXT, ''],
  evidence: JSON_VALUE,
  createdAt: 0,
  updatedAt: LATEST,
}

export function attemptsContract(open: Open): void {
  const engine = opening(open, 'test')
  const { read, write } = engine

  describe('attempts', () => {
    const find = (id: string) => read(tables => tables.attempts.find(id))

    const given = async <Row extends Attempt>(rowFor: (order: Order) => Row): Promise<Row> => {
      const attempt = rowFor(await givenOrder(engine))
      await write(tables => tables.attempts.insert(attempt))
      return attempt
    }

    test.each(kinds)('%s are read as they were inserted', async (_, rowFor) => {
      const attempt = await given(rowFor)
      expect([await find(attempt.id), await find(newId())]).toEqual([attempt, null])
    })

    test('are read together by their IDs', async () => {
      const [one, other] = [await givenAttempt(engine), await givenAttempt(engine)]
      await givenAttempt(engine)
      const found = await read(tables => tables.attempts.findAll([other.id, newId(), one.id]))
      expect(found).toHaveLength(2)
      expect(found).toEqual(expect.arrayContaining([one, other]))
      expect(await read(tables => tables.attempts.findAll([]))).toEqual([])
    })

    test.each(kinds)('%s are updated only in the given fields', async (_, rowFor) => {
      const attempt = await given(rowFor)
      const other = await givenAttempt(engine)
      const change = { state: 'settled', receivedAtomic: 2n ** 64n, confirmations: null } as const
      await write(tables => tables.attempts.update(attempt.id, change))
      expect([await find(attempt.id), await find(other.id)]).toEqual([{ ...attempt, ...change }, other])
    })

    test('lose their cursor if an update requests it', async () => {
      const attempt = await givenAttempt(engine, wholeOwn)
      await write(tables => tables.attempts.update(attempt.id, { cursor: null }))
      expect(await find(attempt.id)).toEqual({ ...attempt, cursor: null })
    })

    test('are listed oldest first for an order, and newest first for several orders', async () => {
      const [one, two, three] = [await givenOrder(engine), await givenOrder(engine), await givenOrder(engine)]
      const rows = [
        attemptRow(one, { createdAt: 4 }),
        attemptRow(one, { createdAt: 5 }),
        attemptRow(two, { createdAt: 5 }),
        attemptRow(one, { createdAt: 5 }),
        attemptRow(two, { createdAt: 6 }),
      ]
      const shuffled = [rows[3]!, rows[1]!, rows[4]!, rows[0]!, rows[2]!, attemptRow(three)]
      for (const row of shuffled) await write(tables => tables.attempts.insert(row))
      const ofOne = await read(tables => tables.attempts.listOf(one.id))
      expect(ofOne).toEqual([rows[0]!, rows[1]!, rows[3]!])
      expect((await read(tables => tables.attempts.listLooked(one.id))).attempts).toEqual(ofOne)
      const ofBoth = await read(tables => tables.attempts.listOfOrders([one.id, two.id]))
      expect(ofBoth).toEqual(rows.toReversed())
      expect(await read(tables => tables.attempts.listOfOrders([]))).toEqual([])
      expect(await read(tables => tables.attempts.listOf(newId()))).toEqual([])
    })

    test('at a shared address are distinguished by asset, amount and time', async () => {
      const order = await givenOrder(engine)
      const given = { address: 'shared', shared: true, dueAtomic: LARGE_UNITS, watchUntil: 100 }
      await givenAttempt(engine, given, order)
      await givenAttempt(engine, { ...given, address: 'own', shared: false }, order)
      const isShared = (address: string, assetId: string, dueAtomic: bigint, after: number) =>
        read(tables => tables.attempts.isShared(address, assetId, dueAtomic, after))
      expect(await isShared('shared', 'btc', LARGE_UNITS, 99)).toBe(true)
      expect(await isShared('shared', 'btc', LARGE_UNITS, 100)).toBe(false)
      expect(await isShared('shared', 'btc', LARGE_UNITS - 1n, 99)).toBe(false)
      expect(await isShared('shared', 'ltc', LARGE_UNITS, 99)).toBe(false)
      expect(await isShared('SHARED', 'btc', LARGE_UNITS, 99)).toBe(false)
      expect(await isShared('own', 'btc', LARGE_UNITS, 99)).toBe(false)
    })

    test('are found by address in any case', async () => {
      await givenAttempt(engine, { address: '0xAbCdEf' })
      await givenAttempt(engine)
      const hasAddress = (address: string) => read(tables => tables.attempts.hasAddress(address))
      expect(await hasAddress('0xABCDEF')).toBe(true)
      expect(await hasAddress('0xabcdef')).toBe(true)
      expect(await hasAddress('0xabcde')).toBe(false)
      expect(await hasAddress('null')).toBe(false)
      const isGiven = (address: string) => read(tables => tables.attempts.isGiven(address))
      expect([await isGiven('0xabCDEF'), await isGiven('0xabcde')]).toEqual([true, false])
    })

    test('are counted while they wait for a payment inside their lock', async () => {
      const order = await givenOrder(engine)
      const waiting = { state: 'waiting', lockedUntil: 100 } as const
      for (const change of [
        waiting,
        waiting,
        { ...waiting, lockedUntil: 99 },
        { ...waiting, state: 'settled' },
      ])
        await givenAttempt(engine, change as Partial<OwnAttempt>, order)
      const count = (merchantId: string, max: number) =>
        read(tables => tables.attempts.countWaiting(merchantId, 99, max))
      expect(await count(order.merchantId, 9)).toBe(2)
      expect([await count(order.merchantId, 1), await count(newId(), 9)]).toEqual([1, 0])
      const atProvider = pageRow(order, { ...waiting, providerRef: newId(), createdAt: 9 })
      await write(tables => tables.attempts.insert(atProvider))
      const listed = await read(tables => tables.attempts.listWaiting(order.merchantId, 99, 1))
      expect(listed).toEqual([atProvider])
    })

    test('are found by provider and reference', async () => {
      const attempt = await given(order => pageRow(order, { provider: 'paygate', providerRef: TEXT }))
      await given(order => pageRow(order, { provider: 'stripe', providerRef: TEXT }))
      await given(order => forwardedRow(order, { provider: 'paygate' }))
      await givenAttempt(engine)
      const find = (provider: string, reference: string) =>
        read(tables => tables.attempts.findByReference(provider, reference))
      expect(await find('paygate', TEXT)).toEqual(attempt)
      expect(await find('paygate', 'unknown')).toBe(null)
      expect(await find('unknown', TEXT)).toBe(null)
    })

    test("that show a method's usual fees are listed newest first, for half to twice an amount", async () => {
      const page = { provider: 'gateway', methodKey: 'card', assetId: 'usdc', dueAtomic: 500n }
      const givenShare = (pageShare: number | null, change: Partial<PageAttempt> = {}) =>
        given(order => pageRow(order, { ...page, pageShare, createdAt: 10, ...change }))
      const listed = [
        givenShare(1, { dueAtomic: 250n, createdAt: 14 }),
        givenShare(2, { dueAtomic: 999n, createdAt: 13 }),
        givenShare(3, { dueAtomic: 1000n, createdAt: 12 }),
        givenShare(4, { createdAt: 11 }),
      ]
      const orders = (await Promise.all(listed)).map(({ orderId }) => orderId)
      for (const [dueAtomic, createdAt] of [
        [249n, 10],
        [1001n, 10],
        [50n, 10],
        [9_999n, 10],
        [500n, 9],
      ] as const)
        await givenShare(5, { dueAtomic, createdAt })
      await givenShare(null)
      await givenShare(5, { methodKey: 'bank' })
      await givenShare(5, { provider: 'other' })
      await givenShare(5, { assetId: 'usdt' })
      const list = (limit: number) => read(tables => tables.attempts.listPageShares(page, 9, limit))
      const found = await list(9)
      expect(found.map(({ share }) => share)).toEqual([1, 2, 3, 4])
      const customers = await Promise.all(orders.map(id => read(tables => tables.orders.find(id))))
      expect(found.map(({ customerId }) => customerId)).toEqual(customers.map(one => one!.order.customerId))
      expect((await list(2)).map(({ share }) => share)).toEqual([1, 2])
    })

    test('have a unique address unless it is shared', async () => {
      const order = await givenOrder(engine)
      const insert = (change: Partial<OwnAttempt>) =>
        failureOf(write(tables => tables.attempts.insert(attemptRow(order, change))))
      expect(await insert({ address: 'own' })).toBe('nothing failed')
      expect(await insert({ address: 'own' })).toMatch(/^failed/)
      expect(await insert({ address: 'shared', shared: true })).toBe('nothing failed')
      expect(await insert({ address: 'shared', shared: true })).toBe('nothing failed')
      expect(await insert({ orderId: newId() })).toMatch(/^failed/)
    })
  })

  describe('openings', () => {
    const secret = { callbackSecret: 'secret', payoutAddress: '0xEf', methodName: TEXT, dust: LARGE_UNITS }
    const page = {
      ...{ assetId: 'fiat/usd', decimals: 2, dueAtomic: LARGE_UNITS, thresholdAtomic: 1n },
      ...{ floorAtomic: 2n, address: null },
      ...{ payoutAddress: 'account', feeSplit: true, redirectUrl: 'https://pay.example', providerRef: TEXT },
    }

    test.each([
      ['with few values', {}],
      ['with all values', { ...secret, state: 'failed' as const, watchUntil: LATEST }],
    ])('%s are read as they were inserted, and are not attempts', async (_, change) => {
      const order = await givenOrder(engine)
      const attempt = await givenAttempt(engine, {}, order)
      const opening = openingRow(order, change)
      const look = { readAt: 5, failedAt: null, cursor: null }
      const looks = [{ attemptId: attempt.id, askedAt: 4, chains: { base: look } }]
      const unlooked = await read(tables => tables.attempts.listLooked(order.id))
      await write(async tables => {
        await tables.attempts.insertOpening(opening)
        await tables.elsewhere.put(looks[0]!)
      })
      const found = await read(async ({ attempts }) => ({
        opening: await attempts.findOpening(opening.id),
        attempt: await attempts.find(opening.id),
        all: await attempts.findAll([opening.id]),
        other: await attempts.findOpening(attempt.id),
        none: await attempts.findOpening(newId()),
        ofOrder: await attempts.listOf(order.id),
        ofOrders: await attempts.listOfOrders([order.id]),
        started: await attempts.listStarted(order.id),
        looked: await attempts.listLooked(order.id),
      }))
      const attempts = [attempt]
      expect(unlooked).toEqual({ attempts, openings: [], looks: [] })
      expect(found).toEqual({
        ...{ opening, attempt: null, all: [], other: null, none: null },
        ...{ ofOrder: attempts, ofOrders: attempts, started: { attempts, openings: [opening] } },
        looked: { attempts, openings: [opening], looks },
      })
    })

    test('are updated only in the given fields', async () => {
      const opening = openingRow(await givenOrder(engine), secret)
      const change = { state: 'failed', priced: '12.00', chosenAt: 8, updatedAt: 9 } as const
      await write(async tables => {
        await tables.attempts.insertOpening(opening)
        await tables.attempts.updateOpening(opening.id, change)
      })
      expect(await read(tables => tables.attempts.findOpening(opening.id))).toEqual({ ...opening, ...change })
    })

    test('become attempts with the same ID when their page is stored', async () => {
      const order = await givenOrder(engine)
      const opening = openingRow(order, secret)
      const attempt = openedAttempt(opening, page, { order, now: LATEST })
      await write(async tables => {
        await tables.attempts.insertOpening(opening)
        await tables.attempts.storePage(opening.id, { ...page, state: 'waiting', updatedAt: LATEST })
      })
      const started = await read(tables => tables.attempts.listStarted(order.id))
      expect(started).toEqual({ attempts: [attempt], openings: [] })
      expect(await read(tables => tables.attempts.findByReference('gateway', TEXT))).toEqual(attempt)
    })
  })

  describe('incoming payments', () => {
    const listOf = (id: string) => read(tables => tables.incomingPayments.listOf(id))
    const insert = (row: IncomingPayment) => write(tables => tables.incomingPayments.insert(row))

    test.each([
      ['with extreme values', wholeIncoming],
      ['with few values', { evidence: {}, amountAtomic: 0n }],
      ['with an empty JSON array', { evidence: [] }],
    ])('%s are listed as they were inserted', async (_, change) => {
      const incoming = incomingRow(await givenAttempt(engine), change)
      await insert(incoming)
      expect(await listOf(incoming.attemptId)).toEqual([incoming])
    })

    test('are listed by attempt, oldest first', async () => {
      const attempt = await givenAttempt(engine)
      const rows = [7, 8, 8, 9].map(createdAt => incomingRow(attempt, { createdAt }))
      for (const row of [rows[2]!, rows[3]!, rows[0]!, rows[1]!]) await insert(row)
      await insert(incomingRow(await givenAttempt(engine)))
      expect(await listOf(attempt.id)).toEqual(rows)
    })

    test('are listed by order and by transaction, across attempts', async () => {
      const attempt = await givenAttempt(engine)
      const [first, second] = [7, 8].map(createdAt => incomingRow(attempt, { txId: 'tx', createdAt }))
      const other = incomingRow(await givenAttempt(engine), { txId: 'tx', createdAt: 9 })
      for (const row of [{ ...second!, txIndex: '1' }, first!, other]) await insert(row)
      const ofOrder = await read(tables => tables.incomingPayments.listOfOrder(attempt.orderId))
      expect(ofOrder).toEqual([first!, { ...second!, txIndex: '1' }])
      const list = (source: string, txIndex: string) =>
        read(tables => tables.incomingPayments.listByTx(source, 'tx', txIndex))
      expect((await list('btc', '0')).map(({ id }) => id).sort()).toEqual([first!.id, other.id].sort())
      expect(await list('btc', '1')).toHaveLength(1)
      expect(await list('ltc', '0')).toEqual([])
    })

    test('are unique in their attempt, while one transaction may pay several attempts', async () => {
      const attempt = await givenAttempt(engine)
      await insert(incomingRow(attempt, { txId: 'out', txIn: 'in' }))
      const fails = (change: Partial<IncomingPayment>, of = attempt) =>
        failureOf(insert(incomingRow(of, change)))
      expect(await fails({ txId: 'out' })).toMatch(/^failed/)
      expect(await fails({ txId: 'out', txIn: 'in' }, await givenAttempt(engine))).toBe('nothing failed')
      expect(await fails({ txId: 'out', txIndex: '1' })).toBe('nothing failed')
      expect(await fails({ txId: 'out', source: 'ltc' })).toBe('nothing failed')
      expect(await fails({ txId: 'none', attemptId: newId() })).toMatch(/^failed/)
    })

    test('are updated only in the given fields', async () => {
      const incoming = incomingRow(await givenAttempt(engine), wholeIncoming)
      await insert(incoming)
      const change = { state: 'gone', amountAtomic: 2n ** 63n, height: null, evidence: {} } as const
      await write(tables => tables.incomingPayments.update(incoming.id, change))
      expect(await listOf(incoming.attemptId)).toEqual([{ ...incoming, ...change }])
    })
  })
}
