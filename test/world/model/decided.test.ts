import { describe } from 'bun:test'
import {
  before,
  books,
  type Case,
  decided,
  ended,
  endedSums,
  type Line,
  settled,
  stored,
  testCases,
} from './fixtures.ts'
import {
  beginning,
  created,
  delivered,
  ORDER,
  opened,
  orderJson,
  paidJson,
  said,
  sent,
  time,
} from './story.ts'

const MINUTE_MS = 60_000
const minute = (minutes: number): number => Date.parse(time(0)) + minutes * MINUTE_MS

/**
 * A run with an order that expires before the time for its payment ends, and that is EXPIRED at `expiredAt`.
 */
const short = (expiredAt: number): Line[] => {
  const expiresAt = time(20)
  const body = {
    ...{ amount: '25', currency: 'USD', externalId: 'cart-1', paymentMethodsKeys: ['crypto'], expiresAt },
    customer: { email: 'buyer@example.com' },
  }
  const order = created({ body }, { expiresAt })
  const expired = orderJson({ status: 'EXPIRED', expiresAt, updatedAt: time(expiredAt) })
  return [...beginning(), order, opened(), said(40, expired)]
}

const resolved = (more: object = {}): Line => decided('resolve', 'owner', more)
const HALF = 12_500_000n
const by = { who: 'owner', shop: 0, userId: 'u' }
const noted = (action: string) => ({ actor: 'user:u', action, subject: `order:${ORDER}` })
const inTime = { ...stored, paid_at: minute(5), created_at: minute(6) }
const later = { ...stored, paid_at: minute(20), created_at: minute(21) }

const twice = [...settled, ...sent(20, 25_000_000n, { transfer: 2 })]

const cases: Case[] = [
  [
    '1d',
    'an order expires after the usual time, and not a minute later',
    [...beginning(), created()],
    [...beginning(), created({}, { expiresAt: time(2 + 24 * 60) })],
  ],
  ['2d', 'no order expires while the time to pay runs', short(33), short(25)],
  [
    '5a',
    'what the shop resolved never counts again',
    [...before, ...sent(5, HALF), resolved(), ...sent(8, HALF, { transfer: 2 })],
    [
      ...[...before, ...sent(5, HALF), resolved(), ...sent(8, HALF, { transfer: 2 })],
      ...[delivered(10), said(11, paidJson())],
    ],
  ],
  [
    '6c',
    'what comes after an order was paid waits for the shop',
    [...twice, books([inTime, { ...later, settles: 0, unmatched: 1 }])],
    [...twice, books([inTime, later])],
  ],
  [
    '7b',
    'a payment is resolved once',
    [...before, resolved(), resolved({ isStale: true, status: 409 })],
    [...before, resolved(), resolved({ isStale: true })],
  ],
  [
    '13',
    'each payment that was resolved has its row',
    [...ended, resolved({ by }), books([], endedSums, [noted('order.ended'), noted('unmatched.resolved')])],
    [...ended, resolved({ by }), books([], endedSums, [noted('order.ended')])],
  ],
]

describe('the model checks decisions', () => testCases(cases))
