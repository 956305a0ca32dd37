import { expect, test } from 'bun:test'
import type { Asset, AssetLook } from '../../../src/domain/asset.ts'
import type { Order } from '../../../src/domain/order.ts'
import type { OrderHistory } from '../../../src/operations/orders/inspect.ts'
import { orderTimeline, type TimelineContext } from '../../../src/present/order-timeline.ts'
import { dashboardLocale } from '../../../views/dashboard/locale.ts'
import { attempt, order, payment } from '../domain/given.ts'

const context: TimelineContext & { said(): string } = {
  asset: () => undefined,
  look: () => {
    throw new Error('no asset is known')
  },
  isSandbox: true,
  nameOf: actor => `<${actor}>`,
  locale: dashboardLocale('en', 'UTC'),
  said: () => 'a notification',
}

const orderOf = (change: Partial<Order>): Order => ({ ...order('UNPAID'), createdAt: 10, ...change })

/** A history with the rows that a test needs. All others are empty. */
const history = (change: object): OrderHistory =>
  ({
    order: orderOf({}),
    session: { status: 'CREATED', updatedAt: 10 },
    ...{ attempts: [], openings: [], payments: [], transactions: [], refunds: [], events: [], unmatched: [] },
    ...{ notifications: [], audit: [], notes: [], settlement: null },
    ...change,
  }) as unknown as OrderHistory

const kinds = (change: object) => orderTimeline(context, history(change)).map(({ at, kind }) => [at, kind])

test('the timeline of an order without events has its creation', () => {
  expect(orderTimeline(context, history({}))).toEqual([{ at: 10, kind: 'created' }])
})

test('events of the same time are sorted by cause, all others by time', () => {
  const event = { id: 'e', type: 'order.paid', createdAt: 20 }
  const tries = [
    { at: 25, outcome: 'timed_out', httpStatus: null, durationMs: 1 },
    { at: 22, outcome: 'refused', httpStatus: 500, durationMs: 1 },
  ]
  const rows = {
    order: orderOf({ openedAt: 10 }),
    openings: [{ kind: 'opening', methodName: 'Card', createdAt: 12 }],
    settlement: {
      createdAt: 20,
      verdict: 'exact',
      rule: 'a rule',
      evidence: { rate: '1', payments: [{ txId: 't', evidence: 'secret' }] },
    },
    events: [{ event, delivery: { status: 'pending', tries } }],
    notes: [{ createdAt: 20, text: 'a note', actor: 'user:ann' }],
    notifications: [{ createdAt: 20 }],
    audit: [
      { at: 20, action: 'order.forced', actor: 'cli' },
      { at: 20, action: 'unmatched.accepted', actor: 'key:k' },
    ],
    refunds: [
      {
        createdAt: 30,
        amount: '5.00',
        currency: 'USD',
        reason: 'returned',
        createdBy: 'key:k',
        sentAmount: null,
        txId: null,
        sentAssetId: null,
      },
    ],
  }
  expect(kinds(rows)).toEqual([
    [10, 'created'],
    [10, 'opened'],
    [12, 'attempt'],
    [20, 'settled'],
    [20, 'change'],
    [20, 'notified'],
    [20, 'event'],
    [20, 'note'],
    [22, 'delivery'],
    [25, 'delivery'],
    [30, 'refund'],
  ])
  const found = orderTimeline(context, history(rows))
  expect(found[2]).toEqual({ at: 12, kind: 'attempt', method: expect.any(String), due: null })
  const settled = found.find(({ kind }) => kind === 'settled')
  expect(JSON.parse((settled as { evidence: string }).evidence)).toEqual({
    rate: '1',
    payments: [{ txId: 't' }],
  })
  expect(found.at(-1)).toMatchObject({ amount: '$5.00', by: '<key:k>' })
})

