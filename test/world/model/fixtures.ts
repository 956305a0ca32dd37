import { expect, test } from 'bun:test'
import type { Fact, Saying } from '../facts.ts'
import {
  at,
  beginning,
  call,
  created,
  delivered,
  eventJson,
  ORDER,
  opened,
  orderJson,
  paidJson,
  problemsOf,
  said,
  sent,
  time,
} from './story.ts'

/** Runs that the tests of the model share, and the form of a test of a rule. */

export type Line = Fact | Saying
export const before = [...beginning(), created(), opened()]
export const paid = [...before, ...sent(5, 25_000_000n)]
export const settled = [...paid, delivered(10), said(11, paidJson())]
export const toldShort = [
  delivered(10, eventJson(), { headers: { 'x-service-settlement': 'short' } }),
  said(11, paidJson({ receivedAmount: '24.875' })),
]
export const expired = (status = 'EXPIRED') => said(26 * 60, orderJson({ status, updatedAt: time(1450) }))

export const refund = (minutes: number, amount: string, more: object = {}, of: object = {}): Line =>
  call(minutes, {
    ...{ path: `/v1/orders/${ORDER}/refunds`, idempotencyKey: 'r-1', body: { amount, reason: 'returned' } },
    answer: {
      data: {
        refund: {
          ...{ refundId: 'f-1', amount, amountMinor: amount.replace('.', ''), orderUUID: ORDER },
          ...{ reason: 'returned', status: 'RECORDED' },
        },
        transaction: { transactionId: 't-1' },
        order: paidJson({ refundedAmount: amount, refundStatus: 'PARTIAL', refundCount: '1', ...of }),
      },
    },
    ...more,
  })
export const refunded = (json: object) =>
  said(40, paidJson({ refundStatus: 'PARTIAL', refundCount: '1', ...json }))
export const decided = (what: string, who: string, more: object = {}): Line =>
  at(6, {
    ...{ fact: 'decision', by: { who, shop: 0, userId: null }, what, order: ORDER, form: {}, status: 303 },
    ...{ transfers: null, isStale: false, together: null },
    ...more,
  })
export const mood = (minutes: number, name: string) => at(minutes, { fact: 'receiver', shop: 0, mood: name })
export const list = (path: string, items: object[], number = 0): Line =>
  at(50, { says: 'list', shop: number, path, items })
export const priced = (micros: bigint) => at(1, { fact: 'price', ticker: 'usdc', micros })

export const demanded = at(8, { fact: 'visit', order: ORDER, what: 'check', status: 303, value: null })
export const cancelled = (status: number): Line =>
  call(6, { path: `/v1/orders/${ORDER}/cancel`, status, answer: { data: { order: orderJson() } } })
export const failed = [...paid, mood(8, 'fails'), delivered(10, eventJson(), { answered: 500 })]
export const stored = {
  ...{ order_id: ORDER, asset_id: 'polygon/usdc', tx_id: 'd1', amount: '25000000' },
  ...{ state: 'final', settles: 1, unmatched: 0 },
}
/**
 * The rows that the rules about stored data read: payments, statistics, audit log, and charges at the shops'
 * own accounts.
 */
export const books = (
  payments: object[],
  statistics: object[] = [sums],
  audit: object[] = [],
  { charges = [], reversals = [] }: { charges?: object[]; reversals?: object[] } = {},
): Line =>
  at(50, {
    says: 'books',
    rows(sql: string) {
      if (sql.includes("'paypal'")) return charges
      if (sql.includes('reversals')) return reversals
      if (sql.includes('incoming_payments')) return payments
      if (sql.includes('audit_log')) return audit
      if (sql.includes('method_statistics')) return statistics
      return statistics.flatMap(row => [15, 1440].map(minutes => ({ minutes, ...row })))
    },
  })
export const sums = {
  ...{
    merchant: orderJson().merchantId,
    currency: 'USD',
    created_count: 1,
    paid_count: 1,
    converted_count: 1,
    net: '2437',
    gross: '2500',
  },
}

export const ended = [
  ...before,
  decided('end', 'owner', { by: { who: 'owner', shop: 0, userId: 'u' } }),
  said(7, orderJson({ status: 'EXPIRED' })),
]
export const endedSums = [{ merchant: orderJson().merchantId, currency: 'USD', created_count: 1 }]

const subscribed = (...eventTypes: string[]): Line[] => [
  ...beginning({
    webhook: { previous: null, url: 'https://shop-0.example', secret: 'secret', eventTypes },
  }),
  created(),
]

/** A run of a shop that subscribed to events of payments. */
export const talkative = [
  ...subscribed('order.paid', 'payment.created', 'payment.expired'),
  opened(),
  delivered(2, eventJson({ id: 'e-2', type: 'payment.created' })),
]
/** A run with a cancelled order of a shop that subscribed to such events. */
export const toldEnd = (...events: Line[]): Line[] => [
  ...subscribed('order.paid', 'order.cancelled'),
  cancelled(200),
  ...events,
  said(9, orderJson({ status: 'CANCELLED' })),
]
export const endEvent = (id: string): Line => delivered(8, eventJson({ id, type: 'order.cancelled' }))
export const expiredEvent = (minutes: number): Line =>
  delivered(minutes, eventJson({ id: 'e-3', type: 'payment.expired', createdAt: time(minutes) }))
export const lying = (minutes: number, lie: string, times: number | null = null): Line =>
  at(minutes, { ...{ fact: 'endpoint', chain: 'polygon', endpoint: 0, lie }, amount: 0, times })
export const away = (minutes: number): Line => lying(minutes, 'fail')

/** A rule, a run that follows it, and a run that breaks it. */
export type Case = [rule: string, title: string, keeps: Line[], breaks: Line[]]

export function testCases(cases: readonly Case[]): void {
  test.each(cases)('%s: %s', (rule, _, keeps, breaks) => {
    expect(problemsOf(keeps)).toEqual([])
    const found = problemsOf(breaks)
    expect(found.map(problem => problem.split(':')[0])).toContain(rule)
  })
}
