import { expect, test } from 'bun:test'
import { historyProblems, type Left, type Operation } from './history.ts'

// Tests the checker itself: one history without a fault, and one for each fault that it has to find.

const done = (kind: Operation['kind'], about: string, at: number, more: object = {}): Operation => ({
  ...{ client: 1, kind, about, startedAt: at, endedAt: at + 1 },
  ...more,
})
const history: Operation[] = [
  done('order', 'a', 0, { id: 'order-a' }),
  done('order', 'a', 2, { id: 'order-a' }),
  done('order', 'b', 3, { endedAt: null }),
  done('pay', 'order-a', 4),
  done('refund', 'r', 6, { id: 'refund-r' }),
  done('write', 'p', 10, { version: 1 }),
  done('read', 'p', 12, { version: 1 }),
  done('write', 'p', 14, { version: 2, endedAt: null }),
  done('read', 'p', 16, { version: 2 }),
]
const paid = { id: 'event-a', type: 'order.paid', orderId: 'order-a', body: '{}' }
const left: Left = {
  orders: [
    { key: 'a', id: 'order-a', isPaid: true, payments: 1 },
    { key: 'b', id: 'order-b', isPaid: false, payments: 0 },
  ],
  refunds: [{ key: 'r', id: 'refund-r' }],
  products: [{ id: 'p', version: 2 }],
  events: [paid, paid],
}
const [first, second] = left.orders as [Left['orders'][0], Left['orders'][0]]

test('a history without a fault has no problem, with and without unanswered requests', () => {
  expect(historyProblems(history, left)).toEqual([])
  expect(historyProblems(history, { ...left, orders: [first] })).toEqual([])
})

const faults: [fault: string, history: Operation[], left: Left, problem: RegExp][] = [
  ['an order is lost', history, { ...left, orders: [second], events: [] }, /a was acknowledged.*lost/],
  ['an order is there twice', history, { ...left, orders: [first, second, second] }, /b is there 2 times/],
  ['a key has two answers', [...history, done('order', 'a', 9, { id: 'x' })], left, /answered with/],
  ['an order was never requested', history.slice(0, 2), left, /b was never requested/],
  ['a refund is lost', history, { ...left, refunds: [] }, /r was acknowledged/],
  ['a refund is there twice', history, { ...left, refunds: [...left.refunds, ...left.refunds] }, /2 times/],
  [
    'a payment is lost',
    history,
    { ...left, orders: [{ ...first, isPaid: false }], events: [] },
    /paid is false/,
  ],
  ['a payment counts twice', history, { ...left, orders: [{ ...first, payments: 2 }] }, /2 payments/],
  ['a change is lost', history, { ...left, products: [{ id: 'p', version: 1 }] }, /version 1 after 2/],
  ['a read goes back', [...history, done('read', 'p', 18, { version: 1 })], left, /read version 1 after 2/],
  ['a read is ahead', [...history, done('read', 'p', 18, { version: 9 })], left, /never written/],
  ['an event changes', history, { ...left, events: [paid, { ...paid, body: '[]' }] }, /several contents/],
  ['an event has two IDs', history, { ...left, events: [paid, { ...paid, id: 'x' }] }, /2 events/],
  ['an event is lost', history, { ...left, events: [] }, /0 events/],
]

test.each(faults)('the checker finds that %s', (_, wrong, remains, problem) => {
  expect(historyProblems(wrong, remains).join('; ')).toMatch(problem)
})