test('the timeline of a paid order shows the confirmed payments, and who accepted them', () => {
  const asset = { id: 'polygon/usdc', name: 'USDC on Polygon', ticker: 'USDC', decimals: 6 } as Asset
  const atomic = { confirmedAtomic: '25000000', thresholdAtomic: '24875000' }
  const settlement = { attemptId: 'a', createdAt: 20, verdict: 'exact', rule: 'a rule', evidence: atomic }
  const rows = {
    order: orderOf({ status: 'PAID' }),
    attempts: [attempt({ id: 'a', assetId: 'polygon/usdc', decimals: 6 })],
    settlement,
  }
  const settledOf = (change: object) =>
    orderTimeline({ ...context, asset: () => asset }, history({ ...rows, ...change })).find(
      ({ kind }) => kind === 'settled',
    )
  const enough = { confirmed: '25 USDC on Polygon', needed: '24.875 USDC on Polygon', rule: 'a rule' }
  expect(settledOf({})).toMatchObject({ ...enough, by: null, reason: null })
  expect(settledOf({ settlement: { ...settlement, verdict: 'late' } })).toMatchObject({
    ...enough,
    needed: null,
  })
  // The tolerance, or a part in another coin, can pay an order without the whole amount due.
  const short = { ...settlement, verdict: 'short', evidence: { ...atomic, confirmedAtomic: '24800000' } }
  expect(settledOf({ settlement: short })).toMatchObject({ confirmed: '24.8 USDC on Polygon', needed: null })
  const decision = { status: 'accepted', decidedBy: 'user:ann', note: 'close enough', attemptId: 'a' }
  const paidBy = { ...payment('final', 1n, { attemptId: 'a', assetId: 'polygon/usdc' }) }
  const accepted = {
    settlement: { ...settlement, verdict: 'accepted', evidence: {} },
    unmatched: [{ payment: { ...decision, createdAt: 15 }, incoming: paidBy }],
  }
  expect(settledOf(accepted)).toMatchObject({
    ...{ confirmed: null, needed: null, by: '<user:ann>', reason: 'close enough' },
  })
})

test('the timeline of an order that was paid late shows its expiry before', () => {
  const settlement = { createdAt: 40, verdict: 'late', rule: 'a rule', evidence: {} }
  expect(kinds({ order: orderOf({ status: 'PAID', expiredAt: 30, paidAt: 40 }), settlement })).toEqual([
    [10, 'created'],
    [30, 'expired'],
    [40, 'settled'],
  ])
})

test('a payment has a link to an explorer, except in the sandbox', () => {
  const asset = { ticker: 'BTC', decimals: 8 } as Asset
  const look = () => ({ transactionUrl: 'https://explorer.example/tx/{txId}' }) as AssetLook
  const rows = history({
    attempts: [attempt({ id: 'a', assetId: 'btc', decimals: 8, requiredConfirmations: 3 })],
    payments: [payment('seen', 150_000n, { attemptId: 'a', assetId: 'btc', txIn: 'tx-1' })],
  })
  const known = { ...context, asset: () => asset, look }
  const [entry] = orderTimeline({ ...known, isSandbox: false }, rows).filter(({ kind }) => kind === 'payment')
  expect(entry).toMatchObject({
    amount: '0.0015 BTC',
    txId: 'tx-1',
    txUrl: 'https://explorer.example/tx/tx-1',
    confirmations: 1,
    required: 3,
  })
  const [simulated] = orderTimeline(known, rows).filter(({ kind }) => kind === 'payment')
  expect(simulated).toMatchObject({ txId: 'tx-1', txUrl: null })
})

test('a payment that did not last has failed at its provider, or disappeared from its chain', () => {
  const endOf = (kind: 'redirect' | 'address') => {
    const rows = {
      attempts: [{ ...attempt({ id: 'a' }), kind }],
      payments: [payment('gone', 1n, { attemptId: 'a' })],
    }
    return orderTimeline(context, history(rows)).find(entry => entry.kind === 'payment')
  }
  expect(endOf('redirect')).toMatchObject({ state: 'failed' })
  expect(endOf('address')).toMatchObject({ state: 'gone' })
})

test('the timeline of an ended order shows when and how it ended', () => {
  const ended = (status: Order['status'], change: Partial<Order> = {}) =>
    kinds({
      order: orderOf({ status, ...change }),
      session: { status: 'EXPIRED', updatedAt: 40 },
    })
  expect(ended('EXPIRED', { expiredAt: 40 })).toEqual([
    [10, 'created'],
    [40, 'expired'],
  ])
  expect(ended('FAILED')).toEqual([
    [10, 'created'],
    [40, 'failed'],
  ])
  expect(ended('CANCELLED', { cancelledAt: 30, cancelledBy: 'user:ann' })).toEqual([
    [10, 'created'],
    [30, 'cancelled'],
  ])
  expect(ended('PAID', { forcedAt: 30, forcedBy: 'Ann Lee' })).toEqual([
    [10, 'created'],
    [30, 'forced'],
  ])
})
