import { describe } from 'bun:test'
import {
  books,
  type Case,
  decided,
  expired,
  type Line,
  refunded,
  settled,
  sums,
  testCases,
} from './fixtures.ts'
import { at, beginning, call, created, delivered, ORDER, orderJson, paidJson, said, time } from './story.ts'

const card = (minutes: number, what: string, minor = 2500n, provider = 'stripe') =>
  at(minutes, { fact: 'card', order: ORDER, provider, session: 'page-1', what, minor, isAsked: false })
const atPayPal = (minutes: number, what: string) => card(minutes, what, 2500n, 'paypal')
const made = [...beginning(), created()]
const told = [delivered(10), said(11, paidJson())]
const cancelled = call(4, {
  ...{ path: `/v1/orders/${ORDER}/cancel`, status: 200 },
  answer: { data: { order: orderJson({ status: 'CANCELLED' }) } },
})
const recorded = (amounts: string[], refunds: string[] = [], said: object[] = [sums]): Line =>
  books([], said, [], {
    charges: amounts.map(amount => ({ order_id: ORDER, amount })),
    reversals: refunds.map(amount => ({ order_id: ORDER, kind: 'refund', amount, currency: 'USD' })),
  })
const refundSums = [{ ...sums, refunded: '1000', refunded_count: 1, net: '1437' }]
const paidBack = (minutes: number): Line =>
  at(minutes, { ...card(minutes, 'refunded', 1000n), isAsked: true })
const asked = [...made, card(3, 'charged'), ...told, decided('send-refund', 'owner'), paidBack(20)]

const ended = [
  ...made,
  decided('end', 'owner'),
  said(6, orderJson({ status: 'EXPIRED', expiresAt: time(6), updatedAt: time(6) })),
]

const cases: Case[] = [
  [
    '2d',
    'an order is open until its bank was asked again, and no longer',
    [...made, card(5, 'pending'), card(47 * 60, 'charged'), said(48 * 60, orderJson())],
    [...made, card(5, 'pending'), card(19 * 60, 'charged'), said(48 * 60, orderJson())],
  ],
  [
    '5a',
    'a debit that is on its way pays nothing',
    [...made, card(3, 'pending'), card(8, 'charged'), ...told],
    [...made, card(3, 'pending'), ...told],
  ],
  [
    '5a',
    'what a buyer approved pays nothing before it is taken',
    [...made, atPayPal(3, 'approved'), atPayPal(4, 'charged'), ...told],
    [...made, atPayPal(3, 'approved'), ...told],
  ],
  [
    '17a',
    'a charge pays its order',
    [...made, card(3, 'charged'), ...told],
    [...made, card(3, 'charged'), expired()],
  ],
  [
    '17a',
    'a charge pays its order, unless all of it is refunded before',
    [...made, card(3, 'charged'), card(4, 'refunded'), expired()],
    [...made, card(3, 'charged'), card(4, 'refunded', 1000n), expired()],
  ],
  [
    '17b',
    'a payment that the buyer approved is taken',
    [...made, atPayPal(3, 'approved'), atPayPal(4, 'charged'), ...told],
    [...made, atPayPal(3, 'approved'), expired()],
  ],
  [
    '17c',
    'a payment that the buyer approved is taken once',
    [...made, atPayPal(3, 'approved'), atPayPal(4, 'pending'), atPayPal(9, 'charged'), ...told],
    [...made, atPayPal(3, 'approved'), atPayPal(4, 'charged'), atPayPal(5, 'charged'), ...told],
  ],
  [
    '17c',
    'nothing is taken for an order that is over',
    [...made, atPayPal(3, 'approved'), cancelled],
    [...made, atPayPal(3, 'approved'), cancelled, atPayPal(5, 'charged')],
  ],
  [
    '17d',
    'each charge is recorded once',
    [...made, card(3, 'charged'), ...told, recorded(['2500'])],
    [...made, card(3, 'charged'), ...told, recorded(['2500', '2500'])],
  ],
  [
    '17d',
    'a charge is recorded with its amount',
    [...made, card(3, 'charged'), ...told, recorded(['2500'])],
    [...made, card(3, 'charged'), ...told, recorded(['2499'])],
  ],
  [
    '17e',
    'a refund at the provider is recorded',
    [...made, card(3, 'charged'), ...told, card(20, 'refunded', 1000n), recorded(['2500'], ['10.00'])],
    [...made, card(3, 'charged'), ...told, card(20, 'refunded', 1000n), recorded(['2500'])],
  ],
  [
    '17f',
    'a refund is sent once',
    [...asked, refunded({ refundedAmount: '10.00' }), recorded(['2500'], ['10.00'], refundSums)],
    [...asked, paidBack(21), refunded({ refundedAmount: '20.00' }), recorded(['2500'], ['10.00', '10.00'])],
  ],
  [
    '17f',
    'a refund that was sent is recorded',
    [...asked, refunded({ refundedAmount: '10.00' }), recorded(['2500'], ['10.00'], refundSums)],
    [...asked, recorded(['2500'], ['10.00'])],
  ],
  [
    '17g',
    'nobody pays on a page long after the order was paid otherwise',
    [...settled, card(11, 'charged')],
    [...settled, card(14, 'charged')],
  ],
  [
    '17g',
    'nobody pays on a page long after the order has ended',
    [...ended, card(7, 'charged')],
    [...ended, card(9, 'charged')],
  ],
  [
    '17g',
    'Mollie takes payments until it ends a page, and others no longer than the server lets them',
    [...settled, card(14, 'charged', 2500n, 'mollie')],
    [...settled, card(14, 'charged', 2500n, 'paypal')],
  ],
  [
    '8d',
    'what was refunded at the card provider is recorded by the shop, or not at all',
    [...made, card(3, 'charged'), ...told, card(20, 'refunded', 1000n), said(40, paidJson())],
    [
      ...made,
      card(3, 'charged'),
      ...told,
      card(20, 'refunded', 1000n),
      refunded({ refundedAmount: '10.00' }),
    ],
  ],
]

describe('the model checks payments on the accounts of shops', () => testCases(cases))
